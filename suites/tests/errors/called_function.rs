use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor = start(3))]
struct Smoke;

fn main() {}
