use super::*;

/// Every length around the sizes of blocks, with matches near every edge, against the plain loops.
#[test]
fn as_the_plain_loops() {
    let mut found = 0;
    for len in (0..70).chain(1020..1030).chain(2045..2050) {
        for every in [1, 2, 3, 15, 16, 17, 31, 32, 33, 1024, 5000] {
            let items: Vec<usize> = (0..len)
                .map(|at| if at % every == every - 1 { 0 } else { at + 1 })
                .collect();
            let matches = |item: &usize| *item == 0;

            assert_eq!(find(&items, matches), items.iter().position(matches));
            found += usize::from(find(&items, matches).is_some());

            let mut replaced = items.clone();
            let count = replace(&mut replaced, matches, 9);
            assert_eq!(count, items.iter().filter(|item| matches(item)).count());
            let expected = items.iter().map(|item| if matches(item) { 9 } else { *item });
            assert!(replaced.into_iter().eq(expected));

            let mut kept = items.clone();
            assert_eq!(remove_all(&mut kept, matches), count);
            assert!(kept.into_iter().eq(items.into_iter().filter(|item| !matches(item))));
        }
    }
    assert!(found > 500);
}
