use std::collections::HashSet;

use super::*;

const SECRET: Secret = Secret {
    first: 0x243f_6a88_85a3_08d3,
    second: 0x1319_8a2e_0370_7345,
    third: 0xa409_3822_299f_31d1,
};

#[test]
fn every_text_has_a_word_of_its_own() {
    let mut words = HashSet::new();
    let mut hashes = HashSet::new();
    let alphabet = [0, b'a', 0x7f];
    for len in 1..=8_u32 {
        for mut number in 0..3_usize.pow(len) {
            let text: Vec<u8> = (0..len)
                .map(|_| {
                    let letter = alphabet[number % 3];
                    number /= 3;
                    letter
                })
                .collect();
            let word = word(&text).unwrap();
            assert!(word <= MASK && words.insert(word), "{text:?}");
            let hash = hash(&text, &SECRET).unwrap();
            assert!(is_exact(hash) && hashes.insert(hash), "{text:?}");
        }
    }
    assert_eq!(hashes.len(), (1..=8).map(|len| 3_usize.pow(len)).sum());
    for other in ["", "123456789", "ж", "аж", "ажж", "abcdeж", "abcdefж"] {
        assert!(hash(other.as_bytes(), &SECRET).is_none(), "{other}");
    }
}

#[test]
fn bytes_stand_in_order() {
    for len in 1..=8 {
        let text = &b"abcdefgh"[..len];
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(text);
        if len < 8 {
            bytes[len - 1] |= 0x80;
        }
        assert_eq!(word(text), Some(u64::from_le_bytes(bytes)));
    }
}

/// The bits that tables use are spread: the low bits for the place, the highest seven for the first comparison.
#[test]
fn both_ends_are_spread() {
    let hashes: Vec<_> = (0..10_000)
        .map(|i| hash(format!("{i:08}").as_bytes(), &SECRET).unwrap())
        .collect();
    let places: HashSet<_> = hashes.iter().map(|hash| hash & 0x3fff).collect();
    // 10,000 random keys hit 7,500 of 16,384 places.
    assert!((7000..8200).contains(&places.len()), "{} places", places.len());
    let looks: HashSet<_> = hashes.iter().map(|hash| hash >> 57).collect();
    assert_eq!(looks.len(), 128);
}
