//! The face of generational-box over a class, in safe code. A box is a manual object, a reference is an object that owns the one it
//! refers to, and a counted value is an object whose owners are its references.
#![forbid(unsafe_code)]

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use acedia::{Guard, Handle, Object, Owned, class};

type Place = &'static Location<'static>;
type Shared = Arc<dyn Any + Send + Sync>;

#[derive(Default)]
enum Content {
    #[default]
    Nothing,
    /// `None` while it is changed.
    Value(Option<Shared>),
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
    class!(Cell, "GenerationalBox.Cell");
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

pub trait AnyStorage: Sized + 'static {
    type Ref<'a, T: ?Sized + 'a>: Deref<Target = T>;
    type Mut<'a, T: ?Sized + 'a>: DerefMut<Target = T>;

    fn owner() -> Owner<Self> {
        Owner {
            owned: Arc::default(),
            storage: PhantomData,
        }
    }
}

pub trait Storage<T>: AnyStorage {
    fn try_read(place: GenerationalBox<T, Self>, reader: Place) -> Result<Self::Ref<'static, T>, BorrowError>;
    fn try_write(place: GenerationalBox<T, Self>, writer: Place) -> Result<Self::Mut<'static, T>, BorrowMutError>;
    fn share(value: T) -> Shared;
}

macro_rules! storages {
    ($($name:ident $waits:literal),*) => {$(
        #[derive(Default)]
        pub struct $name;

        impl AnyStorage for $name {
            type Ref<'a, T: ?Sized + 'a> = GenerationalRef<T>;
            type Mut<'a, T: ?Sized + 'a> = GenerationalRefMut<T>;
        }

        impl<T: Send + Sync + 'static> Storage<T> for $name {
            fn try_read(place: GenerationalBox<T, Self>, reader: Place) -> Result<GenerationalRef<T>, BorrowError> {
                read(place, reader, $waits)
            }
            fn try_write(place: GenerationalBox<T, Self>, writer: Place) -> Result<GenerationalRefMut<T>, BorrowMutError> {
                write(place, writer, $waits)
            }
            fn share(value: T) -> Shared {
                Arc::new(value)
            }
        }
    )*};
}

storages!(UnsyncStorage false, SyncStorage true);

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

    fn dropped(self) -> ValueDroppedError {
        ValueDroppedError(self.created_at)
    }

    /// The object with the value, if it is alive. The guard keeps it while it is read.
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

impl<T, S: Storage<T>> GenerationalBox<T, S> {
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

    /// Owns the value of `other`, and no longer the one of before.
    pub fn point_to(&self, other: Self) -> Result<(), BorrowError> {
        let of_other = other.handle.guard().and_then(|own| other.referred(&own));
        let of_other = of_other.ok_or(BorrowError::Dropped(other.dropped()))?;
        let own = self.handle.guard().ok_or(BorrowError::Dropped(self.dropped()))?;
        let before = std::mem::replace(&mut own.state().content, Content::Reference(of_other));
        drop(before);
        Ok(())
    }
}

fn read<T: Send + Sync + 'static, S>(
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
    let Content::Value(Some(value)) = &state.content else {
        return Err(BorrowError::Dropped(place.dropped()));
    };
    let value = Arc::clone(value);
    state.readers.push(reader);
    drop(state);
    Ok(GenerationalRef {
        value: Some(value),
        cell,
        reader,
        type_: |value| value.downcast_ref().expect("a box of this type"),
    })
}

fn write<T: Send + Sync + 'static, S>(
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
    let Content::Value(value) = &mut state.content else {
        return Err(BorrowMutError::Dropped(place.dropped()));
    };
    let value = value.take();
    state.writer = Some(writer);
    drop(state);
    Ok(GenerationalRefMut {
        value,
        cell,
        types: (
            |value| value.downcast_ref().expect("a box of this type"),
            |value| value.downcast_mut().expect("a box of this type"),
        ),
    })
}

/// A reader shares the value by an `Arc`, so `map` to a part of it is absent.
pub struct GenerationalRef<T: ?Sized> {
    value: Option<Shared>,
    cell: Guard<Cell>,
    reader: Place,
    type_: fn(&(dyn Any + Send + Sync)) -> &T,
}

impl<T: ?Sized> Deref for GenerationalRef<T> {
    type Target = T;
    fn deref(&self) -> &T {
        (self.type_)(&**self.value.as_ref().expect("until it is dropped"))
    }
}

impl<T: ?Sized> Drop for GenerationalRef<T> {
    fn drop(&mut self) {
        let mut state = self.cell.state();
        // While the state is locked, so that a writer finds no other `Arc`.
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
    value: Option<Shared>,
    cell: Guard<Cell>,
    #[allow(clippy::type_complexity)]
    types: (
        fn(&(dyn Any + Send + Sync)) -> &T,
        fn(&mut (dyn Any + Send + Sync)) -> &mut T,
    ),
}

impl<T: ?Sized> Deref for GenerationalRefMut<T> {
    type Target = T;
    fn deref(&self) -> &T {
        (self.types.0)(&**self.value.as_ref().expect("until it is dropped"))
    }
}

impl<T: ?Sized> DerefMut for GenerationalRefMut<T> {
    fn deref_mut(&mut self) -> &mut T {
        let value = self.value.as_mut().expect("until it is dropped");
        (self.types.1)(Arc::get_mut(value).expect("no reader has it"))
    }
}

impl<T: ?Sized> Drop for GenerationalRefMut<T> {
    fn drop(&mut self) {
        let mut state = self.cell.state();
        state.writer = None;
        state.content = Content::Value(self.value.take());
        drop(state);
        self.cell.changed.notify_all();
    }
}

#[derive(Default)]
struct Boxes(Mutex<Vec<Handle<Cell>>>);

impl Drop for Boxes {
    fn drop(&mut self) {
        for handle in self.0.get_mut().expect("no panic").drain(..) {
            // One that was freed before is stale.
            let _ = handle.free();
        }
    }
}

pub struct Owner<S = UnsyncStorage> {
    owned: Arc<Boxes>,
    storage: PhantomData<fn() -> S>,
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
        self.add(Content::Value(Some(S::share(value))), Location::caller())
    }

    #[track_caller]
    pub fn insert_rc<T>(&self, value: T) -> GenerationalBox<T, S>
    where
        S: Storage<T>,
    {
        let counted = Cell::with(Content::Value(Some(S::share(value))));
        self.add(Content::Reference(counted), Location::caller())
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
