use super::*;

#[test]
fn integers() {
    assert_eq!([boolean(true), boolean(false)], [328_742_932, 83_619_237]);
    assert_eq!([0, 1, 56, 255].map(byte), [0, 1_048_575, 58_720_200, 267_386_625]);
    let ints = [0, 1, -1, 7, 65536, i32::MAX, i32::MIN];
    assert_eq!(ints.map(int), [0, 65536, -65537, 458_752, 1, -32769, -32768]);
    assert_ne!(long(1), long(1 << 32));
}

#[test]
fn floats() {
    let floats = [0.0, 1.0, 0.5, -2.48, 345.2, 67.352];
    assert_eq!(floats.map(float), [-32, 1, 2, -97, 11390, 2214]);
    assert_eq!(float(-0.0), float(0.0));
    assert_eq!(double(-0.0), double(0.0));
    assert_eq!(float(f32::NAN), float(-f32::NAN));
    assert_eq!(double(f64::NAN), double(-f64::NAN));
    // No distance to the integer below.
    assert_eq!(float(1e9), combine_hash(999_999_999, -26_422_645));
    assert_eq!(fold_float(7, 1e9), combine_hash(combine_hash(7, 999_999_999), 35));
    for extreme in [f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1)] {
        let _does_not_overflow = (float(extreme), fold_float(0, extreme));
    }
}

#[test]
fn texts() {
    let texts = [
        "",
        "a",
        "ab",
        "ba",
        "hello",
        "Hello",
        "Basic sample",
        "\u{416}",
        "\u{3070}\u{304B}",
    ];
    let hashes = [
        5381,
        177_670,
        5_863_208,
        5_863_240,
        261_238_937,
        223_289_465,
        660_747_465,
        178_619,
        6_281_472,
    ];
    assert_eq!(texts.map(text), hashes);
    assert_eq!(text(&"a".repeat(100)), -79_743_959);
}
