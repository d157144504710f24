// at most 14 lines: missing: `write_the_macro_actor_here`
use acedia_actors::Actor;

#[derive(Default)]
struct Pawn;
impl Actor for Pawn {}

fn main() {}
