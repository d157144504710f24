use super::*;

#[test]
fn as_many_as_there_is_room() {
    let mut few = Few::<u8, 3>::default();
    for len in 0..5 {
        let mut items = vec![7; len];
        let is_filled = few.fill(&mut items, mem::take);
        assert_eq!((is_filled, few.len()), (len <= 3, if is_filled { len } else { 0 }));
        assert_eq!(items, vec![if is_filled { 0 } else { 7 }; len]);
        few.all_mut().iter_mut().for_each(|item| *item += 1);
        assert_eq!(few.all(), vec![8; few.len()]);
        assert!((0..9).all(|index| few.get(index) == few.all().get(index)));
        assert!(few.take().all(|item| item == 8));
        assert!(few.all().is_empty() && few.items == [0; 3]);
    }
}
