// at most 21 lines: for a type without it, use `Values<Socket>` and insert values
use acedia::Pool;

struct Socket(u32);
static SOCKETS: Pool<Socket> = Pool::new();

fn main() {}
