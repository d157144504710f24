use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor = "start")]
struct Smoke;

fn main() {}
