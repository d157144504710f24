// at most 22 lines: note: if you want to do aliasing and mutation between multiple threads, use `std::sync::RwLock` instead
use std::cell::RefCell;

use acedia::{Object, class};

#[derive(Default)]
struct Smoke {
    trail: RefCell<Vec<u32>>,
}
impl Object for Smoke {
    class!(Smoke, "Game.Smoke");
}

fn main() {}
