"""The copy of the sources, in which each place asks at run time for its mutation, and the checkers built from it."""

import concurrent.futures, json, math, os, re, resource, signal, subprocess, sys, tempfile, threading, time
from pathlib import Path

from source import changed

TARGET = Path(os.environ["MUTANTS_TARGET"])
COPY = TARGET / "mutants" / "src"
CRATES = {"acedia": "allocator", "acedia-lock": "lock", "acedia-plain": "plain"}
JOBS = int(os.environ.get("MUTANTS_JOBS", "2"))

# The places call this module. Without a mutation it changes nothing.
ASK = """
pub(crate) mod mutation {
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering;

    fn chosen(place: usize) -> Option<Option<Ordering>> {
        static WISH: OnceLock<(usize, Option<Ordering>)> = OnceLock::new();
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
            (place.parse().unwrap_or(usize::MAX), order)
        });
        (wish.0 == place).then_some(wish.1)
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


def write_copy(changes):
    """Writes the tree with the changes to its own folder. An unchanged file keeps its modification time, so little is built
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
            # Another version gets another file name next to the dependencies, which both trees share.
            new = re.sub(r'^(version = "[^"]*)"', r'\1+mutants"', path.read_text(), count=1, flags=re.M).encode()
        if path in (Path(f"{crate}/src/lib.rs") for crate in CRATES.values()):
            new = b"#![allow(warnings)]\n" + new
        if path in (Path(f"{crate}/src/sync.rs") for crate in CRATES.values()):
            new += ASK.encode()
        at = COPY / path
        if not at.is_file() or at.read_bytes() != new:
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(new)
    for at in [at for at in COPY.rglob("*") if at.is_file() and at.relative_to(COPY) not in wanted]:
        at.unlink()


