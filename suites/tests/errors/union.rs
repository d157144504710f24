use acedia_macros::Object;

#[derive(Object)]
#[object(name = "Game.Bits")]
union Bits {
    float: f32,
    int: u32,
}

fn main() {}
