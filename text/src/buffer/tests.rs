use super::*;

fn of(text: &str) -> Buffer {
    Buffer::from_string(text.to_owned())
}

/// The memory of long strings.
fn memory(buffer: &Buffer) -> (*const u8, usize) {
    buffer
        .more
        .as_ref()
        .map_or((std::ptr::null(), 0), |more| (more.text.as_ptr(), more.text.capacity()))
}

#[test]
fn short_until_it_does_not_fit() {
    let (fits, one_more) = ("é".repeat(INLINE / 2), "a".repeat(INLINE + 1));
    for (text, short) in [("", true), ("é", true), (&fits, true), (&one_more, false)] {
        let [mut pushed, mut filled, mut recycled] = [Buffer::default(), Buffer::default(), of(&one_more)];
        recycled.recycle();
        pushed.push_str(text);
        filled.fill(text);
        recycled.fill(text);
        for buffer in [pushed, filled, recycled, of(text)] {
            assert_eq!(buffer.long().is_empty(), short, "{text:?}");
            assert_eq!((buffer.as_str(), buffer.len()), (text, text.chars().count()));
            assert_eq!(buffer.into_string(), text);
        }
    }
}

#[test]
fn long_memory_outlasts_short_lives() {
    let long = "é".repeat(INLINE);
    let mut buffer = of(&long);
    let address = buffer.as_str().as_ptr();
    for text in ["short", &long, "é", "", &long[2..]] {
        buffer.recycle();
        buffer.fill(text);
        assert_eq!(buffer.as_str(), text);
        assert_eq!(memory(&buffer).0, address);
    }
    buffer.clear();
    buffer.push_str(&long);
    assert_eq!(buffer.as_str().as_ptr(), address);
}

#[test]
fn large_memory_is_not_kept() {
    for empty in [Buffer::clear, |buffer: &mut Buffer| buffer.replace(0..usize::MAX, "")] {
        let mut buffer = of(&"a".repeat(KEPT + 1));
        empty(&mut buffer);
        assert!(buffer.as_str().is_empty() && memory(&buffer).1 > KEPT);
        buffer.recycle();
        assert_eq!(memory(&buffer).1, 0);
    }
}

/// The index of one string is never used for another.
#[test]
fn an_index_ends_with_its_string() {
    let (one, other) = ("é".repeat(BLOCK), "日".repeat(BLOCK + 1));
    for empty in [Buffer::clear, Buffer::recycle, |buffer: &mut Buffer| {
        buffer.replace(0..BLOCK, "");
    }] {
        let mut buffer = of(&one);
        assert_eq!(buffer.len(), BLOCK);
        empty(&mut buffer);
        buffer.fill(&other);
        assert_eq!((buffer.len(), buffer.byte(BLOCK)), (BLOCK + 1, 3 * BLOCK));
    }
}

#[test]
fn what_is_reserved_is_not_allocated_again() {
    for (text, count) in [("", INLINE), ("abc", 100), (&*"a".repeat(50), 100)] {
        let mut buffer = of(text);
        buffer.reserve(count);
        let capacity = memory(&buffer).1;
        assert_eq!(capacity > 0, text.len() + count > INLINE);
        buffer.push_str(&"b".repeat(count));
        assert_eq!(memory(&buffer).1, capacity);
    }
}

#[test]
fn the_same_if_every_byte_is() {
    for len in 0..70 {
        let text: String = ('!'..='~').take(len).collect();
        assert!(same(&text, &text.clone()) && !same(&text, &format!("{text}!")) && !same(&format!("{text}!"), &text));
        for at in 0..len {
            let mut other = text.clone();
            other.replace_range(at..=at, " ");
            assert!(!same(&text, &other), "{text:?}, {other:?}");
        }
    }
}

/// The byte of each code point, with and without ASCII before it, up to the first length that has an index.
#[test]
fn code_points_of_every_length() {
    for end in ["", "a", "é", "日", "😀", "éa", "a😀a"] {
        for before in 0..=BLOCK + 1 {
            let text = "a".repeat(before) + end;
            let buffer = of(&text);
            let starts = text.char_indices().map(|(byte, _)| byte);
            for (at, byte) in starts.chain([text.len(); 2]).enumerate() {
                assert_eq!(buffer.byte(at), byte, "{at} of {text:?}");
            }
            assert_eq!(buffer.byte(usize::MAX), text.len());
        }
    }
}

/// With one non-ASCII code point at each position.
#[test]
fn code_points_are_counted_at_every_place() {
    for len in 1..=BLOCK + 1 {
        for at in 0..len {
            let mut text = "a".repeat(len - 1);
            text.insert(at, 'é');
            assert_eq!(count(&text), len, "{text}");
        }
    }
}
