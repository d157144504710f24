//! Refs that many threads use at once, and closures that use their own ref.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use acedia_boxes::{
    BoolRef, IntArrayRef, IntRef, LongRef, Number, StringArrayRef, StringRef, ValueRef, Vector, VectorRef,
};

#[path = "../../tests/support/barrier.rs"]
mod barrier;

use barrier::Barrier;

const THREADS: usize = 4;
const TIMES: usize = if cfg!(miri) { 20 } else { 2000 };

/// Repetitions of work that takes a few nanoseconds, so that the threads run at the same time.
const MANY_TIMES: usize = 50 * TIMES;

/// Runs `work` with the number of the thread, on several threads that start together.
fn together(work: impl Fn(usize) + Sync) {
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (start, work) = (&start, &work);
            scope.spawn(move || {
                start.wait();
                work(number);
            });
        }
    });
}

/// Runs `work` on a new thread, and panics if it does not end.
fn in_time(work: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        done.send(()).expect("the test waits");
    });
    let ended = wait.recv_timeout(Duration::from_secs(60));
    assert_ne!(ended, Err(mpsc::RecvTimeoutError::Timeout), "waits for ever");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

/// The message with which `work` panics.
fn message<R>(work: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(work()))).expect_err("a panic");
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .expect("a message")
}

#[test]
fn no_addition_is_lost() {
    fn sum<T: Number>(one: &T, increase: impl Fn(&mut T) + Sync) -> T {
        let sum = ValueRef::from(T::default());
        together(|_| {
            for _ in 0..MANY_TIMES {
                sum.fetch_add(one.clone());
                sum.update(&increase);
            }
        });
        sum.get()
    }
    let count = i32::try_from(2 * THREADS * MANY_TIMES).expect("a small number");
    assert_eq!(i32::from(sum(&1_u8, |it| *it = it.wrapping_add(1))), count % 256);
    assert_eq!(sum(&1, |it| *it += 1), count);
    assert_eq!(sum(&1, |it| *it += 1_i64), i64::from(count));
    assert_eq!(sum(&1.0_f32, |it| *it += 1.0).to_string(), count.to_string());
    assert_eq!(sum(&1.0_f64, |it| *it += 1.0).to_string(), count.to_string());
}

#[test]
fn each_value_is_replaced_once() {
    let turn = BoolRef::new(true);
    let last = IntRef::new(0);
    let (taken, turns, seen) = (IntRef::new(0), IntRef::new(0), LongRef::new(0));
    together(|number| {
        for time in 1..=TIMES {
            // A lock made from a ref: the thread that replaces `true` holds it.
            if turn.replace(false) {
                let before = taken.get();
                taken.set(before + 1);
                turn.set(true);
                turns.fetch_add(1);
            }
            let value = i32::try_from(number * TIMES + time).expect("a small number");
            seen.fetch_add(last.replace(value).into());
        }
    });
    assert!(taken.get() > 0 && taken.get() == turns.get());
    let all = i64::try_from(THREADS * TIMES).expect("a small number");
    assert_eq!(seen.get() + i64::from(last.get()), all * (all + 1) / 2);
}

#[test]
fn strings_and_vectors_are_never_torn() {
    let (name, place) = (StringRef::new(""), VectorRef::new(Vector::default()));
    let long_ones = IntRef::new(0);
    together(|number| {
        let letter = char::from(b'a' + u8::try_from(number).expect("a few threads"));
        for time in 0..TIMES {
            name.set(&letter.to_string().repeat(time % 100));
            let read = name.get();
            assert!(read.chars().all(|c| read.starts_with(c)), "{read}");
            long_ones.fetch_add(i32::from(read.len() > 50));
            name.update(|it| {
                let first = it.chars().next().unwrap_or(letter);
                it.push(first);
            });

            let all = f32::from(u16::try_from(time).expect("a small number"));
            place.set(Vector::new(all, all, all));
            let read = place.get();
            assert_eq!(read, Vector::new(read.x, read.x, read.x));
            place.update(|it| *it = Vector::new(it.x + 1.0, it.y + 1.0, it.z + 1.0));
        }
    });
    assert!(cfg!(miri) || long_ones.get() > 0);
}

