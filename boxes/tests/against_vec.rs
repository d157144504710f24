//! Array refs of every primitive against `Vec`: the model of the fuzz target `collections` on bytes from a fixed sequence.
#![forbid(unsafe_code)]

use arbitrary::Unstructured;

pub mod model;

#[test]
fn array_refs_are_as_vecs() {
    let mut state = 1_u64;
    let mut sorted = 0;
    for round in 0..240 {
        let bytes: Vec<u8> = (0..4000)
            .map(|_| {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let mut input = Unstructured::new(&bytes);
        let ops: Vec<model::Op> = (0..60).map_while(|_| input.arbitrary().ok()).collect();
        assert!(ops.len() > 20, "{} operations are too few", ops.len());
        sorted += ops.iter().filter(|op| matches!(op, model::Op::Sort)).count();
        model::run_input(&(round, ops));
    }
    assert!(sorted > 300, "sorted {sorted} times");
}
