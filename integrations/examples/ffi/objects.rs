//! The classes that code in C can use: those with [`Bytes`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use acedia::{Object, class};

/// An object whose content passes through C as bytes.
pub(crate) trait Bytes: Send + Sync {
    /// Calls `read` with the content.
    fn read(&self, read: &mut dyn FnMut(&[u8]));
    /// Replaces the content. `false` if it cannot be these bytes; nothing has changed then.
    fn write(&self, bytes: &[u8]) -> bool;
}

/// Any bytes. The memory stays from life to life.
#[derive(Default)]
pub(crate) struct Buffer(Mutex<Vec<u8>>);

impl Object for Buffer {
    class!(Buffer, "Ffi.Buffer");

    fn constructor(&mut self) {
        self.0
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clear();
    }
}

impl Bytes for Buffer {
    fn read(&self, read: &mut dyn FnMut(&[u8])) {
        read(&self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    fn write(&self, bytes: &[u8]) -> bool {
        let mut buffer = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        buffer.clear();
        buffer.extend_from_slice(bytes);
        true
    }
}

/// A number, in decimal digits.
#[derive(Default)]
pub(crate) struct Number(AtomicI64);

impl Object for Number {
    class!(Number, "Ffi.Number");

    fn constructor(&mut self) {
        *self.0.get_mut() = 0;
    }
}

impl Bytes for Number {
    fn read(&self, read: &mut dyn FnMut(&[u8])) {
        read(self.0.load(Ordering::Relaxed).to_string().as_bytes());
    }

    fn write(&self, bytes: &[u8]) -> bool {
        let number = std::str::from_utf8(bytes).ok().and_then(|digits| digits.parse().ok());
        number
            .inspect(|number| self.0.store(*number, Ordering::Relaxed))
            .is_some()
    }
}