#[test]
fn array_refs_change_as_a_whole() {
    let (pairs, copies) = (IntArrayRef::new([]), StringArrayRef::new([]));
    together(|number| {
        let number = i32::try_from(number).expect("a few threads");
        for _ in 0..TIMES {
            pairs.extend_from_slice(&[number, number]);
            assert_eq!(pairs.len() % 2, 0);
            pairs.with(|items| assert!(items.rchunks(2).take(100).all(|pair| pair[0] == pair[1])));
            copies.push(number.to_string()).extend_from_ref(&copies).resize(10);
        }
    });
    assert_eq!(pairs.len(), 2 * THREADS * TIMES);
    pairs.sort();
    let expected = 2 * TIMES;
    assert!((0..4).all(|number| pairs.with(|items| items.iter().filter(|item| **item == number).count()) == expected));
    assert_eq!(copies.len(), 10);
}

#[test]
fn an_array_is_added_to_itself_in_one_change() {
    let array = IntArrayRef::new([7]);
    together(|_| {
        for _ in 0..10 * TIMES {
            let len = array.extend_from_ref(&array).insert_ref(0, &array).len();
            assert!(len.is_power_of_two(), "{len}");
            if len > 1000 {
                array.resize(1);
            }
        }
    });
}

#[test]
fn two_arrays_are_inserted_into_each_other() {
    in_time(|| {
        let (a, b) = (IntArrayRef::new([1]), IntArrayRef::new([2]));
        together(|number| {
            let (to, from) = if number % 2 == 0 { (&a, &b) } else { (&b, &a) };
            for _ in 0..TIMES {
                to.insert_ref(0, from).extend_from_ref(to).remove_range(2..);
            }
        });
        assert_eq!((a.len(), b.len()), (2, 2));
    });
}

#[test]
fn reading_may_nest_while_a_writer_waits() {
    in_time(|| {
        let (array, name) = (IntArrayRef::new([1, 2, 3]), StringRef::new("abc"));
        let writing = AtomicBool::new(false);
        thread::scope(|scope| {
            array.with(|items| {
                name.with(|text| {
                    scope.spawn(|| {
                        writing.store(true, Relaxed);
                        array.push(4);
                    });
                    scope.spawn(|| name.set("abcd").get());
                    while !writing.load(Relaxed) {
                        thread::yield_now();
                    }
                    // Long enough that the writers wait, which cannot be observed.
                    thread::sleep(Duration::from_millis(50));
                    assert_eq!((array.len(), array.get(1), array.find(3)), (3, Some(2), Some(2)));
                    assert_eq!(array.with(<[i32]>::len), items.len());
                    assert_eq!(name.get(), text);
                    assert_eq!(name.with(|inner| name.with(str::len) + inner.len()), 6);
                });
            });
        });
        assert_eq!((array.len(), name.get().as_str()), (4, "abcd"));
    });
}

#[test]
fn a_ref_that_would_wait_for_itself_panics() {
    in_time(|| {
        let (array, name) = (IntArrayRef::new([1, 2, 3]), StringRef::new("abc"));
        let (changed, read) = (
            "deadlock: this thread tries to change a ref that it is already reading or changing",
            "deadlock: this thread tries to read a ref that it is changing",
        );
        assert!(message(|| array.with(|_| array.push(4).len())).starts_with(changed));
        assert!(message(|| array.with(|items| array.extend_from_slice(items).len())).starts_with(changed));
        assert!(message(|| array.with(|_| array.with(|_| array.replace(1, 2)))).starts_with(changed));
        assert!(message(|| array.with_mut(|_| array.clear().len())).starts_with(changed));
        assert!(message(|| array.with_mut(|_| array.len())).starts_with(read));
        assert!(message(|| array.with_mut(|_| array.with(<[i32]>::len))).starts_with(read));
        assert!(message(|| name.with(|_| name.set("d").get())).starts_with(changed));
        assert!(message(|| name.update(|_| name.get())).starts_with(read));
        // Printing does not wait.
        assert_eq!(array.with_mut(|_| format!("{array:?}")), "IntArrayRef(<locked>)");
        assert_eq!(name.update(|_| format!("{name:?}")), "StringRef(<locked>)");

        // The ref is unchanged and unlocked.
        assert_eq!(
            (array.push(4).to_vec(), name.set("d").get()),
            (vec![1, 2, 3, 4], "d".to_owned())
        );
    });
}

