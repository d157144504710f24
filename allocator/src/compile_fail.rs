//! Programs that must not compile: payloads that may not cross threads, and references that would outlive their owner, pin or
//! pool.
//!
//! Each example differs only in the refused part from an example that compiles: the first of its section, or one in
//! `tests/pools/send_sync.rs`.
//!
//! # Payloads
//!
//! A pool is made for types that are `Send` and `Sync`. No part of its interface exists for other types.
//!
//! ```
//! use acedia::Pool;
//! let _: Pool<std::sync::Mutex<u64>> = Pool::new();
//! ```
//! Neither `Send` nor `Sync`:
//! ```compile_fail,E0277
//! use acedia::Pool;
//! let _: Pool<std::rc::Rc<u64>> = Pool::new();
//! ```
//! `Send` only:
//! ```compile_fail,E0277
//! use acedia::Pool;
//! let _: Pool<std::cell::Cell<u64>> = Pool::new();
//! ```
//! `Sync` only:
//! ```compile_fail,E0277
//! use acedia::pool::{Global, Hooks};
//! use acedia::Pool;
//! struct Locked;
//! impl Hooks<Option<std::sync::MutexGuard<'static, u64>>> for Locked {
//!     type Readers = Global;
//!     fn make() -> Option<std::sync::MutexGuard<'static, u64>> { None }
//! }
//! let _: Pool<Option<std::sync::MutexGuard<'static, u64>>, Locked> = Pool::with_hooks();
//! ```
//! Not `'static`:
//! ```compile_fail,E0373
//! use acedia::pool::{Global, Hooks};
//! use acedia::Pool;
//! struct Borrowing;
//! impl<'a> Hooks<Option<&'a u64>> for Borrowing {
//!     type Readers = Global;
//!     fn make() -> Option<&'a u64> { None }
//! }
//! let number = 5;
//! let pool: Pool<Option<&u64>, Borrowing> = Pool::with_hooks();
//! pool.allocate_with(|object| *object = Some(&number));
//! ```
//!
//! Nor is there a class of such objects:
//! ```
//! use acedia::{Object, class};
//! #[derive(Default)]
//! struct Counter(std::sync::Mutex<u64>);
//! impl Object for Counter { class!(Counter, "Refused.Counter"); }
//! ```
//! ```compile_fail,E0277
//! use acedia::{Object, class};
//! #[derive(Default)]
//! struct Counter(std::cell::Cell<u64>);
//! impl Object for Counter { class!(Counter, "Refused.Counter"); }
//! ```
//! ```compile_fail,E0277
//! use acedia::{Object, class};
//! #[derive(Default)]
//! struct Holder(Option<std::sync::MutexGuard<'static, u64>>);
//! impl Object for Holder { class!(Holder, "Refused.Holder"); }
//! ```
//!
//! # Types of pools
//!
//! A pool is invariant in its type. A covariant pool would take a function that keeps its `&'static str`, and return it as a
//! function of any `&str`. A guard only reads, so it is covariant:
//! ```
//! type Any = Option<for<'a> fn(&'a str)>;
//! type Keeping = Option<fn(&'static str)>;
//! fn stands_in(any: Any) -> Keeping { any }
//! use acedia::Guard;
//! fn only_read(guard: Guard<Any, ()>) -> Guard<Keeping, ()> { guard }
//! ```
//! ```compile_fail,E0308
//! type Any = Option<for<'a> fn(&'a str)>;
//! type Keeping = Option<fn(&'static str)>;
//! use acedia::Pool;
//! fn pool(pool: &Pool<Any>) -> &Pool<Keeping> { pool }
//! ```
//! ```compile_fail,E0308
//! type Any = Option<for<'a> fn(&'a str)>;
//! type Keeping = Option<fn(&'static str)>;
//! use acedia::{Owned, Pool};
//! fn owner(owner: Owned<Any, &'static Pool<Any>>) -> Owned<Keeping, &'static Pool<Keeping>> { owner }
//! ```
//! ```compile_fail,E0308
//! type Any = Option<for<'a> fn(&'a str)>;
//! type Keeping = Option<fn(&'static str)>;
//! use acedia::{Pool, Reserved};
//! fn reserved(reserved: Reserved<Any, &'static Pool<Any>>) -> Reserved<Keeping, &'static Pool<Keeping>> { reserved }
//! ```
//! A pool is invariant in its hooks, too:
//! ```compile_fail,E0308
//! struct Of<F>(F);
//! impl<F: 'static> acedia::pool::Hooks<u64> for Of<F> { type Readers = acedia::pool::Global; fn make() -> u64 { 0 } }
//! use acedia::Pool;
//! fn pool(pool: &Pool<u64, Of<for<'a> fn(&'a str)>>) -> &Pool<u64, Of<fn(&'static str)>> { pool }
//! ```
//! An owner is invariant in its class, too:
//! ```compile_fail,E0308
//! use acedia::{Family, Object, Owned, class};
//! #[derive(Default)]
//! struct Of<F>(Option<F>);
//! impl<F: Send + Sync + 'static> Object for Of<F> where Self: Family { class!(family); }
//! type Any = Of<for<'a> fn(&'a str)>;
//! type Keeping = Of<fn(&'static str)>;
//! fn owned(owned: Owned<Any>) -> Owned<Keeping> where Any: Family, Keeping: Family { owned }
//! ```
//!
//! A class has one pool, in which its handles resolve. A second pool does not compile:
//! ```compile_fail,E0080
//! use acedia::pool::OfClass;
//! use acedia::{Object, Pool, class};
//! #[derive(Default)]
//! struct Lamp;
//! impl Object for Lamp { class!(Lamp, "Refused.SecondLamp"); }
//! let pool: Pool<Lamp, OfClass> = Pool::with_hooks();
//! ```
//!
//! # Sending and sharing
//!
//! Every type has the bounds, not only the functions that return it.
//!
//! ```
//! fn crosses<T: Send + Sync>() {}
//! crosses::<acedia::Pool<u64>>();
//! // Hooks for any type, used below so that only the payload is at fault.
//! struct Any;
//! impl<T> acedia::pool::Hooks<T> for Any { type Readers = acedia::pool::Global; fn make() -> T { unreachable!() } }
//! crosses::<acedia::Pool<u64, Any>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Pool<std::rc::Rc<u64>>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Pool<std::cell::Cell<u64>>>();
//! ```
//! ```compile_fail,E0277
//! struct Any;
//! impl<T> acedia::pool::Hooks<T> for Any { type Readers = acedia::pool::Global; fn make() -> T { unreachable!() } }
//! fn sends<T: Send>() {}
//! sends::<acedia::Pool<std::sync::MutexGuard<'static, u64>, Any>>();
//! ```
//! ```
//! fn crosses<T: Send + Sync>() {}
//! crosses::<acedia::Owned<u64, &'static acedia::Pool<u64>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Owned<std::rc::Rc<u64>, &'static acedia::Pool<std::rc::Rc<u64>>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Owned<std::cell::Cell<u64>, &'static acedia::Pool<std::cell::Cell<u64>>>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Owned<std::cell::Cell<u64>, &'static acedia::Pool<std::cell::Cell<u64>>>>();
//! ```
//! A shared owner can be cloned, and the clone can be dropped on another thread:
//! ```compile_fail,E0277
//! struct Any;
//! impl<T> acedia::pool::Hooks<T> for Any { type Readers = acedia::pool::Global; fn make() -> T { unreachable!() } }
//! fn shares<T: Sync>() {}
//! shares::<acedia::Owned<std::sync::MutexGuard<'static, u64>, &'static acedia::Pool<std::sync::MutexGuard<'static, u64>, Any>>>();
//! ```
//! ```
//! fn crosses<T: Send + Sync>() {}
//! crosses::<acedia::Guard<u64, ()>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::rc::Rc<u64>, ()>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::cell::Cell<u64>, ()>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Guard<std::cell::Cell<u64>, ()>>();
//! ```
//! The last guard may drop the object:
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::sync::MutexGuard<'static, u64>, ()>>();
//! ```
//! ```
//! fn crosses<T: Send + Sync>() {}
//! crosses::<acedia::Guard<u64, std::sync::Arc<acedia::Pool<u64>>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::rc::Rc<u64>, std::sync::Arc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::cell::Cell<u64>, std::sync::Arc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Guard<std::cell::Cell<u64>, std::sync::Arc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<std::sync::MutexGuard<'static, u64>, std::sync::Arc<()>>>();
//! ```
//! The holder must be `Send`, too:
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Guard<u64, std::sync::Arc<std::rc::Rc<u64>>>>();
//! ```
//! The pool of an owned guard comes from its holder, which contains the pool or refers to a `'static` one:
//! ```
//! use acedia::{Guard, Handle, Pool};
//! use std::sync::Arc;
//! fn guard(holder: &Arc<(Pool<u64>, u8)>, key: Handle<u64>) -> Option<Guard<u64, Arc<(Pool<u64>, u8)>>> {
//!     Guard::holding(holder, |holder| &holder.0, key)
//! }
//! static POOL: Pool<u64> = Pool::new();
//! let key = POOL.allocate().into_manual();
//! let guard = Guard::holding(&Arc::new(&POOL), |pool| *pool, key);
//! ```
//! ```compile_fail
//! use acedia::{Guard, Handle, Pool};
//! use std::sync::Arc;
//! fn guard(holder: &Arc<u8>, pool: &Pool<u64>, key: Handle<u64>) -> Option<Guard<u64, Arc<u8>>> {
//!     Guard::holding(holder, |_| pool, key)
//! }
//! ```
//! ```compile_fail,E0597
//! use acedia::{Guard, Pool};
//! use std::sync::Arc;
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().into_manual();
//! let guard = Guard::holding(&Arc::new(&pool), |pool| *pool, key);
//! ```
//! ```compile_fail
//! use acedia::{Guard, Handle, Pool};
//! use std::sync::{Arc, Mutex};
//! fn guard(holder: &Arc<Mutex<Pool<u64>>>, key: Handle<u64>) -> Option<Guard<u64, Arc<Mutex<Pool<u64>>>>> {
//!     Guard::holding(holder, |pool| &pool.lock().unwrap(), key)
//! }
//! ```
//! ```
//! fn crosses<T: Send + Sync>() {}
//! crosses::<acedia::Reserved<u64, &'static acedia::Pool<u64>>>();
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Reserved<std::rc::Rc<u64>, &'static acedia::Pool<std::rc::Rc<u64>>>>();
//! ```
//! ```compile_fail,E0277
//! struct Any;
//! impl<T> acedia::pool::Hooks<T> for Any { type Readers = acedia::pool::Global; fn make() -> T { unreachable!() } }
//! fn sends<T: Send>() {}
//! sends::<acedia::Reserved<std::sync::MutexGuard<'static, u64>, &'static acedia::Pool<std::sync::MutexGuard<'static, u64>, Any>>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Reserved<std::cell::Cell<u64>, &'static acedia::Pool<std::cell::Cell<u64>>>>();
//! ```
//! ```compile_fail,E0277
//! struct Any;
//! impl<T> acedia::pool::Hooks<T> for Any { type Readers = acedia::pool::Global; fn make() -> T { unreachable!() } }
//! fn shares<T: Sync>() {}
//! shares::<acedia::Reserved<std::sync::MutexGuard<'static, u64>, &'static acedia::Pool<std::sync::MutexGuard<'static, u64>, Any>>>();
//! ```
//! Owners, guards, handles and reservations of classes need no bounds: the trait `Object` has them. A reference to an object of
//! a class does not outlive its pin, as in any pool:
//! ```compile_fail,E0716
//! use acedia::{Object, class, pin};
//! #[derive(Default)]
//! struct Lamp;
//! impl Object for Lamp { class!(Lamp, "Refused.Lamp"); }
//! let handle = Lamp::allocate().handle();
//! let lamp = handle.get(&pin());
//! assert!(lamp.is_none());
//! ```
//!
//! # Pins
//!
//! A pin stays on its thread.
//!
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::Pinned>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::Pinned>();
//! ```
//! It cannot be made by hand or copied:
//! ```compile_fail
//! let pinned = acedia::Pinned {};
//! ```
//! ```compile_fail,E0599
//! let pinned = acedia::pin().clone();
//! ```
//! A reader and its iterator over many keys stay on their thread, and do not outlive the pin:
//! ```
//! use acedia::{Pool, pin};
//! let (pool, pinned): (Pool<u64>, _) = (Pool::new(), pin());
//! let reader = pool.reader(&pinned);
//! let _again = (reader, reader);
//! drop(pinned);
//! ```
//! ```compile_fail,E0277
//! fn sends<T: Send>() {}
//! sends::<acedia::pool::Reader<'static, u64>>();
//! ```
//! ```compile_fail,E0277
//! fn shares<T: Sync>() {}
//! shares::<acedia::pool::Reader<'static, u64>>();
//! ```
//! ```compile_fail,E0277
//! fn sends(_: impl Send) {}
//! sends(acedia::Pool::<u64>::new().reader(&acedia::pin()).get_many(&[]));
//! ```
//! ```compile_fail,E0277
//! fn shares(_: impl Sync) {}
//! shares(acedia::Pool::<u64>::new().reader(&acedia::pin()).get_many(&[]));
//! ```
//! ```compile_fail,E0505
//! use acedia::{Pool, pin};
//! let (pool, pinned): (Pool<u64>, _) = (Pool::new(), pin());
//! let reader = pool.reader(&pinned);
//! drop(pinned);
//! let _again = (reader, reader);
//! ```
//! ```compile_fail,E0505
//! use acedia::{Pool, pin};
//! let (pool, pinned): (Pool<u64>, _) = (Pool::new(), pin());
//! let object = pool.reader(&pinned).get(pool.allocate().handle());
//! drop(pinned);
//! assert_eq!(object, None);
//! ```
//! ```
//! use acedia::{Pool, pin};
//! let (pool, pinned): (Pool<u64>, _) = (Pool::new(), pin());
//! let keys = [pool.allocate().handle()];
//! let objects = pool.reader(&pinned).get_many(&keys);
//! assert_eq!(objects.flatten().count(), 0);
//! drop((keys, pinned));
//! ```
//! ```compile_fail,E0505
//! use acedia::{Pool, pin};
//! let (pool, pinned): (Pool<u64>, _) = (Pool::new(), pin());
//! let keys = [pool.allocate().handle()];
//! let objects = pool.reader(&pinned).get_many(&keys);
//! drop(pinned);
//! assert_eq!(objects.flatten().count(), 0);
//! ```
//!
//! # Domains
//!
//! ```
//! use acedia::pool::{Domain, GuardsOnly, Plain, Pool};
//! # use acedia::{Object, class};
//! # acedia::domain! { Audio }
//! # #[derive(Default)]
//! # struct Voice;
//! # impl Object for Voice { class!(Voice, "Refused.Voice", readers = Audio); }
//! # #[derive(Default)]
//! # struct Session;
//! # impl Object for Session { class!(Session, "Refused.Session", readers = GuardsOnly); }
//! assert!(Voice::allocate().handle().get(&Audio::pin()).is_some());
//! assert!(Session::allocate().handle().guard().is_some());
//! let sessions: Pool<u64, Plain<GuardsOnly>> = Pool::with_hooks();
//! assert!(sessions.guard(sessions.allocate().handle()).is_some());
//! ```
//! No exported macro takes records of the program, which could change at each call:
//! ```compile_fail
//! use acedia::__private::{Participant, Pins};
//! struct Changing;
//! impl std::ops::Deref for Changing {
//!     type Target = Pins;
//!     fn deref(&self) -> &Pins { Box::leak(Box::new(Pins::new())) }
//! }
//! enum Mine {}
//! static PINS: Changing = Changing;
//! thread_local! { static THREAD: Participant = const { Participant::new() }; }
//! acedia::__readers!(Mine, by_pin: true);
//! ```
//! A pin of another domain:
//! ```compile_fail,E0308
//! use acedia::pool::{GuardsOnly, pin};
//! # use acedia::{Object, class};
//! # acedia::domain! { Audio }
//! # #[derive(Default)]
//! # struct Voice;
//! # impl Object for Voice { class!(Voice, "Refused.Voice", readers = Audio); }
//! # #[derive(Default)]
//! # struct Session;
//! # impl Object for Session { class!(Session, "Refused.Session", readers = GuardsOnly); }
//! let _ = Voice::allocate().handle().get(&pin());
//! ```
//! Reads under a pin of objects that are read by guards only:
//! ```compile_fail,E0277
//! use acedia::pool::{GuardsOnly, pin};
//! # use acedia::{Object, class};
//! # acedia::domain! { Audio }
//! # #[derive(Default)]
//! # struct Voice;
//! # impl Object for Voice { class!(Voice, "Refused.Voice", readers = Audio); }
//! # #[derive(Default)]
//! # struct Session;
//! # impl Object for Session { class!(Session, "Refused.Session", readers = GuardsOnly); }
//! let _ = Session::allocate().handle().get(&pin());
//! ```
//! ```compile_fail,E0277
//! use acedia::pool::{GuardsOnly, Plain};
//! use acedia::{Pool, pin};
//! let sessions: Pool<u64, Plain<GuardsOnly>> = Pool::with_hooks();
//! let _ = sessions.reader(&pin());
//! ```
//! ```compile_fail,E0277
//! use acedia::pool::{GuardsOnly, Plain};
//! use acedia::{Pool, pin};
//! let sessions: Pool<u64, Plain<GuardsOnly>> = Pool::with_hooks();
//! let _ = sessions.iter(&pin());
//! ```
//! Nor is there a pin for them:
//! ```compile_fail,E0599
//! use acedia::pool::{Domain, GuardsOnly};
//! let _ = GuardsOnly::pin();
//! ```
//!
//! # References
//!
//! A reference read under a pin does not outlive the pin.
//!
//! ```
//! use acedia::{Pool, pin};
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().handle();
//! let pinned = pin();
//! let object = pool.get(key, &pinned);
//! assert_eq!(object, None);
//! drop(pinned);
//! ```
//! ```compile_fail,E0505
//! use acedia::{Pool, pin};
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().handle();
//! let pinned = pin();
//! let object = pool.get(key, &pinned);
//! drop(pinned);
//! assert_eq!(object, None);
//! ```
//! ```compile_fail,E0716
//! use acedia::{Pool, pin};
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().handle();
//! let object = pool.get(key, &pin());
//! assert_eq!(object, None);
//! ```
//! Nor does it outlive the pool:
//! ```compile_fail,E0505
//! use acedia::{Pool, pin};
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().handle();
//! let pinned = pin();
//! let object = pool.get(key, &pinned);
//! drop(pool);
//! assert_eq!(object, None);
//! ```
//! And it does not go to a thread that may outlive both:
//! ```compile_fail,E0597
//! use acedia::{Pool, pin};
//! static POOL: Pool<u64> = Pool::new();
//! let key = POOL.allocate().handle();
//! let pinned = pin();
//! let object = POOL.get(key, &pinned);
//! std::thread::spawn(move || assert_eq!(object, None));
//! ```
//! Owners, guards and reservations end before their pool:
//! ```compile_fail,E0505
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let owner = pool.allocate();
//! drop(pool);
//! drop(owner);
//! ```
//! ```compile_fail,E0505
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let key = pool.allocate().handle();
//! let guard = pool.guard(key);
//! drop(pool);
//! drop(guard);
//! ```
//! ```compile_fail,E0505
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let reserved = pool.reserve();
//! drop(pool);
//! drop(reserved);
//! ```
//! The same without `drop`, at the end of a scope:
//! ```
//! use acedia::{Guard, Owned, Pool, Reserved};
//! let pool: Pool<u64> = Pool::new();
//! let (mut owner, mut guard, mut reserved): (Option<Owned<u64, &Pool<u64>>>, Option<Guard<u64, &Pool<u64>>>, Option<Reserved<u64, &Pool<u64>>>) = Default::default();
//! reserved = Some(pool.reserve());
//! owner = Some(pool.allocate());
//! guard = pool.guard(owner.as_ref().unwrap().handle());
//! ```
//! ```compile_fail,E0597
//! use acedia::{Owned, Pool};
//! let mut owner: Option<Owned<u64, &Pool<u64>>> = None;
//! let pool: Pool<u64> = Pool::new();
//! owner = Some(pool.allocate());
//! ```
//! ```compile_fail,E0597
//! use acedia::{Guard, Pool};
//! let mut guard: Option<Guard<u64, &Pool<u64>>> = None;
//! let pool: Pool<u64> = Pool::new();
//! guard = pool.guard(pool.allocate().into_manual());
//! ```
//! ```compile_fail,E0597
//! use acedia::{Pool, Reserved};
//! let mut reserved: Option<Reserved<u64, &Pool<u64>>> = None;
//! let pool: Pool<u64> = Pool::new();
//! reserved = Some(pool.reserve());
//! ```
//! A reference from an owner or a guard does not outlive it:
//! ```compile_fail,E0505
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let owner = pool.allocate();
//! let object: &u64 = &owner;
//! drop(owner);
//! assert_eq!(*object, 0);
//! ```
//! ```compile_fail,E0505
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let owner = pool.allocate();
//! let guard = pool.guard(owner.handle()).unwrap();
//! let object: &u64 = &guard;
//! drop(guard);
//! assert_eq!(*object, 0);
//! ```
//! An owner cannot be dereferenced mutably:
//! ```compile_fail,E0594
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let mut owner = pool.allocate();
//! *owner = 5;
//! ```
//! And an exclusive borrow stays inside the closure:
//! ```compile_fail
//! use acedia::Pool;
//! let pool: Pool<u64> = Pool::new();
//! let mut owner = pool.allocate();
//! let escaped: Option<&mut u64> = owner.exclusive(|object| object);
//! ```
//!
//! # Values
//!
//! A pool of values makes no object without a value.
//! ```
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.insert("one".to_owned());
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.allocate();
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.allocate_with(|_| ());
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.try_allocate();
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.try_allocate_with(|_| ());
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.try_allocate_fresh();
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owners: Vec<_> = pool.allocate_many(2).collect();
//! ```
//! ```compile_fail,E0277
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.allocate_with_handle(|_, _| ());
//! ```
//! ```compile_fail,E0080
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = Pool::allocate(&pool);
//! ```
//! ```compile_fail,E0080
//! use acedia::{Pool, Values};
//! let pool: Values<String> = Values::new();
//! let owner = pool.reserve().fill(|_| ());
//! ```
//! `END`, which a program can call, does not drop a value in place:
//! ```
//! use acedia::pool::{Dropping, Hooks};
//! assert!(<Dropping as Hooks<String>>::END.is_none());
//! ```
