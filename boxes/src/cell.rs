//! The two kinds of [`Cell`]: an atomic and a lock.

#[cfg(all(test, target_pointer_width = "64"))]
mod models;

use std::fmt;

use crate::lock::Lock;
use crate::primitive::{Cell, Primitive};

/// A cell in an atomic of the standard library.
///
/// `cell/models.rs` explores the loop of `update` and the guarantees of each pair of calls.
///
/// Loads acquire and stores release, so a thread that reads a value also sees all that its writer did before: a ref can announce
/// that something is ready. On x86-64, both are plain instructions. Two refs are not ordered with each other; that would need
/// `SeqCst`, whose stores are an order of magnitude slower.
macro_rules! atomic {
    ($type:ident in $atomic:ty, $to_bits:expr, $of_bits:expr) => {
        impl $crate::primitive::Cell<$type> for $atomic {
            fn holding(value: $type) -> Self {
                Self::new($to_bits(value))
            }

            #[inline]
            fn reset(&mut self) {
                *self = Self::default();
            }

            #[inline]
            fn assign(&mut self, value: $type) {
                *self = Self::new($to_bits(value));
            }

            #[inline]
            fn get(&self) -> $type {
                use std::sync::atomic::Ordering::Acquire;
                // Pairs with the stores of `set`, `replace` and `update`.
                $of_bits(self.load(Acquire))
            }

            #[inline]
            fn set(&self, value: $type) {
                use std::sync::atomic::Ordering::Release;
                // Pairs with the loads of `get`, `replace` and `update`.
                self.store($to_bits(value), Release);
            }

            #[inline]
            fn replace(&self, value: $type) -> $type {
                use std::sync::atomic::Ordering::AcqRel;
                // Pairs with itself and with every other access.
                $of_bits(self.swap($to_bits(value), AcqRel))
            }

            #[inline]
            fn with<R>(&self, read: impl FnOnce($type) -> R) -> R {
                read($crate::primitive::Cell::<$type>::get(self))
            }

            #[inline]
            fn update<R>(&self, mut change: impl FnMut(&mut $type) -> R) -> R {
                use std::sync::atomic::Ordering::{AcqRel, Acquire};
                // Pairs with the stores of `set`, `replace` and `update`, as does the failed exchange below.
                let mut seen = self.load(Acquire);
                loop {
                    let mut value = $of_bits(seen);
                    let result = change(&mut value);
                    // Pairs with itself and with every other access.
                    // Not the weak exchange: `change` must run again only if the value has changed.
                    match self.compare_exchange(seen, $to_bits(value), AcqRel, Acquire) {
                        Ok(_) => return result,
                        Err(now) => seen = now,
                    }
                }
            }

            fn debug(&self, f: &mut std::fmt::DebugTuple<'_, '_>) {
                f.field(&$crate::primitive::Cell::<$type>::get(self));
            }
        }
    };
}
pub(crate) use atomic;

impl<T: Primitive> Cell<T> for Lock<T> {
    fn holding(value: T) -> Self {
        Self::new(value)
    }

    fn reset(&mut self) {
        self.get_mut().reset();
    }

    fn assign(&mut self, value: T::Plain<'_>) {
        self.get_mut().assign(value);
    }

    #[track_caller]
    fn get(&self) -> T {
        self.read_briefly().clone()
    }

    #[track_caller]
    fn set(&self, value: T::Plain<'_>) {
        self.write_briefly().assign(value);
    }

    #[track_caller]
    fn replace(&self, value: T::Plain<'_>) -> T {
        let value = value.into();
        std::mem::replace(&mut self.write_briefly(), value)
    }

    #[track_caller]
    fn with<R>(&self, read: impl FnOnce(T::Plain<'_>) -> R) -> R {
        read(self.read_in_turn().plain())
    }

    #[track_caller]
    fn update<R>(&self, mut change: impl FnMut(&mut T) -> R) -> R {
        change(&mut self.write())
    }

    fn debug(&self, f: &mut fmt::DebugTuple<'_, '_>) {
        f.field(self);
    }
}
