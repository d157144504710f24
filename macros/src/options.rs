//! [`Options`]: the options of `#[object(…)]`.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::mistake::Mistake;

/// The names of the options.
const ALL: &[&str] = &[
    "name",
    "kind",
    "hash",
    "pool",
    "waiting_at_most",
    "readers",
    "constructor",
    "finalizer",
    "static_constructor",
    "static_finalizer",
    "crate",
];

/// The options, each as the tokens for the expansion, or `None` if it is not given.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<TokenStream>,
    /// The variant of `PoolPolicy`, with its argument.
    pub(crate) pool: Option<TokenStream>,
    pub(crate) waiting_at_most: Option<TokenStream>,
    /// The path of a domain, or `GuardsOnly` alone.
    pub(crate) readers: Option<TokenStream>,
    pub(crate) constructor: Option<TokenStream>,
    pub(crate) finalizer: Option<TokenStream>,
    pub(crate) static_constructor: Option<TokenStream>,
    pub(crate) static_finalizer: Option<TokenStream>,
    pub(crate) hash: Option<TokenStream>,
    pub(crate) krate: Option<TokenStream>,
    /// The type in the module `kind`.
    kind: Option<TokenStream>,
    hash_at: Option<Span>,
}

impl Options {
    /// "`name`, `pool` and `crate`", for messages.
    fn all() -> String {
        let quoted: Vec<_> = ALL.iter().map(|name| format!("`{name}`")).collect();
        match quoted.split_last() {
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// Whether objects are equal by content.
    pub(crate) fn is_value(&self) -> bool {
        self.kind.as_ref().is_some_and(|kind| kind.to_string() == "Value")
    }

    /// Adds the options in the parentheses of one attribute.
    pub(crate) fn read(&mut self, list: TokenStream) -> Result<(), Mistake> {
        let mut tokens = list.into_iter();
        while let Some(token) = tokens.next() {
            let TokenTree::Ident(key) = token else {
                return Err(Mistake::new(
                    token.span(),
                    format!("expected the name of an option; the options are {}", Self::all()),
                ));
            };
            match tokens.next() {
                Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => {}
                _ => return Err(Mistake::new(key.span(), format!("expected `{key} = …`"))),
            }
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
            let value = tokens.by_ref().take_while(|token| !is_comma(token)).collect();
            let value: Vec<TokenTree> = opened(value).into_iter().collect();
            if value.is_empty() {
                return Err(Mistake::new(key.span(), format!("expected a value after `{key} =`")));
            }
            self.set(&key, value)?;
        }
        Ok(())
    }

    fn set(&mut self, key: &Ident, value: Vec<TokenTree>) -> Result<(), Mistake> {
        let named = key.to_string();
        let named = named.as_str();
        if !ALL.contains(&named) {
            let all = Self::all();
            return Err(Mistake::new(
                key.span(),
                format!("there is no option `{named}`; the options are {all}"),
            ));
        }
        let (place, value) = match named {
            "name" => (&mut self.name, name(value)?),
            "crate" => (&mut self.krate, value.into_iter().collect()),
            "kind" => (&mut self.kind, kind(&value)?),
            "pool" => (&mut self.pool, pool(&value)?),
            "waiting_at_most" => (&mut self.waiting_at_most, value.into_iter().collect()),
            "readers" => (&mut self.readers, value.into_iter().collect()),
            "constructor" => (&mut self.constructor, function(key, value)?),
            "finalizer" => (&mut self.finalizer, function(key, value)?),
            "static_constructor" => (&mut self.static_constructor, function(key, value)?),
            "static_finalizer" => (&mut self.static_finalizer, function(key, value)?),
            "hash" => {
                self.hash_at = Some(key.span());
                (&mut self.hash, function(key, value)?)
            }
            other => unreachable!("`{other}` is no option"),
        };
        if place.is_some() {
            return Err(Mistake::new(key.span(), format!("`{key}` is given twice")));
        }
        *place = Some(value);
        Ok(())
    }

    /// Checks the options after all attributes are read.
    pub(crate) fn check(&self, class: &Ident) -> Result<(), Mistake> {
        if self.name.is_none() {
            return Err(Mistake::new(
                class.span(),
                format!("the class has no name: add `#[object(name = \"Package.{class}\")]`"),
            ));
        }
        match self.hash_at {
            Some(at) if !self.is_value() => Err(Mistake::new(
                at,
                "`hash` needs `kind = value`: the default, `kind = identity`, has a hash already",
            )),
            _ => Ok(()),
        }
    }
}

/// The tokens without the invisible group that a variable of a macro puts around them.
pub(crate) fn opened(tokens: TokenStream) -> TokenStream {
    let mut first = tokens.clone().into_iter();
    match (first.next(), first.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => opened(group.stream()),
        _ => tokens,
    }
}

/// The tokens of one word.
fn word(word: &str, at: Span) -> TokenStream {
    TokenTree::from(Ident::new(word, at)).into()
}

fn kind(value: &[TokenTree]) -> Result<TokenStream, Mistake> {
    if let [TokenTree::Ident(one)] = value {
        match one.to_string().as_str() {
            "value" => return Ok(word("Value", one.span())),
            "identity" => return Ok(word("Identity", one.span())),
            _ => {}
        }
    }
    Err(Mistake::new(
        value[0].span(),
        "the kind must be `value` (equal by content) or `identity` (equal only to itself), without quotes",
    ))
}

fn pool(value: &[TokenTree]) -> Result<TokenStream, Mistake> {
    match value {
        [TokenTree::Ident(one)] if one.to_string() == "keep_all" => Ok(word("KeepAll", one.span())),
        [TokenTree::Ident(one)] if one.to_string() == "keep_none" => Ok(word("KeepNone", one.span())),
        [TokenTree::Ident(one), TokenTree::Group(number)]
            if one.to_string() == "keep_at_most"
                && number.delimiter() == Delimiter::Parenthesis
                && !number.stream().is_empty() =>
        {
            let mut policy = word("KeepAtMost", one.span());
            policy.extend([TokenTree::from(number.clone())]);
            Ok(policy)
        }
        _ => Err(Mistake::new(
            value[0].span(),
            "the pool must be `keep_all`, `keep_at_most(100)` or `keep_none`",
        )),
    }
}

/// An expression for the name. Reports frequent mistakes itself, because the compiler's messages would be less clear.
fn name(value: Vec<TokenTree>) -> Result<TokenStream, Mistake> {
    match value.as_slice() {
        [TokenTree::Ident(_), TokenTree::Punct(dot), ..] if dot.as_char() == '.' => Err(Mistake::new(
            value[0].span(),
            "expected the name in quotes: `name = \"Package.Name\"`",
        )),
        [TokenTree::Literal(text)] if !text.to_string().contains('.') => Err(Mistake::new(
            text.span(),
            "expected the name of a package, a dot, and the name of the class: `\"Package.Name\"`",
        )),
        _ => Ok(value.into_iter().collect()),
    }
}

/// The path of a function. A single name is a function of the type.
fn function(key: &Ident, value: Vec<TokenTree>) -> Result<TokenStream, Mistake> {
    match value.as_slice() {
        [TokenTree::Literal(text)] => {
            let named = text.to_string();
            let named = named.trim_matches('"');
            return Err(Mistake::new(
                text.span(),
                format!("expected a function without quotes: `{key} = {named}`"),
            ));
        }
        [.., TokenTree::Group(arguments)] if arguments.delimiter() == Delimiter::Parenthesis => {
            return Err(Mistake::new(
                arguments.span(),
                format!("`{key}` takes the name of a function, not a call: remove the parentheses"),
            ));
        }
        _ => {}
    }
    let own = match value.as_slice() {
        [TokenTree::Ident(name)] => Some(name.span()),
        _ => None,
    };
    let path = own.map(|at| {
        let mut path = word("Self", at);
        path.extend("::".parse::<TokenStream>().unwrap_or_default());
        path
    });
    Ok(path.into_iter().flatten().chain(value).collect())
}
