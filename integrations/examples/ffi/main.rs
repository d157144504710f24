//! A library for C, and for every language that calls C: objects of registered classes by 64-bit handles. `acedia.h`
//! describes it, and `handles.py` uses it.
//!
//! A handle is a number, and C may pass any number. One that names no living object gives [`Status::Stale`], even if its slot
//! has been reused. Handles are invalid once the library is unloaded.

mod objects;
mod pointers;

use std::panic::catch_unwind;

use acedia::{AnyHandle, Reason, load_class};

use objects::{Buffer, Bytes, Number};

/// The outcome of a call: `acedia_status` in C.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// No living object has the handle.
    Stale = 1,
    /// No class, or more than one, has the name.
    UnknownClass = 2,
    /// The objects of the class have no bytes, or cannot have these.
    BadBytes = 3,
    /// The object has an owner in Rust; C cannot free it.
    Owned = 4,
    /// There is no memory, or no slot.
    Full = 5,
    /// Code of the class has panicked.
    Panicked = 6,
}

/// The result of every function: `acedia_result` in C.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The outcome.
    pub status: Status,
    /// A handle, or a length in bytes; 0 unless the status is [`Status::Ok`].
    pub value: u64,
}

/// `acedia_allocate`: allocates an object of the class of this name, which lives until `acedia_free`, and returns its handle.
///
/// # Safety
///
/// `name` is null, or `length` bytes there are readable during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acedia_allocate(name: *const u8, length: usize) -> Outcome {
    // SAFETY: the caller's promise.
    let name = unsafe { pointers::given(name, length) };
    outcome(|| {
        let name = std::str::from_utf8(name).map_err(|_| Status::UnknownClass)?;
        let class = load_class(name).map_err(|_| Status::UnknownClass)?;
        let owner = class.allocate().map_err(|_| Status::Full)?;
        Ok(owner.into_manual().to_bits())
    })
}

/// `acedia_class`: writes the name of the object's class, and returns the name's length.
///
/// # Safety
///
/// `room` is null, or `capacity` bytes there are writable, and nobody else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acedia_class(handle: u64, room: *mut u8, capacity: usize) -> Outcome {
    outcome(|| {
        let name = find(handle)?.class().name();
        // SAFETY: the caller's promise.
        unsafe { pointers::fill(room, capacity, name.as_bytes()) };
        Ok(name.len() as u64)
    })
}

/// `acedia_read`: writes the object's bytes, and returns their number.
///
/// # Safety
///
/// As [`acedia_class`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acedia_read(handle: u64, room: *mut u8, capacity: usize) -> Outcome {
    outcome(|| {
        with(handle, |object| {
            let mut length = 0;
            object.read(&mut |bytes| {
                // SAFETY: the caller's promise.
                unsafe { pointers::fill(room, capacity, bytes) };
                length = bytes.len() as u64;
            });
            Ok(length)
        })
    })
}

/// `acedia_write`: replaces the object's bytes.
///
/// # Safety
///
/// `bytes` is null, or `length` bytes there are readable during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acedia_write(handle: u64, bytes: *const u8, length: usize) -> Outcome {
    // SAFETY: the caller's promise.
    let bytes = unsafe { pointers::given(bytes, length) };
    outcome(|| {
        let done = |is_done: bool| is_done.then_some(length as u64).ok_or(Status::BadBytes);
        with(handle, |object| done(object.write(bytes)))
    })
}

/// `acedia_free`: ends the object's life. Every copy of the handle is stale from then on.
#[unsafe(no_mangle)]
pub extern "C" fn acedia_free(handle: u64) -> Outcome {
    outcome(|| {
        let freed = find(handle)?.free();
        freed.map(|()| 0).map_err(|error| match error.reason() {
            Reason::Owned => Status::Owned,
            // Another thread has freed it since it was found.
            _ => Status::Stale,
        })
    })
}

fn find(handle: u64) -> Result<AnyHandle, Status> {
    AnyHandle::find(handle).ok_or(Status::Stale)
}

fn with(handle: u64, read: impl FnOnce(&dyn Bytes) -> Result<u64, Status>) -> Result<u64, Status> {
    let handle = find(handle)?;
    let result = if let Some(buffer) = handle.downcast::<Buffer>() {
        buffer.with(|it| read(it))
    } else if let Some(number) = handle.downcast::<Number>() {
        number.with(|it| read(it))
    } else {
        return Err(Status::BadBytes);
    };
    result.unwrap_or(Err(Status::Stale))
}

/// No panic reaches C, where it would end the process.
fn outcome(run: impl FnOnce() -> Result<u64, Status> + std::panic::UnwindSafe) -> Outcome {
    let (status, value) = match catch_unwind(run) {
        Ok(Ok(value)) => (Status::Ok, value),
        Ok(Err(status)) => (status, 0),
        Err(_) => (Status::Panicked, 0),
    };
    Outcome { status, value }
}
