use super::*;

/// The standard library has the full mappings. A full mapping to one character is the simple mapping.
#[test]
fn as_the_standard_library_has_it() {
    let single = |mut mapping: Box<dyn ExactSizeIterator<Item = char>>| mapping.next().filter(|_| mapping.len() == 0);
    let mut seen = (0, 0);
    for c in '\0'..=char::MAX {
        if let Some(small) = single(Box::new(c.to_lowercase())) {
            // Newer versions of Unicode have more letters.
            if lower(c) != c {
                assert_eq!(lower(c), small, "{c:?}");
                seen.0 += 1;
            }
        }
        if let Some(large) = single(Box::new(c.to_uppercase())) {
            if upper(c) != c {
                assert_eq!(upper(c), large, "{c:?}");
                seen.1 += 1;
            }
        }
    }
    assert!(seen.0 > 1400 && seen.1 > 1400, "{seen:?}");
}

#[test]
fn where_the_full_mapping_is_longer() {
    for (c, small, large) in [
        ('ß', 'ß', 'ß'),
        ('İ', 'i', 'İ'),
        ('ᾀ', 'ᾀ', 'ᾈ'),
        ('ŉ', 'ŉ', 'ŉ'),
        ('ﬁ', 'ﬁ', 'ﬁ'),
    ] {
        assert_eq!((lower(c), upper(c)), (small, large), "{c}");
    }
}

#[test]
fn folding_unites_what_differs_in_case_only() {
    for (a, b) in [
        ('A', 'a'),
        ('Ж', 'ж'),
        ('ẞ', 'ß'),
        ('ς', 'Σ'),
        ('K', 'k'),
        ('Ꭰ', 'ꭰ'),
        ('ᾈ', 'ᾀ'),
    ] {
        assert_eq!(fold(a), fold(b), "{a} {b}");
    }
    assert_ne!(fold('ı'), fold('I'));
    for c in '\0'..=char::MAX {
        assert_eq!(fold(fold(c)), fold(c), "{c:?}");
    }
}
