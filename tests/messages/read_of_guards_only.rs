// at most 34 lines: error[E0277]: the objects of this pool or class can be read only through guards: use `guard` or `try_guard`
use acedia::pool::GuardsOnly;
use acedia::{Object, class, pin};

#[derive(Default)]
struct Session;
impl Object for Session {
    class!(Session, "Net.Session", readers = GuardsOnly);
}

fn main() {
    let session = Session::allocate();
    let _read = session.handle().get(&pin());
}