class Checker:
    """One build, and how its tests run."""

    # The threads of a test have to meet: one core is too few.
    at_once = 1

    def __init__(self, name, flags, arguments, folder, env, build_env=()):
        self.name, self.env = name, env
        command = ["cargo", "test", *(word for crate in CRATES for word in ("-p", crate)), "--no-run", "--message-format=json-render-diagnostics"]
        command += arguments + ["--target-dir", str(TARGET / folder)]
        # With the same flags as the script that builds the sources themselves, so that the dependencies are built once
        # for both.
        build_env = os.environ | {"RUSTFLAGS": flags} | dict(build_env)
        built = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, env=build_env)
        if built.returncode:
            sys.exit(f"FAILED: the copy does not build for {name}")
        messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith(b"{")]
        self.binaries = [Path(message["executable"]) for message in messages if message.get("executable")]
        self.sound, self.listed, self.lock = {}, None, threading.Lock()

    def run(self, binary, arguments, mutation="", seconds=300, extra=()):
        """The status of one run, its output, and its processor time or a third of its elapsed time, whichever is more, in seconds. The
        status is None if this time exceeds `seconds`. Processor time is used so that a busy machine changes no verdict."""
        env = os.environ | self.env | {"ACEDIA_MUTATION": mutation} | dict(extra)
        limit = math.ceil(seconds)
        with tempfile.TemporaryFile() as output:
            run = subprocess.Popen(
                [binary, *arguments], cwd=COPY / "allocator", env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
            resource.prlimit(run.pid, resource.RLIMIT_CPU, (limit, limit))
            timer = threading.Timer(3 * limit, run.kill)
            timer.start()
            begun = time.monotonic()
            _, status, usage = os.wait4(run.pid, 0)
            timer.cancel()
            run.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            text = output.read().decode(errors="replace")
        took = max(usage.ru_utime + usage.ru_stime, (time.monotonic() - begun) / 3)
        if run.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
            return None, f"did not end in {limit} s", took
        return run.returncode, text, took

    def is_sound(self, test, seconds, extra=()):
        """Whether the test passes without a mutation. If it fails without one, it would count all mutations as caught."""
        key = test, tuple(extra)
        if key not in self.sound:
            status, output, _ = self.run(*test, seconds=seconds, extra=extra)
            self.sound[key] = status == 0 and not re.search(r"\b0 passed", output)
            if not self.sound[key]:
                print(f"PROBLEM  {self.name} {' '.join(test[1])} fails without a mutation\n{output[-2000:]}", flush=True)
        return self.sound[key]

    def names(self):
        with self.lock:
            if self.listed is None:
                lists = [(binary, self.run(binary, ["--list", "--format=terse"])[1].splitlines()) for binary in self.binaries]
                self.listed = [(binary, [line.rsplit(":", 1)[0] for line in lines if line.endswith(": test")]) for binary, lines in lists]
            return self.listed

    def matching(self, words):
        has = lambda names: any(word in name for word in words for name in names)
        return [(binary, tuple(words)) for binary, names in self.names() if has(names)]


class Models(Checker):
    """The loom models. Each model is a separate run."""

    # A model uses one thread of the system.
    at_once = JOBS
    # Two preemptions are enough for every outcome that a model requires.
    FEW = (("LOOM_MAX_PREEMPTIONS", "2"),)

    def __init__(self, name, env):
        env = {"LOOM_MAX_PREEMPTIONS": "3", "LOOM_MAX_BRANCHES": "10000"} | {
            key: os.environ[key] for key in os.environ if key.startswith("LOOM_")
        } | env
        super().__init__(name, "--cfg acedia_loom -C debug-assertions=on", ["--release", "--lib", "--features", ",".join(f"{crate}/loom" for crate in CRATES)], "loom", env)

    def rounds(self, mutation):
        """The tests of each round, their environment, and the time limit of a test. With nearly all mutations a model fails within
        two seconds."""
        models = [(binary, (name, "--exact")) for binary, names in self.names() for name in names if "models::" in name]
        # The models of the module, or of the whole crate if it has one file of models, come first.
        of = (f"{mutation.module}::models::", "models::")
        models.sort(key=lambda test: not (test[0].name.startswith(f"{mutation.crate}-") and test[1][0].startswith(of)))
        return [(models, self.FEW, 2), (models, self.FEW, float("inf")), (models, (), float("inf"))]


class Tests(Checker):
    """Unit and integration tests. An x86-64 processor hides most effects of a weaker ordering."""

    def rounds(self, mutation):
        own = self.matching((f"{mutation.module}::",))
        rest = [(binary, ("--skip", "collecting_a_million")) for binary in self.binaries]
        return [(tests, (), float("inf")) for tests in (own, [], rest)]


class Unavailable(Exception):
    """A checker that this machine cannot build."""


def targets(words):
    """The arguments that build only the binaries with these tests, because a build with a sanitizer takes long."""
    tests = Path("allocator/tests")
    files = [path.relative_to(tests) for path in tests.rglob("*.rs") if any(f"fn {word}" in path.read_text() for word in words)]
    binaries = sorted({path.parts[0].removesuffix(".rs") for path in files})
    return [one for binary in binaries for one in ("--test", binary)] or ["--lib", "--tests"]


def sanitizer(name, flags, build_env, env, arguments):
    build = {"RUSTC_BOOTSTRAP": "1", "CARGO_PROFILE_DEV_OPT_LEVEL": "1"} | build_env
    return Tests(name, flags, arguments + ["--target", os.environ["HOST"]], name, env, build)


def build(name, words=()):
    """A checker by its name. `words` are parts of the names of the tests that it will run, if they are known."""
    if name == "loom":
        return Models(name, {})
    if name == "loom_rmw":
        return Models(name, {"ACEDIA_LOOM_RMW": "1"})
    if name == "loom_rmw_4":
        return Models(name, {"ACEDIA_LOOM_RMW": "1", "LOOM_MAX_PREEMPTIONS": "4"})
    if name == "test":
        return Tests(name, "", ["--lib", "--tests"], "bugs", {})
    chosen = targets(words)
    if name == "tsan":
        # ThreadSanitizer sees some accesses that no model has.
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


def check(mutation, checkers, seconds):
    """The verdict on one mutation, the test that caught it, and the time taken. All runs together may take `seconds` of
    processor time."""
    passed, left = set(), seconds
    for nth in range(3):
        for name, get in checkers:
            if name.startswith("loom") and not mutation.has_models:
                continue
            checker = get()
            tests, extra, limit = checker.rounds(mutation)[nth]
            for test in tests:
                if (name, test, extra) in passed or left <= 0:
                    continue
                status, output, took = checker.run(*test, mutation.wish, min(limit, left), extra)
                left -= took
                if status == 0:
                    passed.add((name, test, extra))
                elif status and checker.is_sound(test, 600, extra):
                    failed = re.findall(r"^test (\S+) .*FAILED", output, re.M) or [f"{test[0].name} {' '.join(test[1])}"]
                    return True, f"{name} {failed[0]}", seconds - left
    return False, f"{len(passed)} runs passed" + (", then given up" if left <= 0 else ""), seconds - left


def check_all(chosen, names, seconds, begin):
    """Runs all checkers of these names on each mutation: yields the mutation, whether it was caught, by which test, and the seconds.
    After `begin` seconds it starts no further mutation."""
    begun = time.monotonic()
    built, building = {}, threading.Lock()

    def get(name):
        with building:
            if name not in built:
                built[name] = build(name)
            return built[name]

    checkers = [(name, lambda name=name: get(name)) for name in names]

    def one(mutation):
        if time.monotonic() - begun < begin:
            return mutation, *check(mutation, checkers, seconds)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, mutation) for mutation in chosen]):
            if done.result():
                yield done.result()
    if not all(sound for checker in built.values() for sound in checker.sound.values()):
        sys.exit("FAILED: a test fails without a mutation")
