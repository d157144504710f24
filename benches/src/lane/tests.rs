use super::*;
use std::thread;

#[test]
fn everything_arrives_in_order() {
    const CHUNKS_SENT: u64 = 100;
    let lane = Lane::new();
    let mut next = 0..;
    let mut received = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| (0..CHUNKS_SENT).for_each(|_| lane.send(|| next.next().unwrap())));
        (0..CHUNKS_SENT).for_each(|_| lane.receive(|number: u64| received.push(number)));
    });
    assert!(received.into_iter().eq(0..CHUNKS_SENT * CHUNK as u64));
}
