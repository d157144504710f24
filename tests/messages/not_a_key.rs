// at most 29 lines: not a string, a text, an object, an item, a `bool`, an integer or a float
use acedia_collections::HashTable;

fn main() {
    let table = HashTable::from([("a", 1)]);
    let _found = table.get((1, 2));
}
