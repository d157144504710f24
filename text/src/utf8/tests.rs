use proptest::prelude::*;

use super::*;

/// The result of reading `bytes` in pieces of these lengths, over and over.
fn in_pieces(bytes: &[u8], lengths: &[usize]) -> (BaseText, Result<(), Utf8Error>) {
    let mut text = BaseText::new();
    let mut decoder = Utf8Decoder::new();
    let mut rest = bytes;
    for len in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at((*len).min(rest.len()));
        rest = after;
        if let Err(error) = decoder.feed(piece, &mut text) {
            assert_eq!(decoder.feed(b"x", &mut text), Err(error), "stays");
            return (text, Err(error));
        }
    }
    (text, decoder.finish())
}

#[test]
fn what_is_not_utf8() {
    for (bytes, offset, kind) in [
        (&b"\x80"[..], 0, Utf8ErrorKind::Invalid),
        (b"a\xff", 1, Utf8ErrorKind::Invalid),
        (b"\xc0\x80", 0, Utf8ErrorKind::Invalid),
        (b"ab\xe0\x80\x80", 2, Utf8ErrorKind::Invalid),
        (b"\xed\xa0\x80", 0, Utf8ErrorKind::Invalid),
        (b"\xf4\x90\x80\x80", 0, Utf8ErrorKind::Invalid),
        (b"\xc3\xa9\xc3(", 2, Utf8ErrorKind::Invalid),
        (b"\xf0\x9f\x98", 0, Utf8ErrorKind::CutOff),
        (b"a\xc3", 1, Utf8ErrorKind::CutOff),
    ] {
        for len in 1..=bytes.len() {
            let (_, result) = in_pieces(bytes, &[len]);
            assert_eq!(result, Err(Utf8Error { offset, kind }), "{bytes:x?} by {len}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_as_the_standard_library_reads_them(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0xc0..0xf8u8, 0x80..0xc0u8], 0..12),
        lengths in proptest::collection::vec(1..6usize, 1..4),
    ) {
        let (read, result) = in_pieces(&bytes, &lengths);
        let valid = std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
        prop_assert_eq!(read.to_utf8(), &bytes[..valid]);
        let expected = std::str::from_utf8(&bytes).map_err(|error| Utf8Error {
            offset: error.valid_up_to() as u64,
            kind: if error.error_len().is_some() { Utf8ErrorKind::Invalid } else { Utf8ErrorKind::CutOff },
        });
        prop_assert_eq!(result, expected.map(drop));
    }
}
