use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = , kind = value)]
struct Smoke;

fn main() {}
