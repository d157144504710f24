//! `HashTable` in scripts.

use std::vec;

use acedia_collections::{HashTable, Item};
use rhai::{Dynamic, Engine, INT, ImmutableString, Map};

use crate::collection::Collection;
use crate::value::{is_written_back, of_item, of_taken, to_item};
use crate::world::{Failure, World};

type Table = Collection<HashTable>;

/// `table(#{…})`, the methods of a table, `table[key]`, `table.key` and `for key in table`.
pub(crate) fn register(engine: &mut Engine, world: &World) {
    let world = world.clone();
    engine
        .register_type_with_name::<Table>("HashTable")
        .register_iterator_result::<Table, Dynamic>()
        .register_fn("table", move |values: Map| -> Result<Table, Failure> {
            let table = HashTable::new();
            for (key, value) in &values {
                table.write().set(key.as_str(), to_item(&world, value)?);
            }
            Ok(Table::owned(&world, table))
        })
        .register_fn("watch", |table: &mut Table| table.watch())
        .register_fn("free", Table::free)
        .register_fn("to_string", |table: &mut Table| table.print())
        .register_get("len", |table: &mut Table| {
            table.with(|it| INT::try_from(it.read().len()).unwrap_or(INT::MAX))
        })
        .register_fn("contains", |table: &mut Table, key: Dynamic| -> Result<bool, Failure> {
            let key = to_item(&table.world, &key)?;
            table.with(|it| it.read().contains_key(key))
        })
        .register_fn(
            "remove",
            |table: &mut Table, key: Dynamic| -> Result<Dynamic, Failure> {
                let key = to_item(&table.world, &key)?;
                let removed = table.with(|it| it.write().take(key))?;
                Ok(of_taken(&table.world, &removed))
            },
        )
        .register_indexer_get(|table: &mut Table, key: ImmutableString| get(table, key.as_str().into()))
        .register_indexer_get(|table: &mut Table, key: INT| get(table, to_item(&table.world, &key.into())?))
        .register_indexer_set(|table: &mut Table, key: ImmutableString, value: Dynamic| {
            set(table, key.as_str().into(), &value)
        })
        .register_indexer_set(|table: &mut Table, key: INT, value: Dynamic| {
            set(table, to_item(&table.world, &key.into())?, &value)
        });
}

fn get(table: &Table, key: Item) -> Result<Dynamic, Failure> {
    let item = table.with(|it| it.read()[key].clone())?;
    Ok(of_item(&table.world, &item))
}

fn set(table: &Table, key: Item, value: &Dynamic) -> Result<(), Failure> {
    let item = to_item(&table.world, value)?;
    table.with(|it| {
        let mut entries = it.write();
        if is_written_back(&entries[&key], &item) {
            return Ok(());
        }
        let before = entries.try_set(key, item);
        before.map(drop).map_err(|refused| refused.to_string().into())
    })?
}

impl IntoIterator for Table {
    type Item = Result<Dynamic, Failure>;
    type IntoIter = vec::IntoIter<Self::Item>;

    /// The keys at the beginning of the loop.
    fn into_iter(self) -> Self::IntoIter {
        let keys = self.with(|table| {
            let entries = table.read();
            entries.keys().cloned().collect::<Vec<_>>()
        });
        let keys: Vec<_> = match keys {
            Ok(keys) => keys.iter().map(|key| Ok(of_item(&self.world, key))).collect(),
            Err(error) => vec![Err(error)],
        };
        keys.into_iter()
    }
}
