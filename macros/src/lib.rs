//! The derive macros of the crate `acedia`, which re-exports them as `acedia::Object` and `acedia::PlainObject`. Use them
//! from there.
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
/// | `pool = keep_bytes(1_000_000)` | keeps free objects of at most 1,000,000 bytes in total |
/// | `pool = keep_none` | keeps no free object |
/// | `waiting_at_most = 10_000` | makes no new objects while more than 10,000 freed objects wait for readers |
/// | `readers = Audio` | the objects are protected only by pins of the domain `Audio`: see `domain!` |
/// | `readers = guards_only` | the objects are read by guards only |
/// | `constructor = function` | runs at the start of every life: a `fn(&mut Self)` |
/// | `finalizer = function` | runs at the end of every life: a `fn(&mut Self)` |
/// | `scrub = function` | overwrites secrets, at the end of every life and before every drop: a `fn(&mut Self)` |
/// | `weight = function` | the bytes that a free object owns, for `keep_bytes`: a `fn(&Self) -> usize` |
/// | `shrink = function` | releases memory of a free object, for `keep_bytes`: a `fn(&mut Self, usize)` |
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
    expanded(item, options::ALL, expansion::object)
}

/// Makes a type a class of plain data: implements the trait `PlainObject`.
///
/// ```ignore
/// #[derive(Clone, Copy, NoUninit, AnyBitPattern, PlainObject)]
/// #[object(name = "Game.Position")]
/// #[repr(C)]
/// struct Position { x: f32, y: f32 }
/// ```
///
/// The options are `name`, `pool` and `crate`. They mean the same as for `Object`.
///
/// # Errors
///
/// Has the same errors as `Object`, and does not compile with any other option. The type must also be `NoUninit` and
/// `AnyBitPattern`, which `bytemuck` derives.
#[proc_macro_derive(PlainObject, attributes(object))]
pub fn derive_plain_object(item: TokenStream) -> TokenStream {
    expanded(item, &["name", "pool", "crate"], expansion::plain_object)
}

/// The expansion of a derive with these options.
fn expanded(item: TokenStream, options: &'static [&'static str], expand: fn(&Input) -> TokenStream) -> TokenStream {
    match Input::read(item, options) {
        Ok(input) => expand(&input),
        Err(mistake) => mistake.into_tokens(),
    }
}
