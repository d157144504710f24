//! Reading strings in quotes.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Matching};

    fn escaped(text: &str) -> (Option<char>, String) {
        let text = BaseText::from(text);
        let mut parser = text.parser();
        let code = parser.escaped().ok().map(|character| character.code);
        (code, parser.remainder().to_string())
    }

    #[test]
    fn escapes() {
        for (text, code, rest) in [
            (r"\n\n", Some('\n'), r"\n"),
            (r"\r", Some('\r'), ""),
            (r"\t", Some('\t'), ""),
            (r"\b", Some('\u{8}'), ""),
            (r"\f", Some('\u{c}'), ""),
            (r"\v", Some('\u{b}'), ""),
            (r"\\", Some('\\'), ""),
            (r#"\""#, Some('"'), ""),
            (r"\N", Some('N'), ""),
            (r"\é", Some('é'), ""),
            (r"\u0416x", Some('Ж'), "x"),
            (r"\u04166", Some('Ж'), "6"),
            (r"\Uffx", Some('ÿ'), "x"),
            (r"\uD834\uDD1E.", Some('𝄞'), "."),
            (r"\uD834\uD834\uDD1E", Some('\u{fffd}'), r"\uD834\uDD1E"),
            (r"\uD834\u00", Some('\u{fffd}'), r"\u00"),
            (r"\uD834", Some('\u{fffd}'), ""),
            (r"\uDD1E\uD834", Some('\u{fffd}'), r"\uD834"),
            (r"\u041", None, r"\u041"),
            (r"\u04_1", None, r"\u04_1"),
            (r"\u+041", None, r"\u+041"),
            (r"\U4", None, r"\U4"),
            (r"\", None, r"\"),
            ("n", None, "n"),
            ("", None, ""),
        ] {
            assert_eq!(escaped(text), (code, rest.to_owned()), "{text}");
        }
    }

    #[test]
    fn literals() {
        for (text, content, rest) in [
            (r#""""#, Some(""), ""),
            (r#"'a"`b'c"#, Some("a\"`b"), "c"),
            (r"`a\`b\n`", Some("a`b\n"), ""),
            (r#""é\u0416𝄞""#, Some("éЖ𝄞"), ""),
            (r#""open"#, None, "\"open"),
            (r#""open\"#, None, "\"open\\"),
            (r#""open\""#, None, "\"open\\\""),
            (r#""bad \u12 ""#, None, "\"bad \\u12 \""),
            ("word", None, "word"),
            ("", None, ""),
        ] {
            let text = BaseText::from(text);
            let mut parser = text.parser();
            let literal = parser.string_literal().ok().map(|content| content.to_string());
            assert_eq!(literal.as_deref(), content, "{text}");
            assert_eq!(parser.remainder(), rest, "{text}");
        }
    }

    #[test]
    fn strings_with_or_without_quotes() {
        let text = BaseText::from(r#"one"two words" "open"#);
        let mut parser = text.parser();
        assert_eq!(parser.string().unwrap(), "one");
        assert_eq!(parser.string().unwrap(), "two words");
        assert_eq!(parser.string().unwrap(), "");
        parser.skip();
        assert!(parser.string().is_err());
        assert_eq!(parser.remainder(), "\"open");
    }

    #[test]
    fn formats_of_literals_stay() {
        let text = BaseText::from_markup(r#""a{$red \n}b""#);
        let literal = text.parser().string_literal().expect("a literal");
        assert!(literal.compare(BaseText::from_markup("a{$red \n}b"), Matching::FORMATTED));
        assert_eq!(literal.format_at(1).color(), Color::named("red"));
    }
}
