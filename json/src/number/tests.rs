use super::*;

fn is_exact(text: &str) -> bool {
    match crate::Parser::new().decimals(Decimals::Exact).parse(text) {
        Ok(_) => true,
        Err(error) if matches!(error.problem(), Problem::Inexact) => false,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// zmij finds the shortest decimal of every double.
#[test]
#[expect(clippy::cast_precision_loss, reason = "any doubles")]
fn doubles_of_few_digits_are_written_as_others_are() {
    let written = |write: fn(f64, &mut [u8; BRIEF]) -> usize, value| {
        let mut room = [0; BRIEF];
        let len = write(value, &mut room);
        String::from_utf8_lossy(&room[..len]).into_owned()
    };
    let is_same = |value| assert_eq!(written(write_double, value), written(write_float, value));
    let mut random = 1_u64;
    let mut next = |end: u64| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (random >> 24) % end
    };
    for _ in 0..50_000 {
        let (digits, point) = (next(17), next(9));
        let digits = next(10_u64.pow(u32::try_from(digits).expect("few")));
        let value = digits as f64 / 10_f64.powi(i32::try_from(point).expect("few"));
        for value in [value, -value, value.next_up(), -value.next_down()] {
            is_same(value);
        }
    }
    for value in [
        0.0,
        -0.0,
        0.000_01,
        0.000_001,
        1e-7,
        99_999_999.999_999,
        1e8,
        99_999_999.999_999_99,
    ] {
        is_same(value);
    }
}

#[test]
fn exact_decimals_are_those_that_print_as_they_were_written() {
    let exact = "18446744073709551616 10000000000000000000000 0.1 1.50 100e-2 1.7976931348623157e308 5e-324 0.0 0e5 123456.789e3 -0.0000000000000000000";
    for text in exact.split(' ') {
        assert!(is_exact(text), "{text}");
    }
    let inexact = "18446744073709551617 -9223372036854775809 10000000000000000000001 0.1000000000000000055511151231257827 3.14159265358979323846 0.12345678901234567 \
        9007199254740993.0 123456789012345678.5 3e-324";
    for text in inexact.split(' ') {
        assert!(!is_exact(text), "{text}");
    }
}

/// Neighbours have as many digits, and no double prints as them.
#[test]
fn exact_decimals_may_be_rounded_to_fewer_than_all_digits_of_a_double() {
    for [text, below, above] in [
        ["0.10000000000000001", "0.10000000000000004", "0.099999999999999999"],
        ["65.613616999999977", "65.613616999999976", "65.613616999999978"],
        ["52.520006599999995", "52.520006599999994", "52.520006599999998"],
        ["4.9e-324", "4.8e-324", "5.1e-324"],
        ["4.94e-324", "4.93e-324", "4.95e-324"],
        [
            "2.2250738585072009e-308",
            "2.2250738585072008e-308",
            "2.2250738585072011e-308",
        ],
        [
            "1.2345678901234568e+300",
            "1.2345678901234566e300",
            "1.2345678901234569e300",
        ],
        ["9007199254740994.0", "9007199254740993.0", "9007199254740995.0"],
    ] {
        for sign in ["", "-"] {
            let text = format!("{sign}{text}");
            let item = item(&text, Decimals::Exact).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(item.as_double(), text.parse().ok(), "{text}");
            for neighbour in [below, above] {
                assert!(!is_exact(&format!("{sign}{neighbour}")), "{sign}{neighbour}");
            }
        }
    }
}

/// Pseudo-random numbers, whose highest bits are the best ones.
fn randoms() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1_u64), |random| {
        Some(random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1))
    })
}

#[test]
fn what_is_printed_with_up_to_17_digits_is_exact() {
    /// Bits of a float's fraction.
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let of_all_sizes = randoms().step_by(2).zip(randoms().skip(1).step_by(2));
    let of_all_sizes = of_all_sizes.map(|(high, low)| f64::from_bits(high & (u64::MAX << 32) | low >> 32));
    let subnormals = randoms().map(|bits| f64::from_bits(bits >> (64 - FRACTION)));
    let of_few_bits = randoms().map(|bits| f64::from_bits(bits & (u64::MAX << 40)));
    let edges = [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, f64::EPSILON, f64::MAX, f64::MIN];
    let values = edges.into_iter().chain(of_all_sizes.take(80_000));
    let values = values.chain(subnormals.take(20_000)).chain(of_few_bits.take(20_000));
    let mut seen = [0; 3];
    for (value, random) in values.zip(randoms().skip(7)).filter(|(value, _)| value.is_finite()) {
        let text = format!("{value:.16e}");
        let item = item(&text, Decimals::Exact).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(item.as_double().map(f64::to_bits), Some(value.to_bits()), "{text}");
        seen[usize::from(value.is_normal())] += 1;
        // With fewer digits it may have another nearest double, which still prints as this decimal.
        let short = format!("{value:.*e}", (random >> 60) as usize);
        if short.parse().is_ok_and(f64::is_finite) {
            assert!(is_exact(&short), "{short} of {value:e}");
        }
        seen[2] += usize::from(!is_exact(&format!("{value:.17e}")));
    }
    assert!(
        seen.iter().all(|seen| *seen > 20_000) && seen.iter().sum::<usize>() > 100_000,
        "{seen:?}"
    );
}
