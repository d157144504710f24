//! The answers of the server: their content, and the refusals.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc;
use std::thread;

use acedia::pool::GuardsOnly;
use acedia::{Object, class, domain, pin};
use acedia_inspect::Inspector;
use serde_json::Value;

domain! {
    /// Read by the mixer.
    pub Audio
}

#[derive(Default)]
struct Rocket;
impl Object for Rocket {
    class!(Rocket, "Served.Rocket");
}

#[derive(Default)]
struct Voice;
impl Object for Voice {
    class!(Voice, "Served.Voice", readers = Audio);
}

#[derive(Default)]
struct Session;
impl Object for Session {
    class!(Session, "Served.Session", readers = GuardsOnly);
    const FINALIZER: Option<fn(&mut Self)> = Some(|_| {});
}

#[derive(Default)]
struct Never;
impl Object for Never {
    class!(Never, "Served.Never");
}

/// Sends these bytes, and returns the whole answer.
fn send(inspector: &Inspector, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(inspector.address()).expect("it listens");
    stream.write_all(request).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer in UTF-8");
    answer
}

/// The query of the address, with its `?`.
fn query(inspector: &Inspector) -> String {
    let url = inspector.url();
    url[url.find('?').expect("a query")..].to_owned()
}

fn get(inspector: &Inspector, target: &str) -> String {
    send(
        inspector,
        format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes(),
    )
}

fn json(inspector: &Inspector, file: &str) -> Value {
    let answer = get(inspector, &format!("/{file}{}", query(inspector)));
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("\r\nContent-Type: application/json\r\n"), "{head}");
    assert!(
        head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())),
        "{head}"
    );
    serde_json::from_str(body).expect("JSON")
}

fn class_of<'a>(stats: &'a Value, name: &str) -> &'a Value {
    let classes = stats["classes"].as_array().expect("a list");
    classes.iter().find(|class| class["name"] == name).expect("the class")
}

#[test]
fn the_numbers_of_a_class_are_those_of_its_stats() {
    let inspector = Inspector::start().unwrap();
    let rockets: Vec<_> = (0..5).map(|_| Rocket::allocate()).collect();
    drop(rockets);
    let rocket = Rocket::allocate();
    let stats = json(&inspector, "stats.json");
    let expected = Rocket::class().stats();
    let shown = class_of(&stats, "Served.Rocket");
    for (name, value) in [
        ("live", 1),
        ("kept", 4),
        ("waiting", 0),
        ("object_size", 0),
        ("bytes", expected.bytes),
    ] {
        assert_eq!(shown[name], value, "{name}: {shown}");
    }
    assert_eq!(
        (&shown["type"], &shown["policy"]),
        (&"served::Rocket".into(), &"keeps all".into())
    );
    assert_eq!(class_of(&stats, "Served.Never")["bytes"], 0);
    assert_eq!(stats["process"], std::process::id());
    assert!(stats["program"].as_str().unwrap().starts_with("served"), "{stats}");
    assert_eq!(stats["places"], cfg!(debug_assertions));
    let later = json(&inspector, "stats.json");
    assert!(later["seconds"].as_f64() > stats["seconds"].as_f64());
    drop(rocket);
}

