use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", policy = keep_all)]
struct Smoke;

fn main() {}
