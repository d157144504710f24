use std::sync::atomic::{AtomicU32, Ordering};

use super::{Column, Methods};
use crate::{Actor, Pawn, actor};

static ENDED: AtomicU32 = AtomicU32::new(0);

#[derive(Default)]
struct Plain {
    number: u32,
}

impl Actor for Plain {
    actor!(Plain, "Test.Plain");
    fn finalizer(&mut self) {
        ENDED.fetch_add(self.number, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Owning {
    base: Pawn,
    text: String,
}

impl Actor for Owning {
    actor!(Owning, "Test.Owning", parent = Pawn, in base);
    fn finalizer(&mut self) {
        ENDED.fetch_add(100 * u32::try_from(self.text.len()).unwrap(), Ordering::Relaxed);
    }
}

#[test]
fn each_actor_is_finalized_once_whether_it_is_dropped_or_overwritten() {
    let mut plain = Column::new(Methods::of::<Plain>());
    let mut owning = Column::new(Methods::of::<Owning>());
    for _ in 0..2 {
        assert_eq!((plain.make(), owning.make()), (Some(0), Some(0)));
        assert_eq!(plain.part::<Plain>(0).unwrap().number, 0);
        plain.part_mut::<Plain>(0).unwrap().number = 1;
        owning.part_mut::<Owning>(0).unwrap().text.push('x');
        plain.reclaim(0);
        owning.reclaim(0);
        plain.reclaim(9);
    }
    assert_eq!(ENDED.load(Ordering::Relaxed), 202);
}

#[test]
fn parts_are_those_of_the_class_and_its_parents() {
    let mut owning = Column::new(Methods::of::<Owning>());
    let row = owning.make().unwrap();
    assert!(owning.part::<Owning>(row).is_some() && owning.part_mut::<Pawn>(row).is_some());
    assert!(owning.part::<Plain>(row).is_none() && owning.part_mut::<Plain>(row).is_none());
}
