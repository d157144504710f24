//! The ring, the reads in flight, and a storm of reads and cancellations.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use acedia::pool::{Key, Owner, Plain, Pool, Values};
use io_uring::{IoUring, opcode, types};

/// The bytes of a message: the number of the read that it is for.
const SIZE: usize = 8;

/// A read that the kernel works on. Freed by its completion.
struct Flight {
    /// Boxed, because the kernel has its address.
    buffer: Box<[u8; SIZE]>,
    waiter: Key,
}

/// Where the result of a read goes. Freed with the future that asked for it.
#[derive(Debug, Default)]
struct Waiter {
    /// The number of the read, and what came.
    number: u64,
    result: std::sync::Mutex<Option<u64>>,
}

/// What the storm saw.
#[derive(Debug, Default)]
pub(crate) struct Report {
    reads: u64,
    received: u64,
    cancelled: u64,
    /// Completions whose future was gone.
    late: u64,
    /// Of these, completions whose waiter's slot had another waiter by then.
    reused: u64,
    /// Completions with a number that no read has.
    forged: u64,
    /// Completions that found the waiter of another read.
    pub(crate) strangers: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} reads: {} received, {} cancelled; completions without a reader {}, of which {} met a reused slot; forged numbers {}; strangers {}",
            self.reads, self.received, self.cancelled, self.late, self.reused, self.forged, self.strangers
        )
    }
}

/// Random numbers, the same for each seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The future's side of a read: dropping it cancels the read.
struct Pending<'a> {
    waiter: Owner<'a, Waiter, Plain>,
    flight: Key,
    pair: usize,
}

struct Loop<'a> {
    ring: IoUring,
    flights: &'a Values<Flight>,
    waiters: &'a Pool<Waiter>,
    in_flight: usize,
    report: Report,
}

impl<'a> Loop<'a> {
    /// Starts a read from a socket.
    fn read(&mut self, socket: &UnixStream, pair: usize) -> io::Result<Pending<'a>> {
        self.report.reads += 1;
        let number = self.report.reads;
        let waiter = self.waiters.allocate_with(|waiter| {
            waiter.number = number;
            waiter.result = std::sync::Mutex::default();
        });
        let mut buffer = Box::new([0; SIZE]);
        let address = buffer.as_mut_ptr();
        let flight = Flight {
            buffer,
            waiter: waiter.key(),
        };
        let flight = self.flights.insert(flight).into_manual();
        let length = u32::try_from(SIZE).expect("a few bytes");
        let entry = opcode::Recv::new(types::Fd(socket.as_raw_fd()), address, length)
            .build()
            .user_data(flight.to_bits());
        self.submit(&entry)?;
        Ok(Pending { waiter, flight, pair })
    }

    /// Drops a future: its waiter is free at once. The flight stays until its completion.
    fn cancel(&mut self, pending: Pending<'_>) -> io::Result<()> {
        self.report.cancelled += 1;
        let Pending { waiter, flight, .. } = pending;
        drop(waiter);
        let entry = opcode::AsyncCancel::new(flight.to_bits()).build().user_data(0);
        self.submit(&entry)
    }

    fn submit(&mut self, entry: &io_uring::squeue::Entry) -> io::Result<()> {
        // SAFETY: the buffer of a read is in a flight, which lives until the completion of that read.
        while unsafe { self.ring.submission().push(entry) }.is_err() {
            self.ring.submit()?;
        }
        self.in_flight += 1;
        Ok(())
    }

    /// Handles all completions that have come; waits for one if `waits`.
    fn complete(&mut self, waits: bool) -> io::Result<()> {
        self.ring.submit_and_wait(usize::from(waits))?;
        let all: Vec<_> = self
            .ring
            .completion()
            .map(|one| (one.user_data(), one.result()))
            .collect();
        for (bits, result) in all {
            self.in_flight -= 1;
            if bits != 0 {
                self.finish(bits, result);
            }
        }
        Ok(())
    }

    /// The completion of a read, or of a forged number.
    fn finish(&mut self, bits: u64, result: i32) {
        let flight = Key::from_bits(bits).and_then(|key| self.flights.take(key).ok());
        let Some(flight) = flight else {
            self.report.forged += 1;
            return;
        };
        let found = self.waiters.with(flight.waiter, |waiter| {
            let number = u64::from_le_bytes(*flight.buffer);
            *waiter.result.lock().unwrap() = (result > 0).then_some(number);
        });
        if found.is_none() {
            self.report.late += 1;
            let stranger = self.waiters.key_at(flight.waiter.index());
            self.report.reused += u64::from(stranger.is_some());
        }
    }
}

/// Reads from pairs of sockets, cancels about half of the reads, sends what the others wait for, and adds forged completions.
pub(crate) fn storm(rounds: u64, seed: u64) -> io::Result<Report> {
    let (flights, waiters): (Values<Flight>, Pool<Waiter>) = (Pool::values(), Pool::new());
    let mut all = Loop {
        ring: IoUring::new(256)?,
        flights: &flights,
        waiters: &waiters,
        in_flight: 0,
        report: Report::default(),
    };
    let mut pairs: Vec<(UnixStream, UnixStream)> = (0..16).map(|_| UnixStream::pair()).collect::<Result<_, _>>()?;
    let mut random = Random(seed.max(1));
    let mut waiting: VecDeque<Pending<'_>> = VecDeque::new();
    while all.report.reads < rounds {
        let pair = usize::try_from(random.next() % 16).expect("small");
        // One read at a time from a socket, so that its message is for that read.
        if waiting.iter().all(|pending| pending.pair != pair) {
            waiting.push_back(all.read(&pairs[pair].1, pair)?);
        }
        if random.next() % 3 == 0 {
            forge(&mut all, random.next())?;
        }
        if waiting.len() > 8 {
            let pending = waiting.pop_front().expect("eight and more");
            if random.next() % 2 == 0 {
                let pair = pending.pair;
                all.cancel(pending)?;
                // The next read gets the slot of the waiter before the cancelled read has completed. It has a socket of its own, so
                // that no data of the cancelled read is lost to it.
                pairs[pair] = UnixStream::pair()?;
            } else {
                receive(&mut all, &pairs, pending)?;
            }
        }
        if random.next() % 4 == 0 {
            all.complete(false)?;
        }
    }
    for pending in waiting {
        all.cancel(pending)?;
    }
    while all.in_flight > 0 {
        all.complete(true)?;
    }
    assert!(flights.is_empty(), "a buffer was left");
    assert!(waiters.is_empty(), "a waiter was left");
    Ok(all.report)
}

/// Sends the message of a read, and waits until it has come.
fn receive(all: &mut Loop<'_>, pairs: &[(UnixStream, UnixStream)], pending: Pending<'_>) -> io::Result<()> {
    let number = pending.waiter.number;
    (&pairs[pending.pair].0).write_all(&number.to_le_bytes())?;
    let result = loop {
        if let Some(result) = pending.waiter.result.lock().unwrap().take() {
            break result;
        }
        all.complete(true)?;
    };
    drop(pending);
    all.report.received += 1;
    all.report.strangers += u64::from(result != number);
    Ok(())
}

/// A completion with random bits, or with those of a key that is stale.
fn forge(all: &mut Loop<'_>, random: u64) -> io::Result<()> {
    let bits = if random % 2 == 0 {
        all.waiters.allocate().key().to_bits() // freed at once, and of another pool
    } else {
        random
    };
    all.submit(&opcode::Nop::new().build().user_data(bits))
}
