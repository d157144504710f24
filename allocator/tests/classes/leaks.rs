//! The report of living objects. Each test has its own process, because the objects of all tests of a binary count.

use std::panic::{Location, catch_unwind};

use acedia::{Handle, Object, Owned, assert_no_leaks, class, leaks};

use super::support::in_own_process;

#[derive(Default)]
struct Rocket;

impl Object for Rocket {
    class!(Rocket, "Leaks.Rocket");
}

#[derive(Default)]
struct Pawn(Option<Owned<Pawn>>);

impl Object for Pawn {
    class!(Pawn, "Leaks.Pawn");
}

#[track_caller]
fn rocket() -> (Handle<Rocket>, u32) {
    let owner = Rocket::allocate();
    let handle = owner.handle();
    std::mem::forget(owner);
    (handle, Location::caller().line())
}

#[test]
fn the_report_has_a_line_for_each_class_and_place() {
    in_own_process(|| {
        assert_no_leaks();
        assert_eq!(leaks().to_string(), "no object is alive");
        // One without a handle, one of one place, three of another; one freed, one waiting for its guard.
        let mut rockets = Vec::new();
        let mut places = Vec::new();
        std::mem::forget(Pawn::allocate());
        let (other, place) = rocket();
        for _ in 0..3 {
            let (handle, line) = rocket();
            rockets.push(handle);
            places.push(line);
        }
        drop(Pawn::allocate());
        let waiting = Pawn::allocate();
        let guard = waiting.handle().guard().unwrap();
        drop(waiting);
        let report = leaks();
        assert_eq!((report.objects(), report.is_empty()), (5, false));
        let text = report.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "5 objects are alive");
        assert_eq!(lines[1], "objects  class         allocated at");
        if cfg!(debug_assertions) {
            let file = file!();
            let of_file = |line: &str, place: u32| line.contains(&format!("{file}:{place}:"));
            // The oldest first.
            assert!(
                lines[2].starts_with("      1  Leaks.Rocket  ") && of_file(lines[2], place),
                "{text}"
            );
            assert!(
                lines[3].starts_with("      3  Leaks.Rocket  ") && of_file(lines[3], places[0]),
                "{text}"
            );
            assert!(
                lines[4].starts_with("      1  Leaks.Pawn    not recorded (no handle)"),
                "{text}"
            );
            let groups = report.groups();
            let handles: Vec<_> = rockets.iter().map(|handle| handle.to_any()).collect();
            assert_eq!(groups[1].handles(), handles);
            assert_eq!(groups[1].allocated_at().map(Location::line), Some(places[0]));
            assert_eq!((groups[0].handles(), groups[2].objects()), (&[other.to_any()][..], 1));
            assert!(
                groups[2]
                    .to_string()
                    .starts_with("1 of Leaks.Pawn, allocated at a place not recorded (no handle)")
            );
        } else {
            assert_eq!(lines[2], "      4  Leaks.Rocket  not recorded (no debug assertions)");
            assert_eq!(report.groups()[0].handles().len(), 4);
        }
        assert_eq!(Rocket::class().leaks().objects(), 4);
        // The panic has the report.
        let panic = catch_unwind(assert_no_leaks).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>(), Some(&text));
        drop(guard);
    });
}

/// The object in a reused slot is younger than those after it.
#[test]
fn the_oldest_object_is_first_also_after_reuse() {
    in_own_process(|| {
        if !cfg!(debug_assertions) {
            return;
        }
        let make = || Rocket::allocate(); // one place for all
        let owners = [(); 3].map(|()| make());
        let [first, second, third] = owners;
        let old = [second.handle(), third.handle()];
        drop(first);
        let again = make();
        let young = again.handle();
        assert!(young.index() < old[0].index());
        let report = leaks();
        let handles: Vec<_> = report.groups()[0].handles().iter().map(|it| it.downcast()).collect();
        assert_eq!(handles, [Some(old[0]), Some(old[1]), Some(young)]);
    });
}

#[test]
fn reservations_and_forgotten_fields_are_in_the_report() {
    in_own_process(|| {
        let mut one = Pawn::allocate();
        let reserved = Pawn::pool().reserve();
        assert_eq!(leaks().to_string().lines().next(), Some("2 objects are alive"));
        drop(reserved);
        assert_eq!(
            Pawn::class().leaks().to_string().lines().next(),
            Some("1 object is alive")
        );
        one.get_mut().unwrap().0 = Some(Pawn::allocate());
        assert_eq!(Pawn::class().leaks().objects(), 2);
        drop(one);
        // The first is free, and its field still owns the second.
        assert_eq!(Pawn::class().leaks().objects(), 1);
        acedia::collect_garbage();
        assert_no_leaks();
    });
}
