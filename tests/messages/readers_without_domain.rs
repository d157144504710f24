// at most 36 lines: note: declare it with `domain! { Audio }`, or use `Global` or `GuardsOnly`
use acedia::{Object, class};

struct Audio;

#[derive(Default)]
struct Voice;
impl Object for Voice {
    class!(Voice, "Game.Voice", readers = Audio);
}

fn main() {}
