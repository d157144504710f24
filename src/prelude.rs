//! The names that most programs use, of every feature that is switched on: `use acedia::prelude::*`.
//!
//! ```
//! use acedia::prelude::*;
//!
//! #[derive(Default, Object)]
//! #[object(name = "Doc.Smoke")]
//! struct Smoke;
//!
//! let smoke = Smoke::allocate();
//! let handle = smoke.handle();
//! assert!(handle.get(&pin()).is_some());
//! assert!(Text::new("smoke") == text!("smoke").owner());
//! ```
//!
//! Names that are rarely used, and names that other crates also have (`free`, `Vector`, `Key`), stay in their own crate.

pub use crate::{
    AnyHandle, AnyOwned, Class, Guard, Handle, Object, Owned, Pinned, PoolPolicy, allocate, allocate_with, class, pin,
};

#[cfg(feature = "actors")]
pub use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Level, Rules, Spawn, Stage, actor};

#[cfg(feature = "boxes")]
pub use acedia_boxes::{
    ArrayBox, ArrayRef, BoolArrayBox, BoolArrayRef, BoolBox, BoolRef, ByteArrayBox, ByteArrayRef, ByteBox, ByteRef,
    DoubleArrayBox, DoubleArrayRef, DoubleBox, DoubleRef, FloatArrayBox, FloatArrayRef, FloatBox, FloatRef,
    IntArrayBox, IntArrayRef, IntBox, IntRef, LongArrayBox, LongArrayRef, LongBox, LongRef, StringArrayBox,
    StringArrayRef, StringBox, StringRef, ULongArrayBox, ULongArrayRef, ULongBox, ULongRef, ValueBox, ValueRef,
    VectorArrayBox, VectorArrayRef, VectorBox, VectorRef,
};

#[cfg(feature = "collections")]
pub use acedia_collections::{ArrayList, HashTable, Item};

#[cfg(feature = "signals")]
pub use acedia_signals::{Relay, Signal, SimpleSignal};

#[cfg(feature = "text")]
pub use acedia_text::{BaseText, IntoText, MutableText, Name, NameOwner, Text, colored, formatted, text};
