//! One thread allocates, another frees.

use crate::{
    case::{Case, share},
    contender::Shared,
    contenders::shared,
    lane::{CHUNK, Lane},
    payload::Payload,
};
use std::{hint::black_box, sync::Barrier, thread, time::Instant};

/// The contenders with this payload.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    shared!(case, P)
}

fn case<C: Shared>() -> Case {
    let contender = C::new();
    let lane = Lane::new();
    Case::new(C::NAME, move |n| {
        let chunks = n.div_ceil(CHUNK as u64);
        share(hand_over(&contender, &lane, chunks), n, chunks * CHUNK as u64)
    })
}

/// Sends that many chunks of objects to another thread; answers the nanoseconds until the last of them is freed.
fn hand_over<C: Shared>(contender: &C, lane: &Lane<C::Owner>, chunks: u64) -> f64 {
    let gate = Barrier::new(2);
    thread::scope(|scope| {
        let mut theirs = contender.clone();
        let gate = &gate;
        let other = scope.spawn(move || {
            gate.wait();
            (0..chunks).for_each(|_| lane.receive(|owner| theirs.free(owner)));
            Instant::now()
        });
        let mut mine = contender.clone();
        gate.wait();
        let start = Instant::now();
        for chunk in 0..chunks {
            lane.send(|| mine.allocate(black_box(chunk)));
        }
        let end = other.join().expect("the other thread finishes");
        (end - start).as_secs_f64() * 1e9
    })
}
