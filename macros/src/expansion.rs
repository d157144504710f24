//! The output of the derive macro.

use proc_macro::{Group, TokenStream, TokenTree};

use crate::input::Input;

/// The `impl` of `Object`, and of `ValueHash` if the option `hash` is given.
pub(crate) fn object(input: &Input) -> TokenStream {
    let options = &input.options;
    let (krate, class) = names(input);
    let readers = match &options.readers {
        Some(path) if path.to_string() == "guards_only" => {
            fill(", readers = $krate::pool::GuardsOnly", &[("krate", &krate)])
        }
        Some(path) => fill(", readers = $path", &[("path", path)]),
        None => TokenStream::new(),
    };
    // If the type has no function of this name, `Self::constructor` would be the trait's function, which would
    // call itself.
    let own = fill(
        "#[allow(unused_imports)] use $krate::__private::TheTypeHasNoFunctionOfThisName as _;",
        &[("krate", &krate)],
    );
    let holes = [
        ("krate", &krate),
        ("class", &class),
        ("readers", &readers),
        ("own", &own),
    ];
    let with = |template: &str, value: Option<&TokenStream>| match value {
        Some(value) => fill(template, &[&holes[..], &[("value", value)]].concat()),
        None => TokenStream::new(),
    };
    let members: TokenStream = [
        with(
            if options.is_value() {
                "$krate::class! { $class, $value, kind = Value $readers }"
            } else {
                "$krate::class! { $class, $value, kind = Identity $readers }"
            },
            options.name.as_ref(),
        ),
        with(
            "const POOL: $krate::PoolPolicy = $krate::PoolPolicy::$value;",
            options.pool.as_ref(),
        ),
        with(
            "const WAITING_AT_MOST: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some($value);",
            options.waiting_at_most.as_ref(),
        ),
        with(
            "const FINALIZER: ::core::option::Option<fn(&mut Self)> = ::core::option::Option::Some($value);",
            options.finalizer.as_ref(),
        ),
        with(
            "fn constructor(&mut self) { $own $value(self) }",
            options.constructor.as_ref(),
        ),
        with(
            "fn static_constructor() { $own $value() }",
            options.static_constructor.as_ref(),
        ),
        with(
            "fn static_finalizer() { $own $value() }",
            options.static_finalizer.as_ref(),
        ),
    ]
    .into_iter()
    .collect();
    let object = with(
        "#[automatically_derived] impl $krate::Object for $class { $value }",
        Some(&members),
    );
    let hash = with(
        "#[automatically_derived] impl $krate::kind::ValueHash for $class {
            fn value_hash(&self) -> ::core::primitive::i32 { $own $value(self) }
        }",
        options.hash.as_ref(),
    );
    object.into_iter().chain(hash).collect()
}

/// The crate of the traits, and the type.
fn names(input: &Input) -> (TokenStream, TokenStream) {
    let krate = input.options.krate.clone().unwrap_or_else(|| parsed("::acedia"));
    (krate, TokenTree::from(input.name.clone()).into())
}

/// A constant of this file as tokens. Empty if it is not valid Rust, so that every test of the derive fails.
fn parsed(source: &str) -> TokenStream {
    source.parse().unwrap_or_default()
}

/// The template with each `$hole` filled. The inserted tokens keep their spans in the user's code, for messages of the compiler.
fn fill(template: &str, holes: &[(&str, &TokenStream)]) -> TokenStream {
    filled(parsed(template), holes)
}

fn filled(template: TokenStream, holes: &[(&str, &TokenStream)]) -> TokenStream {
    let mut tokens = template.into_iter();
    let mut result = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let hole = tokens.next().map(|name| name.to_string()).unwrap_or_default();
                if let Some((_, value)) = holes.iter().find(|(name, _)| *name == hole) {
                    result.extend((*value).clone());
                }
            }
            TokenTree::Group(group) => {
                let inner = filled(group.stream(), holes);
                result.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
            }
            other => result.extend([other]),
        }
    }
    result
}
