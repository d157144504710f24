//! Upper and lower case, one code point for one.

/// The small letter, by Unicode's simple mapping; what has none stays.
pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // The only longer mapping is that of U+0130, an `i` and a dot: its first character is the simple mapping.
    mapped(unicode_case_mapping::to_lowercase(c)[0]).unwrap_or(c)
}

/// The capital letter, by Unicode's simple mapping; what has none stays.
pub(crate) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    // Where the mapping is longer (`ß`), the title case has the simple one, if there is one (`ᾀ`).
    let long = |mapping: [u32; 3]| mapping[1] != 0;
    let (upper, title) = (
        unicode_case_mapping::to_uppercase(c),
        unicode_case_mapping::to_titlecase(c),
    );
    match (long(upper), long(title)) {
        (false, _) => mapped(upper[0]).unwrap_or(c),
        (true, false) => mapped(title[0]).unwrap_or(c),
        (true, true) => c,
    }
}

/// What characters that differ in case only have in common, by Unicode's simple case folding.
#[inline]
pub(crate) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(c)
        .and_then(|code| mapped(code.get()))
        .unwrap_or(c)
}

/// A code of the tables, where 0 stands for no mapping.
fn mapped(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| *c != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library has the full mappings; the simple ones are the same wherever they are one character.
    #[test]
    fn as_the_standard_library_has_it() {
        let single =
            |mut mapping: Box<dyn ExactSizeIterator<Item = char>>| mapping.next().filter(|_| mapping.len() == 0);
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
}
