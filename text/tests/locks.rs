//! Threads that lock several mutable texts at once, in any order. In a process of its own, because it silences panics.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use acedia::Owned;
use acedia_text::MutableText;

const THREADS: u64 = 5;

/// Numbers from a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        usize::from(u16::from_be_bytes([self.0.to_be_bytes()[0], self.0.to_be_bytes()[1]])) % end
    }
}

/// Locks a text, and others while it is locked: only later ones, or any.
fn lock(texts: &[Owned<MutableText>], first: usize, depth: u32, in_order: bool, random: &mut Random) {
    let first = if in_order { first } else { 0 };
    if depth == 0 || first == texts.len() {
        return;
    }
    let index = first + random.below(texts.len() - first);
    let text = &texts[index];
    match random.below(4) {
        0 | 1 => {
            let mut written = text.write();
            written.clear().push('x');
            lock(texts, index + 1, depth - 1, in_order, random);
            assert!(*written == "x", "another thread has written");
        }
        2 => {
            let _read = text.read();
            lock(texts, index + 1, depth - 1, in_order, random);
        }
        _ => {
            let (first, _second) = (text.read(), text.read());
            drop(first);
            lock(texts, index + 1, depth - 1, in_order, random);
        }
    }
}

/// The number of panics instead of deadlocks.
fn told(in_order: bool, rounds: u32) -> u64 {
    let texts: Arc<[_]> = (0..4).map(|_| MutableText::empty()).collect();
    let (done, all_done) = mpsc::channel();
    for seed in 0..THREADS {
        let (texts, done) = (Arc::clone(&texts), done.clone());
        // Not in a scope, which would wait for a deadlocked thread.
        thread::spawn(move || {
            let mut random = Random(seed);
            let told = (0..rounds).filter(|_| {
                let work = AssertUnwindSafe(|| lock(&texts, 0, 4, in_order, &mut random));
                catch_unwind(work).is_err_and(|panic| {
                    let message = panic.downcast::<String>().expect("a message");
                    assert!(message.starts_with("deadlock: this thread "), "{message}");
                    true
                })
            });
            let told = told.count() as u64;
            done.send(told)
        });
    }
    let told = |_| {
        all_done
            .recv_timeout(Duration::from_secs(60))
            .expect("no thread waits for ever")
    };
    (0..THREADS).map(told).sum()
}

#[test]
fn nobody_waits_for_ever_and_nobody_is_told_so_in_vain() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().name().is_some() {
            hook(info);
        }
    }));
    assert_eq!(told(true, 50_000), 0, "in one order, there are no circles");
    assert!(told(false, 30_000) > 0, "else there are");
}
