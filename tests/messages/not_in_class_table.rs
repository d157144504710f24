// at most 30 lines: error[E0599]: no `class_table!` lists `Shelf<i64>`
use acedia::{Family, Object, class, class_table};

#[derive(Default)]
struct Shelf<T>(Vec<T>);
impl<T: Send + Sync + Default + 'static> Object for Shelf<T>
where
    Self: Family,
{
    class!(family);
}
class_table! { Shelf<u8> => "Shop.ByteShelf" }

fn main() {
    let _shelf = Shelf::<i64>::allocate();
}
