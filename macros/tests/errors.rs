//! What the compiler says to who uses the derive macro wrongly: `errors/*.rs`, and beside each what it prints.
//!
//! All of it is printed by the macro itself, so it is the same for every compiler. `TRYBUILD=overwrite cargo test -p
//! acedia-macros` writes it anew; read it as somebody would who has just made that mistake.

#[test]
fn mistakes_are_told_where_they_are() {
    trybuild::TestCases::new().compile_fail("tests/errors/*.rs");
}
