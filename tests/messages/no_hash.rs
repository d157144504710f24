// at most 47 lines: note: write `impl ValueHash for Color`, or `hash = function` in the `#[object(…)]` of `#[derive(Object)]`
use acedia::{Object, class};

#[derive(Default, PartialEq)]
struct Color(u32);
impl Object for Color {
    class!(Color, "Game.Color", kind = Value);
}

fn main() {}
