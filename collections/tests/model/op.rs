//! [`Op`]: one step.

use arbitrary::Arbitrary;

/// One step. Items are chosen by code, see `Value`; numbers choose among what exists, and sometimes a bit beyond.
#[derive(Arbitrary, Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named after what they call")]
pub enum Op {
    NewObject,
    DropObject { which: u8 },
    Push { code: u8 },
    PushNone { count: u8 },
    Set { index: u8, code: u8 },
    Insert { index: u8, code: u8 },
    InsertNone { index: u8, count: u8 },
    Remove { index: u8 },
    RemoveMany { index: u8, count: u8 },
    RemoveAll { code: u8 },
    RemoveFirst { code: u8 },
    Take { index: u8 },
    SetLen { len: u8 },
    Retain { parity: bool },
    Drain { start: u8, end: u8 },
    SortByInt,
    ClearList,
    NewList,
    SetKeys { key: u8, code: u8 },
    TakeKey { key: u8 },
    TakeEntry { key: u8 },
    RemoveKey { key: u8 },
    OrInsert { key: u8, code: u8 },
    RetainKeys { parity: bool },
    Sweep,
    Capacity { capacity: u8 },
    ClearTable,
    NewTable,
}
