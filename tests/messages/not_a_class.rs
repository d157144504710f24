// at most 27 lines: note: to make it one: `#[derive(Object)]` with `#[object(name = "Package.Name")]`, or `impl Object` with `class!` inside
use acedia::Owned;

#[derive(Default)]
struct Smoke;

struct Chimney {
    _smoke: Option<Owned<Smoke>>,
}

fn main() {}
