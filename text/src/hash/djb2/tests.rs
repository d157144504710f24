use super::*;

fn naive(chars: impl Iterator<Item = char>) -> i32 {
    chars.fold(5381, |hash, c| hash.wrapping_mul(33).wrapping_add(c as i32))
}

/// All methods give the same hash.
#[expect(clippy::cast_possible_wrap, reason = "the hash is the same 32 bits with a sign")]
fn all_agree(text: &str) {
    let expected = naive(text.chars());
    assert_eq!(djb2(text), expected, "{text:?}");
    assert_eq!(any_script(text) as i32, expected, "{text:?}");
    if text.is_ascii() {
        assert_eq!(words::hash(START, text.as_bytes()) as i32, expected, "{text:?}");
    }
}

#[test]
fn known_values() {
    for (text, hash) in [
        ("", 5381),
        ("a", 177_670),
        ("b", 177_671),
        ("ab", 5_863_208),
        ("ba", 5_863_240),
        ("hello", 261_238_937),
        ("Hello", 223_289_465),
        ("Basic sample", 660_747_465),
        ("\u{416}", 178_619),
        ("\u{3070}\u{304b}", 6_281_472),
        (&"a".repeat(100), -79_743_959),
    ] {
        assert_eq!(djb2(text), hash, "{text:?}");
    }
}

/// Pseudo-random numbers, the same on every platform.
fn scrambled(seed: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(seed | 1), |x| {
        Some(x.wrapping_mul(0x9e37_79b1).rotate_left(13) ^ 0x5bd1)
    })
}

#[test]
fn every_length_and_script() {
    for limit in [0x80, 0x800, 0xd800, 0x1_0000, 0x11_0000] {
        for len in (0..700).chain([1000, 4096, 65_539]) {
            let codes = scrambled(len ^ limit).map(|code| char::from_u32(code % limit).unwrap_or('\u{ffff}'));
            all_agree(&codes.take(len as usize).collect::<String>());
        }
    }
    // The largest codes must not overflow a lane.
    for c in ['\u{7f}', '\u{ffff}', char::MAX] {
        for len in 0..700 {
            all_agree(&c.to_string().repeat(len));
        }
    }
}
