// at most 38 lines: note: to make it one: `#[derive(Object)]` with `#[object(name = "Package.Name")]`, or `impl Object` with `class!` inside
use acedia::allocate;

#[derive(Default)]
struct Smoke;

fn main() {
    let _smoke = Smoke::allocate();
}
