//! [`actor!`](crate::actor!): makes a Rust type a class of actors.

/// Makes a type a class of actors. Write it inside the `impl` of [`Actor`](crate::Actor).
///
/// ```
/// use acedia_actors::{Actor, Pawn, actor};
///
/// #[derive(Default)]
/// struct Bot { pawn: Pawn, skill: u8 }
/// impl Actor for Bot {
///     actor!(Bot, "Game.Bot", parent = Pawn, in pawn);
/// }
/// assert!(Bot::class().is_child_of(Pawn::class()));
/// assert_eq!(Bot::class().short_name(), "Bot");
/// ```
///
/// In a tuple struct, write the field's number: `in 0`.
///
/// A class without `parent` is a child of `Engine.Actor`. The name has the form `"Package.Name"`.
/// [`load_actor_class`](crate::load_actor_class) finds the class by its name.
#[macro_export]
macro_rules! actor {
    ($type:ty, $name:literal $(,)?) => {
        $crate::actor!(@class $type, $name, $crate::ActorClass::root);

        fn part(&self, wanted: ::std::any::TypeId) -> ::std::option::Option<&dyn ::std::any::Any> {
            if wanted == ::std::any::TypeId::of::<Self>() {
                ::std::option::Option::Some(self)
            } else {
                ::std::option::Option::None
            }
        }
        fn part_mut(&mut self, wanted: ::std::any::TypeId) -> ::std::option::Option<&mut dyn ::std::any::Any> {
            if wanted == ::std::any::TypeId::of::<Self>() {
                ::std::option::Option::Some(self)
            } else {
                ::std::option::Option::None
            }
        }
    };
    ($type:ty, $name:literal, parent = $parent:ty, in $base:tt $(,)?) => {
        $crate::actor!(@class $type, $name, <$parent as $crate::Actor>::class);

        fn part(&self, wanted: ::std::any::TypeId) -> ::std::option::Option<&dyn ::std::any::Any> {
            let base: &$parent = &self.$base;
            if wanted == ::std::any::TypeId::of::<Self>() {
                ::std::option::Option::Some(self)
            } else {
                $crate::Actor::part(base, wanted)
            }
        }
        fn part_mut(&mut self, wanted: ::std::any::TypeId) -> ::std::option::Option<&mut dyn ::std::any::Any> {
            if wanted == ::std::any::TypeId::of::<Self>() {
                ::std::option::Option::Some(self)
            } else {
                $crate::Actor::part_mut(&mut self.$base, wanted)
            }
        }
    };
    (@class $type:ty, $name:literal, $parent:expr) => {
        fn class() -> &'static $crate::ActorClass {
            static CLASS: ::std::sync::OnceLock<$crate::ActorClass> = ::std::sync::OnceLock::new();
            $crate::__private::inventory::submit! {
                $crate::__private::Registration::new::<$type>($name, <$type as $crate::Actor>::class)
            }
            CLASS.get().unwrap_or_else(|| $crate::__private::describe::<$type>(&CLASS, $name, $parent))
        }
        fn write_the_macro_actor_here() -> &'static $crate::__private::ClassStorage<$crate::__private::Statics<Self>> {
            $crate::__private::__unlisted_storage!($crate::__private::Statics<$type>, $name)
        }
    };
    ($type:ty $(,)?) => {
        ::std::compile_error!("a class of actors needs a name: `actor!(Type, \"Package.Type\")`");
    };
    ($type:ty, $name:literal, parent = $parent:ty $(,)?) => {
        ::std::compile_error!(
            "name the field that contains the parent class: `actor!(Type, \"Package.Type\", parent = Parent, in field)`"
        );
    };
    ($($other:tt)*) => {
        ::std::compile_error!(
            "inside `impl Actor for Type`, write `actor!(Type, \"Package.Type\")` or \
             `actor!(Type, \"Package.Type\", parent = Parent, in field)`, with the name as a literal"
        );
    };
}