#[test]
fn a_pin_shows_its_thread_its_place_and_the_classes_it_delays() {
    let inspector = Inspector::start().unwrap();
    let (pinned, is_pinned) = mpsc::channel();
    let (leave, may_leave) = mpsc::channel::<()>();
    let mixer = thread::Builder::new().name("mixer".to_owned()).spawn(move || {
        let _pin = <Audio as acedia::pool::Domain>::pin();
        pinned.send(()).unwrap();
        let _ = may_leave.recv();
    });
    is_pinned.recv().unwrap();
    // More than the list of freed objects that are not checked for readers yet. Without a handle they have no readers.
    let named = |_| {
        let voice = Voice::allocate();
        let _ = voice.handle();
        voice
    };
    drop((0..2_000).map(named).collect::<Vec<_>>());
    let session = Session::allocate();
    let guard = session.handle().guard().unwrap();
    drop(session);
    let pin_of_this_thread = pin();

    let stats = json(&inspector, "stats.json");
    let pins = stats["pins"].as_array().unwrap();
    let mixers: Vec<_> = pins.iter().filter(|pin| pin["thread"] == "mixer").collect();
    assert_eq!(mixers.len(), 1, "{stats}");
    assert_eq!(mixers[0]["delays"], serde_json::json!(["Served.Voice"]));
    assert!(mixers[0]["seconds"].as_f64().unwrap() >= 0.0);
    let place = mixers[0]["place"].as_str();
    assert_eq!(
        place.is_some_and(|place| place.contains("served.rs")),
        cfg!(debug_assertions),
        "{place:?}"
    );
    assert!(class_of(&stats, "Served.Voice")["waiting"].as_u64().unwrap() > 0);
    // A guard is not a pin.
    assert_eq!(class_of(&stats, "Served.Session")["waiting"], 1);
    let this = pins
        .iter()
        .find(|pin| pin["thread"] == thread::current().name().unwrap());
    // Objects of another domain do not wait for it, and those read by guards for no pin.
    let delays = this.expect("the pin of this thread")["delays"].to_string();
    assert!(
        !delays.contains("Served.Voice") && !delays.contains("Served.Session"),
        "{delays}"
    );
    drop((pin_of_this_thread, guard));
    leave.send(()).unwrap();
    mixer.unwrap().join().unwrap();
    let pins = json(&inspector, "stats.json")["pins"].clone();
    assert!(
        pins.as_array().unwrap().iter().all(|pin| pin["thread"] != "mixer"),
        "{pins}"
    );
}

#[test]
fn the_living_are_listed_by_place() {
    #[derive(Default)]
    struct Lamp;
    impl Object for Lamp {
        class!(Lamp, "Served.Lamp");
    }
    let inspector = Inspector::start().unwrap();
    let here = |_| {
        let lamp = Lamp::allocate();
        let _ = lamp.handle();
        lamp
    };
    let lamps: Vec<_> = (0..3).map(here).collect();
    let without_handle = Lamp::allocate();
    let living = json(&inspector, "living.json");
    let groups = living["groups"].as_array().unwrap();
    let groups: Vec<_> = groups.iter().filter(|group| group["class"] == "Served.Lamp").collect();
    assert_eq!((&groups[0]["objects"], &groups[0]["handles"]), (&3.into(), &3.into()));
    let place = groups[0]["place"].as_str();
    assert_eq!(
        place.is_some_and(|place| place.contains("served.rs:")),
        cfg!(debug_assertions)
    );
    assert_eq!((&groups[1]["objects"], &groups[1]["handles"]), (&1.into(), &0.into()));
    assert!(living["objects"].as_u64().unwrap() >= 4);
    drop((lamps, without_handle));
}

