// at most 20 lines: TheTypeHasNoFunctionOfThisName
use acedia::Object;

#[derive(Default, Object)]
#[object(name = "Game.Smoke", constructor = constructor)]
struct Smoke;

fn main() {}
