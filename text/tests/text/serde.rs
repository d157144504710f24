//! Texts in a format of `serde`.

use acedia::Owned;
use acedia_text::{BaseText, MutableText, Text};
use proptest::prelude::*;
use serde_json::{from_str, to_string};

proptest! {
    #[test]
    fn what_is_written_reads_back(string in any::<String>()) {
        let (text, mutable) = (Text::new(&string), MutableText::new(&string));
        let printed = to_string(&string).unwrap();
        prop_assert_eq!(&to_string(&*text).unwrap(), &printed);
        prop_assert_eq!(to_string(&text).unwrap(), &*printed);
        prop_assert_eq!(to_string(&mutable).unwrap(), &*printed);
        let back: BaseText = from_str(&printed).unwrap();
        prop_assert_eq!(&back, &**text);
        prop_assert!(from_str::<Text>(&printed).unwrap() == *text);
        prop_assert!(*from_str::<MutableText>(&printed).unwrap().read() == back);
        let back: Owned<Text> = from_str(&printed).unwrap();
        prop_assert!(back == text && !back.is_same(&text));
        let back: Owned<MutableText> = from_str(&printed).unwrap();
        prop_assert_eq!(&*back.read(), &**text);
    }
}

#[test]
fn formats_are_left_out_and_other_types_refused() {
    let text = Text::from_markup("{$red fire}");
    assert_eq!(to_string(&*text).unwrap(), "\"fire\"");
    assert!(from_str::<Text>("7").is_err() && from_str::<MutableText>("null").is_err());
    assert!(from_str::<Owned<Text>>("[]").is_err());
}
