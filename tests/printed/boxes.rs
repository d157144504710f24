//! Boxes, refs, and arrays of both.

use acedia_boxes::{BoolArrayRef, ByteArrayBox, FloatRef, IntBox, StringBox, Vector};

use crate::shown::Shown;

#[test]
fn boxes_print() {
    let mut shown = Shown::default();
    shown
        .both("ValueBox", &IntBox::new(7), "IntBox(7)", "7")
        .both("ValueBox", &StringBox::new("a"), "StringBox(\"a\")", "a")
        .both("ValueRef", &FloatRef::new(0.5), "FloatRef(0.5)", "0.5")
        .both("ArrayBox", &ByteArrayBox::new([1, 2]), "ByteArrayBox([1, 2])", "[1, 2]")
        .both("ArrayRef", &BoolArrayRef::new([true]), "BoolArrayRef([true])", "[true]")
        .both(
            "Vector",
            &Vector::new(1.0, 2.5, 0.0),
            "Vector { x: 1.0, y: 2.5, z: 0.0 }",
            "(1, 2.5, 0)",
        );
    shown.is_right();
}
