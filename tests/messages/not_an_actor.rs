// at most 33 lines: to make it one: `impl Actor for Smoke`, with `actor!(Smoke, "Package.Name")` inside
use acedia_actors::{Level, Rules, Spawn, Stage};

#[derive(Default)]
struct Smoke;

fn main() {
    let mut level = Level::new(Rules::ue2());
    let _smoke = level.spawn::<Smoke>(Spawn::new());
}
