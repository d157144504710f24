//! The guide. Begin with [Where to begin](introduction), or with [Your first pool](first_pool).
//!
//! The chapters about texts, boxes, collections, signals and actors use crates that depend on this one.

macro_rules! links {
    () => {
        concat!(
            "[actors.md]: crate::_guide::actors\n",
            "[borders.md]: crate::_guide::borders\n",
            "[borders.md#programs-with-other-libraries]: crate::_guide::borders#programs-with-other-libraries\n",
            "[borders.md#saving-references-across-runs]: crate::_guide::borders#saving-references-across-runs\n",
            "[choosing.md]: crate::_guide::choosing\n",
            "[classes.md]: crate::_guide::classes\n",
            "[classes.md#an-object-that-knows-its-handle]: crate::_guide::classes#an-object-that-knows-its-handle\n",
            "[classes.md#choosing-the-kind]: crate::_guide::classes#choosing-the-kind\n",
            "[classes.md#constructors-finalizers-statics]: crate::_guide::classes#constructors-finalizers-statics\n",
            "[classes.md#in-a-pool-without-a-class]: crate::_guide::classes#in-a-pool-without-a-class\n",
            "[collections.md]: crate::_guide::collections\n",
            "[collections.md#boxes-and-refs]: crate::_guide::collections#boxes-and-refs\n",
            "[collections.md#json]: crate::_guide::collections#json\n",
            "[collections.md#keys-and-order]: crate::_guide::collections#keys-and-order\n",
            "[configuration.md]: crate::_guide::configuration\n",
            "[configuration.md#counters]: crate::_guide::configuration#counters\n",
            "[configuration.md#how-many-objects-are-in-use]: crate::_guide::configuration#how-many-objects-are-in-use\n",
            "[configuration.md#objects-that-grow]: crate::_guide::configuration#objects-that-grow\n",
            "[cookbook.md]: crate::_guide::cookbook\n",
            "[cookbook.md#held-back]: crate::_guide::cookbook#held-back\n",
            "[cookbook.md#leaks]: crate::_guide::cookbook#leaks\n",
            "[cookbook.md#queue]: crate::_guide::cookbook#queue\n",
            "[cookbook.md#tick]: crate::_guide::cookbook#tick\n",
            "[first-pool.md]: crate::_guide::first_pool\n",
            "[first-pool.md#a-pool-of-values]: crate::_guide::first_pool#a-pool-of-values\n",
            "[first-pool.md#changing-an-object]: crate::_guide::first_pool#changing-an-object\n",
            "[first-pool.md#going-through-all-objects]: crate::_guide::first_pool#going-through-all-objects\n",
            "[memory-model.md]: crate::_guide::memory_model\n",
            "[memory-model.md#what-is-not-proved]: crate::_guide::memory_model#what-is-not-proved\n",
            "[migrating.md]: crate::_guide::migrating\n",
            "[memory-model.md#models-of-your-own-code]: crate::_guide::memory_model#models-of-your-own-code\n",
            "[memory-model.md#what-a-model-does-not-show]: crate::_guide::memory_model#what-a-model-does-not-show\n",
            "[ownership.md]: crate::_guide::ownership\n",
            "[ownership.md#side-maps]: crate::_guide::ownership#side-maps\n",
            "[ownership.md#why-a-handle-returns-none]: crate::_guide::ownership#why-a-handle-returns-none\n",
            "[pins-and-guards.md]: crate::_guide::pins_and_guards\n",
            "[pins-and-guards.md#choosing-the-readers-of-a-class]: crate::_guide::pins_and_guards#choosing-the-readers-of-a-class\n",
            "[pins-and-guards.md#cost-of-freeing]: crate::_guide::pins_and_guards#cost-of-freeing\n",
            "[pins-and-guards.md#errors]: crate::_guide::pins_and_guards#errors\n",
            "[signals.md]: crate::_guide::signals\n",
            "[signals.md#actors-as-receivers]: crate::_guide::signals#actors-as-receivers\n",
            "[text.md]: crate::_guide::text\n",
            "[threads.md]: crate::_guide::threads\n",
            "[threads.md#sandboxes]: crate::_guide::threads#sandboxes\n",
            "[trust.md]: crate::_guide::trust\n",
            "\n"
        )
    };
}

/// A module for each chapter. A link of a chapter names a file, which here is the module.
macro_rules! chapters {
    ($($chapter:ident $file:literal $title:literal;)+) => {$(
        #[doc = $title]
        #[doc = "\n\n"]
        #[doc = links!()]
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $chapter {}
    )+};
}

chapters! {
    introduction "README.md" "Where to begin";
    first_pool "first-pool.md" "Your first pool";
    ownership "ownership.md" "Owners and handles";
    threads "threads.md" "Threads and async";
    pins_and_guards "pins-and-guards.md" "Pins and guards";
    classes "classes.md" "Classes";
    configuration "configuration.md" "Limits and memory";
    text "text.md" "Text";
    collections "collections.md" "Collections, boxes and JSON";
    signals "signals.md" "Signals";
    actors "actors.md" "Actors";
    borders "borders.md" "Handles across boundaries";
    memory_model "memory-model.md" "Memory model and model checking";
    trust "trust.md" "How far to trust acedia";
    cookbook "cookbook.md" "Cookbook";
    choosing "choosing.md" "Choosing between acedia and other crates";
    migrating "migrating.md" "Coming from another library";
}
