use acedia_boxes::IntRef;

use super::*;

#[test]
fn whatever_leaves_is_released_once() {
    let object = IntRef::new(7);
    let mut stack = Stack::default();
    // From within the room that there is, through its end, to beyond it.
    for before in 0..70 {
        stack.extend((0..before).map(|_| Item::from(&object)));
        for len in 0..6 {
            stack.extend((0..len).map(|_| Item::from(&object)));
            assert_eq!((stack.len(), object.owners()), (before + len, 1 + before + len));
            assert_eq!(stack.take(before).len(), len);
            assert_eq!(stack.len(), before);
        }
        assert_eq!(stack.take(before / 2).len(), before.div_ceil(2));
        drop(stack.pop());
        stack.clear(before);
        assert_eq!((stack.len(), object.owners(), stack.items.len()), (0, 1, 32));
        assert!(stack.pop().is_none());
    }
    stack.push((&object).into());
    drop(stack);
    assert_eq!(object.owners(), 1);
}
