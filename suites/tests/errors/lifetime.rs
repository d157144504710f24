use acedia_macros::Object;

#[derive(Default, Object)]
#[object(name = "Game.View")]
pub(crate) struct View<'a>(&'a str);

fn main() {}
