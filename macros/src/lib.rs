//! The derive macro of the crate `acedia`, which re-exports it as `acedia::Object` and has its examples.
//! Nobody needs to name this crate.
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
/// | Option | |
/// |---|---|
/// | `name = "Package.Name"` | what the class is called and found by; there must be one |
/// | `kind = identity` | equal to itself alone, if nothing is said |
/// | `kind = value` | equal by content; needs `PartialEq`, and `hash` or an `impl ValueHash` |
/// | `hash = function` | the hash of the content: a `fn(&Self) -> i32` |
/// | `pool = keep_all` | all free objects are kept for the next life, if nothing is said |
/// | `pool = keep_at_most(100)` | that many of them |
/// | `pool = keep_none` | none |
/// | `constructor = function` | opens every life: a `fn(&mut Self)` |
/// | `finalizer = function` | closes every life: a `fn(&mut Self)` |
/// | `static_constructor = function` | runs before the first object is made: a `fn()` |
/// | `static_finalizer = function` | undoes that at `shutdown`: a `fn()` |
/// | `crate = path` | where `Object` and `class!` are, if not in `::acedia` |
///
/// A function is named alone if it belongs to the type (`finalizer = clear` is `Self::clear`), else by its path
/// (`finalizer = smoke::clear`).
///
/// # Errors
///
/// Does not compile for a type with parameters (that is a family of classes: `class!(family)`), for one that borrows, for a
/// union, and for a type without `Default`.
#[proc_macro_derive(Object, attributes(object))]
pub fn derive_object(item: TokenStream) -> TokenStream {
    match Input::read(item) {
        Ok(input) => expansion::of(&input),
        Err(mistake) => mistake.into_tokens(),
    }
}
