use super::*;
use serde_json::json;

fn printed() -> Outcome {
    let printed = json!({
        "name": "pair", "title": "Make & drop", "unit": "ns",
        "contenders": ["acedia", "Box", "slow <one>"],
        "columns": [
            { "payload": "16 B", "medians": { "acedia": 4.0, "Box": 8.0, "slow <one>": 900.0 } },
            { "payload": "64 B", "medians": { "acedia": 5.0, "Box": 9.0 } },
            { "payload": "one", "medians": { "acedia": 24.0 } },
        ],
    });
    serde_json::from_value(printed).expect("an outcome")
}

#[test]
fn bars_are_sorted() {
    let chart = Chart::of(&printed());
    let bars = &chart.panels[0].bars;
    assert_eq!(bars.iter().map(|bar| bar.value).collect::<Vec<_>>(), [4.0, 8.0, 900.0]);
}

#[test]
fn the_same_numbers_draw_the_same_picture() {
    let chart = Chart::of(&printed());
    let svg = chart.to_svg().expect("drawn");
    assert_eq!(svg, chart.to_svg().expect("drawn"));
    assert!(
        svg.contains("Make &amp; drop") && svg.contains("slow &lt;one&gt;"),
        "{svg}"
    );
}

#[test]
fn a_scale_has_its_ends_and_round_ticks() {
    let plain = Scale::of([3.0, 12.0].into_iter());
    assert_eq!((plain.part(0.0), plain.part(6.0), plain.part(12.0)), (0.0, 0.5, 1.0));
    assert_eq!(plain.ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    let wide = Scale::of([2.0, 100.0].into_iter());
    assert_eq!((wide.part(1.0), wide.part(10.0), wide.part(100.0)), (0.0, 0.5, 1.0));
    assert_eq!(wide.ticks(), [1.0, 10.0, 100.0]);
}
