use arbitrary::Unstructured;

use super::*;

/// The model and the pools agree on bytes from a fixed sequence: the fuzzer's body as an ordinary test.
#[test]
fn fixed_bytes() {
    let mut state = 1_u64;
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..600)
            .map(|_| {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let mut input = Unstructured::new(&bytes);
        let ops: Vec<Op> = (0..80).map_while(|_| input.arbitrary().ok()).collect();
        run(&ops);
    }
}
