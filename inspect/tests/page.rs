//! The page in Chromium, if it is installed: its tables, its width on a phone, and its contrast in light and dark.
#![cfg(unix)]

use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use acedia::{Object, Owned, class, pin};
use acedia_inspect::Inspector;

#[derive(Default)]
struct Rocket;
impl Object for Rocket {
    class!(Rocket, "Page.Rocket");
}

#[derive(Default)]
struct Wreck;
impl Object for Wreck {
    class!(
        Wreck,
        "Page.WreckWithAVeryLongNameThatHasToBreakOnAPhoneSomewhereInTheMiddle"
    );
}

#[derive(Default)]
struct Never;
impl Object for Never {
    class!(Never, "Page.Never");
}

/// Runs Chromium without a window. `None`, with a message, if it does not run here.
fn chromium(name: &str, arguments: &[String]) -> Option<String> {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("profile-{name}"));
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).expect("UTF-8")),
        Ok(output) => {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            skip(&format!(
                "chromium does not run here: {}",
                log.lines().last().unwrap_or_default()
            ))
        }
        Err(error) => skip(&format!("no chromium: {error}")),
    }
}

/// Not by `println!`, which a test that passes does not show.
fn skip(reason: &str) -> Option<String> {
    let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
    None
}

fn get(inspector: &Inspector, file: &str) -> String {
    let url = inspector.url();
    let query = &url[url.find('?').expect("a query")..];
    let mut stream = TcpStream::connect(inspector.address()).expect("it listens");
    let request = format!("GET /{file}{query} HTTP/1.1\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("UTF-8");
    answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
}

/// The content of the cell of this name in the row of this class.
fn cell<'a>(dom: &'a str, class: &str, name: &str) -> &'a str {
    let row = dom
        .split("<tr")
        .find(|row| row.contains(&format!("<span>{class}</span>")));
    let row = row.unwrap_or_else(|| panic!("no row of {class} in {dom}"));
    let after = row.split(&format!("data-name=\"{name}\">")).nth(1);
    let after = after.and_then(|after| after.split("<span>").nth(1));
    let after = after.unwrap_or_else(|| panic!("no {name} in {row}"));
    after.split('<').next().expect("its end")
}

fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"))
}

/// Measures the page, and tells the page around it the mistakes.
const MEASURE: &str = r#"
setTimeout(() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);
  const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((byte) => byte / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
  const back = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return color === "rgba(0, 0, 0, 0)" && node.parentElement ? back(node.parentElement) : color;
  };
  let texts = 0;
  for (const node of document.querySelectorAll("h1, h2, p, th, td, span, b, button, label")) {
    const area = node.getBoundingClientRect();
    if (!node.textContent.trim() || area.width === 0) continue;
    texts += 1;
    if (area.left < 0 || area.right > innerWidth + 1) found.push(`"${node.textContent}" leaves the window`);
    const [a, b] = [light(getComputedStyle(node).color), light(back(node))];
    if (Math.max(a, b) / Math.min(a, b) < 4.5) found.push(`"${node.textContent}" is hard to read`);
  }
  const mode = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const living = [...document.querySelectorAll("td.course span")].map((cell) => cell.textContent);
  const seen = `${texts > 30 ? "many" : texts} texts, ${innerWidth} wide, ${mode}, ${living} alive`;
  parent.postMessage([seen, ...found].join("\n"), "*");
}, 3500);
"#;

/// So many, each with a handle.
fn wrecks(count: usize) -> Vec<Owned<Wreck>> {
    let wrecks: Vec<_> = (0..count).map(|_| Wreck::allocate()).collect();
    for wreck in &wrecks {
        let _ = wreck.handle();
    }
    wrecks
}

