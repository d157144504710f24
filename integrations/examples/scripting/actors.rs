//! Actors in scripts.

use acedia::{Handle, Object};
use acedia_actors::{Actor, ActorClass, ActorRef, Spawn, Stage, Vector};
use rhai::{Array, Dynamic, Engine, FLOAT};

use crate::collection::Collection;
use crate::world::{Failure, World};

/// An actor in a script. Each use checks that it is alive, and fails with an error of the script otherwise.
#[derive(Clone)]
pub(crate) struct ScriptActor {
    world: World,
    actor: ActorRef,
    class: &'static ActorClass,
}

impl ScriptActor {
    pub(crate) fn new(world: World, actor: ActorRef, class: &'static ActorClass) -> Self {
        Self { world, actor, class }
    }

    pub(crate) fn reference(&self) -> ActorRef {
        self.actor
    }

    /// Fails if the actor was destroyed, with its class and life.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.world.level().is_alive(self.actor) {
            Ok(())
        } else {
            Err(format!("{} was destroyed: {:?} is stale", self.class, self.actor).into())
        }
    }

    /// The result of `read` on the actor as a `T`.
    fn read<T: Actor, R>(&self, read: impl FnOnce(&T) -> R) -> Result<R, Failure> {
        self.check()?;
        let level = self.world.level();
        let actor = level.cast::<T>(self.actor);
        actor
            .and_then(|actor| level.get(actor))
            .map(read)
            .ok_or_else(|| self.is_no::<T>().into())
    }

    fn change<T: Actor>(&self, change: impl FnOnce(&mut T)) -> Result<(), Failure> {
        self.check()?;
        let mut level = self.world.level_mut();
        let actor = level.cast::<T>(self.actor).and_then(|actor| level.get_mut(actor));
        actor.map(change).ok_or_else(|| self.is_no::<T>().into())
    }

    fn is_no<T: Actor>(&self) -> String {
        format!(
            "{} is not of the class {}, which has this property",
            self.class,
            T::class()
        )
    }

    fn location(&self) -> Result<Array, Failure> {
        self.check()?;
        let place = self.world.level().location(self.actor).unwrap_or_default();
        Ok([place.x, place.y, place.z]
            .map(|it| Dynamic::from(FLOAT::from(it)))
            .to_vec())
    }

    #[expect(clippy::cast_possible_truncation, reason = "as an actor's places are")]
    fn set_location(&self, place: &Array) -> Result<(), Failure> {
        self.check()?;
        let numbers: Option<Vec<f32>> = place.iter().map(|it| it.as_float().ok().map(|it| it as f32)).collect();
        let Some([x, y, z]) = numbers.as_deref() else {
            return Err("a location is three floats, like [1.0, 2.0, 3.0]".into());
        };
        let place = Vector { x: *x, y: *y, z: *z };
        if self.world.level_mut().set_location(self.actor, place) {
            Ok(())
        } else {
            Err(format!("{} can't be there", self.class).into())
        }
    }
}

impl World {
    /// The actor as a value of scripts, if it is alive.
    pub(crate) fn actor(&self, actor: ActorRef) -> Option<ScriptActor> {
        let class = self.level().class(actor)?;
        Some(ScriptActor::new(self.clone(), actor, class))
    }
}

/// `spawn_actor(class)`, `all_actors(class)`, `tick(seconds)`, and the properties of every actor.
pub(crate) fn register(engine: &mut Engine, world: &World) {
    engine.register_type_with_name::<ScriptActor>("Actor");
    let shared = world.clone();
    engine.register_fn("spawn_actor", move |class: &str| -> Result<Dynamic, Failure> {
        let spawned = shared.level_mut().spawn_by_name(class, Spawn::new());
        let actor = spawned.map_err(|error| error.to_string())?;
        Ok(shared.actor(actor).map_or(Dynamic::UNIT, Dynamic::from))
    });
    let shared = world.clone();
    engine.register_fn("all_actors", move |class: &str| -> Result<Array, Failure> {
        let class = acedia_actors::load_actor_class(class).map_err(|error| error.to_string())?;
        let mut cursor = shared.level().all_of(class);
        let next = || cursor.next(&*shared.level());
        let all: Vec<_> = std::iter::from_fn(next).collect();
        Ok(all
            .into_iter()
            .filter_map(|actor| shared.actor(actor))
            .map(Dynamic::from)
            .collect())
    });
    let shared = world.clone();
    #[expect(clippy::cast_possible_truncation, reason = "as the level's time is")]
    engine.register_fn("tick", move |seconds: FLOAT| shared.level_mut().tick(seconds as f32));
    engine
        .register_fn("destroy", |it: &mut ScriptActor| -> Result<bool, Failure> {
            it.check()?;
            Ok(it.world.level_mut().destroy(it.actor))
        })
        .register_get("is_alive", |it: &mut ScriptActor| it.check().is_ok())
        .register_get("class", |it: &mut ScriptActor| it.class.name())
        .register_get("name", |it: &mut ScriptActor| -> Result<String, Failure> {
            it.check()?;
            Ok(it.world.level().name(it.actor).unwrap_or_default())
        })
        .register_get("state", |it: &mut ScriptActor| -> Result<String, Failure> {
            it.check()?;
            Ok(it.world.level().state(it.actor).to_string())
        })
        .register_get_set(
            "location",
            |it: &mut ScriptActor| it.location(),
            |it: &mut ScriptActor, place: Array| it.set_location(&place),
        )
        .register_fn("to_string", |it: &mut ScriptActor| {
            format!("{} {:?}", it.class, it.actor)
        })
        .register_fn("==", |one: &mut ScriptActor, other: ScriptActor| {
            one.actor == other.actor
        });
}

/// `actor.NAME`, for actors of class `T` and below it.
pub(crate) fn register_number<T: Actor>(engine: &mut Engine, name: &str, read: fn(&T) -> i64, write: fn(&mut T, i64)) {
    engine.register_get_set(
        name,
        move |it: &mut ScriptActor| it.read(read),
        move |it: &mut ScriptActor, value: i64| it.change(|actor: &mut T| write(actor, value)),
    );
}

/// Like [`register_number`], but for a collection that the actor owns. Scripts watch it.
pub(crate) fn register_collection<T: Actor, C: Object>(engine: &mut Engine, name: &str, read: fn(&T) -> Handle<C>) {
    engine.register_get(name, move |it: &mut ScriptActor| -> Result<Collection<C>, Failure> {
        let handle = it.read(read)?;
        Ok(Collection::watched(&it.world, handle))
    });
}
