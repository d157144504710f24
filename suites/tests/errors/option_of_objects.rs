#[derive(Clone, Copy, acedia_macros::PlainObject)]
#[object(name = "Doc.Place", finalizer = clear)]
struct Place(u64);

fn main() {}
