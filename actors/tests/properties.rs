//! 1.3: the first properties of a new actor that show only later; its name, and its level.

mod common;

use acedia_actors::world::{CollisionWorld, Floor};
use acedia_actors::{Actor, ActorRef, Cylinder, Event, Name, Properties, Role, Spawn, SpawnEx, Stage, Vector};
use common::*;
use std::sync::{Arc, Mutex};

// Sets everything that a class can set in advance.
define! { #[derive(Clone)]
    Ornate "Test.Ornate" { engraving: String, constructed: u32 } |class| {
    class.defaults(|it| {
        it.attach_tag = Name::new("Wall");
        it.initial_state = Name::new("Shining");
        it.game_relevant = true;
        it.net_temporary = true;
        it.shape = Cylinder {
            radius: 7.0,
            half_height: 9.0,
        };
        it.remote_role = Role::Simulated;
    });
    class.state("Shining");
};
    fn constructor(&mut self) {
        self.constructed += 1;
        if self.engraving.is_empty() {
            self.engraving.push_str("as made");
        }
    }
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    } }

#[test]
fn p2_all_properties_are_those_of_the_class_or_of_the_template() {
    in_each(|level, _, _| {
        let plain = level.spawn::<Ornate>(Spawn::new()).unwrap();
        let with_tag = |properties: &Properties| {
            let mut properties = *properties;
            properties.tag = Name::new("Ornate"); // P3
            properties
        };
        assert_eq!(
            *level.properties(plain).unwrap(),
            with_tag(Ornate::class().properties())
        );
        assert_eq!(level.get(plain).unwrap().engraving, "as made");

        level.get_mut(plain).unwrap().engraving.push_str(", and worn");
        let changed = level.properties_mut(plain).unwrap();
        changed.shape = Cylinder {
            radius: 1.0,
            half_height: 2.0,
        };
        changed.brush = Some(4);
        changed.tag = Name::new("Heirloom");
        let request = SpawnEx::from(Spawn::new().template(plain));
        let copy = level.spawn_ex(Some(Ornate::class()), &request).unwrap();
        let mut expected = with_tag(level.properties(plain).unwrap());
        expected.brush = None; // P8
        assert_eq!(*level.properties(copy).unwrap(), expected);
        let copy = level.cast::<Ornate>(copy).and_then(|copy| level.get(copy)).unwrap();
        assert_eq!(copy.engraving, "as made, and worn");
        assert_eq!(copy.constructed, 2, "the template's, and its own");
    });
}

/// Notes who is in it.
#[derive(Clone, Default)]
struct Register(Arc<Mutex<Vec<ActorRef>>>);

impl CollisionWorld for Register {
    fn find_spot(&self, _: Cylinder, at: Vector) -> Option<Vector> {
        Some(at)
    }
    fn insert(&mut self, actor: ActorRef, _: Cylinder, _: Vector) {
        self.0.lock().unwrap().push(actor);
    }
    fn remove(&mut self, actor: ActorRef) {
        self.0.lock().unwrap().retain(|it| *it != actor);
    }
    fn overlaps(&self, _: Cylinder, _: Vector, _: &mut Vec<ActorRef>) {}
    fn floor(&self, _: ActorRef, _: Cylinder, _: Vector) -> Floor {
        Floor::None
    }
}

#[test]
fn p11_it_is_in_the_world_until_it_is_dead() {
    in_each(|level, _, _| {
        // Only actors that collide with actors, even if they die in their spawn.
        let register = Register::default();
        level.set_world(register.clone());
        let inside = |actor| register.0.lock().unwrap().contains(&actor);
        let (toucher, thing) = (level.spawn::<Toucher>(Spawn::new()), level.spawn::<Thing>(Spawn::new()));
        assert!(inside(toucher.unwrap().any()) && !inside(thing.unwrap().any()));
        level.destroy(toucher.unwrap());
        assert!(!inside(toucher.unwrap().any()));
        let count = register.0.lock().unwrap().len();
        when(Event::PostBeginPlay, |hand, _| _ = hand.destroy());
        assert!(level.spawn::<Toucher>(Spawn::new()).is_none());
        assert_eq!(register.0.lock().unwrap().len(), count);
    });
}
