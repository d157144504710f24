// at most 19 lines: note: the rules are `()`, `All`, `Any`, `Sum<T>`, `First<T>`, `Last<T>`, `Vec<T>` and types that implement `Rule`
use acedia::{Object, class};
use acedia_signals::Signal;

#[derive(Default)]
struct Pawn(u32);
impl Object for Pawn {
    class!(Pawn, "Game.Pawn");
}

fn main() {
    let damage: Signal<u32, bool> = Signal::new();
    let pawn = Pawn::allocate();
    damage.connect(pawn.handle(), |pawn, damage| pawn.0 == *damage);
}
