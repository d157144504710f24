"""The copy of the sources in which each place asks at run time, and the checkers that are built from it."""

import concurrent.futures, json, os, re, subprocess, sys, threading, time
from pathlib import Path

from source import changed

TARGET = Path(os.environ["MUTANTS_TARGET"])
COPY = TARGET / "mutants" / "src"
# The crates with mutations, and the folder of each.
CRATES = {"acedia": "allocator", "acedia-lock": "lock", "acedia-plain": "plain"}
JOBS = int(os.environ.get("MUTANTS_JOBS", "2"))

# What the copy asks. Without a mutation it changes nothing, and with ACEDIA_MUTATIONS_SEEN it notes the places in that file.
ASK = """
pub(crate) mod mutation {
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Wish { place: usize, order: Option<Ordering>, seen: Option<std::fs::File> }

    static WISH: OnceLock<Wish> = OnceLock::new();
    static SEEN: [AtomicBool; PLACES] = [const { AtomicBool::new(false) }; PLACES];

    fn chosen(place: usize) -> Option<Option<Ordering>> {
        let wish = WISH.get_or_init(|| {
            let wish = std::env::var("ACEDIA_MUTATION").unwrap_or_default();
            let (place, order) = wish.split_once(' ').unwrap_or((&wish, ""));
            let order = match order {
                "Relaxed" => Some(Ordering::Relaxed),
                "Acquire" => Some(Ordering::Acquire),
                "Release" => Some(Ordering::Release),
                "AcqRel" => Some(Ordering::AcqRel),
                _ => None,
            };
            let seen = std::env::var_os("ACEDIA_MUTATIONS_SEEN").map(|file| std::fs::File::create(file).unwrap());
            Wish { place: place.parse().unwrap_or(usize::MAX), order, seen }
        });
        if let Some(mut file) = wish.seen.as_ref() {
            if !SEEN[place].swap(true, Ordering::Relaxed) {
                writeln!(file, "{place}").unwrap();
            }
        }
        (wish.place == place).then_some(wish.order)
    }

    /// The ordering of a place.
    pub(crate) fn order(place: usize, order: Ordering) -> Ordering {
        chosen(place).flatten().unwrap_or(order)
    }

    /// Whether the statement of a place is the changed one.
    pub(crate) fn is(place: usize) -> bool {
        chosen(place) == Some(None)
    }
}
"""


