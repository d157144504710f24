//! Buffers of three sizes, each a class. A buffer keeps its address and its memory from life to life.
#![allow(clippy::large_stack_arrays, reason = "an object is made on the stack")]

use acedia::{Object, Owned, class};

macro_rules! sizes {
    ($($name:ident: $bytes:literal bytes, aligned to $align:literal, $class:literal);* $(;)?) => {
        $(
            #[repr(C, align($align))]
            pub(crate) struct $name(pub(crate) [u8; $bytes]);

            impl Default for $name {
                fn default() -> Self {
                    Self([0; $bytes])
                }
            }

            impl Object for $name {
                class!($name, $class);
            }
        )*

        /// The memory that the kernel writes to.
        pub(crate) enum Buffer {
            $($name(Owned<$name>)),*
        }

        impl Buffer {
            /// The smallest buffer with room for `bytes` bytes.
            pub(crate) fn with_room(bytes: usize) -> Self {
                $(if bytes <= $bytes {
                    return Self::$name($name::allocate());
                })*
                panic!("no buffer has room for {bytes} bytes");
            }

            pub(crate) fn bytes(&self) -> &[u8] {
                match self {
                    $(Self::$name(buffer) => &buffer.0),*
                }
            }

            pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
                match self {
                    $(Self::$name(buffer) => &mut buffer.get_mut().expect("only the flight owns it").0),*
                }
            }

            /// How many are alive.
            pub(crate) fn living() -> u64 {
                [$($name::class()),*].iter().map(|class| class.stats().live).sum()
            }
        }
    };
}

sizes! {
    Small: 64 bytes, aligned to 64, "Completions.Small";
    Page: 4096 bytes, aligned to 4096, "Completions.Page";
    Large: 65_536 bytes, aligned to 4096, "Completions.Large";
}
