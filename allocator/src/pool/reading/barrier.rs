//! A fence on every running thread of the process, by a system call (`membarrier`) where there is one.
//!
//! Frequent operations have no fence of their own. A rare operation has one made on every thread: see `mode` and `census`.

pub(in crate::pool) use system::{everywhere, is_available};

#[cfg(all(target_os = "linux", not(miri), not(acedia_loom)))]
mod system {
    use std::sync::OnceLock;

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: a system call without pointers.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    fn register_and_fence() -> bool {
        membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
            && membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
    }

    /// Whether [`everywhere`] works here. It may then be relied upon for the rest of the process.
    pub(in crate::pool) fn is_available() -> bool {
        static AVAILABLE: OnceLock<bool> = OnceLock::new();
        *AVAILABLE.get_or_init(register_and_fence)
    }

    /// Every other thread executes a full fence before this returns. If [`is_available`].
    pub(in crate::pool) fn everywhere() {
        // Fails only if the registration is missing: it is repeated here for a process that was forked.
        if is_available() && !register_and_fence() {
            // Going on would let another thread read what this one reuses.
            eprintln!("acedia: membarrier, which worked when the first pool was made, is forbidden now");
            std::process::abort();
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri), not(acedia_loom))))]
mod system {
    pub(in crate::pool) fn is_available() -> bool {
        false
    }

    pub(in crate::pool) fn everywhere() {}
}
