use super::*;
use crate::buffer::Buffer;

fn of(text: &str) -> Long {
    let mut long = Long::default();
    long.push_str(text);
    long
}

fn equal(left: &Long, right: &Long) -> bool {
    Buffer::of_long(left.clone()) == Buffer::of_long(right.clone())
}

#[test]
fn the_width_follows_the_widest() {
    let mut buffer = Long::default();
    for (text, width) in [
        ("cafe", Width::One),
        ("é", Width::Two),
        ("x☕", Width::Two),
        ("😀", Width::Four),
    ] {
        buffer.push_str(text);
        assert_eq!(buffer.width(), width);
    }
    assert_eq!(buffer.units().chars().collect::<String>(), "cafeéx☕😀");
    for (range, width) in [(7..8, Width::Two), (6..7, Width::Two), (4..5, Width::One)] {
        buffer.replace(range, Units::Ascii("!"));
        assert_eq!(buffer.width(), width);
    }
    assert_eq!(buffer.units().chars().collect::<String>(), "cafe!x!!");
}

/// A long buffer becomes narrow again after as many changes as its length. Before that it is equal to narrow ones.
#[test]
fn long_buffers_wait_before_they_narrow() {
    for (wide, loose) in [('é', Width::Two), ('😀', Width::Four)] {
        let text = "a".repeat(SHORT + 10);
        let (mut buffer, narrow) = (of(&text), of(&text));
        let mut rewritten = 0;
        for _ in 0..SHORT {
            let len = buffer.len();
            if buffer.width() == Width::One {
                rewritten += 1;
            }
            buffer.push(wide);
            assert!(buffer.width() == loose && !buffer.is_loose() && !equal(&buffer, &narrow));
            buffer.replace(len..len + 1, Units::Ascii(""));
            assert!(equal(&buffer, &narrow));
        }
        assert_eq!(rewritten, 1, "each code that goes in makes the count begin again");
        for _ in 0..=SHORT / 2 {
            buffer.replace(0..1, Units::Ascii("a"));
        }
        buffer.replace(0..9, Units::Ascii("aaaaaaaaa"));
        assert!(buffer.width() == Width::One && equal(&buffer, &narrow));

        buffer.push(wide);
        buffer.replace(buffer.len() - 1..buffer.len(), Units::Ascii(""));
        assert!(buffer.is_loose());
        buffer.tighten();
        assert_eq!(buffer.width(), Width::One);
        buffer.push(wide);
        buffer.replace(SHORT - 1..buffer.len(), Units::Ascii("a"));
        assert_eq!(buffer.width(), Width::One, "a short one does not wait");
    }
}

#[test]
fn ascii_wherever_the_odd_one_stands() {
    for len in 0..200 {
        let ascii = "\u{7f}".repeat(len);
        assert!(is_ascii(&ascii));
        for at in 0..=len {
            let (before, after) = ascii.split_at(at);
            assert!(!is_ascii(&format!("{before}\u{80}{after}")), "{at} of {len}");
        }
    }
}

#[test]
fn a_wide_string_is_kept_until_it_changes() {
    for text in ["é", "x☕", "😀y"] {
        let looked_at = Long::of_string(text.to_owned());
        assert_eq!(looked_at.units().chars().collect::<String>(), text);
        let mut filled = Long::default();
        filled.fill(text);
        for kept in [filled, looked_at] {
            assert_eq!((kept.as_str(), kept.len()), (Some(text), text.chars().count()));
            let [mut by_char, mut by_units, mut by_str, mut replaced, mut reserved] = [(); 5].map(|()| kept.clone());
            by_char.push('!');
            by_units.push_units(Units::Ascii("!"));
            by_str.push_str("!");
            replaced.replace(kept.len()..kept.len(), Units::Ascii("!"));
            reserved.reserve(100);
            reserved.push('!');
            for changed in [by_char, by_units, by_str, replaced, reserved] {
                assert_eq!((changed.as_str(), changed.len()), (None, kept.len() + 1));
                assert_eq!(changed.into_string(), format!("{text}!"));
            }
            let mut by_codes = kept.clone();
            assert!(by_codes.as_ascii_mut().is_none());
            assert!(by_codes.as_str().is_none() && equal(&kept, &by_codes));
            assert_eq!(
                (kept.into_string(), by_codes.into_string()),
                (text.to_owned(), text.to_owned())
            );
        }
    }
}

/// Every kind of code at every place, among ASCII whose length is or is not a multiple of four.
#[test]
fn every_code_is_read() {
    let odd = "\0\u{7f}\u{80}\u{7ff}\u{800}日\u{ffff}\u{10000}\u{10ffff}";
    for (odd, other) in odd.chars().flat_map(|odd| [(odd, "é"), (odd, "😀")]) {
        for (len, every) in (0..20).flat_map(|len| (1..12).map(move |every| (len, every))) {
            let c = |index: usize| if index % every == 0 { odd } else { 'x' };
            let text: String = (0..len).map(c).chain(other.chars()).collect();
            assert!(of(&text).units().chars().eq(text.chars()), "{text:?}");
        }
    }
}

#[test]
fn one_memory_for_all_widths() {
    let mut buffer = Long::default();
    buffer.push_str("four bytes, ");
    buffer.push('😀');
    let address = buffer.units().bytes().as_ptr();
    for text in ["kept é", "ascii"] {
        buffer.clear();
        buffer.fill(text);
        assert_eq!(buffer.as_str().map(str::as_ptr), Some(address));
    }
    buffer.push('é');
    assert_eq!(buffer.units().bytes().as_ptr(), address);
}

#[test]
fn large_memory_is_not_kept() {
    for text in ["a", "é", "😀"] {
        let mut buffer = of(&text.repeat(KEPT + 1));
        buffer.recycle();
        assert_eq!(buffer.capacity(), 0);
        buffer.push_str(text);
        let capacity = buffer.capacity();
        buffer.recycle();
        assert_eq!((buffer.len(), buffer.capacity()), (0, capacity));
    }
}

/// A string that was made of codes is never out of date.
#[test]
fn the_string_follows_every_change() {
    let changes: [fn(&mut Long); 8] = [
        |buffer| buffer.push('ß'),
        |buffer| buffer.push_str("😀"),
        |buffer| buffer.push_units(Units::Ascii("!")),
        |buffer| buffer.replace(0..1, Units::Ascii("xy")),
        |buffer| buffer.replace(1..3, Units::Ascii("")),
        Long::tighten,
        Long::clear,
        |buffer| buffer.fill("größer"),
    ];
    let mut buffer = Long::default();
    buffer.push_str("é");
    buffer.push_str("a");
    let mut made = 0;
    for change in changes {
        change(&mut buffer);
        made += u32::from(buffer.as_str().is_none());
        let codes: String = buffer.units().chars().collect();
        assert_eq!((buffer.to_str(), buffer.clone().to_str()), (&*codes, &*codes));
    }
    assert!(made > 4, "most of these texts are stored by codes");
}
