//! A loop of completions whose `user_data` is a handle, over `io_uring` and over `epoll` with `eventfd`. After a read is cancelled,
//! another read takes its slot before the completion arrives. The completion then resolves to `None` instead of to the other read,
//! and the buffer lives until then. Prints SKIPPED if the kernel refuses `io_uring`.
#![cfg(target_os = "linux")]

mod buffers;
mod poll;
mod ring;

use std::collections::HashSet;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use acedia::{Handle, Object, Owned, class};
use buffers::{Buffer, Page};
use rustix::event::{EventfdFlags, eventfd};

/// One test at a time, because each expects its free slot to be reused next.
static ALONE: Mutex<()> = Mutex::new(());

/// A read that a task waits for. The future owns it.
#[derive(Default)]
struct Operation(Mutex<Progress>);

#[derive(Default)]
struct Progress {
    waker: Option<Waker>,
    done: Option<(io::Result<usize>, Buffer)>,
}

impl Object for Operation {
    class!(Operation, "Completions.Operation");
    const FINALIZER: Option<fn(&mut Self)> = Some(|operation| {
        *operation.0.get_mut().expect("no panic") = Progress::default();
    });
}

/// The source and the buffer of a read that the kernel may still perform. The loop owns the buffer until the completion arrives.
struct Flight {
    source: OwnedFd,
    buffer: Buffer,
}

/// A completion: the word that was given to `start`, the number of bytes, and the flight, which has ended.
type Completion = (u64, io::Result<usize>, Flight);

/// The kernel's part of the loop. It owns the flights, so no buffer is freed while the kernel may write to it.
trait Kernel {
    fn start(&mut self, word: u64, flight: Flight) -> io::Result<()>;
    /// Waits for at least one completion.
    fn wait(&mut self) -> io::Result<Vec<Completion>>;
}

/// The future of a read.
struct Read(Owned<Operation>);

fn read(kernel: &mut impl Kernel, source: OwnedFd, room: usize) -> Read {
    let operation = Operation::allocate();
    let buffer = Buffer::with_room(room);
    kernel
        .start(operation.handle().to_bits(), Flight { source, buffer })
        .expect("the kernel takes it");
    Read(operation)
}

impl Future for Read {
    type Output = io::Result<Vec<u8>>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut progress = self.0.0.lock().expect("no panic");
        let Some((result, buffer)) = progress.done.take() else {
            progress.waker = Some(context.waker().clone());
            return Poll::Pending;
        };
        Poll::Ready(result.map(|count| buffer.bytes()[..count].to_vec()))
    }
}

/// Passes a completion to its operation. `false` if the word names no living operation: then the buffer is freed.
fn deliver(word: u64, result: io::Result<usize>, buffer: Buffer) -> bool {
    let Some(operation) = Handle::<Operation>::from_bits(word).and_then(Handle::guard) else {
        return false;
    };
    let mut progress = operation.0.lock().expect("no panic");
    progress.done = Some((result, buffer));
    if let Some(waker) = progress.waker.take() {
        waker.wake();
    }
    true
}

/// One turn of the loop: how many completions found their operation, and how many found none.
fn turn(kernel: &mut impl Kernel) -> (usize, usize) {
    let (mut found, mut none) = (0, 0);
    for (word, result, flight) in kernel.wait().expect("the kernel answers") {
        if deliver(word, result, flight.buffer) {
            found += 1;
        } else {
            none += 1;
        }
    }
    (found, none)
}

fn poll_once(read: &mut Read) -> Poll<io::Result<Vec<u8>>> {
    Pin::new(read).poll(&mut Context::from_waker(Waker::noop()))
}

/// Both ends of a pipe, of a socket, of a connection over loopback, and an `eventfd` twice.
fn ends(kind: usize) -> (OwnedFd, OwnedFd) {
    match kind % 4 {
        0 => rustix::pipe::pipe().expect("a pipe"),
        1 => {
            let (one, other) = UnixStream::pair().expect("a pair");
            (one.into(), other.into())
        }
        2 => {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let near = TcpStream::connect(listener.local_addr().expect("bound")).expect("a connection");
            (listener.accept().expect("a connection").0.into(), near.into())
        }
        _ => {
            let counter = eventfd(0, EventfdFlags::empty()).expect("a counter");
            (counter.try_clone().expect("a second one"), counter)
        }
    }
}

/// Eight bytes, because an `eventfd` transfers that many.
fn send(to: &OwnedFd, number: u64) {
    let count = rustix::io::write(to, &number.to_ne_bytes()).expect("it is open");
    assert_eq!(count, 8);
}

/// Sizes of reads, in bytes.
const ROOMS: [usize; 3] = [64, 4096, 65_536];

