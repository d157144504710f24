use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Smoke")]
struct Smoke;

fn main() {}
