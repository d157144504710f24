//! `io_uring`: the kernel writes into the buffer. The only unsafe code hands it the address.

use std::collections::HashMap;
use std::os::fd::AsRawFd;
use std::{io, mem};

use io_uring::squeue::Entry;
use io_uring::{IoUring, opcode, types};

use super::{Completion, Flight, Kernel};

/// The word of a request to cancel. No handle has it.
const CANCEL: u64 = 0;

pub(crate) struct Ring {
    ring: IoUring,
    flights: HashMap<u64, Flight>,
}

impl Ring {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            ring: IoUring::new(64)?,
            flights: HashMap::new(),
        })
    }

    fn submit(&mut self, entry: &Entry) -> io::Result<()> {
        // SAFETY: a read's buffer and descriptor belong to its flight. `start` puts the flight into `flights`, which keeps it until the
        // completion has arrived; `drop` waits for all. A request to cancel has no memory.
        unsafe { self.ring.submission().push(entry) }.map_err(io::Error::other)?;
        self.ring.submit()?;
        Ok(())
    }
}

impl Kernel for Ring {
    fn start(&mut self, word: u64, flight: Flight) -> io::Result<()> {
        assert_ne!(word, CANCEL);
        assert!(!self.flights.contains_key(&word), "each life is another word");
        // In the map first: the kernel may write as soon as it has the entry.
        let flight = self.flights.entry(word).or_insert(flight);
        let source = types::Fd(flight.source.as_raw_fd());
        let buffer = &mut flight.buffer.get_mut().expect("only the flight owns it").0;
        let room = u32::try_from(buffer.len()).expect("a small buffer");
        let entry = opcode::Read::new(source, buffer.as_mut_ptr(), room)
            .build()
            .user_data(word);
        self.submit(&entry)
    }

    fn wait(&mut self) -> io::Result<Vec<Completion>> {
        self.ring.submit_and_wait(1)?;
        let flights = &mut self.flights;
        let completions = self.ring.completion().filter_map(|entry| {
            let result = match entry.result() {
                count @ 0.. => Ok(count.unsigned_abs() as usize),
                error => Err(io::Error::from_raw_os_error(-error)),
            };
            let flight = flights.remove(&entry.user_data())?;
            Some((entry.user_data(), result, flight))
        });
        Ok(completions.collect())
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let words: Vec<u64> = self.flights.keys().copied().collect();
        let cancelled = words.into_iter().try_for_each(|word| {
            let entry = opcode::AsyncCancel::new(word).build().user_data(CANCEL);
            self.submit(&entry)
        });
        let mut ended = cancelled.is_ok();
        while ended && !self.flights.is_empty() {
            ended = self.wait().is_ok();
        }
        if !ended {
            // The kernel may still write: the buffers stay allocated.
            mem::forget(mem::take(&mut self.flights));
        }
    }
}
