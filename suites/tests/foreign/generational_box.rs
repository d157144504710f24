//! The interface of generational-box over a class, in safe code. A box is a manual object, a reference an object that owns the
//! one it refers to, and a counted value is an object whose owners are its references.
#![forbid(unsafe_code)]

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use acedia::pool::GuardsOnly;
use acedia::{Guard, Handle, Object, Owned, class};

type Place = &'static Location<'static>;

/// A value as a borrower holds it.
pub enum Value {
    Shared(Arc<dyn Any + Send + Sync>),
    Local(Rc<dyn Any>),
}

/// A value as an object stores it. Objects belong to all threads, so a value of one thread is in a table of that thread.
pub enum Stored {
    Shared(Arc<dyn Any + Send + Sync>),
    Local(Local),
}

/// The number of a value in its thread's table. If it is dropped on another thread, the value stays until its thread ends.
pub struct Local(u64);

thread_local! {
    static LOCALS: RefCell<HashMap<u64, Rc<dyn Any>>> = RefCell::default();
}

impl Drop for Local {
    fn drop(&mut self) {
        // The value is dropped after the table is released.
        let _value = LOCALS.try_with(|locals| locals.borrow_mut().remove(&self.0));
    }
}

impl Value {
    fn store(self) -> Stored {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        match self {
            Self::Shared(value) => Stored::Shared(value),
            Self::Local(value) => {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                LOCALS.with(|locals| locals.borrow_mut().insert(number, value));
                Stored::Local(Local(number))
            }
        }
    }

    fn get(&self) -> &dyn Any {
        match self {
            Self::Shared(value) => &**value,
            Self::Local(value) => &**value,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Any {
        match self {
            Self::Shared(value) => Arc::get_mut(value).expect("no reader has it"),
            Self::Local(value) => Rc::get_mut(value).expect("no reader has it"),
        }
    }
}

impl Stored {
    /// `None` if the value belongs to another thread.
    fn borrow(&self) -> Option<Value> {
        match self {
            Self::Shared(value) => Some(Value::Shared(Arc::clone(value))),
            Self::Local(Local(number)) => {
                let value = LOCALS.with(|locals| locals.borrow().get(number).cloned());
                value.map(Value::Local)
            }
        }
    }
}

#[derive(Default)]
enum Content {
    #[default]
    Nothing,
    /// `None` while it is changed.
    Value(Option<Stored>),
    Reference(Owned<Cell>),
}

#[derive(Default)]
struct State {
    content: Content,
    readers: Vec<Place>,
    writer: Option<Place>,
}

/// One for all types, as in the library. `Unsync` and `Sync` differ only in whether a conflict is an error or waits.
#[derive(Default)]
struct Cell {
    state: Mutex<State>,
    changed: Condvar,
}

impl Object for Cell {
    // A finalizer that a pin delays could run on the wrong thread for its value.
    class!(Cell, "GenerationalBox.Cell", readers = GuardsOnly);
    const FINALIZER: Option<fn(&mut Self)> = Some(|cell| {
        *cell.state.get_mut().expect("no panic") = State::default();
    });
}

impl Cell {
    fn with(content: Content) -> Owned<Self> {
        Self::allocate_with(|cell| cell.state.get_mut().expect("no panic").content = content)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum BorrowError {
    Dropped(ValueDroppedError),
    AlreadyBorrowedMut(AlreadyBorrowedMutError),
}

#[derive(Clone, Debug, PartialEq)]
pub enum BorrowMutError {
    Dropped(ValueDroppedError),
    AlreadyBorrowed(AlreadyBorrowedError),
    AlreadyBorrowedMut(AlreadyBorrowedMutError),
}

macro_rules! errors {
    ($($name:ident($place:ty)),*) => {$(
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name($place);

        impl $name {
            pub fn new(place: $place) -> Self {
                Self(place)
            }
        }
    )*};
}

errors!(
    ValueDroppedError(Place),
    AlreadyBorrowedMutError(Place),
    AlreadyBorrowedError(Vec<Place>)
);

pub trait AnyStorage: Default + 'static {
    type Ref<'a, T: ?Sized + 'a>: Deref<Target = T>;
    type Mut<'a, T: ?Sized + 'a>: DerefMut<Target = T>;

    fn owner() -> Owner<Self> {
        Owner::default()
    }
}

pub trait Storage<T>: AnyStorage {
    fn try_read(place: GenerationalBox<T, Self>, reader: Place) -> Result<Self::Ref<'static, T>, BorrowError>;
    fn try_write(place: GenerationalBox<T, Self>, writer: Place) -> Result<Self::Mut<'static, T>, BorrowMutError>;
    fn store(value: T) -> Stored;
}

macro_rules! storages {
    ($($name:ident $waits:literal $kind:ident $pointer:ident $($bound:ident)*),*) => {$(
        #[derive(Default)]
        pub struct $name;

        impl AnyStorage for $name {
            type Ref<'a, T: ?Sized + 'a> = GenerationalRef<T>;
            type Mut<'a, T: ?Sized + 'a> = GenerationalRefMut<T>;
        }

        impl<T: $($bound +)* 'static> Storage<T> for $name {
            fn try_read(place: GenerationalBox<T, Self>, reader: Place) -> Result<GenerationalRef<T>, BorrowError> {
                read(place, reader, $waits)
            }
            fn try_write(place: GenerationalBox<T, Self>, writer: Place) -> Result<GenerationalRefMut<T>, BorrowMutError> {
                write(place, writer, $waits)
            }
            fn store(value: T) -> Stored {
                Value::$kind($pointer::new(value)).store()
            }
        }
    )*};
}

storages!(UnsyncStorage false Local Rc, SyncStorage true Shared Arc Send Sync);

pub struct GenerationalBox<T, S = UnsyncStorage> {
    handle: Handle<Cell>,
    created_at: Place,
    types: PhantomData<fn() -> (T, S)>,
}

impl<T, S> Clone for GenerationalBox<T, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, S> Copy for GenerationalBox<T, S> {}

impl<T, S> fmt::Debug for GenerationalBox<T, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.fmt(formatter)
    }
}

