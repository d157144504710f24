use super::*;

#[test]
fn doubles_are_kept_by_their_bits() {
    let bits = std::iter::successors(Some(1_u64), |bits| {
        Some(bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1))
    });
    let edges = [
        0.0,
        -0.0,
        0.1,
        19.99,
        -1e-300,
        5e-324,
        f64::MIN_POSITIVE,
        1.05e270,
        -1.05e270,
    ];
    let mut kept = 0;
    for value in bits.take(100_000).map(f64::from_bits).chain(edges) {
        if let Some(double) = Double::of(value) {
            assert_eq!(double.get().to_bits(), value.to_bits());
            kept += 1;
        } else {
            assert!(!value.is_finite() || value.abs() >= 2f64.powi(897), "{value}");
        }
    }
    assert!(kept > 90_000, "{kept}");
    assert!(edges.iter().all(|value| Double::of(*value).is_some()));
    for value in [2f64.powi(897), f64::MAX, f64::MIN, f64::INFINITY, f64::NAN, -f64::NAN] {
        assert!(Double::of(value).is_none(), "{value}");
    }
}
