use super::*;

/// Pseudo-random numbers, the same on every platform.
fn scrambled(count: usize) -> impl Iterator<Item = i64> {
    let next = |state: &i64| {
        Some(
            state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f),
        )
    };
    std::iter::successors(Some(1), next).take(count)
}

type Change = fn(i64) -> i64;

#[test]
fn wide_items_of_every_spread() {
    let mut dealt = 0;
    for count in [0, 1, MANY_WIDE - 1, MANY_WIDE, 4096, 10_000, 300_000] {
        let far_away = |it| if it % 1000 == 0 { i64::MAX } else { it >> 50 };
        let at_both_ends = |it| {
            if it < 0 {
                i64::MIN + (it & 7)
            } else {
                i64::MAX - (it & 7)
            }
        };
        let spreads: [(Change, bool); 7] = [
            (|it| it, true),
            (|it| (it >> 20) % 1000, true),
            (|it| it | i64::MIN, true),
            (|it| it >> 63, false),
            (|_| 7, false),
            (far_away, false),
            (at_both_ends, false),
        ];
        for (spread, (change, is_dealt)) in spreads.into_iter().enumerate() {
            let mut items: Vec<i64> = scrambled(count).map(change).collect();
            let expected = {
                let mut items = items.clone();
                items.sort_unstable();
                items
            };
            let deal = Deal::of(&items).is_some();
            assert_eq!(deal, is_dealt && count >= MANY_WIDE, "{count} {spread}");
            dealt += usize::from(deal);
            wide(&mut items);
            assert!(items == expected, "{count} {spread}");
            assert!(Deal::of(&items).is_none(), "in order already");
            items.reverse();
            wide(&mut items);
            assert!(items == expected, "{count} {spread}, backwards");
        }
    }
    assert_eq!(dealt, 12);
}
