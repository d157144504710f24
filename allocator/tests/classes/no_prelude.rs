//! Each macro in a module in which nothing is in scope: neither a trait, nor a macro, nor a type of the prelude.

mod bare {
    #![no_implicit_prelude]

    use ::acedia::Object as _;

    #[derive(::std::default::Default)]
    pub(super) struct Smoke(pub(super) i32);
    impl ::acedia::Object for Smoke {
        ::acedia::class!(Smoke, "Bare.Smoke");
    }

    #[derive(::std::default::Default, ::std::cmp::PartialEq, ::acedia::Object)]
    #[object(name = "Bare.Coin", kind = value, hash = content, pool = keep_at_most(7), readers = Far)]
    #[object(constructor = begin, finalizer = end, static_constructor = load, static_finalizer = unload)]
    pub(super) struct Coin(pub(super) i32);

    impl Coin {
        fn content(&self) -> i32 {
            self.0
        }

        fn begin(&mut self) {
            self.0 = 1;
        }

        fn end(&mut self) {
            self.0 = 0;
        }

        fn load() {}

        fn unload() {}
    }

    ::acedia::domain! {
        /// Another domain.
        pub(super) Far
    }

    #[derive(::std::default::Default)]
    pub(super) struct Shelf<T>(pub(super) T);
    impl<T: ::std::marker::Send + ::std::marker::Sync + ::std::default::Default + 'static> ::acedia::Object for Shelf<T>
    where
        Self: ::acedia::Family,
    {
        ::acedia::class!(family, kind = Identity, readers = ::acedia::pool::GuardsOnly);
    }
    ::acedia::class_table! {
        Shelf<u8> => "Bare.ByteShelf",
        Shelf<f32> => "Bare.FloatShelf",
    }

    pub(super) fn names() -> [&'static str; 4] {
        [
            Smoke::class().name(),
            Coin::class().name(),
            Shelf::<u8>::class().name(),
            Shelf::<f32>::class().name(),
        ]
    }
}

/// Names that the macros use mean something else here.
#[allow(dead_code, non_camel_case_types, reason = "they are in the way")]
mod shadowed {
    struct usize;
    struct i32;
    struct Option;
    const STORAGE: &str = "Shadowed.Smoke";

    #[derive(Default, PartialEq, acedia::Object)]
    #[object(name = STORAGE, kind = value, hash = content, waiting_at_most = 7)]
    pub(super) struct Smoke(core::primitive::i32);

    impl Smoke {
        fn content(&self) -> core::primitive::i32 {
            self.0
        }
    }
}

use acedia::Object;
use acedia::pool::Domain;
use bare::{Coin, Far, Shelf, Smoke};

use super::support::alone;

#[test]
fn no_macro_needs_the_prelude() {
    let _alone = alone();
    assert_eq!(
        bare::names(),
        ["Bare.Smoke", "Bare.Coin", "Bare.ByteShelf", "Bare.FloatShelf"]
    );
    let (smoke, shelf) = (Smoke::allocate_with(|it| it.0 = 7), Shelf::<u8>::allocate());
    assert_eq!((smoke.0, shelf.0, Shelf::<f32>::allocate().0), (7, 0, 0.0));
    let coin = Coin::allocate();
    assert_eq!(coin.handle().get(&Far::pin()).map(|it| it.0), Some(1));
    assert!(coin == Coin::allocate());
    assert_eq!(shadowed::Smoke::class().name(), "Shadowed.Smoke");
}
