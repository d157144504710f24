use acedia_macros::Object;

#[derive(Default, Object)]
struct Smoke;

fn main() {}
