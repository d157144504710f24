// at most 32 lines: error[E0277]: every object of a pool of values needs a value
use acedia::Values;

fn main() {
    let names: Values<String> = Values::new();
    let _ = names.allocate_with(|name| name.push('a'));
}
