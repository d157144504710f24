//! The seed's remarks on collections.

use acedia::{AnyOwned, Object};
use acedia_boxes::{FloatBox, IntBox, IntRef};
use acedia_collections::{ArrayList, HashTable, Item, Nested};
use acedia_text::Text;

// "Similarly, Acedia's collections operate by different rules: they might still consider themselves responsible for objects
// returned with GetItem()."
pub(crate) fn get_item() {
    // A collection stays the owner of its objects. A getter makes a new owner, which the caller drops.
    let list = ArrayList::from([IntRef::new(7)]);
    let item = list.read().get(0).cloned().unwrap();
    let object = item.into_object().unwrap();
    assert_eq!(object.owners(), 2);
    drop(object);
    assert_eq!(list.read()[0].as_int(), Some(7));
    // The caller that takes an item out is its owner from then on.
    let taken = list.write().take(0).into_object().unwrap();
    assert_eq!(taken.owners(), 1);
    assert!(list.read().is_none(0));
}

// Unmanaged items: the collection is not responsible, and does not return what was freed.
pub(crate) fn items_that_are_not_managed() {
    let pawn = IntRef::new(100);
    let table = HashTable::from([("pawn", pawn.handle())]);
    assert_eq!(table.read()["pawn"].as_int(), Some(100));
    assert!(!table.read()["pawn"].is_owned());
    drop(pawn);
    assert!(table.read()["pawn"].is_none());
    // The slot's next life is not mistaken for it.
    let _next = IntRef::new(5);
    assert!(table.read()["pawn"].is_none());
}

// _.collections.EmptyDynamicArray()
pub(crate) fn empty_dynamic_array() {
    let list = ArrayList::new(); // the caller frees it, like every returned object
    list.write().push(1).push("two").push(None::<i32>);
    assert_eq!(list.read().len(), 3);
    let handle = list.handle();
    drop(list);
    assert!(!handle.is_allocated());
}

// "Boxes were introduced because they allowed creation of general collections: Acedia's collections can only store
// AcediaObject, but thanks to boxing any value can be turned into AcediaObject and stored in the collection."
pub(crate) fn boxes_in_collections() {
    let list = ArrayList::from([Item::from(IntBox::new(7)), FloatBox::new(-2.48).into()]);
    assert_eq!(
        (list.read()[0].as_int(), list.read()[1].as_float()),
        (Some(7), Some(-2.48))
    );
    // Plain values are kept as they are, and become boxes when an object is asked for.
    list.write().set(0, 7);
    let object: AnyOwned = list.read()[0].to_object().unwrap();
    assert!(object.is::<IntBox>() && object == IntBox::new(7).into_any());
    assert_eq!(list.read().find(IntBox::new(7)), Some(0));
}

// IsEqual() and GetHash() as the table of keys uses them.
pub(crate) fn keys() {
    let (text, reference) = (Text::from("key"), IntRef::new(1));
    let table = HashTable::new();
    table.write().set(&text, 1).set(&reference, 2).set(13, 3).set(13.0, 4);
    let entries = table.read();
    assert_eq!(entries[&Text::from("key")], entries["key"], "a text by its content");
    assert!(entries[&IntRef::new(1)].is_none(), "a reference by itself alone");
    assert_ne!(entries[13], entries[13.0], "a box by class and value");
}

// The trading component keeps the objects that it has allocated; a collection does that for any number of objects.
pub(crate) fn nested_collections() {
    let trader = HashTable::from([("prices", HashTable::from([("sword", 100)]))]);
    trader.write().set("stock", ArrayList::from(["sword", "rope"]));
    assert_eq!(trader.get_by("/prices/sword").as_int(), Some(100));
    assert_eq!(trader.get_by("/stock/1").as_string().as_deref(), Some("rope"));
    let live = HashTable::class().stats().live;
    drop(trader);
    assert_eq!(
        HashTable::class().stats().live,
        live - 2,
        "with everything that they own"
    );
}