impl<T, S> GenerationalBox<T, S> {
    fn new(content: Content, created_at: Place) -> Self {
        Self {
            handle: Cell::with(content).into_manual(),
            created_at,
            types: PhantomData,
        }
    }

    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.handle == other.handle
    }

    fn dropped(self) -> ValueDroppedError {
        ValueDroppedError(self.created_at)
    }

    /// The object with the value, if it is alive. The guard keeps it alive.
    fn resolve(self) -> Option<Guard<Cell>> {
        let own = self.handle.guard()?;
        match self.referred(&own) {
            Some(owned) => owned.handle().guard(),
            None => Some(own),
        }
    }

    fn referred(self, own: &Cell) -> Option<Owned<Cell>> {
        match &own.state().content {
            Content::Reference(owned) => Some(owned.clone()),
            _ => None,
        }
    }
}

/// A reference to an object of its own.
fn counted(value: Stored) -> Content {
    Content::Reference(Cell::with(Content::Value(Some(value))))
}

impl<T, S: Storage<T>> GenerationalBox<T, S> {
    pub fn leak_rc(value: T, created_at: Place) -> Self {
        Self::new(counted(S::store(value)), created_at)
    }

    pub fn id(&self) -> u64 {
        self.handle.to_bits()
    }

    #[track_caller]
    pub fn set(&self, value: T)
    where
        T: 'static,
    {
        *self.write() = value;
    }

    pub fn raw_ptr(&self) -> *const () {
        let guard = self.handle.guard().expect("it is alive");
        std::ptr::from_ref::<Cell>(&guard).cast()
    }

    #[track_caller]
    pub fn try_read(&self) -> Result<S::Ref<'static, T>, BorrowError> {
        S::try_read(*self, Location::caller())
    }

    #[track_caller]
    pub fn read(&self) -> S::Ref<'static, T> {
        self.try_read().unwrap()
    }

    #[track_caller]
    pub fn try_write(&self) -> Result<S::Mut<'static, T>, BorrowMutError> {
        S::try_write(*self, Location::caller())
    }

    #[track_caller]
    pub fn write(&self) -> S::Mut<'static, T> {
        self.try_write().unwrap()
    }

    /// Refers to the value of `other` from now on.
    pub fn point_to(&self, other: Self) -> Result<(), BorrowError> {
        let of_other = other.handle.guard().and_then(|own| other.referred(&own));
        let of_other = of_other.ok_or(BorrowError::Dropped(other.dropped()))?;
        let own = self.handle.guard().ok_or(BorrowError::Dropped(self.dropped()))?;
        let before = std::mem::replace(&mut own.state().content, Content::Reference(of_other));
        drop(before);
        Ok(())
    }
}

fn read<T: 'static, S>(
    place: GenerationalBox<T, S>,
    reader: Place,
    waits: bool,
) -> Result<GenerationalRef<T>, BorrowError> {
    let cell = place.resolve().ok_or(BorrowError::Dropped(place.dropped()))?;
    let mut state = cell.state();
    while let Some(writer) = state.writer {
        if !waits {
            return Err(BorrowError::AlreadyBorrowedMut(AlreadyBorrowedMutError(writer)));
        }
        state = cell.changed.wait(state).expect("no panic");
    }
    let value = match &state.content {
        Content::Value(Some(value)) => value.borrow(),
        _ => None,
    };
    let value = value.ok_or(BorrowError::Dropped(place.dropped()))?;
    state.readers.push(reader);
    drop(state);
    Ok(GenerationalRef {
        value: Some(value),
        cell,
        reader,
        type_: |value| value.get().downcast_ref().expect("a box of this type"),
    })
}