#[test]
fn numbers_may_be_changed_in_their_own_closures() {
    in_time(|| {
        let count = IntRef::new(1);
        let given = count.with(|copy| {
            count.set(5).fetch_add(1);
            copy
        });
        assert_eq!((given, count.get()), (1, 6));

        // Each change makes `update` run again, until there is none.
        let mut seen = Vec::new();
        count.update(|it| {
            seen.push(*it);
            if seen.len() < 4 {
                count.fetch_add(1);
            }
            *it *= 2;
        });
        assert_eq!((seen, count.get()), (vec![6, 7, 8, 9], 18));

        // A value that is the same at the end counts as unchanged.
        let (open, mut runs) = (BoolRef::new(true), 0);
        open.update(|it| {
            runs += 1;
            open.set(false).set(true);
            *it = false;
        });
        assert_eq!((open.get(), runs), (false, 1));
    });
}

#[test]
fn printing_into_what_changes_the_ref_panics() {
    struct Changing<F: Fn()>(F);

    impl<F: Fn()> std::fmt::Write for Changing<F> {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            // The class is printed before the ref is locked.
            if text.contains('7') {
                (self.0)();
            }
            Ok(())
        }
    }

    in_time(|| {
        use std::fmt::Write;

        let changed = "deadlock: this thread tries to change a ref that it is already reading or changing";
        let (array, name) = (IntArrayRef::new([7]), StringRef::new("7"));
        let push = || assert_eq!(array.push(8).len(), 2);
        let set = || assert_eq!(name.set("8").get(), "8");
        assert!(message(|| write!(Changing(push), "{array:?}")).starts_with(changed));
        assert!(message(|| write!(Changing(push), "{array}")).starts_with(changed));
        assert!(message(|| write!(Changing(set), "{name:?}")).starts_with(changed));
        assert_eq!((array.len(), name.get().as_str()), (1, "7"));
    });
}

#[test]
fn other_refs_may_be_used_in_a_closure() {
    in_time(|| {
        let (array, other) = (IntArrayRef::new([1, 2, 3]), IntArrayRef::new([]));
        array.with(|items| other.with_mut(|theirs| theirs.extend_from_slice(items)));
        array.with_mut(|items| items.extend(&*other));
        assert_eq!(array.len(), 6);
    });
}

#[test]
fn a_panic_in_a_closure_unlocks() {
    in_time(|| {
        let array = IntArrayRef::new([1]);
        let work = || {
            array.with_mut(|items| {
                items.push(2);
                panic!("half way");
            })
        };
        assert_eq!(message(work), "half way");
        assert_eq!(message(|| array.with(|_| panic!("reading"))), "reading");
        // The panic has released this thread's lock and its note: it waits for the other thread.
        let held = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                array.with_mut(|items| {
                    held.wait();
                    thread::sleep(Duration::from_millis(50));
                    items.push(3);
                });
            });
            held.wait();
            assert_eq!(array.push(4).to_vec(), [1, 2, 3, 4]);
        });
    });
}

/// A writer gets its turn, however many threads read.
#[test]
fn writers_do_not_starve() {
    let array = IntArrayRef::default();
    let enough = AtomicBool::new(false);
    let deadline = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while !enough.load(Relaxed) && Instant::now() < deadline {
                    // A nested read, as here, overtakes a waiting writer.
                    array.with(|_| array.with(|_| thread::sleep(Duration::from_millis(1))));
                }
            });
        }
        thread::sleep(Duration::from_millis(50)); // until they read one after the other
        let mut pushes = 0;
        while pushes < 20 && Instant::now() < deadline {
            array.push(pushes);
            pushes += 1;
        }
        enough.store(true, Relaxed);
        assert_eq!(pushes, 20);
    });
}
