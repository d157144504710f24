use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", pool = keep_at_most)]
struct Smoke;

fn main() {}
