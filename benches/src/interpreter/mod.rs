//! A small interpreter, whose values are objects that are made and freed very often.

mod heaps;
mod machine;

use self::{
    heaps::{ByArc, ByKey, ByOwner, ByRc, BySlotMap},
    machine::{
        Code::{self, Add, Call, Constant, Empty, Function, Head, If, Less, Pair, Read, Tail, Variable, Weak},
        Heap, as_number, evaluate,
    },
};
use crate::{
    case::Case,
    workload::{Against, Column, Goal, SHOWN, Workload},
};

const fn shown(ours: &'static str, peer: &'static str) -> Goal {
    Goal {
        ours,
        against: Against::Peer(peer),
        at_most: &[SHOWN; 3],
    }
}

/// Everything that is measured, in the order of the tables.
pub static ALL: &[Workload] = &[Workload {
    name: "script",
    title: "Run a script",
    unit: "ns",
    columns: &[
        Column::new("`fib(22)`, per call", || cases(&FIB)),
        Column::new("lists, per item", || cases(&LISTS)),
        Column::new("weak receivers, per item", || cases(&RECEIVERS)),
    ],
    goals: &[
        shown("acedia, owners", "Rc and Weak"),
        shown("acedia, owners", "Arc and Weak"),
        shown("acedia, keys", "slotmap"),
        shown("acedia, keys", "Rc and Weak"),
    ],
    rounds: usize::MAX,
}];

struct Script {
    code: Code,
    /// How many calls or items it has.
    size: usize,
    result: fn() -> i64,
}

/// A script in the syntax of Lisp. A function of one argument has `it`, and one of two has `one` and `two`. Both call themselves by
/// `again`.
macro_rules! code {
    (it) => { Variable(0) };
    (two) => { Variable(0) };
    (one) => { Variable(2) };
    (handler) => { Variable(6) };
    (empty) => { Empty };
    ($number:literal) => { Constant($number) };
    ((minus $number:literal)) => { Constant(-$number) };
    ((function2 $body:tt)) => { Function(&Function(&code!($body))) };
    ((again $one:tt)) => { Call(&Variable(1), &code!($one)) };
    ((again $one:tt $two:tt)) => { Call(&Call(&Variable(3), &code!($one)), &code!($two)) };
    ((Call $function:tt $one:tt $two:tt)) => { Call(&Call(&code!($function), &code!($one)), &code!($two)) };
    (($node:ident $($part:tt)+)) => { $node($(&code!($part)),+) };
    ($code:ident) => { $code };
}

/// Numbers and environments.
static FIB: Script = Script {
    code: code!((Call
        (Function (If (Less it 2) it (Add (again (Add it (minus 1))) (again (Add it (minus 2)))))) 22)),
    size: 57_313,
    result: || 17_711,
};

/// The list of the numbers from 1 to 1,000.
const NUMBERS: Code = code!((Call
    (function2 (If (Less 0 one) (again (Add one (minus 1)) (Pair one two)) two)) 1000 empty));

/// Makes a list, reverses it, and goes through it.
static LISTS: Script = Script {
    code: code!((Call
        (function2 (If one (again (Tail one) (Add (Head one) (Add two two))) two))
        (Call (function2 (If one (again (Tail one) (Pair (Head one) two)) two)) NUMBERS empty) 0)),
    size: 1000,
    result: || {
        (1..=1000)
            .rev()
            .fold(0, |sum: i64, n| sum.wrapping_add(sum).wrapping_add(n))
    },
};

/// Makes a queue of closures, each with a weak reference to a number; frees every second number; calls the closures. A closure adds a
/// million instead of a number that was freed.
static RECEIVERS: Script = Script {
    code: code!((Call
        // The call of the queue is not the last, so this environment keeps the rest of the numbers alive.
        (Function (Add 0 (Call (function2 (If one (again (Tail one) (Call (Head one) two)) two)) (Head it) 0)))
        (Call
            (function2 (Pair
                (Call (function2 (If one (again (Tail one) (Pair (Call handler (Weak (Head one))) two)) two)) two empty)
                (Call (function2 (If one (again (Tail (Tail one)) (Pair (Head one) two)) two)) two empty)))
            (function2 (Add two (If (Read one) (Read one) 1_000_000)))
            NUMBERS))),
    size: 1000,
    result: || (1..1000).step_by(2).sum::<i64>() + 500 * 1_000_000,
};

fn cases(script: &'static Script) -> Vec<Case> {
    vec![
        case::<ByOwner>(script),
        case::<ByKey>(script),
        case::<BySlotMap>(script),
        case::<ByRc>(script),
        case::<ByArc>(script),
    ]
}

fn case<H: Heap>(script: &'static Script) -> Case {
    let (mut heap, expected) = (H::new(), (script.result)());
    Case::batches(H::NAME, script.size, move || {
        heap.pin(true);
        let result = evaluate(&mut heap, &script.code, None).expect("a number");
        assert_eq!(as_number(heap.read(&result)), expected, "{}", H::NAME);
        heap.release(result);
        heap.pin(false);
    })
}
