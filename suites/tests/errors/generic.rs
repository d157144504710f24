use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.Shelf")]
pub(crate) struct Shelf<T>(Vec<T>);

fn main() {}
