//! The contract of all classes of this crate, checked for every primitive.
#![forbid(unsafe_code)]

use std::fmt::Debug;

use acedia::{AnyOwned, Class, Object, Owned, classes, load_class};
use acedia_boxes::{
    ArrayBox, ArrayRef, BoolArrayBox, ByteArrayBox, DoubleBox, FloatArrayBox, FloatBox, IntArrayBox, IntArrayRef,
    IntBox, IntRef, LongBox, Primitive, StringArrayBox, StringBox, StringRef, ULongBox, ValueBox, ValueRef, Vector,
    VectorArrayBox, VectorArrayRef, VectorBox,
};

/// The classes of one primitive.
type Checked = [&'static Class; 4];

#[test]
fn of_every_class() {
    let primitives = [
        of_bool, of_byte, of_int, of_long, of_ulong, of_float, of_double, of_string, of_vector,
    ];
    let mut checked: Vec<_> = primitives.iter().flat_map(|contract| contract()).collect();
    checked.sort_unstable_by_key(|class| class.name());
    assert_eq!(checked, classes(), "a primitive is without its line here");
}

/// All checks of one primitive. Some of the samples are equal.
fn contract<T: Primitive>(name: &str, samples: &[T]) -> Checked {
    boxes_are_equal_by_content(samples);
    refs_are_equal_to_themselves(samples);
    nothing_is_left_of_a_former_life(samples);
    impossible_lengths_change_nothing(samples);
    they_print_what_they_are(name, samples);
    classes_have_names::<T>(name)
}

fn of_bool() -> Checked {
    contract("Bool", &[false, true, true])
}

fn of_byte() -> Checked {
    contract("Byte", &[0, 1, 56, 56, u8::MAX])
}

fn of_int() -> Checked {
    contract("Int", &[0, 1, -1, 7, 7, 13, i32::MIN, i32::MAX])
}

fn of_long() -> Checked {
    contract("Long", &[0, 1, -1, 7, 7, 1 << 32, i64::MIN, i64::MAX])
}

fn of_ulong() -> Checked {
    contract("ULong", &[0, 1, 7, 7, 1 << 32, 1 << 63, u64::MAX])
}

fn of_float() -> Checked {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    contract(
        "Float",
        &[0.0, -0.0, nan, -nan, inf, -inf, 0.5, 0.5, 13.0, f32::MIN_POSITIVE, 1e30],
    )
}

fn of_double() -> Checked {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    contract(
        "Double",
        &[
            0.0,
            -0.0,
            nan,
            -nan,
            inf,
            -inf,
            0.5,
            0.5,
            13.0,
            f64::MIN_POSITIVE,
            1e300,
        ],
    )
}

fn of_string() -> Checked {
    contract("String", &["", "a", "ab", "ba", "ab", "Ж"].map(String::from))
}

fn of_vector() -> Checked {
    let nan = Vector::new(1.0, f32::NAN, 3.0);
    let samples = [(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (1.0, 2.0, 3.0), (3.0, 2.0, 1.0)];
    let samples = samples.map(|(x, y, z)| Vector::new(x, y, z));
    contract("Vector", &[samples.as_slice(), &[nan, nan]].concat())
}

/// Equality is an equivalence, and equal objects have equal hashes.
fn equivalence(objects: &[AnyOwned]) -> usize {
    let mut equal_pairs = 0;
    for a in objects {
        assert!(a.is_equal(a));
        assert_eq!(a.hash_code(), a.hash_code());
        for b in objects.iter().filter(|b| !a.is_same(b)) {
            assert_eq!(a.is_equal(b), b.is_equal(a));
            if a.is_equal(b) {
                equal_pairs += 1;
                assert_eq!(a.hash_code(), b.hash_code());
                for c in objects {
                    assert_eq!(a.is_equal(c), b.is_equal(c));
                }
            }
        }
    }
    equal_pairs
}

fn boxes_are_equal_by_content<T: Primitive>(samples: &[T]) {
    let mut objects: Vec<AnyOwned> = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        objects.push(ValueBox::<T>::new(sample.plain()).into());
        objects.push(ValueBox::<T>::new(sample.plain()).into());
        let array = &samples[..at];
        objects.push(ArrayBox::new(array.iter().cloned()).into());
        objects.push(ArrayBox::new(array.iter().rev().cloned()).into());
        // Never equal to any box.
        objects.push(ValueRef::<T>::new(sample.plain()).into());
        objects.push(ArrayRef::new(array.iter().cloned()).into());
    }
    let equal_pairs = equivalence(&objects);
    assert!(equal_pairs >= 2 * samples.len(), "{equal_pairs} equal pairs");
    for sample in samples {
        let boxed = ValueBox::<T>::new(sample.plain());
        assert!(boxed == ValueBox::new(boxed.get()), "{boxed:?}");
        let plain = ValueBox::from(sample.clone());
        assert!(*boxed == *sample && *boxed == plain);
    }
    let array = ArrayBox::new(samples.iter().cloned());
    let (vec, plain) = (samples.to_vec(), ArrayBox::from(samples.to_vec()));
    assert!(*array == *samples && *array == vec && *array == plain);
    assert!(*array != samples[1..] && *array == samples.iter().cloned().collect::<ArrayBox<T>>());
}

fn impossible_lengths_change_nothing<T: Primitive>(samples: &[T]) {
    let most = usize::try_from(i32::MAX).unwrap();
    let array = ArrayRef::new(samples.iter().cloned());
    let (len, capacity) = (samples.len(), array.with_mut(|items| items.capacity()));
    for more in [most - len + 1, most + 1, usize::MAX - len, usize::MAX] {
        array
            .push_defaults(more)
            .insert_defaults(0, more)
            .insert_defaults(len, more);
    }
    for longer in [most + 1, usize::MAX] {
        array.resize(longer);
    }
    for index in [most, most + 1, usize::MAX - 1, usize::MAX] {
        array.set_item(index, samples[0].clone());
    }
    assert!(*ArrayBox::new(array.iter()) == *samples);
    assert_eq!(array.with_mut(|items| items.capacity()), capacity);
    // Possible lengths work afterwards.
    array
        .push_defaults(1)
        .insert_defaults(0, 1)
        .set_item(len + 2, T::default())
        .resize(len + 4);
    let expected = [&[T::default()], samples, &[(); 3].map(|()| T::default())].concat();
    assert!(*ArrayBox::new(array.iter()) == *expected);
}

fn refs_are_equal_to_themselves<T: Primitive>(samples: &[T]) {
    for sample in samples {
        let (a, b) = (ValueRef::<T>::new(sample.plain()), ValueRef::<T>::new(sample.plain()));
        assert!(a.is_equal(&a.clone()) && !a.is_equal(&b) && !b.is_equal(&a));
        let hash = a.hash_code();
        for other in samples {
            a.set(other.plain());
            assert!(ValueBox::from(a.get()) == *other);
            assert_eq!(a.hash_code(), hash);
            assert!(a == a.clone());
        }
        let (a, b) = (
            ArrayRef::new(samples.iter().cloned()),
            ArrayRef::new(samples.iter().cloned()),
        );
        assert!(a.is_equal(&a.clone()) && !a.is_equal(&b) && !b.is_equal(&a));
        let hash = a.hash_code();
        a.push(sample.clone()).sort();
        assert_eq!(a.hash_code(), hash);
        assert!(a == a.clone());
    }
    let hashes = || [(); 4].map(|()| ValueRef::<T>::new(samples[0].plain()).hash_code());
    assert!(hashes() != hashes(), "each life has a hash of its own");
}

/// Frees an object and allocates until its slot comes back.
fn recycle<T: Object>(object: Owned<T>) -> Owned<T> {
    let index = object.index();
    drop(object);
    let mut others = Vec::new();
    while others.len() < 1000 {
        let next = T::allocate();
        if next.index() == index {
            return next;
        }
        others.push(next);
    }
    panic!("the object does not come back");
}

fn nothing_is_left_of_a_former_life<T: Primitive>(samples: &[T]) {
    let last = samples.last().expect("there are samples");
    let many = || samples.iter().cloned().cycle().take(1000);
    let default = ValueBox::from(T::default());

    let boxed = ValueBox::<T>::new(last.plain());
    let hash = boxed.hash_code();
    let next = recycle(boxed);
    assert!(*next == default, "{next:?}");
    assert_eq!(
        next.hash_code() == hash,
        default == *last,
        "the hash is of another life"
    );

    let next = recycle(ValueRef::<T>::new(last.plain()));
    assert!(default == next.get(), "{next:?}");

    let array = ArrayBox::new(many());
    let hash = array.hash_code();
    let next = recycle(array);
    assert!(next.is_empty() && next.hash_code() != hash);

    let array = ArrayRef::new(many());
    let room = array.with_mut(|items| items.capacity());
    let next = recycle(array);
    assert!(next.is_empty());
    assert_eq!(
        next.with_mut(|items| items.capacity()),
        room,
        "the memory is used again"
    );
}

fn classes_have_names<T: Primitive>(name: &str) -> Checked {
    let classes = [
        ("Box", Class::of::<ValueBox<T>>()),
        ("Ref", Class::of::<ValueRef<T>>()),
        ("ArrayBox", Class::of::<ArrayBox<T>>()),
        ("ArrayRef", Class::of::<ArrayRef<T>>()),
    ];
    classes.map(|(family, class)| {
        assert_eq!(load_class(&format!("AcediaCore.{name}{family}")), Ok(class));
        class
    })
}

fn they_print_what_they_are<T: Primitive>(name: &str, samples: &[T]) {
    let sample = &samples[0];
    let shows = |object: &dyn Debug, family: &str, content: String| {
        assert_eq!(format!("{object:?}"), format!("{name}{family}({content})"));
    };
    shows(&ValueBox::<T>::new(sample.plain()), "Box", format!("{sample:?}"));
    shows(&ValueRef::<T>::new(sample.plain()), "Ref", format!("{sample:?}"));
    shows(
        &ArrayBox::new(samples.iter().cloned()),
        "ArrayBox",
        format!("{samples:?}"),
    );
    shows(
        &ArrayRef::new(samples.iter().cloned()),
        "ArrayRef",
        format!("{samples:?}"),
    );
    assert_eq!(ValueBox::<T>::new(sample.plain()).to_string(), sample.to_string());
    assert_eq!(ValueRef::<T>::new(sample.plain()).to_string(), sample.to_string());
    assert_eq!(
        ArrayBox::new(samples.iter().cloned()).to_string(),
        format!("{samples:?}")
    );
    assert_eq!(
        ArrayRef::new(samples.iter().cloned()).to_string(),
        format!("{samples:?}")
    );
}

#[test]
fn the_hashes_are_the_numbers_of_the_table() {
    assert_eq!(IntBox::new(-1).hash_code(), -65537);
    assert_eq!(FloatBox::new(345.2).hash_code(), 11390);
    assert_eq!(StringBox::new("Basic sample").hash_code(), 660_747_465);
    assert_eq!(VectorBox::new(Vector::default()).hash_code(), -35936);
    assert_eq!(VectorBox::new(Vector::new(1.0, 2.0, 3.0)).hash_code(), 2278);
    assert_eq!(BoolArrayBox::new([]).hash_code(), 537_276_224);
    assert_eq!(BoolArrayBox::new([true]).hash_code(), 550_485_131);
    assert_eq!(BoolArrayBox::new([true, false]).hash_code(), 968_498_327);
    assert_eq!(ByteArrayBox::new([1, 2]).hash_code(), 262_896_616);
    assert_eq!(IntArrayBox::new([]).hash_code(), 143_628_345);
    assert_eq!(IntArrayBox::new([2, 1, 3]).hash_code(), -833_758_823);
    assert_eq!(FloatArrayBox::new([0.5, 1.0]).hash_code(), 677_526_673);
    assert_eq!(
        StringArrayBox::new(["a", "b"].map(String::from)).hash_code(),
        974_006_798
    );
    assert_eq!(VectorArrayBox::new([Vector::default()]).hash_code(), 940_229_896);
}

#[test]
fn where_components_are_equal_the_next_one_sorts_vectors() {
    let nan = f32::NAN;
    let sorted = [
        (-1.0, 9.0, 0.0),
        (0.0, 1.0, -0.0),
        (-0.0, 1.0, 0.0), // equal to the one before: stays behind it
        (-0.0, 5.0, 0.0),
        (0.0, 6.0, 0.0),
        (-0.0, nan, 0.0),
        (nan, 1.0, 0.0),
        (-nan, 2.0, 0.0),
    ]
    .map(|(x, y, z)| Vector::new(x, y, z));
    let bits = |vector: Vector| <[f32; 3]>::from(vector).map(f32::to_bits);
    let same = |array: &VectorArrayRef, order: [usize; 8]| {
        let expected = order.map(|at| bits(sorted[at]));
        assert_eq!(array.iter().map(bits).collect::<Vec<_>>(), expected);
    };
    let array = VectorArrayRef::new([7, 4, 1, 6, 5, 2, 0, 3].map(|at| sorted[at]));
    same(array.sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
    same(array.sort_descending(), [7, 6, 5, 4, 3, 1, 2, 0]);
}

#[test]
fn the_same_number_in_two_classes_is_two_things() {
    let objects: [AnyOwned; 7] = [
        IntBox::new(13).into(),
        FloatBox::new(13.0).into(),
        LongBox::new(13).into(),
        ULongBox::new(13).into(),
        DoubleBox::new(13.0).into(),
        StringBox::new("13").into(),
        IntRef::new(13).into(),
    ];
    assert_eq!(equivalence(&objects), 0);
}

#[test]
fn strings_and_arrays_keep_their_memory() {
    let long = "a long string ".repeat(100);
    let boxed = StringBox::new(&long);
    let place = boxed.get().as_ptr();
    let next = recycle(boxed);
    assert!(next.get().is_empty());
    assert_eq!(next.get().as_ptr(), place);

    let shared = StringRef::new(&long);
    shared.set("short").set(&long);
    let place = shared.with(str::as_ptr);
    assert_eq!(recycle(shared).set(&long).with(str::as_ptr), place);

    let array = IntArrayRef::new(0..1000);
    let place = array.with(<[i32]>::as_ptr);
    array.set(&[7; 1000]).clear().extend_from_slice(&[8; 1000]);
    assert_eq!(array.with(<[i32]>::as_ptr), place);
}

#[test]
fn conversions() {
    let plain: Vec<i32> = IntArrayRef::new([1, 2]).iter().collect();
    assert_eq!(plain, [1, 2]);
    let mut bare: ArrayRef<i32> = plain.into_iter().collect();
    bare.extend([3]);
    Extend::extend(&mut bare, [4]);
    Extend::extend(&mut &bare, [5]);
    assert_eq!(
        format!("{bare:?} {bare}"),
        "IntArrayRef([1, 2, 3, 4, 5]) [1, 2, 3, 4, 5]"
    );
    let doubled: Vec<i32> = (&bare).into_iter().map(|item| item * 2).collect();
    assert_eq!(doubled, [2, 4, 6, 8, 10]);
    assert_eq!(ArrayBox::from(doubled).as_ref(), [2, 4, 6, 8, 10]);
    assert_eq!(*StringBox::new("a"), *"a");
    assert_eq!(ValueRef::from(7).replace(8), 7);
    assert_eq!(
        Vector::from(<[f32; 3]>::from(Vector::new(1.0, 2.0, 3.0))),
        Vector::new(1.0, 2.0, 3.0)
    );
}
