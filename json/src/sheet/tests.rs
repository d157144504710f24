use super::*;

#[test]
fn no_room_is_left_over() {
    for len in [100 * STRIP, 2 * STRIP, STRIP, 1, 0] {
        let mut sheet = Sheet::new();
        for _ in 0..len {
            sheet.push(b' ');
        }
        let printed = sheet.finish();
        assert_eq!((printed.len(), printed.capacity()), (len, len));
    }
}
