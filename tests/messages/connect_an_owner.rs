// at most 31 lines: error[E0277]: the receiver of a connection is a handle of a class, not `acedia::Owned<Pawn
use acedia::{Object, class};
use acedia_signals::Signal;

#[derive(Default)]
struct Pawn(u32);
impl Object for Pawn {
    class!(Pawn, "Game.Pawn");
}

fn main() {
    let damage: Signal<u32> = Signal::new();
    let pawn = Pawn::allocate();
    damage.connect(pawn, |pawn, damage| drop(pawn.0 + *damage));
}
