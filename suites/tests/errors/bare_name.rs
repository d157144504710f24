use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = Game.Smoke)]
struct Smoke;

fn main() {}
