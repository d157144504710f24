//! The compiler's messages for wrong uses of the derive macro: `errors/mistakes.rs` and the messages next to it.
//!
//! The macro itself makes the messages, so they are the same for every compiler. `TRYBUILD=overwrite cargo test -p
//! acedia-suites --test derive_errors` writes them anew. Check that each helps a user who has just made that mistake.

#[test]
fn mistakes_are_told_where_they_are() {
    trybuild::TestCases::new().compile_fail("tests/errors/mistakes.rs");
}
