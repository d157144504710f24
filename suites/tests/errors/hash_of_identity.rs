use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", hash = hash)]
struct Smoke;

fn main() {}
