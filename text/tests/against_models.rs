//! Texts and formatted strings against naive models: the models of the fuzz target `text` on bytes from a fixed sequence.
#![forbid(unsafe_code)]

use arbitrary::{Arbitrary, Unstructured};

#[expect(missing_docs, reason = "of the two models")]
pub mod model {
    pub mod markup;
    pub mod text;
}

/// The values that the bytes of each round make.
fn rounds<T: for<'a> Arbitrary<'a>>(count: usize, bytes: usize) -> impl Iterator<Item = Vec<T>> {
    let mut state = 1_u64;
    (0..count).map(move |_| {
        let bytes: Vec<u8> = (0..bytes)
            .map(|_| {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let mut input = Unstructured::new(&bytes);
        std::iter::from_fn(|| (!input.is_empty()).then(|| input.arbitrary().ok()).flatten()).collect()
    })
}

#[test]
fn texts_are_as_lists_of_characters() {
    let rounds = rounds::<(u8, model::text::Op)>(if cfg!(miri) { 3 } else { 100 }, 1000);
    let steps: usize = rounds
        .map(|steps| {
            model::text::run(&steps);
            steps.len()
        })
        .sum();
    assert!(cfg!(miri) || steps > 5_000, "{steps} steps are too few");
}

#[test]
fn formatted_strings_are_as_trees() {
    let rounds = rounds::<model::markup::Token>(if cfg!(miri) { 3 } else { 300 }, 300);
    let tokens: usize = rounds
        .map(|tokens| {
            model::markup::run(&tokens);
            tokens.len()
        })
        .sum();
    assert!(cfg!(miri) || tokens > 3_000, "{tokens} tokens are too few");
}