fn cancelled_reads(mut kernel: impl Kernel) {
    let kernel = &mut kernel;
    let mut stale = Vec::new();
    for round in 0..100_usize {
        let (source, sender) = ends(round);
        let mut first = read(kernel, source, ROOMS[round % 3]);
        assert!(poll_once(&mut first).is_pending());
        let cancelled = first.0.handle();
        drop(first);
        assert_eq!(Buffer::living(), 1, "the kernel may still write to it");

        let (source, second_sender) = ends(round / 4);
        let mut second = read(kernel, source, ROOMS[round / 3 % 3]);
        assert_eq!(second.0.handle().index(), cancelled.index(), "the slot is reused");
        send(&sender, 13);
        assert_eq!(turn(kernel), (0, 1), "the late completion finds no operation");
        assert_eq!(Buffer::living(), 1, "only the second one's");
        assert!(poll_once(&mut second).is_pending(), "it is not the second one's");

        send(&second_sender, 7);
        assert_eq!(turn(kernel), (1, 0));
        let Poll::Ready(Ok(bytes)) = poll_once(&mut second) else {
            panic!("it has its bytes");
        };
        assert_eq!(bytes, 7_u64.to_ne_bytes());
        stale.push(cancelled.to_bits());
    }
    random_and_stale_words(&stale);
}

/// The loop ends while the kernel has two reads: one with a waiting task, and a cancelled one.
fn ends_with_reads(mut kernel: impl Kernel) {
    let (waiting, cancelled) = (ends(0), ends(1));
    let _waits = read(&mut kernel, waiting.0, 64);
    drop(read(&mut kernel, cancelled.0, 64));
    assert_eq!(Buffer::living(), 2);
    drop(kernel);
    assert_eq!(Buffer::living(), 0);
}

/// A word finds an operation only if it is the word of a living operation.
fn random_and_stale_words(stale: &[u64]) {
    let operations: Vec<_> = (0..16).map(|_| Operation::allocate()).collect();
    let words: HashSet<u64> = operations.iter().map(|one| one.handle().to_bits()).collect();
    // Marsaglia's xorshift. A third of the words are near living ones.
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut delivered = 0;
    let tried: Vec<u64> = (0..30_000)
        .map(|n| match n % 3 {
            0 => next(),
            1 => ((next() % 200) << 32) | (next() % 64),
            _ => operations[n % 16].handle().to_bits() ^ ((next() % 3) << 32),
        })
        .chain(stale.iter().copied())
        .collect();
    for word in tried {
        let found = deliver(word, Ok(0), Buffer::with_room(64));
        assert_eq!(found, words.contains(&word), "{word:#x}");
        delivered += usize::from(found);
    }
    assert!(delivered > 0, "the words of living operations are among them");
}

#[test]
fn over_epoll() {
    let _alone = ALONE.lock().expect("no other test failed");
    cancelled_reads(poll::Readiness::new().expect("epoll"));
    ends_with_reads(poll::Readiness::new().expect("epoll"));
}

#[test]
fn over_io_uring() {
    let _alone = ALONE.lock().expect("no other test failed");
    match ring::Ring::new() {
        Ok(kernel) => {
            cancelled_reads(kernel);
            ends_with_reads(ring::Ring::new().expect("a second one"));
        }
        Err(error) => skipped(&error),
    }
}

/// Not by `println!`, whose output is hidden if the test passes.
fn skipped(error: &io::Error) {
    writeln!(io::stderr(), "SKIPPED: completions over io_uring: {error}").expect("stderr");
}

/// The pages are registered with the kernel once. Reads into later objects of the same slots use the same buffer numbers.
#[test]
fn registered_buffers() {
    let _alone = ALONE.lock().expect("no other test failed");
    for as_one in [false, true] {
        let mut pages: Vec<_> = Page::pool().allocate_many(8).collect();
        match ring::Ring::with_buffers(&mut pages, as_one) {
            Ok(kernel) => {
                drop(pages);
                reads_of_registered_pages(kernel);
            }
            Err(error) => return skipped(&error),
        }
    }
}

fn reads_of_registered_pages(mut kernel: ring::Ring) {
    for round in 0..10_u64 {
        // Eight reads use registered pages, and one a smaller buffer.
        let (mut reads, senders): (Vec<_>, Vec<_>) = (0..9)
            .map(|n| {
                let (source, sender) = ends(n);
                (read(&mut kernel, source, if n == 8 { 64 } else { 4096 }), sender)
            })
            .unzip();
        for (sender, n) in senders.iter().zip(1..) {
            send(sender, round * 9 + n);
        }
        let mut found = 0;
        while found < reads.len() {
            found += turn(&mut kernel).0;
        }
        for (read, n) in reads.iter_mut().zip(1..) {
            let Poll::Ready(Ok(bytes)) = poll_once(read) else {
                panic!("it has its bytes");
            };
            assert_eq!(bytes, (round * 9 + n).to_ne_bytes());
        }
    }
    assert_eq!(kernel.fixed(), 80, "the reads of a registered page");
}
