//! Ctrl-C, as a signal or as a key: the match ends, and its report follows.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit status after Ctrl-C, as a shell gives it to a program that the signal ends.
pub(crate) const STATUS: u8 = 130;

static WANTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Handles the signal from now on: the first one ends the match, a second one the process.
pub(crate) fn listen() -> io::Result<()> {
    // In this order, so that the first signal finds the flag unset.
    flag::register_conditional_shutdown(SIGINT, STATUS.into(), Arc::clone(&WANTED))?;
    flag::register(SIGINT, Arc::clone(&WANTED)).map(|_| ())
}

/// For the key: a terminal in raw mode makes no signal of Ctrl-C.
pub(crate) fn want() {
    WANTED.store(true, Relaxed);
}

pub(crate) fn is_wanted() -> bool {
    WANTED.load(Relaxed)
}
