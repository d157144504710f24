use super::*;

#[test]
fn holds_what_fits_and_is_ascii() {
    let text: String = ('!'..='~').take(MOST + 1).collect();
    for start in 0..=MOST {
        for len in 0..=MOST + 1 - start {
            let mut short = Short::default();
            assert!(short.push_str(&text[..start]));
            let fits = start + len <= MOST;
            assert_eq!(short.push_str(&text[start..start + len]), fits);
            let expected = if fits { start + len } else { start };
            assert_eq!(short.as_str(), Some(&text[..expected]));
        }
    }
}

#[test]
fn refuses_other_characters_wherever_they_stand() {
    for len in 0..MOST {
        let ascii = "\u{7f}".repeat(len);
        for at in 0..=len {
            let mut short = Short::default();
            let (before, after) = ascii.split_at(at);
            assert!(!short.push_str(&format!("{before}\u{80}{after}")), "{at} of {len}");
            assert_eq!(short.as_str(), Some(""));
        }
    }
}

#[test]
fn the_same_if_every_byte_is() {
    for len in 0..70 {
        let text: String = ('!'..='~').take(len).collect();
        assert!(same(&text, &text.clone()) && !same(&text, &format!("{text}!")) && !same(&format!("{text}!"), &text));
        for at in 0..len {
            let mut other = text.clone();
            other.replace_range(at..=at, " ");
            assert!(!same(&text, &other), "{text:?}, {other:?}");
        }
    }
}

#[test]
fn takes_nothing_when_the_text_is_elsewhere() {
    let mut short = Short::default();
    short.leave();
    assert!(!short.is_here() && !short.push_str("") && !short.push_str("a"));
    assert!(short.as_str().is_none() && short.as_ascii_mut().is_none());
    short.clear();
    assert!(short.push_str("a") && short.as_str() == Some("a"));
}
