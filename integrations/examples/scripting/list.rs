//! `ArrayList` in scripts.

use acedia_collections::ArrayList;
use rhai::{Array, Dynamic, Engine, INT};

use crate::collection::Collection;
use crate::value::{is_written_back, of_item, of_taken, to_item};
use crate::world::{Failure, World};

type List = Collection<ArrayList>;

/// `list([…])`, the methods of a list, `list[index]` and `for item in list`.
pub(crate) fn register(engine: &mut Engine, world: &World) {
    let world = world.clone();
    engine
        .register_type_with_name::<List>("ArrayList")
        .register_iterator_result::<List, Dynamic>()
        .register_fn("list", move |values: Array| -> Result<List, Failure> {
            let items = values.iter().map(|value| to_item(&world, value));
            let list = ArrayList::from(items.collect::<Result<Vec<_>, _>>()?);
            Ok(List::owned(&world, list))
        })
        .register_fn("watch", |list: &mut List| list.watch())
        .register_fn("free", List::free)
        .register_fn("to_string", |list: &mut List| list.print())
        .register_get("len", |list: &mut List| list.with(|it| length(it.read().len())))
        .register_fn("push", |list: &mut List, value: Dynamic| -> Result<(), Failure> {
            let item = to_item(&list.world, &value)?;
            let pushed = list.with(|it| it.write().try_push(item))?;
            pushed.map_err(|refused| refused.to_string().into())
        })
        .register_fn("remove", |list: &mut List, index: INT| -> Result<Dynamic, Failure> {
            let removed = list.with(|it| it.write().remove(place(index)))?;
            Ok(of_taken(&list.world, &removed))
        })
        .register_fn("find", |list: &mut List, value: Dynamic| -> Result<INT, Failure> {
            let wanted = to_item(&list.world, &value)?;
            list.with(|it| it.read().find(wanted).map_or(-1, length))
        })
        .register_indexer_get(|list: &mut List, index: INT| -> Result<Dynamic, Failure> {
            let item = list.with(|it| it.read()[place(index)].clone())?;
            Ok(of_item(&list.world, &item))
        })
        .register_indexer_set(|list: &mut List, index: INT, value: Dynamic| -> Result<(), Failure> {
            let item = to_item(&list.world, &value)?;
            list.with(|it| {
                let mut items = it.write();
                let len = items.len();
                if place(index) > len {
                    return Err(format!("index {index} is beyond the end of a list of {len}").into());
                }
                if is_written_back(&items[place(index)], &item) {
                    return Ok(());
                }
                let before = items.try_set(place(index), item);
                before.map(drop).map_err(|refused| refused.to_string().into())
            })?
        });
}

/// A negative index is treated as one beyond the end.
fn place(index: INT) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn length(len: usize) -> INT {
    INT::try_from(len).unwrap_or(INT::MAX)
}

impl IntoIterator for List {
    type Item = Result<Dynamic, Failure>;
    type IntoIter = Walk;

    fn into_iter(self) -> Walk {
        Walk {
            list: self,
            next: 0,
            failed: false,
        }
    }
}

/// Iterates over a list that may change, and be freed, meanwhile.
pub(crate) struct Walk {
    list: List,
    next: usize,
    failed: bool,
}

impl Iterator for Walk {
    type Item = Result<Dynamic, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let item = self.list.with(|list| {
            let items = list.read();
            (self.next < items.len()).then(|| items[self.next].clone())
        });
        self.next += 1;
        self.failed = item.is_err();
        item.transpose().map(|item| Ok(of_item(&self.list.world, &item?)))
    }
}
