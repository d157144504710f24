//! Code that must not compile. Each example differs from the first one only in the code that the compiler must reject. Only
//! rustdoc's tests read this file.
//!
//! ```
//! use acedia_actors::{Actor, Pawn, actor};
//! #[derive(Default)]
//! struct Bot { base: Pawn }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = Pawn, in base);
//! }
//! ```
//!
//! # The macro
//!
//! No name:
//! ```compile_fail
//! # use acedia_actors::{Actor, Pawn, actor};
//! # #[derive(Default)]
//! # struct Bot { base: Pawn }
//! impl Actor for Bot {
//!     actor!(Bot);
//! }
//! ```
//! No field for the parent:
//! ```compile_fail
//! # use acedia_actors::{Actor, Pawn, actor};
//! # #[derive(Default)]
//! # struct Bot { base: Pawn }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = Pawn);
//! }
//! ```
//! The field is of another type:
//! ```compile_fail,E0308
//! # use acedia_actors::{Actor, GameInfo, Pawn, actor};
//! # #[derive(Default)]
//! # struct Bot { base: GameInfo }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = Pawn, in base);
//! }
//! ```
//! The parent is not a class of actors:
//! ```compile_fail,E0277
//! # use acedia_actors::{Actor, Pawn, actor};
//! # #[derive(Default)]
//! # struct Bot { base: u32 }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = u32, in base);
//! }
//! ```
//! The class names another type:
//! ```compile_fail,E0308
//! # use acedia_actors::{Actor, Pawn, actor};
//! # #[derive(Default)]
//! # struct Bot { base: Pawn }
//! impl Actor for Bot {
//!     actor!(Pawn, "Test.Bot", parent = Pawn, in base);
//! }
//! ```
//!
//! # The type
//!
//! Actors are `Send`, because their level is:
//! ```compile_fail,E0277
//! # use acedia_actors::{Actor, Pawn, actor};
//! #[derive(Default)]
//! struct Bot { base: Pawn, thoughts: std::rc::Rc<u32> }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = Pawn, in base);
//! }
//! ```
//! Actors are `Default`:
//! ```compile_fail,E0277
//! # use acedia_actors::{Actor, Pawn, actor};
//! struct Bot { base: Pawn }
//! impl Actor for Bot {
//!     actor!(Bot, "Test.Bot", parent = Pawn, in base);
//! }
//! ```
//!
//! # Handlers
//!
//! A handler gets no level that it could replace:
//! ```
//! use acedia_actors::{Cx, Level, Pawn, Rules};
//! fn handler(cx: &mut Cx<'_, Pawn>) {
//!     let _others = &mut cx.others;
//! }
//! ```
//! ```compile_fail,E0308
//! # use acedia_actors::{Cx, Level, Pawn, Rules};
//! fn handler(cx: &mut Cx<'_, Pawn>) {
//!     std::mem::swap(&mut cx.others, &mut Level::new(Rules::ue2()));
//! }
//! ```
//! No handler's context outlives the handler:
//! ```compile_fail,E0507
//! # use acedia_actors::{Cx, Others, Pawn};
//! fn keep<'a>(cx: &mut Cx<'a, Pawn>) -> Others<'a> {
//!     cx.others
//! }
//! ```
//!
//! # Borrows
//!
//! A call on the field `others` may read the context for its arguments:
//! ```
//! # use acedia_actors::{Actor, ActorRef, Cx, Cylinder, Stage, actor};
//! # #[derive(Default)]
//! # struct Barrel { blast: Cylinder, score: i32, smoke: Option<ActorRef>, next: Option<ActorRef<Barrel>> }
//! # impl Actor for Barrel { actor!(Barrel, "Test.Barrel"); }
//! fn handler(cx: &mut Cx<'_, Barrel>, smoke: ActorRef) {
//!     let _alive = cx.others.is_alive(cx.me());
//!     let _caught = cx.others.overlapping(cx.blast, cx.location());
//!     cx.others.set_owner(smoke, cx.owner());
//!     cx.others.destroy(cx.smoke.unwrap());
//!     cx.score += cx.others.get(cx.next.unwrap()).map_or(0, |it| it.score);
//! }
//! ```
