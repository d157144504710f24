//! Random documents, in order and out of it, against `serde_json`: the fuzz model.
#![forbid(unsafe_code)]

#[path = "../../fuzz/src/json.rs"]
pub mod model;

/// Numbers from a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        usize::from(u16::from_be_bytes([self.0.to_be_bytes()[0], self.0.to_be_bytes()[1]])) % end
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn value(&mut self, depth: usize, out: &mut String) {
        const SPACES: [&str; 4] = ["", "", " ", "\n\t"];
        const SCALARS: [&str; 13] = [
            "null",
            "true",
            "false",
            "0",
            "-0",
            "-17",
            "3000000000",
            "1.5",
            "-1e-7",
            "1E300",
            "18446744073709551616",
            "0.1",
            "0.12345678901234567891",
        ];
        const STRINGS: [&str; 6] = [
            r#""""#,
            r#""a""#,
            r#""ä€😀""#,
            r#""\u00e4\n\"\\""#,
            r#""\ud83d\ude00x""#,
            r#""\u0061""#,
        ];
        out.push_str(self.one_of(&SPACES));
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => out.push_str(self.one_of(&SCALARS)),
            1 => out.push_str(self.one_of(&STRINGS)),
            shape => {
                let (open, close) = if shape == 2 { ('[', ']') } else { ('{', '}') };
                out.push(open);
                for index in 0..self.below(5) {
                    if index > 0 {
                        out.push(',');
                    }
                    if shape == 3 {
                        out.push_str(self.one_of(&STRINGS));
                        out.push_str(self.one_of(&SPACES));
                        out.push(':');
                    }
                    self.value(depth - 1, out);
                }
                out.push(close);
            }
        }
        out.push_str(self.one_of(&SPACES));
    }
}

#[test]
fn documents_are_read_as_the_model_reads_them() {
    let mut random = Random(1);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..2000 {
        let mut document = String::new();
        random.value(4, &mut document);
        assert!(model::run(document.as_bytes()), "{document}");
        // And with one byte changed, which may or may not be JSON.
        let mut changed = document.into_bytes();
        let at = random.below(changed.len());
        changed[at] = b"\"\\{}[],:0-.ea \xff"[random.below(15)];
        if model::run(&changed) {
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} and {refused}");
}
