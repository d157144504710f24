//! The derive macro of the crate `acedia`, which re-exports it as `acedia::Object`. Use it from there.
#![doc(html_root_url = "https://docs.rs/acedia-macros/latest")]
#![forbid(unsafe_code)]

mod expansion;
mod input;
mod mistake;
mod options;

use proc_macro::TokenStream;

use input::Input;

/// Makes a type a class: implements the trait `Object`.
///
/// ```ignore
/// #[derive(Default, Object)]
/// #[object(name = "Game.Smoke")]
/// struct Smoke;
/// ```
///
/// | Option | Meaning |
/// |---|---|
/// | `name = "Package.Name"` | required: the name of the class, by which it can be found |
/// | `kind = identity` | an object is equal only to itself; the default |
/// | `kind = value` | objects are equal by content; needs `PartialEq`, and `hash` or an `impl ValueHash` |
/// | `hash = function` | the hash of the content: a `fn(&Self) -> i32` |
/// | `pool = keep_all` | keeps all free objects for their next life; the default |
/// | `pool = keep_at_most(100)` | keeps at most 100 free objects |
/// | `pool = keep_none` | keeps no free object |
/// | `waiting_at_most = 10_000` | makes no new objects while more than 10,000 freed objects wait for readers |
/// | `readers = Audio` | the objects are protected only by pins of the domain `Audio`: see `domain!` |
/// | `readers = guards_only` | the objects are read by guards only |
/// | `constructor = function` | runs at the start of every life: a `fn(&mut Self)` |
/// | `finalizer = function` | runs at the end of every life: a `fn(&mut Self)` |
/// | `static_constructor = function` | runs before the first object is made: a `fn()` |
/// | `static_finalizer = function` | undoes the work of the static constructor at `shutdown`: a `fn()` |
/// | `crate = path` | the path of the crate `acedia`, if it is not `::acedia` |
///
/// A single name is a function of the type: `finalizer = clear` is `Self::clear`. For any other function, write its
/// path: `finalizer = smoke::clear`.
///
/// # Errors
///
/// Does not compile for a type with parameters (declare a family of classes by `class!(family)` instead), for a type that
/// borrows, for a union, and for a type without `Default`.
#[proc_macro_derive(Object, attributes(object))]
pub fn derive_object(item: TokenStream) -> TokenStream {
    match Input::read(item) {
        Ok(input) => expansion::object(&input),
        Err(mistake) => mistake.into_tokens(),
    }
}
