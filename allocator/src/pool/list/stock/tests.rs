use super::EMPTIES;
use crate::pool::{Pool, pin};

/// Each magazine that is emptied under a guard makes another magazine. They must not accumulate.
#[test]
fn empty_magazines_are_few() {
    // Two reading threads: freed slots have to wait.
    drop(pin());
    std::thread::spawn(|| drop(pin())).join().unwrap();
    let pool: Pool<u64> = Pool::new();
    for round in 0..1000 {
        let owners: Vec<_> = (0..300).map(|_| pool.allocate()).collect();
        let keys: Vec<_> = owners.iter().map(crate::pool::Owner::key).collect();
        let guard = pool.guard(keys[round % 100]).unwrap();
        drop(owners);
        drop(guard);
    }
    let empties = &pool.depot.get().unwrap().stock.empties;
    assert!(empties.len() <= EMPTIES, "{}", empties.len());
    assert!(empties.len() > 0, "none was ever kept");
}
