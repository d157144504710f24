// at most 16 lines: note: a plain type has no padding, no `bool`, no enum and no pointer
use acedia_plain::PlainPool;

static FLAGS: PlainPool<bool> = PlainPool::new();

fn main() {}
