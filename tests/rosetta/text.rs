//! The seed's samples on texts.

use acedia::{Handle, LifeVersion, Owned, free};
use acedia_text::{BaseText, IntoText, Matching, MutableText, Text, text};

// If you've called _.text.Empty(), then you must deallocate the MutableText object it returned.
pub(crate) fn text_empty() {
    let text: Owned<MutableText> = MutableText::empty();
    assert!(text.read().is_empty());
    let handle = text.handle();
    free(text);
    assert!(!handle.is_allocated());
}

// if (textToConvert != none)
//     result = textToConvert.ToPlainString();
// result = _.text.ToString(textToConvert);
pub(crate) fn to_plain_string_and_to_string() {
    // A reference is borrowed: the caller still has to free the object.
    fn convert(text: Option<&BaseText>) -> String {
        text.map_or_else(String::new, BaseText::to_string)
    }
    let text = Text::from("Basic sample");
    let handle = text.handle();
    assert_eq!(convert(Some(&text)), "Basic sample");
    assert_eq!(convert(None), "");
    assert!(handle.is_allocated());
    // An owner is consumed: the object is freed here. The signature says so.
    assert_eq!(text.into_string(), "Basic sample");
    assert!(!handle.is_allocated());
}

// _.text.FromString()
pub(crate) fn from_string() {
    let text = Text::from("My string");
    assert_eq!((text.len(), text.char_at(0)), (9, Some('M')));
    assert_eq!(text.to_string(), "My string");
}

// Because of last rule two MutableTexts cannot be compared based on their content.
pub(crate) fn mutable_texts_are_equal_to_themselves_alone() {
    let (one, other) = (MutableText::from("same"), MutableText::from("same"));
    assert!(!one.is_equal(&other));
    // Their contents can be compared all the same, for the moment.
    assert!(one.compare(&*other.read(), Matching::EXACT));
    let (equal, hash) = (one.is_equal(&one.clone()), one.hash_code());
    one.write().append(" no more");
    assert!(!one.compare(&*other.read(), Matching::EXACT));
    assert_eq!((one.is_equal(&one.clone()), one.hash_code()), (equal, hash));
}

// hash = 5381;
// for (i = 0; i < codePoints.length; i += 1)
//     //  hash * 33 + codePoints[i]
//     hash = ((hash << 5) + hash) + codePoints[i];
pub(crate) fn calculate_hash_code() {
    let as_written = |content: &str| {
        let codes = content.chars().map(|c| c as i32);
        codes.fold(5381i32, |hash, code| (hash << 5).wrapping_add(hash).wrapping_add(code))
    };
    let many = "a".repeat(100);
    let samples = [
        ("", 5381),
        ("a", 177_670),
        ("b", 177_671),
        ("ab", 5_863_208),
        ("ba", 5_863_240),
        ("hello", 261_238_937),
        ("Hello", 223_289_465),
        ("Basic sample", 660_747_465),
        ("\u{416}", 178_619),
        ("\u{3070}\u{304b}", 6_281_472),
    ];
    for (content, hash) in samples.into_iter().chain([(many.as_str(), -79_743_959)]) {
        assert_eq!(Text::from(content).hash_code(), hash, "{content:?}");
        assert_eq!(as_written(content), hash, "{content:?}");
    }
}

// NOTE: For strings the role of boxes and references is performed by Text and MutableText classes.
pub(crate) fn texts_as_boxes_and_references() {
    let (box1, box2) = (Text::from("56"), Text::from("56"));
    let (ref1, ref2) = (MutableText::from("247"), MutableText::from("247"));
    assert!(box1.is_equal(&box2));
    assert_eq!(box1.hash_code(), box2.hash_code());
    assert!(!ref1.is_equal(&ref2));
    // `ref1.hash_code() == ref2.hash_code()` can be true by pure chance, so it is not asserted.
    let same = ref1.clone();
    same.write().clear().append("-89");
    assert_eq!(ref1.to_string(), "-89");
}

// default._textCache  = none;
pub(crate) fn text_cache() {
    let place = || text!("cached");
    assert!(place().owner().is_same(&place().owner()), "one object for each place");
    assert_eq!(place().hash_code(), Text::from("cached").hash_code());
}

// originalObject = _.text.FromString("My string");
// lifeVersion = originalObject.GetLifeVersion();
// newObject = _.text.FromString("New string!");
pub(crate) fn life_version() {
    let get_life_version = |object: Handle<Text>| LifeVersion::to_i32(object.life_version());
    let text = Text::from("My string");
    let original_object = text.handle();
    let life_version = get_life_version(original_object);
    // Allocated objects always have positive life version, and it won't change until they get deallocated.
    assert!(original_object.is_allocated());
    assert!(get_life_version(original_object) > 0);
    assert_eq!(get_life_version(original_object), life_version);
    // But after deallocation, life version will change and become negative.
    free(text);
    assert!(!original_object.is_allocated());
    assert!(get_life_version(original_object) < 0);
    assert_ne!(get_life_version(original_object), life_version);
    // This will reallocate the object we've just deallocated, and it will have a different (positive) life version.
    let new_object = Text::from("New string!");
    assert_eq!(new_object.index(), original_object.index());
    assert!(get_life_version(new_object.handle()) > life_version);
    // The seed's variable would now pass for allocated. The handle does not.
    assert!(!original_object.is_allocated());
    assert!(original_object.with(ToString::to_string).is_none());
}
