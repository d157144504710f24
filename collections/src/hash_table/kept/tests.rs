use acedia_boxes::IntRef;
use acedia_text::Text;

use super::*;

#[test]
fn lives_of_every_kind_follow_each_other() {
    let object = IntRef::new(7);
    let shape = |len: usize| {
        let keys = (0..len).map(|index| Text::from_display(index));
        Shape::new(keys.map(|key| (key.clone(), key.key_hash(), &b""[..])))
    };
    let mut kept = Kept::default();
    let lens = [0, 1, FEW, FEW + 1];
    for (before, len) in lens.iter().flat_map(|before| lens.map(|len| (*before, len))) {
        for is_left in [false, true] {
            for len in [before, len] {
                let mut items = Stack::default();
                items.extend(vec![Item::from(&object); 1 + len]);
                kept.fill(shape(len), &mut items, 1);
                assert_eq!(
                    (items.len(), kept.values().len(), kept.values_mut().len()),
                    (1, len, len)
                );
                assert!(kept.shape().is_some_and(|shape| shape.keys().len() == len) && kept.own().is_none());
                if is_left {
                    assert_eq!(kept.own_mut().table.len(), len);
                    assert!(kept.shape().is_none() && kept.values().is_empty());
                }
                drop(items);
                assert_eq!(object.owners(), 1 + len);
                kept.release();
                assert_eq!((object.owners(), kept.values().len()), (1, 0));
                assert!(kept.shape().is_none() && kept.own().is_none_or(|own| own.table.len() == 0));
            }
        }
        let mut items = Stack::default();
        items.extend(vec![Item::from(&object); len]);
        kept.fill(shape(len), &mut items, 0);
        let taken = kept.take().len();
        assert_eq!((taken, object.owners()), (len, 1));
    }
}
