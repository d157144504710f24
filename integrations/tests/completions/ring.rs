//! `io_uring`: the kernel writes into the buffer. The only unsafe code passes addresses to the kernel.

use std::collections::HashMap;
use std::os::fd::AsRawFd;
use std::{io, mem};

use acedia::Owned;
use io_uring::squeue::Entry;
use io_uring::{IoUring, opcode, types};
use libc::iovec;

use super::buffers::Page;
use super::{Completion, Flight, Kernel};

/// The word of a cancel request. No handle has it.
const CANCEL: u64 = 0;

pub(crate) struct Ring {
    uring: IoUring,
    flights: HashMap<u64, Flight>,
    /// The number of each registered buffer, by its address.
    numbers: HashMap<usize, u16>,
    fixed: usize,
}

impl Ring {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            uring: IoUring::new(64)?,
            flights: HashMap::new(),
            numbers: HashMap::new(),
            fixed: 0,
        })
    }

    /// A ring with these pages registered: one range for each page, or, with `as_one` and adjacent slots, one for all. Later pages in
    /// these slots use the same ranges. Until the ring is dropped, the class must not be collected or trimmed.
    pub(crate) fn with_buffers(pages: &mut [Owned<Page>], as_one: bool) -> io::Result<Self> {
        let mut new = Self::new()?;
        let mut ranges: Vec<_> = pages
            .iter_mut()
            .map(|page| {
                let bytes = &mut page.get_mut().expect("one owner").0;
                iovec {
                    iov_base: bytes.as_mut_ptr().cast(),
                    iov_len: bytes.len(),
                }
            })
            .collect();
        new.numbers = ranges.iter().map(|range| range.iov_base.addr()).zip(0..).collect();
        if as_one {
            ranges.sort_unstable_by_key(|range| range.iov_base);
            let (first, last) = (ranges[0], ranges[ranges.len() - 1]);
            ranges = vec![iovec {
                iov_base: first.iov_base,
                iov_len: last.iov_base.addr() - first.iov_base.addr() + last.iov_len,
            }];
            new.numbers.values_mut().for_each(|number| *number = 0);
        }
        // SAFETY: memory of a class's pool, which stays mapped. The kernel writes only to the bytes that a read names, and the read's flight
        // owns them.
        unsafe { new.uring.submitter().register_buffers(&ranges)? };
        Ok(new)
    }

    /// How many reads used a registered buffer.
    pub(crate) fn fixed(&self) -> usize {
        self.fixed
    }

    fn submit(&mut self, entry: &Entry) -> io::Result<()> {
        // SAFETY: a read's buffer and descriptor belong to its flight. `start` puts the flight into `flights`, which keeps it until the
        // completion has arrived; `drop` waits for all. A request to cancel has no memory.
        unsafe { self.uring.submission().push(entry) }.map_err(io::Error::other)?;
        self.uring.submit()?;
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
        let buffer = flight.buffer.bytes_mut();
        let room = u32::try_from(buffer.len()).expect("a small buffer");
        let start = buffer.as_mut_ptr();
        let entry = if let Some(number) = self.numbers.get(&start.addr()) {
            self.fixed += 1;
            opcode::ReadFixed::new(source, start, room, *number).build()
        } else {
            opcode::Read::new(source, start, room).build()
        };
        self.submit(&entry.user_data(word))
    }

    fn wait(&mut self) -> io::Result<Vec<Completion>> {
        self.uring.submit_and_wait(1)?;
        let flights = &mut self.flights;
        let completions = self.uring.completion().filter_map(|entry| {
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
