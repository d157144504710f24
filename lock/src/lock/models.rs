//! Models of threads that hold one lock and want another: no thread waits forever, which loom would call a deadlock, and
//! none gets an error without a cycle.

use loom::sync::Arc;
use loom::thread;

use super::{Circle, Subject};
use acedia::models::{model, saw};

struct Thing;

impl Subject for Thing {
    const NAME: &'static str = "a thing";
    const WAY_OUT: &'static str = "go on";
}

type Lock = super::Lock<u32, Thing>;

/// How a thread locks.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Read,
    Write,
    /// Without a note; only as the last lock.
    ReadBriefly,
    WriteBriefly,
}
use How::{Read, ReadBriefly, Write, WriteBriefly};

/// Locks both, and counts each write in the content.
fn lock(first: (&Lock, How), second: (&Lock, How)) -> Result<(), Circle> {
    let inside = || match second.1 {
        Read => second.0.checked_read().map(drop),
        ReadBriefly => second.0.reader_in_turn().map(drop),
        Write => second.0.checked_write().map(|mut count| *count += 1),
        WriteBriefly => second.0.writer().map(|mut count| *count += 1),
    };
    if first.1 == Read {
        let _first = first.0.checked_read()?;
        inside()
    } else {
        let mut first = first.0.checked_write()?;
        *first += 1;
        inside()
    }
}

fn crosswise(outcomes: &[&'static str], own: (How, How), theirs: (How, How)) {
    model(outcomes, move || {
        let both = Arc::new([Lock::new(0), Lock::new(0)]);
        let shared = Arc::clone(&both);
        let other = thread::spawn(move || lock((&shared[1], theirs.0), (&shared[0], theirs.1)));
        let ours = lock((&both[0], own.0), (&both[1], own.1));
        let theirs_told = other.join().expect("no panic");
        saw(match (ours, theirs_told) {
            (Ok(()), Ok(())) => "none is told",
            (Err(Circle::Others), Ok(())) => "we are told",
            (Ok(()), Err(Circle::Others)) => "they are told",
            other => panic!("told both, or of itself: {other:?}"),
        });
        // Each thread that went on has done its writes, and both locks are free.
        let writes = |how: How, done: bool| u32::from(matches!(how, Write | WriteBriefly) && done);
        let first = writes(own.0, true) + writes(theirs.1, theirs_told.is_ok());
        let second = writes(theirs.0, true) + writes(own.1, ours.is_ok());
        assert_eq!([&both[0], &both[1]].map(|lock| *lock.write()), [first, second]);
    });
}

const ONE_IS_TOLD: [&str; 3] = ["none is told", "we are told", "they are told"];

#[test]
fn locks_crosswise_to_write() {
    crosswise(&ONE_IS_TOLD, (Write, Write), (Write, Write));
}

#[test]
fn locks_crosswise_without_notes() {
    crosswise(&ONE_IS_TOLD, (Read, WriteBriefly), (Write, WriteBriefly));
    crosswise(&ONE_IS_TOLD, (Write, ReadBriefly), (Write, ReadBriefly));
}

#[test]
fn locks_crosswise_to_read_what_others_write() {
    crosswise(&ONE_IS_TOLD, (Write, Read), (Write, Read));
    crosswise(&ONE_IS_TOLD, (Read, Write), (Read, Write));
}

/// Two readers do not exclude each other, even while one of them is still in the book because of an earlier writer.
#[test]
fn locks_crosswise_that_readers_share() {
    model(&["none is told"], || {
        let both = Arc::new([Lock::new(0), Lock::new(0)]);
        let shared = Arc::clone(&both);
        let other = thread::spawn(move || lock((&shared[1], Write), (&shared[0], Read)));
        drop(both[0].checked_write().expect("nothing is held"));
        assert_eq!(lock((&both[0], Read), (&both[1], Write)), Ok(()));
        assert_eq!(other.join().expect("no panic"), Ok(()));
        assert_eq!(*both[1].write(), 2);
        saw("none is told");
    });
}

/// A thread that has got its lock is not in the book any more.
#[test]
fn locks_that_were_waited_for() {
    model(&["got after a wait"], || {
        let both = Arc::new([Lock::new(0), Lock::new(0)]);
        let shared = Arc::clone(&both);
        // May wait for the second lock while it holds the first.
        let other = thread::spawn(move || lock((&shared[0], Write), (&shared[1], Write)));
        drop(both[1].checked_write().expect("nothing is held"));
        let second = both[1].checked_write().expect("nothing is held");
        if *second == 1 {
            // The other thread may still hold the first lock, but waits for nothing.
            assert_eq!(both[0].checked_write().map(|first| *first), Ok(1));
            saw("got after a wait");
        }
        drop(second);
        assert_eq!(other.join().expect("no panic"), Ok(()));
    });
}

#[test]
fn locks_within_themselves() {
    model(&["itself"], || {
        let one = Lock::new(0);
        assert_eq!(lock((&one, Write), (&one, Read)), Err(Circle::Own));
        assert_eq!(lock((&one, Read), (&one, Write)), Err(Circle::Own));
        assert_eq!(lock((&one, Read), (&one, Read)), Ok(()));
        saw("itself");
    });
}

/// Each of three threads holds one lock and wants the next: one thread gets an error.
#[test]
fn locks_in_a_ring_of_three() {
    let outcomes = ["none is told", "0 is told", "1 is told", "2 is told"];
    model(&outcomes, || {
        let all = Arc::new([Lock::new(0), Lock::new(0), Lock::new(0)]);
        let work = |at: usize| {
            let all = Arc::clone(&all);
            move || lock((&all[at], Write), (&all[(at + 1) % 3], WriteBriefly))
        };
        let others = [1, 2].map(|at| thread::spawn(work(at)));
        let first = work(0)();
        let [second, third] = others.map(|other| other.join().expect("no panic"));
        let told = [first, second, third].map(|result| result.is_err());
        assert!(told.iter().filter(|told| **told).count() <= 1, "{told:?}");
        saw(told
            .iter()
            .position(|told| *told)
            .map_or("none is told", |at| ["0 is told", "1 is told", "2 is told"][at]));
    });
}
