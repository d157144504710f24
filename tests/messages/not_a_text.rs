// at most 32 lines: note: print a number first: `&number.to_string()`
use acedia_text::MutableText;

fn main() {
    let text = MutableText::from("lives: ");
    text.write().append(7);
}
