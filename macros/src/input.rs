//! [`Input`]: the type that is to be a class, as far as it matters.

use std::iter::Peekable;

use proc_macro::token_stream::IntoIter;
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::mistake::Mistake;
use crate::options::{Options, opened};

/// The type's name, and what its attribute says. Fields don't matter.
pub(crate) struct Input {
    pub(crate) name: Ident,
    pub(crate) options: Options,
}

impl Input {
    pub(crate) fn read(item: TokenStream) -> Result<Self, Mistake> {
        let mut tokens = item.into_iter().peekable();
        let mut options = Options::default();
        while let Some(TokenTree::Punct(_)) = tokens.peek() {
            tokens.next();
            if let Some(TokenTree::Group(attribute)) = tokens.next() {
                read_attribute(&attribute, &mut options)?;
            }
        }
        let name = type_name(&mut tokens)?;
        options.check(&name)?;
        Ok(Self { name, options })
    }
}

/// Adds what `#[object(…)]` says; other attributes are none of our business.
fn read_attribute(attribute: &Group, options: &mut Options) -> Result<(), Mistake> {
    let mut tokens = opened(attribute.stream()).into_iter();
    match tokens.next() {
        Some(TokenTree::Ident(word)) if word.to_string() == "object" => match tokens.next() {
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Parenthesis => options.read(list.stream()),
            _ => Err(Mistake::new(
                word.span(),
                "the options stand in parentheses: `#[object(name = \"Package.Name\")]`",
            )),
        },
        _ => Ok(()),
    }
}

/// What stands behind the attributes: visibility, `struct` or `enum`, and the name.
fn type_name(tokens: &mut Peekable<IntoIter>) -> Result<Ident, Mistake> {
    let name = loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                "struct" | "enum" => break tokens.next(),
                "union" => {
                    return Err(Mistake::new(
                        word.span(),
                        "a union can't be a class: it has no `Default`",
                    ));
                }
                _ => {}
            },
            Some(_) => {}
            None => break None,
        }
    };
    let Some(TokenTree::Ident(name)) = name else {
        return Err(Mistake::new(
            Span::call_site(),
            "only a struct or an enum can be a class",
        ));
    };
    let is = |token: Option<TokenTree>, character| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character);
    if !is(tokens.next(), '<') {
        return Ok(name);
    }
    let sentence = if is(tokens.next(), '\'') {
        format!(
            "`{name}` borrows, which a class can't, because its objects outlive every borrow: let it own, or keep a `Handle`"
        )
    } else {
        format!(
            "`{name}` has parameters, so it is a family of classes: write `impl Object` with `class!(family)`, and \
             name each type of it in `class_table!`"
        )
    };
    Err(Mistake::new(name.span(), sentence))
}
