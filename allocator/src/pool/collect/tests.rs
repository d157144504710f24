use crate::pool::Pool;

/// A collection returns the pages on both sides of an object, and loses no slot at the edges of these pages.
#[test]
fn every_slot_is_used_again_after_a_collection() {
    let pool: Pool<[u64; 6]> = Pool::new();
    drop(pool.allocate());
    let depot = pool.untyped.depot.get().unwrap();
    let slots = depot.shape.slots as usize;
    let mut owners: Vec<_> = (0..slots).map(|_| pool.allocate()).collect();
    // Not at the edge of a page.
    let kept = owners.swap_remove(slots / 2 + 10);
    for _ in 0..3 {
        drop(owners);
        assert_eq!(pool.collect().objects, slots as u64 - 1);
        owners = (1..slots).map(|_| pool.allocate()).collect();
        assert_eq!(depot.locked.lock().chunks.len(), 1, "slots were lost");
    }
    drop((owners, kept));
}
