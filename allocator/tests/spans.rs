//! A registry of spans with the operations that `tracing-subscriber` needs of its slab, in safe code: spans are made, read
//! through guards, counted, and cleared by a packed index; a span closes its parent when it ends. Every span is closed, on the
//! thread that gave it up, whatever is pinned.

mod support;

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use acedia::pool::{Guard, GuardsOnly, Handle, Hooks, Pool, pin};
use support::{Rng, sized};

/// The data of a span. Its memory is kept from span to span.
#[derive(Default)]
struct Span {
    parent: Option<u64>,
    references: AtomicUsize,
    fields: String,
}

struct Closing;

impl Hooks<Span> for Closing {
    type Readers = GuardsOnly;

    fn make() -> Span {
        Span::default()
    }

    /// Runs when no thread reads the span any more.
    const END: Option<fn(&mut Span)> = Some(|span| {
        CLOSED.fetch_add(1, Ordering::Relaxed);
        CLOSED_HERE.with(|closed| closed.set(closed.get() + 1));
        span.fields.clear();
        if let Some(parent) = span.parent.take() {
            close(parent);
        }
    });
}

static SPANS: Pool<Span, Closing> = Pool::with_hooks();
static CLOSED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static CLOSED_HERE: Cell<u64> = const { Cell::new(0) };
}

/// The span with that index, held by a guard.
fn get(index: u64) -> Option<Guard<Span, &'static Pool<Span, Closing>>> {
    SPANS.guard(Handle::from_bits(index)?)
}

/// A new span, which holds a reference to its parent.
fn open(parent: Option<u64>, fields: &str) -> u64 {
    let parent = parent.map(clone_span);
    let span = SPANS.allocate_with(|span| {
        span.parent = parent;
        *span.references.get_mut() = 1;
        span.fields.push_str(fields);
    });
    span.into_manual().to_bits()
}

fn clone_span(index: u64) -> u64 {
    let span = get(index).expect("a reference keeps the span");
    span.references.fetch_add(1, Ordering::Relaxed);
    index
}

/// Gives a reference back. The last one clears the span.
fn close(index: u64) -> bool {
    let span = get(index).expect("a reference keeps the span");
    let is_last = span.references.fetch_sub(1, Ordering::AcqRel) == 1;
    if is_last {
        let key = Handle::from_bits(index).expect("a key of the pool");
        SPANS.free(key).expect("the last reference frees once");
    }
    // The guard ends here, and with it the span.
    is_last
}

#[test]
fn every_span_is_closed_on_the_thread_that_gives_it_up() {
    let _alone = support::alone();
    let opened = AtomicU64::new(0);
    let _pinned = pin();
    thread::scope(|scope| {
        let threads = [0, 1, 2].map(|thread| {
            let opened = &opened;
            scope.spawn(move || {
                let mut rng = Rng(7 + thread);
                let mut stack: Vec<u64> = Vec::new();
                let mut closed = 0;
                for round in 0..sized(5000, 100_000, 50) {
                    // An unrelated part of the program reads something.
                    let _pinned = (round % 7 == 0).then(pin);
                    if stack.len() < 20 && rng.below(2) == 0 {
                        opened.fetch_add(1, Ordering::Relaxed);
                        stack.push(open(stack.last().copied(), "level=info"));
                    } else if let Some(top) = stack.pop() {
                        let span = get(top).expect("it is open");
                        assert_eq!(span.fields, "level=info");
                        drop(span);
                        closed += u64::from(close(top));
                        assert!(get(top).is_none(), "a closed span");
                        assert_eq!(CLOSED_HERE.get(), closed, "closed late, or elsewhere");
                    }
                }
                // The children hold their parents, so the parents close last.
                while !stack.is_empty() {
                    close(stack.remove(0));
                }
            })
        });
        // The numbers of a thread are complete once it is joined.
        for thread in threads {
            thread.join().expect("no panic");
        }
    });
    assert_eq!(CLOSED.load(Ordering::Relaxed), opened.load(Ordering::Relaxed));
    assert_eq!((SPANS.stats().live, SPANS.stats().waiting), (0, 0));
}
