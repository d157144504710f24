use super::*;

/// Even if `parking_lot`'s guards are `Send`.
#[test]
fn notes_stay_on_their_thread() {
    trait Ambiguous<A> {
        const IS_CLEAR: bool = true;
    }
    impl<T> Ambiguous<()> for T {}
    impl<T: Send> Ambiguous<u8> for T {}
    // Does not compile if a note can be sent.
    const { assert!(<Note as Ambiguous<_>>::IS_CLEAR) };
}

#[test]
fn an_access_is_an_address_and_a_bit() {
    let (read, write) = (Access::new(64, false), Access::new(64, true));
    assert_eq!((read.address(), write.address()), (64, 64));
    assert!(!read.writes() && write.writes());
    assert!(!read.excludes(read) && read.excludes(write) && write.excludes(read) && write.excludes(write));
    assert!(!write.excludes(Access::new(128, true)));
}

#[test]
fn notes_are_taken_away_in_any_order() {
    let all: Vec<_> = (0..3 * NEAR).map(|at| Access::new(16 * at, at % 3 == 0)).collect();
    for first in [0, 1, NEAR - 1, NEAR, NEAR + 1, 2 * NEAR] {
        let mut notes: Vec<_> = all
            .iter()
            .map(|access| Note::leave(*access, Location::caller()))
            .collect();
        let accesses = || held().iter().map(|note| note.access).collect::<Vec<_>>();
        assert_eq!(accesses(), all);
        notes.rotate_left(first);
        for (gone, note) in notes.into_iter().enumerate() {
            drop(note);
            let mut held = accesses();
            held.sort_unstable_by_key(|access| access.address());
            let is_gone = |at: &usize| (at + all.len() - first) % all.len() <= gone;
            let left: Vec<_> = (0..all.len()).filter(|at| !is_gone(at)).map(|at| all[at]).collect();
            assert_eq!(held, left);
        }
    }
    // Two equal notes.
    let (outer, inner) = (
        Note::leave(all[1], Location::caller()),
        Note::leave(all[1], Location::caller()),
    );
    drop(outer);
    assert_eq!(held().iter().map(|note| note.access).collect::<Vec<_>>(), [all[1]]);
    drop(inner);
    assert!(held().is_empty());
}
