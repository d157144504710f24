// at most 29 lines: note: an object without an owner is freed by its handle: `handle.free()`
use acedia::{Object, class};

#[derive(Default)]
struct Pawn;
impl Object for Pawn {
    class!(Pawn, "Game.Pawn");
}

fn main() {
    let pawn = Pawn::allocate().into_manual();
    free(pawn);
}
