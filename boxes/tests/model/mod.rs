//! Operations on array refs, and the same on a `Vec` in the plainest way.
//!
//! The fuzz target `collections` includes this file, too.

use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};

use acedia::Object;
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, Vector};
use arbitrary::Arbitrary;

/// An array longer than this does not grow. One operation adds no more than this.
const MOST: usize = 5_000;

/// One step. Values are chosen by code, see [`Value`]; indices count from the start.
#[derive(Arbitrary, Clone, Debug)]
#[allow(missing_docs, reason = "named after what they call")]
pub enum Op {
    Set(Vec<u8>),
    Resize(u8),
    Clear,
    PushDefaults(u8),
    InsertDefaults(u8, u8),
    RemoveRange(Bound<u8>, Bound<u8>),
    GetOr(u8, u8),
    SetItem(u8, u8),
    Push(u8),
    Insert(u8, u8),
    Remove(u8),
    Extend(Vec<u8>),
    ExtendFromSlice(Vec<u8>),
    ExtendFromRef(bool),
    InsertSlice(u8, Vec<u8>),
    InsertRef(u8, bool),
    Find(u8),
    Replace(u8, u8),
    RemoveFirst(u8),
    RemoveAll(u8),
    Sort,
    SortDescending,
    Keep(u8),
    /// Adds many items: `first`, then each is the one before times 5 plus `step`.
    Many(u16, u8, u8),
    /// The other array takes this one's place.
    Swap,
    /// The array is freed and allocated again.
    Recycle,
}

/// The input of the fuzzer: the number of the primitive, and the steps.
pub type Input = (u8, Vec<Op>);

/// A primitive in the model.
pub trait Value: Primitive {
    /// One of a few values, edge cases among them.
    fn of_code(code: u8) -> Self;

    /// Equal to the last bit.
    fn identical(&self, other: &Self) -> bool;

    /// Equal by the rules of boxes.
    fn equal(&self, other: &Self) -> bool;

    /// The order of sorting.
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! exact_values {
    ($($type:ty: $of_code:expr;)+) => {$(
        impl Value for $type {
            fn of_code(code: u8) -> Self {
                $of_code(code)
            }

            fn identical(&self, other: &Self) -> bool {
                self == other
            }

            fn equal(&self, other: &Self) -> bool {
                self == other
            }

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        }
    )+};
}

exact_values! {
    bool: |code| code % 2 == 1;
    u8: |code| code;
    i32: |code| match code {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => -1,
        _ => i32::from(code) << (code % 4 * 6),
    };
    i64: |code| match code {
        0 => i64::MIN,
        1 => i64::MAX,
        2 => -1,
        _ => i64::from(code) << (code % 8 * 6),
    };
    String: |code: u8| char::from(code).to_string().repeat(usize::from(code % 4));
}

macro_rules! float_values {
    ($($type:ident)+) => {$(
        impl Value for $type {
            fn of_code(code: u8) -> Self {
                let awkward = [0.0, -0.0, $type::NAN, -$type::NAN, $type::INFINITY, $type::MIN, $type::MIN_POSITIVE];
                // A NaN with other bits than the others.
                let another_nan = $type::from_bits($type::NAN.to_bits() + 1);
                let more = [another_nan, -another_nan];
                let plain = ($type::from(code) - 100.0) / 4.0;
                awkward.iter().chain(&more).nth(code.into()).copied().unwrap_or(plain)
            }

            fn identical(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }

            fn equal(&self, other: &Self) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal) || (self.is_nan() && other.is_nan())
            }

            fn order(&self, other: &Self) -> Ordering {
                let by_zero = other.is_sign_negative().cmp(&self.is_sign_negative());
                match self.partial_cmp(other) {
                    Some(Ordering::Equal) if *self == 0.0 => by_zero,
                    Some(order) => order,
                    None => self.is_nan().cmp(&other.is_nan()),
                }
            }
        }
    )+};
}

float_values! { f32 f64 }

impl Value for Vector {
    fn of_code(code: u8) -> Self {
        Self::new(
            f32::of_code(code % 16),
            f32::of_code(code / 16),
            f32::of_code(code / 64 * 3),
        )
    }

    fn identical(&self, other: &Self) -> bool {
        self.x.identical(&other.x) && self.y.identical(&other.y) && self.z.identical(&other.z)
    }

