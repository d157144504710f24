use acedia_macros::Object;

#[derive(Default, Object)]
#[object("Game.Smoke")]
struct Smoke;

fn main() {}
