//! Compiles and runs the examples of the README and of the chapters of `docs/`.

macro_rules! chapters {
    ($($chapter:ident = $file:literal,)+) => {$(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("../../docs/", $file))]
        struct $chapter;
    )+};
}

chapters! {
    Introduction = "README.md",
    FirstPool = "first-pool.md",
    Ownership = "ownership.md",
    Threads = "threads.md",
    PinsAndGuards = "pins-and-guards.md",
    Classes = "classes.md",
    Configuration = "configuration.md",
    Text = "text.md",
    Collections = "collections.md",
    Signals = "signals.md",
    Actors = "actors.md",
    Borders = "borders.md",
    MemoryModel = "memory-model.md",
    Trust = "trust.md",
    Cookbook = "cookbook.md",
    Choosing = "choosing.md",
    Migrating = "migrating.md",
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
