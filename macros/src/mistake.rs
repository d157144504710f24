//! [`Mistake`]: what is wrong with the user's code, and where.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A sentence for the compiler to print at a place of the user's code.
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

    /// `::core::compile_error! { "sentence" }`, all of it at the place.
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