def write_copy(changes, count):
    """The tree in a folder of its own, with the changes by file. A file that is the same there keeps its time, so little is built
    again."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True)
    wanted = {Path(os.fsdecode(name)) for name in files.stdout.split(b"\0") if name}
    for path in wanted:
        if not path.is_file():
            continue
        new = path.read_bytes()
        if path in changes:
            new = changed(path, path.read_text(), changes[path]).encode()
        if path == Path("Cargo.toml"):
            # Another version is another file beside the dependencies, which both trees share.
            new = re.sub(r'^(version = "[^"]*)"', r'\1+mutants"', path.read_text(), count=1, flags=re.M).encode()
        if path in (Path(f"{crate}/src/lib.rs") for crate in CRATES.values()):
            new = b"#![allow(warnings)]\n" + new
        if path in (Path(f"{crate}/src/sync.rs") for crate in CRATES.values()):
            new += ASK.replace("PLACES", str(count)).encode()
        at = COPY / path
        if not at.is_file() or at.read_bytes() != new:
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(new)
    for at in [at for at in COPY.rglob("*") if at.is_file() and at.relative_to(COPY) not in wanted]:
        at.unlink()


class Checker:
    """A build, and how its tests are run."""

    # Real threads have to meet: with one core left to them they don't.
    at_once = 1

    def __init__(self, name, flags, arguments, folder, env, build_env=()):
        self.name, self.env = name, env
        command = ["cargo", "test", *(word for crate in CRATES for word in ("-p", crate)), "--no-run", "--message-format=json-render-diagnostics"]
        command += arguments + ["--target-dir", str(TARGET / folder)]
        # With the flags of the script that builds the sources themselves, so that the dependencies are built once for both.
        build_env = os.environ | {"RUSTFLAGS": flags} | dict(build_env)
        built = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, env=build_env)
        if built.returncode:
            sys.exit(f"FAILED: the copy does not build for {name}")
        messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith(b"{")]
        self.binaries = [Path(message["executable"]) for message in messages if message.get("executable")]
        self.sound, self.lock = {}, threading.Lock()

    def run(self, binary, arguments, mutation="", seconds=300, extra=()):
        """The status of one run, and its output. No status: it did not end in time."""
        env = os.environ | self.env | {"ACEDIA_MUTATION": mutation} | dict(extra)
        try:
            done = subprocess.run(
                [binary, *arguments], cwd=COPY / "allocator", env=env, timeout=seconds, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, f"did not end in {seconds} s"

    def is_sound(self, test, seconds, extra=()):
        """Whether the test passes without a mutation. One that does not would count all of them as caught."""
        if test not in self.sound:
            status, output = self.run(*test, seconds=seconds, extra=extra)
            self.sound[test] = status == 0 and not re.search(r"\b0 passed", output)
            if not self.sound[test]:
                print(f"PROBLEM  {self.name} {' '.join(test[1])} fails without a mutation\n{output[-2000:]}", flush=True)
        return self.sound[test]

    def names(self, binary):
        """The tests of a binary."""
        _, names = self.run(binary, ["--list", "--format=terse"])
        return [line.rsplit(":", 1)[0] for line in names.splitlines() if line.endswith(": test")]

    def matching(self, words):
        """The runs of the tests whose name contains one of the words."""
        with self.lock:
            if not hasattr(self, "listed"):
                self.listed = [(binary, self.names(binary)) for binary in self.binaries]
        has = lambda names: any(word in name for word in words for name in names)
        return [(binary, tuple(words)) for binary, names in self.listed if has(names)]


class Models(Checker):
    """The loom models, each a run of its own. Those that reach no place of the mutation are left out."""

    # Models have one thread.
    at_once = JOBS
    # For runs that show only where a model goes: it goes to the same places.
    FEW = {"LOOM_MAX_PREEMPTIONS": "2"}.items()

    def __init__(self, name, env):
        env = {"LOOM_MAX_PREEMPTIONS": "4", "LOOM_MAX_BRANCHES": "10000"} | {
            key: os.environ[key] for key in os.environ if key.startswith("LOOM_")
        } | env
        super().__init__(name, "--cfg acedia_loom -C debug-assertions=on", ["--release", "--lib", "--features", ",".join(f"{crate}/loom" for crate in CRATES)], "loom", env)
        self.seen = None

    def look(self):
        """The models with the places of each, the quickest model first."""
        with self.lock:
            if self.seen is None:
                models = [(binary, name) for binary in self.binaries for name in self.names(binary) if "models::" in name]
                self.seen = self.record(models)
            return self.seen

    def record(self, models):
        folder = TARGET / "mutants" / "seen"
        folder.mkdir(parents=True, exist_ok=True)

        def one(pair):
            binary, model = pair
            at, start = folder / model.replace("::", "."), time.monotonic()
            at.write_text("")
            self.run(binary, [model, "--exact"], extra={"ACEDIA_MUTATIONS_SEEN": str(at)} | dict(self.FEW))
            return time.monotonic() - start, (binary, model), {int(line) for line in at.read_text().split()}

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            return [(*pair, seen) for _, pair, seen in sorted(pool.map(one, models), key=lambda one: one[0])]

    def tests(self, mutation):
        return [(binary, (model, "--exact")) for binary, model, seen in self.look() if mutation.place in seen]

    def first(self, mutation):
        return [test for test in self.tests(mutation) if test[1][0].startswith(f"{mutation.module}::models::")]


class Tests(Checker):
    """Unit, litmus and integration tests. A processor of x86-64 hides most of what a weaker ordering allows."""

    def tests(self, mutation):
        return [(binary, ("--skip", "collecting_a_million")) for binary in self.binaries]

    def first(self, mutation):
        return []


class Unavailable(Exception):
    """A checker that this machine cannot build."""


def targets(words):
    """The arguments that build only the binaries with such tests: under a sanitizer each takes long."""
    files = [path for path in Path("allocator/tests").glob("*.rs") if any(f"fn {word}" in path.read_text() for word in words)]
    return [one for path in files for one in ("--test", path.stem)] or ["--lib", "--tests"]


def sanitizer(name, flags, build_env, env, arguments):
    build = {"RUSTC_BOOTSTRAP": "1", "CARGO_PROFILE_DEV_OPT_LEVEL": "1"} | build_env
    return Tests(name, flags, arguments + ["--target", os.environ["HOST"]], name, env, build)


def build(name, words=()):
    """A checker by its name. The words are those of the tests that it will run, if they are known."""
    if name == "loom":
        return Models(name, {})
    if name == "loom_rmw":
        return Models(name, {"ACEDIA_LOOM_RMW": "1"})
    if name == "test":
        return Tests(name, "", ["--lib", "--tests"], "bugs", {})
    chosen = targets(words)
    if name == "tsan":
        # It sees some accesses that no model has.
        asked = subprocess.run(["bash", "-c", 'source ci/lib.sh; tsan_rust; echo "$RUSTC"'], stdout=subprocess.PIPE, text=True)
        rustc = asked.stdout.splitlines()[-1]
        if asked.returncode:
            raise Unavailable(rustc)
        env = {"TSAN_OPTIONS": "halt_on_error=1"}
        return sanitizer(name, "-Zsanitizer=thread", {"RUSTC": rustc}, env, ["-Zbuild-std", *chosen])
    if name == "asan":
        env = {"ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1", "RUST_MIN_STACK": "16777216"}
        return sanitizer(name, "-Zsanitizer=address --cfg acedia_heap", {}, env, chosen)
    sys.exit(f"FAILED: no such checker: {name}")


def runs(mutation, checkers):
    """The runs of a mutation. The models of its module come first, and are often enough."""
    begun = set()
    for select in ("first", "tests"):
        for name, get in checkers:
            if name.startswith("loom") and not mutation.has_models:
                continue
            checker = get()
            for test in getattr(checker, select)(mutation):
                if (checker.name, test) not in begun:
                    begun.add((checker.name, test))
                    yield checker, test


def check(mutation, checkers, seconds):
    """The verdict on one mutation, and which test caught it."""
    ran, slow = 0, []
    for checker, test in runs(mutation, checkers):
        ran += 1
        status, output = checker.run(*test, mutation.wish, seconds)
        if status is None:
            slow.append(f"{checker.name} {test[0].name} {' '.join(test[1])}")
        elif status and checker.is_sound(test, seconds):
            failed = re.findall(r"^test (\S+) .*FAILED", output, re.M) or [f"{test[0].name} {' '.join(test[1])}"]
            return True, f"{checker.name} {failed[0]}"
    return False, f"{ran} runs" + "".join(f"; no end: {one}" for one in slow)


def check_all(chosen, names, seconds):
    """All checkers of these names on each mutation: yields the mutation, whether it was caught, by which, and the seconds."""
    # Each is built when the first mutation comes to it.
    built, building = {}, threading.Lock()

    def get(name):
        with building:
            if name not in built:
                built[name] = build(name)
            return built[name]

    checkers = [(name, lambda name=name: get(name)) for name in names]

    def one(mutation):
        start = time.monotonic()
        return mutation, *check(mutation, checkers, seconds), time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, mutation) for mutation in chosen]):
            yield done.result()
    if not all(sound for checker in built.values() for sound in checker.sound.values()):
        sys.exit("FAILED: a test fails without a mutation")
