//! [`Input`]: the relevant parts of the type that becomes a class.

use std::iter::Peekable;

use proc_macro::token_stream::IntoIter;
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::mistake::Mistake;
use crate::options::{Options, opened};

/// The name of the type, and the options of its attribute.
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

/// Adds the options of `#[object(…)]`. Ignores other attributes.
fn read_attribute(attribute: &Group, options: &mut Options) -> Result<(), Mistake> {
    let mut tokens = opened(attribute.stream()).into_iter();
    match tokens.next() {
        Some(TokenTree::Ident(word)) if word.to_string() == "object" => match tokens.next() {
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Parenthesis => options.read(list.stream()),
            _ => Err(Mistake::new(
                word.span(),
                "expected the options in parentheses: `#[object(name = \"Package.Name\")]`",
            )),
        },
        _ => Ok(()),
    }
}

/// Reads the visibility, `struct` or `enum`, and the name, and returns the name.
fn type_name(tokens: &mut Peekable<IntoIter>) -> Result<Ident, Mistake> {
    let name = loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                "struct" | "enum" => break tokens.next(),
                "union" => {
                    return Err(Mistake::new(word.span(), "a union cannot be a class: use a struct"));
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
            "`{name}` has a lifetime, but the objects of a class outlive every borrow: store an owned value or a `Handle`"
        )
    } else {
        format!(
            "`{name}` is generic: instead of the derive, write `impl Object` with `class!(family)`, and list each concrete \
             type in `class_table!`"
        )
    };
    Err(Mistake::new(name.span(), sentence))
}
