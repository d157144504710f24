//! The chapters of `docs/`, held to what compiles and runs.

macro_rules! chapters {
    ($($chapter:ident = $file:literal,)+) => {$(
        #[doc = include_str!(concat!("../docs/", $file))]
        struct $chapter;
    )+};
}

chapters! {
    Introduction = "README.md",
    FirstPool = "first-pool.md",
    Ownership = "ownership.md",
    StaleHandles = "stale-handles.md",
}
