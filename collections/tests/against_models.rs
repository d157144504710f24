//! A list and a table against `Vec`s: the fuzz model on bytes from a fixed sequence.
#![forbid(unsafe_code)]

use arbitrary::Unstructured;

pub mod model;

#[test]
fn collections_are_as_vecs() {
    let mut state = 1_u64;
    let (mut dropped, mut keys) = (0, 0);
    for _ in 0..60 {
        let bytes: Vec<u8> = (0..3000)
            .map(|_| {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let mut input = Unstructured::new(&bytes);
        let ops: Vec<model::Op> = (0..120).map_while(|_| input.arbitrary().ok()).collect();
        assert!(ops.len() > 60, "{} operations are too few", ops.len());
        dropped += ops
            .iter()
            .filter(|op| matches!(op, model::Op::DropObject { .. }))
            .count();
        keys += ops.iter().filter(|op| matches!(op, model::Op::SetKeys { .. })).count();
        model::run(&ops);
    }
    assert!(
        dropped > 100 && keys > 100,
        "dropped {dropped} objects and set {keys} keys"
    );
}
