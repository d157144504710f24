//! Lock-free object pools with handles that never dangle.
pub use acedia_allocator::*;
