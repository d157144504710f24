//! Upper and lower case, one code point for one.

#[cfg(test)]
mod tests;

/// The lowercase letter by Unicode's simple mapping. Other characters are unchanged.
pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // The only longer mapping is that of U+0130, an `i` and a dot: its first character is the simple mapping.
    mapped(unicode_case_mapping::to_lowercase(c)[0]).unwrap_or(c)
}

/// The uppercase letter by Unicode's simple mapping. Other characters are unchanged.
pub(crate) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    // If the mapping is longer (`ß`), the title case has the simple mapping, if there is one (`ᾀ`).
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

/// The case folding of a character, by Unicode's simple mapping: the same for characters that differ in case only.
#[inline]
pub(crate) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(c)
        .and_then(|code| mapped(code.get()))
        .unwrap_or(c)
}

/// A code of the tables, in which 0 means no mapping.
fn mapped(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| *c != '\0')
}
