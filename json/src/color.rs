//! Colors for printed JSON.

use acedia::Owned;
use acedia_text::{BaseText, Color, Format, IntoText, Text};

const KEY: Color = Color::rgb(0x4f, 0xa8, 0xe0);
const STRING: Color = Color::rgb(0x8f, 0xc7, 0x6b);
const NUMBER: Color = Color::rgb(0xe5, 0xb5, 0x67);
const WORD: Color = Color::rgb(0xc5, 0x86, 0xc0);

/// Printed JSON with colors. Brackets, commas, colons and spaces have no color.
pub(super) fn colored(json: &str) -> Owned<Text> {
    let mut text = BaseText::new();
    text.reserve(json.len());
    let mut rest = json;
    while let Some(first) = rest.bytes().next() {
        let (len, format) = match first {
            b'"' => {
                let len = string_len(rest);
                // Only a key has a colon behind it.
                let color = if rest[len..].starts_with(':') { KEY } else { STRING };
                (len, Format::colored(color))
            }
            b'-' | b'0'..=b'9' => (run(rest, |byte| !b",]}\n".contains(&byte)), Format::colored(NUMBER)),
            b'a'..=b'z' => (run(rest, |byte| byte.is_ascii_lowercase()), Format::colored(WORD)),
            _ => (run(rest, |byte| b"[]{},: \n".contains(&byte)).max(1), Format::PLAIN),
        };
        let (token, after) = rest.split_at(len);
        text.append_or(token, format);
        rest = after;
    }
    text.into_text()
}

/// The number of leading bytes that are `wanted`.
fn run(text: &str, wanted: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| wanted(*byte)).count()
}

/// The length of the string at the beginning of `text`.
fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    let inner = text.bytes().skip(1).take_while(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        !ends
    });
    inner.count() + 2
}

#[cfg(test)]
mod tests;