    fn equal(&self, other: &Self) -> bool {
        self.x.equal(&other.x) && self.y.equal(&other.y) && self.z.equal(&other.z)
    }

    fn order(&self, other: &Self) -> Ordering {
        // As floats, but zeros are equal. If the components are equal, the next component decides.
        let order = |left: f32, right: f32| {
            if left.equal(&right) {
                Ordering::Equal
            } else {
                left.order(&right)
            }
        };
        let by_y = || order(self.y, other.y);
        order(self.x, other.x)
            .then_with(by_y)
            .then_with(|| order(self.z, other.z))
    }
}

fn values<T: Value>(codes: &[u8]) -> Vec<T> {
    codes.iter().map(|code| T::of_code(*code)).collect()
}

/// Panics unless every way to read the array agrees with the model.
fn check<T: Value>(array: &ArrayRef<T>, model: &[T]) {
    array.with(|items| {
        let same = items.len() == model.len() && items.iter().zip(model).all(|(ours, theirs)| ours.identical(theirs));
        assert!(same, "{items:?}\n{model:?}");
    });
    assert_eq!((array.len(), array.is_empty()), (model.len(), model.is_empty()));
}

/// Applies `ops` to array refs of `T` and to `Vec`s.
///
/// # Panics
///
/// If they disagree.
pub fn run<T: Value>(ops: &[Op]) {
    let (mut array, mut other) = (ArrayRef::<T>::new([]), ArrayRef::<T>::new([]));
    let (mut model, mut other_model) = (Vec::<T>::new(), Vec::<T>::new());
    for op in ops {
        match op {
            Op::Swap => {
                std::mem::swap(&mut array, &mut other);
                std::mem::swap(&mut model, &mut other_model);
            }
            Op::Recycle => {
                drop(array);
                array = ArrayRef::allocate();
                model.clear();
            }
            Op::ExtendFromRef(itself) | Op::InsertRef(_, itself) if model.len() + other_model.len() < MOST / 2 => {
                let source = if *itself { &array } else { &other };
                let index = if let Op::InsertRef(index, _) = op {
                    array.insert_ref((*index).into(), source);
                    usize::from(*index)
                } else {
                    array.extend_from_ref(source);
                    model.len()
                };
                let copy = if *itself { model.clone() } else { other_model.clone() };
                if index <= model.len() {
                    let tail = model.split_off(index);
                    model.extend(copy.into_iter().chain(tail));
                }
            }
            _ => step(&array, &mut model, op),
        }
        check(&array, &model);
    }
    check(&other, &other_model);
    // An immutable copy agrees, too.
    let copy = ArrayBox::new(array.iter());
    assert!(copy.iter().zip(&model).all(|(ours, theirs)| ours.identical(theirs)));
    assert_eq!(copy.len(), model.len());
    for (at, item) in model.iter().enumerate().take(300) {
        assert!(copy.get(at).is_some_and(|ours| ours.into().identical(item)));
        assert_eq!(copy.find(item.plain()), array.find(item.plain()));
    }
}