fn write<T: 'static, S>(
    place: GenerationalBox<T, S>,
    writer: Place,
    waits: bool,
) -> Result<GenerationalRefMut<T>, BorrowMutError> {
    let cell = place.resolve().ok_or(BorrowMutError::Dropped(place.dropped()))?;
    let mut state = cell.state();
    loop {
        let error = match state.writer {
            Some(writer) => BorrowMutError::AlreadyBorrowedMut(AlreadyBorrowedMutError(writer)),
            None if !state.readers.is_empty() => {
                BorrowMutError::AlreadyBorrowed(AlreadyBorrowedError(state.readers.clone()))
            }
            None => break,
        };
        if !waits {
            return Err(error);
        }
        state = cell.changed.wait(state).expect("no panic");
    }
    let Content::Value(stored) = &mut state.content else {
        return Err(BorrowMutError::Dropped(place.dropped()));
    };
    let value = stored.as_ref().and_then(Stored::borrow);
    let value = value.ok_or(BorrowMutError::Dropped(place.dropped()))?;
    drop(stored.take());
    state.writer = Some(writer);
    drop(state);
    Ok(GenerationalRefMut {
        value: Some(value),
        cell,
        types: (
            |value| value.get().downcast_ref().expect("a box of this type"),
            |value| value.get_mut().downcast_mut().expect("a box of this type"),
        ),
    })
}

/// A reader shares the value by a counted pointer, so `map` to a part of it is absent.
pub struct GenerationalRef<T: ?Sized> {
    value: Option<Value>,
    cell: Guard<Cell>,
    reader: Place,
    type_: fn(&Value) -> &T,
}

impl<T: ?Sized> Deref for GenerationalRef<T> {
    type Target = T;
    fn deref(&self) -> &T {
        (self.type_)(self.value.as_ref().expect("until it is dropped"))
    }
}

impl<T: ?Sized> Drop for GenerationalRef<T> {
    fn drop(&mut self) {
        let mut state = self.cell.state();
        // While the state is locked, so that a writer finds no other pointer.
        self.value = None;
        let nth = state.readers.iter().position(|reader| *reader == self.reader);
        state.readers.swap_remove(nth.expect("it was added"));
        drop(state);
        self.cell.changed.notify_all();
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for GenerationalRef<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// A writer takes the value out of its object and puts it back.
pub struct GenerationalRefMut<T: ?Sized> {
    value: Option<Value>,
    cell: Guard<Cell>,
    types: (fn(&Value) -> &T, fn(&mut Value) -> &mut T),
}

impl<T: ?Sized> Deref for GenerationalRefMut<T> {
    type Target = T;
    fn deref(&self) -> &T {
        (self.types.0)(self.value.as_ref().expect("until it is dropped"))
    }
}

impl<T: ?Sized> DerefMut for GenerationalRefMut<T> {
    fn deref_mut(&mut self) -> &mut T {
        (self.types.1)(self.value.as_mut().expect("until it is dropped"))
    }
}

impl<T: ?Sized> Drop for GenerationalRefMut<T> {
    fn drop(&mut self) {
        let mut state = self.cell.state();
        state.writer = None;
        state.content = Content::Value(self.value.take().map(Value::store));
        drop(state);
        self.cell.changed.notify_all();
    }
}

#[derive(Default)]
struct Boxes(Mutex<Vec<Handle<Cell>>>);

impl Drop for Boxes {
    fn drop(&mut self) {
        for handle in self.0.get_mut().expect("no panic").drain(..) {
            // A handle of a freed object is stale.
            let _ = handle.free();
        }
    }
}

pub struct Owner<S = UnsyncStorage> {
    owned: Arc<Boxes>,
    storage: PhantomData<fn() -> S>,
}

impl<S> Default for Owner<S> {
    fn default() -> Self {
        Self {
            owned: Arc::default(),
            storage: PhantomData,
        }
    }
}

impl<S> Clone for Owner<S> {
    fn clone(&self) -> Self {
        Self {
            owned: Arc::clone(&self.owned),
            storage: PhantomData,
        }
    }
}

impl<S: AnyStorage> Owner<S> {
    fn add<T>(&self, content: Content, created_at: Place) -> GenerationalBox<T, S> {
        let made = GenerationalBox::new(content, created_at);
        self.owned.0.lock().expect("no panic").push(made.handle);
        made
    }

    #[track_caller]
    pub fn insert<T>(&self, value: T) -> GenerationalBox<T, S>
    where
        S: Storage<T>,
    {
        self.add(Content::Value(Some(S::store(value))), Location::caller())
    }

    #[track_caller]
    pub fn insert_rc<T>(&self, value: T) -> GenerationalBox<T, S>
    where
        S: Storage<T>,
    {
        self.add(counted(S::store(value)), Location::caller())
    }

    #[track_caller]
    pub fn insert_reference<T>(&self, other: GenerationalBox<T, S>) -> Result<GenerationalBox<T, S>, BorrowError>
    where
        S: Storage<T>,
    {
        let own = other.handle.guard().ok_or(BorrowError::Dropped(other.dropped()))?;
        let counted = other.referred(&own).expect("a counted box, by `insert_rc`");
        Ok(self.add(Content::Reference(counted), other.created_at))
    }
}
