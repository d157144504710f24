//! [`Lock`]: the lock around the items of a collection, and the methods of lists and tables that only lock.

use acedia_lock as protocol;

pub(crate) use protocol::Writing;

/// A read-write lock that panics if waiting would deadlock.
pub(crate) type Lock<T> = protocol::Lock<T, Collection>;

/// The words of the lock's panic messages.
pub(crate) struct Collection;

impl protocol::Subject for Collection {
    const NAME: &'static str = "a collection";
    const WAY_OUT: &'static str = "a guard in the head of `if let`, `match` or `for` lives until the end of the block: call `get` in a statement before the block, or use one guard for both accesses";
}

/// The methods of a collection that only lock its contents, alike for lists and tables.
macro_rules! locked_face {
    ($collection:ident, $class:literal, $contents:ty, $writer:ident { $field:ident }, $noun:literal) => {
        impl ::acedia::Object for $collection {
            ::acedia::class!($collection, $class);

            const FINALIZER: Option<fn(&mut Self)> = Some(|it| {
                $crate::release::release(&mut it.contents.get_mut().0);
                it.contents.unlock();
            });

            #[inline]
            fn constructor(&mut self) {
                self.place.reset();
            }
        }

        impl $collection {
            #[doc = concat!("An empty ", $noun, ".")]
            ///
            /// # Panics
            ///
            /// As [`Object::allocate`](acedia::Object::allocate).
            #[track_caller]
            pub fn new() -> ::acedia::Owned<Self> {
                ::acedia::Object::allocate()
            }

            #[doc = concat!("The length of the contents: see [`", stringify!($contents), "`](crate::", stringify!($contents), "::len).")]
            #[doc = concat!("The ", $noun, " is locked only during the call.")]
            ///
            /// # Panics
            ///
            /// As [`read`](Self::read).
            #[must_use]
            #[track_caller]
            #[doc(alias = "GetLength")]
            #[expect(clippy::len_without_is_empty, reason = "the guard has both")]
            pub fn len(&self) -> usize {
                self.read().len()
            }

            #[doc = concat!("Locks the ", $noun, " for reading. Other threads can read at the same time; a thread that changes the ", $noun)]
            /// waits.
            ///
            #[doc = concat!("A reader does not wait for waiting writers, so a thread may read a ", $noun, " that it is already reading. If the")]
            #[doc = concat!("guard is forgotten (`mem::forget`), the ", $noun, " cannot be changed again in this life.")]
            ///
            /// # Panics
            ///
            /// If waiting would deadlock: see [threads](crate::ArrayList#threads).
            #[track_caller]
            pub fn read(&self) -> impl ::std::ops::Deref<Target = $contents> + ::std::fmt::Debug + '_ {
                self.contents.read()
            }

            #[doc = concat!("Locks the ", $noun, " for changing. Waits until no other thread reads or changes it, which may take long if other")]
            #[doc = concat!("threads read all the time. If the result is forgotten (`mem::forget`), the ", $noun, " stays locked for the rest of this life.")]
            ///
            /// # Panics
            ///
            /// If waiting would deadlock: see [threads](crate::ArrayList#threads).
            #[track_caller]
            pub fn write(&self) -> $crate::$writer<'_> {
                $crate::$writer {
                    $field: self.contents.write(),
                    home: &self.place,
                }
            }

            /// Like [`write`](Self::write), to put back removed items. Unless it `searches`, it admits a collection without a search
            /// for a cycle.
            #[doc(hidden)]
            pub fn write_back(&self, searches: bool) -> $crate::$writer<'_> {
                // It is in no collection, so there is nothing to search.
                static NOWHERE: $crate::place::Place = $crate::place::Place::new();
                let mut writer = self.write();
                if !searches {
                    writer.home = &NOWHERE;
                }
                writer
            }

            /// Like [`read`](Self::read), but returns `None` if it would have to wait.
            #[inline]
            #[doc(hidden)]
            pub fn try_read(&self) -> Option<impl ::std::ops::Deref<Target = $contents> + '_> {
                self.contents.try_read()
            }

            /// Locks the contents for changing. `None` if it would have to wait.
            #[inline]
            #[doc(hidden)]
            pub fn try_write(&self) -> Option<impl ::std::ops::DerefMut<Target = $contents> + '_> {
                self.contents.try_write()
            }

            /// The contents, without a lock: `&mut` excludes all other access.
            #[inline]
            #[doc(hidden)]
            pub fn get_mut(&mut self) -> &mut $contents {
                self.contents.get_mut()
            }

            /// Moves the contents into a collection that is not a pooled object, and leaves this one empty.
            #[cfg(feature = "serde")]
            pub(crate) fn take(&self) -> Self {
                let mut taken = Self::default();
                ::std::mem::swap(taken.contents.get_mut(), &mut self.contents.write());
                taken
            }
        }

        impl ::std::ops::Deref for $crate::$writer<'_> {
            type Target = $contents;

            #[inline]
            fn deref(&self) -> &$contents {
                &self.$field
            }
        }

        impl ::std::fmt::Debug for $crate::$writer<'_> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.$field.fmt(f)
            }
        }

        impl ::std::fmt::Debug for $collection {
            #[doc = concat!("Prints the contents. Does not wait: prints `<locked>` if the ", $noun, " is locked.")]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::show::nested(stringify!($collection), f, |f| Some(self.try_read()?.fmt(f)))
            }
        }
    };
}

pub(crate) use locked_face;
