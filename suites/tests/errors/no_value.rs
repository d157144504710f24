use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor)]
struct Smoke;

fn main() {}