#[test]
fn a_request_without_the_token_learns_nothing() {
    let inspector = Inspector::start().unwrap();
    let other = Inspector::start().unwrap();
    let token = query(&inspector);
    assert_eq!(token.len(), "?token=".len() + 32);
    let mut refusals = Vec::new();
    for target in [
        "/".to_owned(),
        "/stats.json".to_owned(),
        "/living.json".to_owned(),
        "/nowhere".to_owned(),
        "/?token=".to_owned(),
        format!("/stats.json{}", query(&other)),
        format!("/stats.json{}", &token[..token.len() - 1]),
        format!("/stats.json{token}0"),
        format!("/stats.json?{}", &token[7..]),
        format!("/{}", &token[7..]),
    ] {
        refusals.push(get(&inspector, &target));
    }
    refusals.push(send(&inspector, b"DELETE / HTTP/1.1\r\n\r\n"));
    let field = format!(
        "GET / HTTP/1.1\r\nCookie: {}\r\nReferer: {}\r\n\r\n",
        &token[1..],
        inspector.url()
    );
    refusals.push(send(&inspector, field.as_bytes()));
    for refusal in &refusals {
        assert!(refusal.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{refusal}");
        assert!(refusal.ends_with("\r\n\r\n"), "{refusal}");
        assert_eq!(refusal, &refusals[0], "refusals differ");
    }
    assert!(!format!("{inspector:?}").contains(&token[7..]));
}

#[test]
fn with_the_token_other_mistakes_have_their_own_status() {
    let inspector = Inspector::start().unwrap();
    let token = query(&inspector);
    let status = |request: String| send(&inspector, request.as_bytes()).lines().next().unwrap().to_owned();
    for (request, expected) in [
        (format!("GET /stats{token} HTTP/1.1\r\n\r\n"), "404 Not Found"),
        (format!("GET //{token} HTTP/1.1\r\n\r\n"), "404 Not Found"),
        (format!("GET /../stats.json{token} HTTP/1.1\r\n\r\n"), "404 Not Found"),
        (format!("POST /{token} HTTP/1.1\r\n\r\n"), "405 Method Not Allowed"),
        (format!("GET /?a=b&{} HTTP/1.1\r\n\r\n", &token[1..]), "200 OK"),
        ("GET\r\n\r\n".to_owned(), "400 Bad Request"),
        ("\u{16}\u{3}\u{1}\r\n\r\n".to_owned(), "400 Bad Request"),
        (
            "GET / HTTP/1.1\r\na:b\r\n".to_owned() + &"a:b\r\n".repeat(80) + "\r\n",
            "400 Bad Request",
        ),
        (
            format!("GET /{token}&{} HTTP/1.1\r\n\r\n", "x".repeat(8_000 - 67)),
            "200 OK",
        ),
    ] {
        assert_eq!(status(request), format!("HTTP/1.1 {expected}"));
    }
    // The answer to HEAD has no body, and each refusal names the allowed methods.
    let head = send(&inspector, format!("HEAD /{token} HTTP/1.1\r\n\r\n").as_bytes());
    assert!(
        head.starts_with("HTTP/1.1 405 ") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    assert!(head.contains("\r\nAllow: GET\r\n"), "{head}");
    // An endless head is not read to its end.
    let mut stream = TcpStream::connect(inspector.address()).unwrap();
    stream.write_all(&[b'x'; 8 * 1024]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    // A body is not waited for, whatever its declared length.
    let long = format!("GET /stats.json{token} HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n");
    assert_eq!(status(long), "HTTP/1.1 200 OK");
    // A client that hangs up midway does not affect the next one.
    let mut gone = TcpStream::connect(inspector.address()).unwrap();
    gone.write_all(b"GET /st").unwrap();
    drop(gone);
    assert_eq!(json(&inspector, "stats.json")["process"], std::process::id());
}

#[test]
fn too_many_clients_are_closed_and_the_others_served() {
    let inspector = Inspector::start().unwrap();
    let mut idle: Vec<_> = (0..40)
        .map(|_| TcpStream::connect(inspector.address()).unwrap())
        .collect();
    let mut request = idle.remove(0);
    // Those beyond the limit are closed at once; the first sixteen are not.
    let mut last = idle.pop().unwrap();
    let closed = last.read(&mut [0]);
    assert!(matches!(closed, Ok(0)) || closed.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
    let head = format!("GET /{} HTTP/1.1\r\n\r\n", query(&inspector));
    request.write_all(head.as_bytes()).unwrap();
    request.shutdown(Shutdown::Write).unwrap();
    let mut page = String::new();
    request.read_to_string(&mut page).unwrap();
    assert!(
        page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("</html>\n"),
        "{page}"
    );
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let inspector = Inspector::start().unwrap();
    let page = get(&inspector, &format!("/{}", query(&inspector)));
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("Content-Security-Policy: default-src 'none'; "), "{head}");
    assert!(head.contains("Cache-Control: no-store\r\n") && head.contains("Referrer-Policy: no-referrer\r\n"));
    // One address in the page: the name space of SVG, which nothing loads.
    assert_eq!(body.matches("://").count(), 1);
    assert_eq!(body.matches("http://www.w3.org/2000/svg").count(), 1);
    assert!(!body.contains("innerHTML") && body.len() < 16 * 1024, "{}", body.len());
}

#[test]
fn a_dropped_inspector_closes_its_port() {
    let inspector = Inspector::start().unwrap();
    let address = inspector.address();
    drop(inspector);
    assert_eq!(
        TcpStream::connect(address).unwrap_err().kind(),
        ErrorKind::ConnectionRefused
    );
    assert!(Inspector::start_on(address.port()).is_ok());
}

#[test]
fn a_taken_port_is_named_in_the_error() {
    let first = Inspector::start().unwrap();
    let error = Inspector::start_on(first.address().port()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
    assert!(
        error
            .to_string()
            .starts_with(&format!("can't listen on {}: ", first.address())),
        "{error}"
    );
    assert_eq!(
        format!("{first:?}"),
        format!("Inspector {{ address: {}, .. }}", first.address())
    );
}
