use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", kind = "value")]
struct Smoke;

fn main() {}
