//! The guide. Begin with [Where to begin](introduction), or with [Your first pool](first_pool).
//!
//! The chapters about texts, boxes, collections, signals and actors use crates that depend on this one.

/// Declares a module for each chapter. A link in a chapter names a file, or a listed heading of a file: `links!` maps both to modules.
macro_rules! chapters {
    ($($chapter:ident $file:literal $title:literal $([$($heading:literal)+])?;)+) => {
        macro_rules! links {
            () => {
                concat!($(
                    "[", $file, "]: crate::_guide::", stringify!($chapter), "\n",
                    $($("[", $file, "#", $heading, "]: crate::_guide::", stringify!($chapter), "#", $heading, "\n",)+)?
                )+ "\n")
            };
        }
        $(
            #[doc = $title]
            #[doc = "\n\n"]
            #[doc = links!()]
            #[doc = include_str!(concat!("../docs/", $file))]
            pub mod $chapter {}
        )+
    };
}

chapters! {
    introduction "README.md" "Where to begin";
    first_pool "first-pool.md" "Your first pool" ["a-pool-of-values" "changing-an-object" "going-through-all-objects"];
    ownership "ownership.md" "Owners and handles" ["side-maps" "why-a-handle-returns-none"];
    threads "threads.md" "Threads and async" ["sandboxes"];
    pins_and_guards "pins-and-guards.md" "Pins and guards" ["choosing-the-readers-of-a-class" "cost-of-freeing" "errors"];
    classes "classes.md" "Classes" ["an-object-that-knows-its-handle" "choosing-the-kind" "constructors-finalizers-statics" "in-a-pool-without-a-class"];
    configuration "configuration.md" "Limits and memory" ["counters" "how-many-objects-are-in-use" "objects-that-grow"];
    text "text.md" "Text";
    collections "collections.md" "Collections, boxes and JSON" ["boxes-and-refs" "json" "keys-and-order"];
    signals "signals.md" "Signals" ["actors-as-receivers"];
    actors "actors.md" "Actors";
    borders "borders.md" "Handles across boundaries" ["programs-with-other-libraries" "saving-references-across-runs"];
    memory_model "memory-model.md" "Memory model and model checking" ["models-of-your-own-code" "what-a-model-does-not-show" "what-is-not-proved"];
    trust "trust.md" "How far to trust acedia";
    cookbook "cookbook.md" "Cookbook" ["held-back" "leaks" "queue" "tick"];
    choosing "choosing.md" "Choosing between acedia and other crates";
    migrating "migrating.md" "Coming from another library";
}
