use super::*;
use crate::BaseText;

fn filled(template: &str, arguments: &[&str]) -> String {
    let mut template = Template::new(template);
    for argument in arguments {
        template.arg(*argument);
    }
    template.to_string()
}

#[test]
fn places_with_numbers() {
    assert_eq!(filled("%1 and %2", &["a", "b"]), "a and b");
    assert_eq!(filled("%2 and %1", &["a", "b"]), "b and a");
    assert_eq!(filled("%7%-3%+5%0", &["a", "b", "c", "d"]), "dacb");
    assert_eq!(filled("%1 %1 %0", &["a", "b", "c"]), "b c a");
    assert_eq!(
        filled("%99999999999999999999%-99999999999999999999%5", &["a", "b", "c"]),
        "cab"
    );
    assert_eq!(filled("%1", &["a", "b"]), "a");
    assert_eq!(filled("<%1%2>", &[]), "<>");
    assert_eq!(filled("<%1%2>", &["", "b"]), "<b>");
}

#[test]
fn percent_signs() {
    assert_eq!(filled("100&% %1", &["a"]), "100% a");
    assert_eq!(filled("100% sure %", &[]), "100 sure ");
    assert_eq!(filled("%- %+a %é", &[]), "- +a é");
    assert_eq!(filled("&&%1&{&é&", &["a"]), "&&a&{&é&");
    assert_eq!(filled("&&&%", &[]), "&&%");
}

#[test]
fn places_with_names() {
    let mut template = Template::new("%%b%% %%a%%%%b% %1 %%no end");
    assert!(template.text_args().eq(["b", "a", "no end"]));
    assert_eq!(template.numeric_args(), 1);
    template
        .text_arg("a", "1")
        .text_arg("b", 'x')
        .text_arg("c", "?")
        .arg("2")
        .text_arg("b", "y");
    assert_eq!(template.to_string(), "y 1y 2 ");
    template.reset();
    assert_eq!(template.to_string(), "   ");
    template.arg("3");
    assert_eq!(template.to_string(), "  3 ");
    assert!(Template::new("%%").text_args().eq([""]));
    assert!(Template::new("%%%%%").text_args().eq([""]));
}

#[test]
fn arguments_are_not_read_as_templates() {
    assert_eq!(filled("%1 %2", &["%2", "&%"]), "%2 &&%");
}

#[test]
fn formats_go_along_and_markup_of_arguments_does_not_count() {
    let mut template = Template::new("{$red %1 %%who%%}%2");
    template
        .arg(BaseText::from_markup("a{$blue b}"))
        .plain_arg("^4{$lime c}")
        .text_arg("who", "}{^1&");
    let text = template.collect_formatted();
    assert_eq!(text.to_string(), "ab }{^1&c");
    assert_eq!(
        text.to_markup(..),
        "{rgb(255,0,0) a}{rgb(0,0,255) b}{rgb(255,0,0)  &}&{&^1&&}{rgb(0,255,0) c}"
    );
    assert_eq!(
        template.collect().to_string(),
        "{$red a{rgb(0,0,255) b} &}&{&^1&&}^4{$lime c}"
    );
    template.plain_text_arg("who", BaseText::from_markup("{$pink &}x}"));
    assert_eq!(template.collect_formatted().to_string(), "ab xc");
}

#[test]
fn as_many_as_anybody_likes() {
    const COUNT: usize = 100_000;
    let mut template = Template::new("%%a%%%%b%%%2".repeat(COUNT));
    for _ in 0..COUNT {
        template.arg("x").text_arg("a", "y").text_arg("b", "z");
    }
    assert_eq!(template.numeric_args(), COUNT);
    assert_eq!(template.to_string(), "yzx".repeat(COUNT));
}
