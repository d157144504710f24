//! Steps that read strings in quotes.

#[cfg(test)]
mod tests;

use super::{ParseError, Parser};
use crate::{BaseText, Character};

impl Parser<'_> {
    /// Reads an escape sequence. The character gets the format of the backslash.
    ///
    /// | Escape | Character |
    /// |---|---|
    /// | `\n` `\r` `\t` `\b` `\f` `\v` | the control character, as in C |
    /// | `\uXXXX` | the UTF-16 code unit of four hexadecimal digits; two such escapes can form a surrogate pair, and an unpaired surrogate becomes U+FFFD |
    /// | `\UXX` | the code point of two hexadecimal digits |
    /// | `\` and another character | that character |
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from(r"\u0416").parser().escaped().unwrap().code, 'Ж');
    /// ```
    ///
    /// # Errors
    ///
    /// The next character is not a backslash, or digits are missing.
    #[doc(alias = "MEscapedSequence")]
    pub fn escaped(&mut self) -> Result<Character, ParseError> {
        self.attempt(|parser| {
            let backslash = parser.character_where("a backslash", |character| character.code == '\\')?;
            let code = match parser.character()?.code {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'v' => '\u{b}',
                'u' => parser.utf16()?,
                'U' => char::from_u32(parser.hexadecimal(2)?).unwrap_or(char::REPLACEMENT_CHARACTER),
                other => other,
            };
            Ok(Character { code, ..backslash })
        })
    }

    /// Reads a string between two equal quotes: `"`, `'` or `` ` ``. Resolves escapes as [`escaped`](Self::escaped)
    /// does.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from(r#"'say "hi"\n' now"#);
    /// assert_eq!(text.parser().string_literal().unwrap(), "say \"hi\"\n");
    /// ```
    ///
    /// # Errors
    ///
    /// There is no quote, no closing quote, or a malformed escape.
    #[doc(alias = "MStringLiteral")]
    pub fn string_literal(&mut self) -> Result<BaseText, ParseError> {
        self.attempt(|parser| {
            let quote = parser.character_where("a quote", Character::is_quotation_mark)?;
            let mut content = BaseText::new();
            loop {
                let plain = parser.take_while(|c| c != quote.code && c != '\\');
                content.append_range(parser.text, plain.range());
                if parser.next() == Some('\\') {
                    content.append(parser.escaped()?);
                } else {
                    parser.character_where("a closing quote", |_| true)?;
                    return Ok(content);
                }
            }
        })
    }

    /// Reads a [`string_literal`](Self::string_literal) if the next character is a quote. Otherwise reads up to whitespace or a
    /// quote; the result may be empty.
    ///
    /// # Errors
    ///
    /// There is no closing quote, or a malformed escape before it.
    #[doc(alias = "MString")]
    pub fn string(&mut self) -> Result<BaseText, ParseError> {
        if self.peek().is_some_and(Character::is_quotation_mark) {
            return self.string_literal();
        }
        let word = self.until(|character| character.is_whitespace() || character.is_quotation_mark());
        Ok(word.to_base_text())
    }

    /// Reads `XXXX`, and `\uXXXX` after it if the two are a surrogate pair.
    fn utf16(&mut self) -> Result<char, ParseError> {
        let first = self.hexadecimal(4)?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        let pair = self.attempt(|parser| {
            parser.eat("\\u")?;
            let second = parser.hexadecimal(4)?;
            let units = [first, second].map(|unit| u16::try_from(unit).unwrap_or_default());
            match char::decode_utf16(units).next() {
                Some(Ok(c)) => Ok(c),
                _ => Err(parser.error("a low surrogate")),
            }
        });
        Ok(pair.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<u32, ParseError> {
        Ok(self.unsigned_exact(16, digits)?.unsigned_abs())
    }
}
