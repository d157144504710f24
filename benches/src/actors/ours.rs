//! Ours: classes of actors that override nothing or everything, in a level of the second generation.

use std::{hint::black_box, marker::PhantomData};

use acedia_actors::{Actor, ActorRef, ClassBuilder, Rules, Spawn, Stage, actor};

use super::world::{Words, World};
use crate::workload::ACEDIA;

/// Overrides nothing.
#[derive(Default)]
pub(super) struct Idle {
    pub(super) words: Words,
}

impl Actor for Idle {
    actor!(Idle, "Benches.Idle");
}

/// Overrides every event that a spawn and a destruction send to an actor that is alone: nine and two. Each handler counts
/// in the actor; those that override a default body call it.
#[derive(Default)]
pub(super) struct Busy {
    words: Words,
}

impl Actor for Busy {
    actor!(Busy, "Benches.Busy");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class
            .init_physics(|cx| cx.words[0] += 1)
            .native_spawned(|cx| cx.words[1] += 1)
            .pre_begin_play(|cx| {
                cx.inherited().pre_begin_play();
                cx.words[2] += 1;
            })
            .begin_play(|cx| cx.words[3] += 1)
            .post_begin_play(|cx| cx.words[4] += 1)
            .native_post_begin_play(|cx| cx.words[5] += 1)
            .set_initial_state(|cx| {
                cx.inherited().set_initial_state();
                cx.words[6] += 1;
            })
            .post_net_begin_play(|cx| cx.words[7] += 1)
            .destroyed(|cx| cx.words[0] += 1);
        class
            .state("Awake")
            .auto()
            .begin_state(|cx, _| cx.words[1] += 1)
            .end_state(|cx, _| cx.words[2] += 1);
    }
}

/// Its handler of `tick` is empty.
#[derive(Default)]
pub(super) struct Ticker {
    #[expect(dead_code, reason = "for its size")]
    words: Words,
}

impl Actor for Ticker {
    actor!(Ticker, "Benches.Ticker");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.tick(|cx, seconds| {
            black_box((cx, seconds));
        });
    }
}

/// A level for actors of one class, in play.
pub(super) struct Level<T> {
    pub(super) level: acedia_actors::Level,
    class: PhantomData<T>,
}

impl<T: Actor> World for Level<T> {
    const NAME: &'static str = ACEDIA;
    type Id = ActorRef<T>;

    fn new() -> Self {
        let mut level = acedia_actors::Level::new(Rules::ue2());
        level.begin_play("");
        Self {
            level,
            class: PhantomData,
        }
    }

    fn spawn(&mut self) -> ActorRef<T> {
        self.level
            .spawn(black_box(Spawn::new()))
            .expect("nothing stands in its way")
    }

    fn destroy(&mut self, actor: ActorRef<T>) {
        assert!(self.level.destroy(actor), "it was alive");
    }
}
