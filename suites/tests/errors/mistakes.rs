use acedia_macros::Object;

#[derive(Default, Object)]
struct NoName;

#[derive(Default, Object)]
#[object(name = Game.Smoke)]
struct BareName;

#[derive(Default, Object)]
#[object(name = , kind = value)]
struct EmptyValue;

#[derive(Default, Object)]
#[object(name = "Smoke")]
struct NameWithoutPackage;

#[derive(Default, Object)]
#[object("Game.Smoke")]
struct NoKey;

#[derive(Default, Object)]
#[object = "Game.Smoke"]
struct NoParentheses;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor)]
struct NoValue;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor = start(3))]
struct CalledFunction;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor = "start")]
struct QuotedFunction;

#[derive(Default, Object)]
#[object(name = "Game.Smoke")]
#[object(name = "Game.Fog")]
struct Twice;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", policy = keep_all)]
struct UnknownOption;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", kind = "value")]
struct WrongKind;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", pool = keep_at_most)]
struct WrongPool;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", hash = hash)]
struct HashOfIdentity;

#[derive(Default, Object)]
#[object(name = "Game.Shelf")]
pub(crate) struct Shelf<T>(Vec<T>);

#[derive(Default, Object)]
#[object(name = "Game.View")]
pub(crate) struct View<'a>(&'a str);

#[derive(Object)]
#[object(name = "Game.Bits")]
union Bits {
    float: f32,
    int: u32,
}

fn main() {}
