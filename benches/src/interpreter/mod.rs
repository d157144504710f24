//! A small interpreter, whose values are objects that are made and freed very often.

mod heaps;
mod machine;

use self::{
    heaps::{ByArc, ByClass, ByKey, ByOwner, ByRc, BySlotMap},
    machine::{
        Code::{
            self, Add, Argument, Call, Constant, Empty, Function, Head, IfEmpty, IfLess, Own, Pair, Read, Tail, Weak,
        },
        Heap, as_number, evaluate,
    },
};
use crate::{
    case::{Case, nanoseconds, share},
    readers::while_others_read,
    workload::{Against, Column, Goal, SHOWN, Workload},
};

const fn shown(ours: &'static str, peer: &'static str) -> Goal {
    Goal {
        ours,
        against: Against::Peer(peer),
        at_most: &[SHOWN; 3],
    }
}

const GOALS: &[Goal] = &[
    shown("acedia, class", "Rc and Weak"),
    shown("acedia, class", "Arc and Weak"),
    shown("acedia, owners", "Arc and Weak"),
    shown("acedia, `&mut`", "slotmap"),
];

/// Everything that is measured, in the order of the tables.
pub static ALL: &[Workload] = &[
    Workload {
        name: "script",
        title: "Run a script in an interpreter, one thread",
        unit: "ns",
        columns: &[
            Column::new("`fib(22)`, per call", || cases(&FIB, false)),
            Column::new("lists, per item", || cases(&LISTS, false)),
            Column::new("weak receivers, per item", || cases(&RECEIVERS, false)),
        ],
        goals: GOALS,
        rounds: usize::MAX,
    },
    Workload {
        name: "script-among-readers",
        title: "Run a script in an interpreter, while two other threads pin a thousand times a second",
        unit: "ns",
        columns: &[
            Column::new("`fib(22)`, per call", || cases(&FIB, true)),
            Column::new("lists, per item", || cases(&LISTS, true)),
            Column::new("weak receivers, per item", || cases(&RECEIVERS, true)),
        ],
        goals: GOALS,
        rounds: usize::MAX,
    },
];

struct Script {
    code: Code,
    /// How often its innermost function runs.
    size: usize,
    result: fn() -> i64,
}

/// A script in the syntax of Lisp. A function of two arguments has `one` and `two`, and can call itself: `again`.
macro_rules! code {
    (it) => { Argument(0) };
    (one) => { Argument(1) };
    (two) => { Argument(0) };
    (handler) => { Argument(3) };
    (empty) => { Empty };
    ($number:literal) => { Constant($number) };
    ((minus $number:literal)) => { Constant(-$number) };
    ((function2 $body:tt)) => { Function(&Function(&code!($body))) };
    ((again $a:tt)) => { Call(&Own(0), &code!($a)) };
    ((again $a:tt $b:tt)) => { Call(&Call(&Own(1), &code!($a)), &code!($b)) };
    ((Call $function:tt $a:tt $b:tt)) => { Call(&Call(&code!($function), &code!($a)), &code!($b)) };
    (($node:ident $($part:tt)+)) => { $node($(&code!($part)),+) };
    ($code:ident) => { $code };
}

/// Boxed numbers and frames.
static FIB: Script = Script {
    code: code!((Call
        (Function (IfLess it 2 it (Add (again (Add it (minus 1))) (again (Add it (minus 2))))))
        22)),
    size: 57_313,
    result: || 17_711,
};

/// The list of the numbers from 1 to 1,000.
const NUMBERS: Code = code!((Call
    (function2 (IfLess one 1 two (again (Add one (minus 1)) (Pair one two)))) 1000 empty));

/// Makes a list, reverses it, and goes through it.
static LISTS: Script = Script {
    code: code!((Call
        (function2 (IfEmpty one two (again (Tail one) (Add (Head one) (Add two two)))))
        (Call (function2 (IfEmpty one two (again (Tail one) (Pair (Head one) two)))) NUMBERS empty)
        0)),
    size: 1000,
    result: || {
        (1..=1000)
            .rev()
            .fold(0, |sum: i64, n| sum.wrapping_add(sum).wrapping_add(n))
    },
};

/// Makes a queue of closures, each with a weak reference to a number; frees every second number; calls the closures. If the number was
/// freed, a closure adds a million.
static RECEIVERS: Script = Script {
    code: code!((Call
        // The call of the queue is not the last, so this frame keeps the rest of the numbers alive.
        (Function (Add 0 (Call
            (function2 (IfEmpty one two (again (Tail one) (Call (Head one) two)))) (Head it) 0)))
        (Call
            (function2 (Pair
                (Call
                    (function2 (IfEmpty one two (again (Tail one) (Pair (Call handler (Weak (Head one))) two))))
                    two empty)
                (Call (function2 (IfEmpty one two (again (Tail (Tail one)) (Pair (Head one) two)))) two empty)))
            (function2 (Add two (Read one 1_000_000)))
            NUMBERS))),
    size: 1000,
    result: || (1..1000).step_by(2).sum::<i64>() + 500 * 1_000_000,
};

fn cases(script: &'static Script, readers: bool) -> Vec<Case> {
    vec![
        case::<ByClass>(script, readers),
        case::<ByOwner>(script, readers),
        case::<ByKey>(script, readers),
        case::<BySlotMap>(script, readers),
        case::<ByRc>(script, readers),
        case::<ByArc>(script, readers),
    ]
}

fn case<H: Heap>(script: &'static Script, readers: bool) -> Case {
    let (mut heap, expected, size) = (H::new(), (script.result)(), script.size as u64);
    Case::new(H::NAME, move |n| {
        let batches = n.div_ceil(size);
        let mut run = || {
            nanoseconds(|| {
                for _ in 0..batches {
                    heap.pin(true);
                    let result = evaluate(&mut heap, &script.code, None).expect("a number");
                    assert_eq!(as_number(heap.read(&result)), expected, "{}", H::NAME);
                    heap.release(result);
                    heap.pin(false);
                }
            })
        };
        let total = if readers { while_others_read(run) } else { run() };
        share(total, n, batches * size)
    })
}