/// Each operation that needs one array only.
fn step<T: Value>(array: &ArrayRef<T>, model: &mut Vec<T>, op: &Op) {
    let value = |code: &u8| T::of_code(*code);
    match op {
        Op::Set(codes) => {
            array.set(&values(codes));
            *model = values(codes);
        }
        Op::Resize(len) => {
            array.resize((*len).into());
            model.resize((*len).into(), T::default());
        }
        Op::Clear => {
            array.clear();
            model.clear();
        }
        Op::PushDefaults(count) if model.len() < MOST => {
            array.push_defaults((*count).into());
            (0..*count).for_each(|_| model.push(T::default()));
        }
        Op::InsertDefaults(index, count) if model.len() < MOST => {
            array.insert_defaults((*index).into(), (*count).into());
            let index = usize::from(*index);
            (0..*count).for_each(|_| insert(model, index, T::default()));
        }
        Op::RemoveRange(start, end) => {
            let range = (start.map(usize::from), end.map(usize::from));
            array.remove_range(range);
            let mut indices = 0..;
            model.retain(|_| indices.next().is_some_and(|at| !range.contains(&at)));
        }
        Op::GetOr(index, code) => {
            let expected = model.get(usize::from(*index)).cloned();
            let found = array.get((*index).into());
            assert!(match (&found, &expected) {
                (Some(found), Some(expected)) => found.identical(expected),
                (found, expected) => found.is_none() && expected.is_none(),
            });
            let found = array.get_or((*index).into(), value(code));
            assert!(found.identical(&expected.unwrap_or_else(|| value(code))));
        }
        Op::SetItem(index, code) => {
            array.set_item((*index).into(), value(code));
            while model.len() <= usize::from(*index) {
                model.push(T::default());
            }
            model[usize::from(*index)] = value(code);
        }
        Op::Push(code) => {
            array.push(value(code));
            model.push(value(code));
        }
        Op::Insert(index, code) => {
            array.insert((*index).into(), value(code));
            insert(model, (*index).into(), value(code));
        }
        Op::Remove(index) => {
            let removed = array.remove((*index).into());
            let index = usize::from(*index);
            assert_eq!(removed.is_some(), index < model.len());
            if let Some(removed) = removed {
                assert!(removed.identical(&model.remove(index)));
            }
        }
        Op::Extend(codes) if model.len() < MOST => {
            // The iterator reads the array, too.
            array.extend(
                codes
                    .iter()
                    .inspect(|_| assert_eq!(array.len(), model.len()))
                    .map(value),
            );
            model.extend(codes.iter().map(value));
        }
        Op::ExtendFromSlice(codes) if model.len() < MOST => {
            array.extend_from_slice(&values(codes));
            model.extend(codes.iter().map(value));
        }
        Op::InsertSlice(index, codes) if model.len() < MOST => {
            array.insert_slice((*index).into(), &values(codes));
            let index = usize::from(*index);
            codes.iter().rev().for_each(|code| insert(model, index, value(code)));
        }
        Op::Many(count, first, step) if model.len() < MOST => {
            let codes = std::iter::successors(Some(*first), |code| Some(code.wrapping_mul(5).wrapping_add(*step)));
            let items: Vec<T> = codes
                .take(usize::from(*count) % MOST)
                .map(|code| value(&code))
                .collect();
            array.extend(items.clone());
            model.extend(items);
        }
        _ => step_by_value(array, model, op),
    }
}

/// Each operation that compares.
fn step_by_value<T: Value>(array: &ArrayRef<T>, model: &mut Vec<T>, op: &Op) {
    let value = |code: &u8| T::of_code(*code);
    match op {
        Op::Find(code) => {
            let wanted = value(code);
            let expected = model.iter().position(|item| item.equal(&wanted));
            assert_eq!(array.find(wanted.plain()), expected);
            assert_eq!(array.contains(wanted.plain()), expected.is_some());
        }
        Op::Replace(old, new) => {
            let old = value(old);
            let count = array.replace(old.plain(), value(new));
            let mut expected = 0;
            for item in model.iter_mut().filter(|item| item.equal(&old)) {
                *item = value(new);
                expected += 1;
            }
            assert_eq!(count, expected);
        }
        Op::RemoveFirst(code) => {
            let unwanted = value(code);
            let removed = array.remove_first(unwanted.plain());
            let expected = model.iter().position(|item| item.equal(&unwanted));
            assert_eq!(removed, expected.is_some());
            expected.map(|at| model.remove(at));
        }
        Op::RemoveAll(code) => {
            let unwanted = value(code);
            let before = model.len();
            model.retain(|item| !item.equal(&unwanted));
            assert_eq!(array.remove_all(unwanted.plain()), before - model.len());
        }
        Op::Sort => {
            array.sort();
            model.sort_by(T::order);
        }
        Op::SortDescending => {
            array.sort_descending();
            model.sort_by(|left, right| right.order(left));
        }
        Op::Keep(code) => {
            let limit = value(code);
            let small = |item: &T| item.order(&limit).is_le();
            array.with_mut(|items| items.retain(small));
            model.retain(small);
        }
        _ => {}
    }
}

fn insert<T>(model: &mut Vec<T>, index: usize, item: T) {
    if index <= model.len() {
        model.insert(index, item);
    }
}

/// [`run`], for the primitive with that number.
pub fn run_input((primitive, ops): &Input) {
    match primitive % 8 {
        0 => run::<bool>(ops),
        1 => run::<u8>(ops),
        2 => run::<i32>(ops),
        3 => run::<i64>(ops),
        4 => run::<f32>(ops),
        5 => run::<f64>(ops),
        6 => run::<String>(ops),
        _ => run::<Vector>(ops),
    }
}
