use super::HeapVec;
use mimalloc::MiMalloc;

#[test]
fn a_vector_grows_and_keeps_its_memory() {
    let mut vector = HeapVec::<_, MiMalloc>::default();
    for round in 0..3 {
        vector.clear();
        for n in 0..100_u32 {
            vector.extend_from_slice(&[n, n + round]);
        }
        assert_eq!(vector.len(), 200);
        // SAFETY: so many were written.
        let elements = unsafe { std::slice::from_raw_parts(vector.place.as_ptr(), vector.len()) };
        assert!(elements.iter().copied().eq((0..100).flat_map(|n| [n, n + round])));
    }
    let place = vector.place;
    vector.clear();
    vector.extend_from_slice(&[7; 200]);
    assert_eq!(vector.place, place);
    assert_eq!(HeapVec::<_, MiMalloc>::from([1_u8, 2].as_slice()).len(), 2);
}
