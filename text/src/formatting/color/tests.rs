use super::*;

const COLOR: Color = Color::rgb(255, 165, 0);
const FAINT: Color = Color::rgba(255, 165, 0, 128);

#[test]
fn every_notation() {
    for (text, color) in [
        ("rgb(255,165,0)", COLOR),
        ("RGB(255,165,0)", COLOR),
        ("rgb(r=255,g=165,b=0)", COLOR),
        ("rgb(R=255,G=165,B=0)", COLOR),
        ("rgba(255,165,0,255)", COLOR),
        ("rgba(255,165,0,128)", FAINT),
        ("rgba(r=255,g=165,b=0,a=128)", FAINT),
        ("255,165,0", COLOR),
        ("0255,00165,0", COLOR),
        ("255,165,0,128", FAINT),
        ("#ffa500", COLOR),
        ("#FfA500", COLOR),
        ("$orange", COLOR),
        ("$ORANGE", COLOR),
        ("rgb(256,165,0)", COLOR),
        ("99999999999999999999999999999999999999,165,0", COLOR),
    ] {
        assert_eq!(text.parse(), Ok(color), "{text}");
        assert_eq!(Color::read(&format!("{text}[0.5]")), Ok((color, "[0.5]")), "{text}");
    }
}

#[test]
fn what_is_printed_is_read() {
    for alpha in [0, 9, 254, 255] {
        let color = Color::rgba(0, 99, 200, alpha);
        assert_eq!(color.to_string().parse(), Ok(color));
    }
}

#[test]
fn what_is_no_color() {
    let none = "| |red|r=1,g=2,b=3|rgb|rgb(|rgb()|rgb(1,2)|rgb(1,2,3|rgb(1,2,3,4)|rgb(1, 2,3)|rgb(r=1,2,3)|\
        rgb(1,g=2,3)|rgb(g=1,r=2,b=3)|rgb(-1,2,3)|rgb(+1,2,3)|rgb(1.5,2,3)|rgb(１,2,3)|rgba(1,2,3)|\
        rgba(1,2,3,)|1,2|1,,3|1|,|#|#fffff|#ggg000|#+ffff0|#-00000|#ééé|#aaaaé| rgb(1,2,3)|é|rgé|\
        rgb\u{301}|$|$é|$}";
    for text in none.split('|') {
        assert_eq!(text.parse::<Color>(), Err(ColorError::Notation(text.into())), "{text}");
    }
    for (text, name) in [("$octarine", "octarine"), ("$red2", "red2"), ("$reds[1]", "reds")] {
        assert_eq!(text.parse::<Color>(), Err(ColorError::Name(name.into())), "{text}");
    }
}

#[test]
fn what_follows_a_color() {
    for (text, rest) in [
        ("#4f632dc", "c"),
        ("1,2,3,", ","),
        ("1,2,3,x", ",x"),
        ("1,2,3,4,5", ",5"),
        ("rgb(1,2,3))", ")"),
        ("$red red", " red"),
        ("$red}", "}"),
    ] {
        assert_eq!(text.parse::<Color>(), Err(ColorError::Rest(rest.into())), "{text}");
    }
    let error = "#4f632dc".parse::<Color>().unwrap_err();
    assert_eq!(error.to_string(), "expected the end of the color, found `c`");
    let error = "$".parse::<Color>().unwrap_err().to_string();
    assert!(
        error.starts_with("expected a color ") && error.ends_with("found `$`"),
        "{error}"
    );
    let error = "ff\u{1b}".parse::<Color>().unwrap_err().to_string();
    assert!(error.ends_with("or `$red`, found `ff\\u{1b}`"), "{error}");
}
