// at most 13 lines: missing: `write_the_macro_class_here`
use acedia::Object;

#[derive(Default)]
struct Smoke;
impl Object for Smoke {}

fn main() {}
