//! Reading strings in quotes.

#[cfg(test)]
mod tests;

use super::{ParseError, Parser};
use crate::{BaseText, Character};

impl Parser<'_> {
    /// Reads a backslash and what it stands for, in the format of the backslash.
    ///
    /// | | |
    /// |---|---|
    /// | `\n` `\r` `\t` `\b` `\f` `\v` | the control characters of C |
    /// | `\uXXXX` | four hexadecimal digits; two such halves of a character above U+FFFF are one, half of one is U+FFFD |
    /// | `\UXX` | two hexadecimal digits |
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
    /// Something else stands there, or the digits do not.
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

    /// Reads a string between two of the same quotes, any of `"`, `'` and `` ` ``. Escapes in it are resolved, as
    /// [`escaped`](Self::escaped) does it.
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
    /// There is no quote, no second one, or a bad escape.
    #[doc(alias = "MStringLiteral")]
    pub fn string_literal(&mut self) -> Result<BaseText, ParseError> {
        self.attempt(|parser| {
            let quote = parser.character_where("a quote", Character::is_quotation_mark)?;
            let mut content = BaseText::new();
            loop {
                let plain = parser.take_while(|c| c != quote.code && c != '\\');
                content.append_range(parser.text, plain.range());
                if parser.is_at('\\') {
                    content.append(parser.escaped()?);
                } else {
                    parser.character_where("a closing quote", |_| true)?;
                    return Ok(content);
                }
            }
        })
    }

    /// Reads a [`string_literal`](Self::string_literal) if a quote comes, and otherwise up to whitespace or a quote,
    /// which can be nothing.
    ///
    /// # Errors
    ///
    /// There is no second quote, or a bad escape between the two.
    #[doc(alias = "MString")]
    pub fn string(&mut self) -> Result<BaseText, ParseError> {
        if self.peek().is_some_and(Character::is_quotation_mark) {
            return self.string_literal();
        }
        let word = self.until(|character| character.is_whitespace() || character.is_quotation_mark());
        Ok(word.to_base_text())
    }

    /// Reads `XXXX`, and `\uXXXX` behind it if the two belong together.
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
                _ => Err(parser.error("the other half of a character")),
            }
        });
        Ok(pair.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<u32, ParseError> {
        Ok(self.unsigned_exact(16, digits)?.unsigned_abs())
    }
}
