use std::num::NonZeroU32;

use super::{FEW, Ties};
use crate::ActorRef;

#[test]
fn does_what_a_plain_list_does() {
    let actors: Vec<_> = (0..100).map(|slot| ActorRef::new(slot, NonZeroU32::MIN)).collect();
    let mut seed = 5_u32;
    let mut roll = |sides: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % sides
    };
    let (mut ties, mut list) = (Ties::default(), Vec::<(ActorRef, usize)>::new());
    let (mut longest, mut gaps, mut back) = (0, false, 0);
    // More and more of them, then fewer and fewer, and so on.
    for round in 0..if cfg!(miri) { 1000 } else { 20_000 } {
        let actor = actors[roll(actors.len())];
        let at = list.iter().position(|(it, _)| *it == actor);
        assert_eq!(ties.get(actor), at.map(|at| list[at].1));
        let growing = round / 300 % 2 == 0;
        let had_places = ties.places.is_some();
        match (at, roll(4)) {
            (None, 1..) if growing => {
                ties.push(actor, round);
                list.push((actor, round));
            }
            (Some(at), 1..) if !growing => assert_eq!(ties.remove(actor), Some(list.remove(at).1)),
            (Some(at), 0) => {
                *ties.get_mut(actor).unwrap() += 1;
                list[at].1 += 1;
            }
            (None, 0) => {
                assert_eq!(ties.remove(actor), None);
                assert_eq!(ties.pop(), list.pop().map(|(it, _)| it));
            }
            _ => {}
        }
        assert_eq!(ties.actors(), list.iter().map(|(it, _)| *it).collect::<Vec<_>>());
        assert_eq!(ties.len(), list.len());
        longest = longest.max(list.len());
        gaps |= ties.entries.len() > ties.len();
        back += usize::from(had_places && ties.places.is_none());
    }
    assert!(longest > 3 * FEW && gaps && back > 0, "{longest} {gaps} {back}");
    ties.clear();
    assert!(ties.len() == 0 && ties.actors().is_empty() && ties.get(actors[0]).is_none());
}

#[test]
fn gaps_are_closed() {
    let mut ties = Ties::default();
    for slot in 0..10_000 {
        ties.push(ActorRef::new(slot, NonZeroU32::MIN), ());
        if let Some(old) = slot.checked_sub(40) {
            assert!(ties.remove(ActorRef::new(old, NonZeroU32::MIN)).is_some());
        }
    }
    assert!(ties.entries.len() <= 80 && ties.len() == 40);
}
