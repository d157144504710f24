//! Upper and lower case, one code point for one.

#[cfg(test)]
mod tests;

/// The lowercase letter by Unicode's simple mapping. Other characters are unchanged.
pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // Only U+0130 (`İ`) has a longer mapping, `i` and a combining dot: its first character is the simple mapping.
    mapped(unicode_case_mapping::to_lowercase(c)[0]).unwrap_or(c)
}

/// The uppercase letter by Unicode's simple mapping. Other characters are unchanged.
pub(crate) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    // If the mapping has several characters, a titlecase mapping of one is the simple mapping (`ᾀ`); otherwise there is none
    // (`ß`).
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

/// In the tables, 0 means no mapping.
fn mapped(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| *c != '\0')
}
