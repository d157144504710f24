use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke")]
#[object(name = "Game.Fog")]
struct Smoke;

fn main() {}
