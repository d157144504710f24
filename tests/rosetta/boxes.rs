//! The seed's samples on boxes, references and arrays.

use acedia::{Owned, allocate_by_reference};
use acedia_boxes::{ByteBox, ByteRef, FloatArrayBox, FloatArrayRef, FloatBox, FloatRef, IntArrayRef, IntBox, IntRef};

// class MyBox extends Object;
// var float value;
pub(crate) fn my_box() {
    // Immutable: every owner of a box can read it, and none can change it.
    let my_box: Owned<FloatBox> = FloatBox::new(-2.48);
    let value: f32 = my_box.get();
    assert_eq!(value.to_string(), "-2.48");
}

// box1 = _.box.int(7);
// box2 = FloatBox(_.memory.Allocate(class'FloatBox'));
// box2.Initialize(-2.48); // Must be done immediately after allocation!
// Log("Int value:" @ box1.Get());     // Int value: 7
// Log("Float value:" @ box2.Get());   // Float value: -2.48
pub(crate) fn boxes() {
    // Allocation and initialization are one call, so that initialization can't be forgotten.
    let box1 = IntBox::new(7);
    let box2 = FloatBox::new(-2.48);
    assert_eq!(format!("Int value: {}", box1.get()), "Int value: 7");
    assert_eq!(format!("Float value: {}", box2.get()), "Float value: -2.48");
    // By name it works, too, and gives the default value.
    let by_name = allocate_by_reference("AcediaCore.FloatBox").unwrap();
    assert_eq!(by_name.downcast_ref::<FloatBox>().unwrap().to_string(), "0");
}

// ref1 = _.ref.int(7);
// ref2 = FloatRef(_.memory.Allocate(class'FloatRef'));
// ref2.Initialize(-2.48); // Must be done immediately after allocation!
// //  Change values
// Log("Int value:" @ ref1.Get());     // Int value: -89
// Log("Float value:" @ ref2.Get());   // Float value: 0.56
pub(crate) fn references() {
    let ref1 = IntRef::new(7);
    let ref2 = FloatRef::new(-2.48);
    ref1.set(-89);
    ref2.set(0.56);
    assert_eq!(format!("Int value: {}", ref1.get()), "Int value: -89");
    assert_eq!(format!("Float value: {}", ref2.get()), "Float value: 0.56");
}

// box1 = _.box.byte(56);
// box2 = _.box.byte(56);
// ref1 = _.ref.byte(247);
// ref2 = _.ref.byte(247);
pub(crate) fn equality_of_boxes_and_references() {
    let (box1, box2) = (ByteBox::new(56), ByteBox::new(56));
    let (ref1, ref2) = (ByteRef::new(247), ByteRef::new(247));
    // Boxes equality: true
    assert!(box1.is_equal(&box2));
    // Boxes hash equality: true
    assert_eq!(box1.hash_code(), box2.hash_code());
    // Refs equality: false
    assert!(!ref1.is_equal(&ref2));
    assert!(ref1.is_equal(&ref1.clone()));
    // Refs hash equality: false
    // (that's the most likely result, but it can actually be `true` by pure chance)
    let hashes: [i32; 4] = std::array::from_fn(|_| ByteRef::new(247).hash_code());
    assert!(hashes.iter().any(|&hash| hash != ref1.hash_code()), "{hashes:?}");
    // A reference stays the same object when its content changes, and is no box.
    let hash = ref1.hash_code();
    ref1.set(56);
    assert_eq!(ref1.hash_code(), hash);
    assert!(!ref1.into_any().is_equal(&box1.into_any()));
}

// Such classes for arrays pass huge arrays between objects and functions by reference, without copying their data.
pub(crate) fn array_boxes_and_references() {
    fn length(huge: &Owned<FloatArrayBox>) -> usize {
        huge.len()
    }
    let huge = FloatArrayBox::new((0..10_000).map(|_| 0.5));
    let shared = huge.clone(); // one owner more, and no copy
    assert_eq!(shared.as_slice().as_ptr(), huge.as_slice().as_ptr());
    assert_eq!(length(&shared), 10_000);
    // Array boxes are equal by content, array references are not.
    assert!(huge.is_equal(&FloatArrayBox::new(vec![0.5; 10_000])));
    assert!(!FloatArrayRef::new([0.5]).is_equal(&FloatArrayRef::new([0.5])));
}