#[test]
fn the_page_shows_the_numbers_and_fits_a_phone() {
    let inspector = Inspector::start().unwrap();
    let kept: Vec<_> = (0..12_345).map(|_| Rocket::allocate()).collect();
    let wreck = wrecks(1);
    drop(wrecks(2_000));

    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let churn = || {
            let _pin = pin();
            while !stop.load(Ordering::Relaxed) {
                drop(wrecks(100));
                // The pin keeps all of them.
                thread::sleep(Duration::from_millis(5));
            }
        };
        thread::Builder::new()
            .name("churn".to_owned())
            .spawn_scoped(scope, churn)
            .unwrap();
        let _stop = Stop(&stop);
        let wide = [
            "--window-size=1200,900".to_owned(),
            "--virtual-time-budget=4000".to_owned(),
            "--blink-settings=preferredColorScheme=0".to_owned(),
        ];
        let dumped = [&wide[..], &["--dump-dom".to_owned(), inspector.url()]].concat();
        let Some(dom) = chromium("dom", &dumped) else { return };
        assert_eq!(cell(&dom, "Page.Rocket", "live"), "12,345");
        let wreck = "Page.WreckWithAVeryLongNameThatHasToBreakOnAPhoneSomewhereInTheMiddle";
        assert_ne!(cell(&dom, wreck, "kept"), "0", "{dom}");
        assert!(!dom.contains("<span>Page.Never</span>"), "an unused class is shown");
        assert!(
            dom.contains("<span>churn</span>") && dom.contains(">connected</span>"),
            "{dom}"
        );
        if cfg!(debug_assertions) {
            assert!(
                dom.contains("inspect/tests/page.rs:"),
                "no place of an allocation: {dom}"
            );
        }
        // To be looked at.
        let file = picture("wide-dark");
        let _ = fs::remove_file(&file);
        chromium(
            "dom",
            &[
                &wide[..],
                &[format!("--screenshot={}", file.display()), inspector.url()],
            ]
            .concat(),
        );
        assert!(fs::metadata(&file).expect("a picture").len() > 10_000);

        // The page as a file, with answers of now, measures itself. The second class has 1,234 objects alive.
        let answers = format!(
            "<script>const answers = {{ \"stats.json\": {}, \"living.json\": {} }};\n\
             window.fetch = async (file) => {{\n\
               const stats = answers[\"stats.json\"];\n\
               stats.seconds += 1;\n\
               stats.classes[2].live = 1234;\n\
               return new Response(JSON.stringify(answers[file.split(\"?\")[0]]));\n\
             }};</script>\n",
            get(&inspector, "stats.json"),
            get(&inspector, "living.json")
        );
        let page = get(&inspector, "").replacen("<script>", &format!("{answers}<script>"), 1);
        let measured = format!("{page}<script>{MEASURE}</script>");
        for (mode, scheme) in [("light", 1), ("dark", 0)] {
            for width in [360, 800, 1200] {
                let name = format!("{mode}-{width}");
                let options = [
                    "--window-size=1200,1000".to_owned(),
                    "--virtual-time-budget=6000".to_owned(),
                    format!("--blink-settings=preferredColorScheme={scheme}"),
                ];
                let dom = framed(&measured, width, &name, &options, "--dump-dom").expect("it ran before");
                let found = dom.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next());
                let expected = format!("many texts, {width} wide, {mode}, 12,345,1,234 alive");
                assert_eq!(found.unwrap_or_else(|| panic!("{dom}")), expected);
                if (mode == "light") != (width == 1200) {
                    continue;
                }
                let shot = format!("--screenshot={}", picture(&name).display());
                framed(&page, width, &name, &options, &shot);
                assert!(fs::metadata(picture(&name)).expect("a picture").len() > 10_000);
            }
        }
    });
    drop((kept, wreck));
}

/// Runs Chromium on this page in a frame of this width: a window has at least 500 pixels.
fn framed(page: &str, width: u32, name: &str, options: &[String], action: &str) -> Option<String> {
    let [inner, outer] = ["page", "frame"].map(|part| {
        let file = format!("{name}-{part}.html");
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(file)
    });
    let frame = format!(
        "<!DOCTYPE html><style>body {{ margin: 0 }} iframe {{ border: 0; height: 990px }}</style>\n\
         <iframe width={width} src=\"file://{}\"></iframe>\n\
         <script>onmessage = (event) => {{\n\
           const result = document.createElement(\"pre\");\n\
           result.textContent = event.data;\n\
           document.body.replaceChildren(result);\n\
         }};</script>",
        inner.display()
    );
    fs::write(inner, page).expect("written");
    fs::write(&outer, frame).expect("written");
    let last = [action.to_owned(), format!("file://{}", outer.display())];
    chromium(name, &[options, &last].concat())
}

/// Ends the other thread also when an assertion fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
