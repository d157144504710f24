use super::*;

#[test]
fn bytes_stand_in_order_however_they_came() {
    let (mut sheet, mut expected) = (Sheet::new(), Vec::new());
    for number in 0..600_usize {
        let bytes = number.to_le_bytes();
        match number % 4 {
            0 => sheet.put(bytes, 2),
            1 => sheet.extend(&bytes[..2]),
            2 => sheet.all().extend_from_slice(&bytes[..2]),
            _ => bytes[..2].iter().for_each(|byte| sheet.push(*byte)),
        }
        expected.extend_from_slice(&bytes[..2]);
        assert_eq!(sheet.len(), expected.len());
    }
    let long = [7; 3 * STRIP];
    sheet.extend(&long);
    expected.extend_from_slice(&long);
    assert_eq!(*sheet.all(), expected);
}

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