pub(crate) fn the_table_of_float_array_ref() {
    let array = FloatArrayRef::new([]);
    let is = |expected: &[f32]| array.with(|items| assert_eq!(format!("{items:?}"), format!("{expected:?}")));
    // Set(array<float>): sets the whole array value.
    array.set(&[1.0, 2.0, 3.0]);
    // Get(): returns the whole stored array.
    assert_eq!(format!("{:?}", array.to_vec()), "[1.0, 2.0, 3.0]");
    // GetItem(int, optional float): if the index is invalid, returns the passed default value.
    assert_eq!(array.get(1).map(|item| item.to_string()).as_deref(), Some("2"));
    assert_eq!(array.get_or(3, -1.0).to_string(), "-1");
    assert!(array.get(3).is_none());
    // SetItem(int, float): changes the value at the index.
    array.set_item(1, 5.0).set_item(4, 6.0);
    is(&[1.0, 5.0, 3.0, 0.0, 6.0]);
    // GetLength(): faster than the length of a copy.
    assert_eq!(array.len(), 5);
    // SetLength(int): resizes; there are no negative lengths.
    array.resize(2).resize(3);
    is(&[1.0, 5.0, 0.0]);
    // Empty(): empties the array.
    assert!(array.clear().is_empty());
    // Add(int): adds new elements at the end.
    array.push_defaults(2);
    is(&[0.0, 0.0]);
    // Insert(int index, int count): inserts empty elements at the position.
    array.set(&[1.0, 2.0]).insert_defaults(1, 2).insert_defaults(9, 2);
    is(&[1.0, 0.0, 0.0, 2.0]);
    // Remove(int index, int count): removes elements, and closes the gap. Can be chained.
    array.remove_range(1..3).remove_range(1..100).remove_range(7..8);
    is(&[1.0]);
    // RemoveIndex(int): removes the value at the index.
    array.set(&[1.0, 2.0, 3.0]);
    assert!(array.remove(1).is_some() && array.remove(2).is_none());
    is(&[1.0, 3.0]);
    // AddItem(float): adds at the end.
    array.push(4.0);
    is(&[1.0, 3.0, 4.0]);
    // InsertItem(int, float): inserts at the index; the rest moves to the right.
    array.insert(1, 2.0).insert(4, 5.0).insert(6, 7.0);
    is(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    // AddArray(array<float>) / AddArrayRef(FloatArrayRef): adds all items at the end.
    let other = FloatArrayRef::new([3.0]);
    array.set(&[1.0]).extend_from_slice(&[2.0]).extend_from_ref(&other);
    array.extend_from_ref(&array);
    is(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    // InsertArray(array<float>) / InsertArrayRef(FloatArrayRef): inserts all items at the index.
    array.set(&[1.0]).insert_slice(0, &[2.0]).insert_ref(1, &other);
    array.insert_ref(1, &array).insert_slice(7, &[9.0]);
    is(&[2.0, 2.0, 3.0, 1.0, 3.0, 1.0]);
    // RemoveItem(float, bool): all occurrences, or only the first one.
    assert!(array.remove_first(3.0));
    is(&[2.0, 2.0, 1.0, 3.0, 1.0]);
    assert_eq!((array.remove_all(1.0), array.remove_all(1.0)), (2, 0));
    is(&[2.0, 2.0, 3.0]);
    // Find(float): the index of the first occurrence.
    assert_eq!((array.find(3.0), array.find(4.0)), (Some(2), None));
    // Replace(float search, float replacement): any occurrence.
    assert_eq!(array.replace(2.0, 4.0), 2);
    is(&[4.0, 4.0, 3.0]);
    // Sort(optional bool descending): ascending or descending.
    array.insert(1, -2.48).sort();
    is(&[-2.48, 3.0, 4.0, 4.0]);
    array.sort_descending();
    is(&[4.0, 4.0, 3.0, -2.48]);
    // The same for every class of the family, `IntArrayRef` for one.
    assert_eq!(IntArrayRef::new([2, 3, 1]).sort().to_vec(), [1, 2, 3]);
}
