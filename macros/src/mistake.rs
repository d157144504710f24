//! [`Mistake`]: an error in the user's code.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A message that the compiler prints at a place of the user's code.
pub(crate) struct Mistake {
    at: Span,
    sentence: String,
}

impl Mistake {
    pub(crate) fn new(at: Span, sentence: impl Into<String>) -> Self {
        Self {
            at,
            sentence: sentence.into(),
        }
    }

    /// `::core::compile_error! { "sentence" }`, with the place as its span.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let punct = |character, spacing| TokenTree::from(Punct::new(character, spacing));
        let word = |word| TokenTree::from(Ident::new(word, self.at));
        let sentence = TokenTree::from(Literal::string(&self.sentence));
        [
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            word("core"),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            word("compile_error"),
            punct('!', Spacing::Alone),
            Group::new(Delimiter::Brace, sentence.into()).into(),
        ]
        .into_iter()
        .map(|mut token| {
            token.set_span(self.at);
            token
        })
        .collect()
    }
}
