// at most 32 lines: error[E0277]: a pool of values has no objects without a value
use acedia::Values;

fn main() {
    let names: Values<String> = Values::new();
    let _ = names.allocate_with(|name| name.push('a'));
}
