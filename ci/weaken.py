"""Weakens each memory ordering and drops each fence of the engine's sources, one at a time, and reports what no checker sees.

The sources are copied, and in the copy each place asks at run time for its ordering. So each checker is built once, and each
mutation is a run of it. A place that a model does not reach cannot make it fail: one short run of every model without a mutation
records the places. See ci/weaken.sh for the options.
"""

import argparse, concurrent.futures, hashlib, json, os, re, shutil, subprocess, sys, threading, time
from pathlib import Path

ROOT = Path.cwd()
TARGET = Path(os.environ["WEAKEN_TARGET"])
COPY = TARGET / "weaken" / "src"
LIST = Path("allocator/weaken.txt")
FOLDERS = ["allocator/src/pool", "allocator/src/lock"]
# The fence itself: its calls are the places.
FENCES = "allocator/src/pool/reading/barrier.rs"
WEAKER = {
    "SeqCst": {"load": ["Acquire"], "store": ["Release"], "other": ["AcqRel"]},
    "AcqRel": {"other": ["Acquire", "Release"]},
    "Acquire": {"load": ["Relaxed"], "other": ["Relaxed"]},
    "Release": {"store": ["Relaxed"], "other": ["Relaxed"]},
}
ACCESS = r"\.(load|store|swap|fetch_\w+|compare_exchange\w*)\("
FENCE = re.compile(r"^\s*((?:\w+::)*(fence|here|everywhere|fence_before_look)\((?:Ordering::SeqCst)?\);)", re.M)
ORDER = re.compile(r"\bOrdering::(SeqCst|AcqRel|Acquire|Release)\b")

# What the copy asks. Without a mutation it changes nothing, and with ACEDIA_WEAKEN_SEEN it notes the places in that file.
ASK = """
pub(crate) mod weaken {
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Wish { place: usize, order: Option<Ordering>, seen: Option<std::fs::File> }

    static WISH: OnceLock<Wish> = OnceLock::new();
    static SEEN: [AtomicBool; PLACES] = [const { AtomicBool::new(false) }; PLACES];

    fn chosen(place: usize) -> Option<Option<Ordering>> {
        let wish = WISH.get_or_init(|| {
            let wish = std::env::var("ACEDIA_WEAKEN").unwrap_or_default();
            let (place, order) = wish.split_once(' ').unwrap_or_default();
            let order = match order {
                "Relaxed" => Some(Ordering::Relaxed),
                "Acquire" => Some(Ordering::Acquire),
                "Release" => Some(Ordering::Release),
                "AcqRel" => Some(Ordering::AcqRel),
                _ => None,
            };
            let seen = std::env::var_os("ACEDIA_WEAKEN_SEEN").map(|file| std::fs::File::create(file).unwrap());
            Wish { place: place.parse().unwrap_or(usize::MAX), order, seen }
        });
        if let Some(mut file) = wish.seen.as_ref() {
            if !SEEN[place].swap(true, Ordering::Relaxed) {
                writeln!(file, "{place}").unwrap();
            }
        }
        (wish.place == place).then_some(wish.order)
    }

    pub(crate) fn order(place: usize, order: Ordering) -> Ordering {
        chosen(place).flatten().unwrap_or(order)
    }

    pub(crate) fn keeps(place: usize) -> bool {
        chosen(place) != Some(None)
    }
}
"""


class Place:
    """An ordering or a fence of the sources."""

    def __init__(self, number, file, line, function, kind, access):
        self.number, self.file, self.line, self.function, self.kind = number, file, line, function, kind
        self.weaker = WEAKER[kind].get(access, WEAKER[kind]["other"]) if kind in WEAKER else ["none"]
        if kind == "fence":
            self.weaker += ["AcqRel"]


class Mutation:
    def __init__(self, place, order, name):
        self.place, self.order, self.name = place, order, name
        self.where = f"{place.file}:{place.line}"
        self.checks = CHECKS.get((place.file, place.function), set())


def plain(text):
    """The text with comments and strings blanked, of the same length."""
    blank = lambda found: found[0] if found[1] else re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'(bug\("\w+"\))|//[^\n]*|"(?:\\.|[^"\\])*"', blank, text)


def end_of_item(code, at):
    """Where the item or statement ends that begins at `at`."""
    depth = 0
    for index in range(at, len(code)):
        if code[index] in "{([":
            depth += 1
        elif code[index] in "})]":
            depth -= 1
            if depth == 0 and code[index] == "}":
                return index + 1
        elif code[index] == ";" and depth == 0:
            return index + 1
    return len(code)


def without_models(code):
    """The code without what only models and tests have."""
    for found in list(re.finditer(r"#\[cfg\((?:acedia_loom|test|all\(test[^\]]*)\)\]", code)):
        end = end_of_item(code, found.end())
        code = code[: found.start()] + re.sub(r"[^\n]", " ", code[found.start() : end]) + code[end:]
    return code


def opening(code, at, brackets):
    """The last bracket of that kind which is open at `at`, or 0."""
    depth = 0
    for index in range(at - 1, -1, -1):
        if code[index] in ")]}":
            depth += 1
        elif code[index] in "([{":
            if depth == 0 and code[index] in brackets:
                return index
            depth = max(depth - 1, 0)
    return 0


def call_around(code, at):
    """The name of the call in whose arguments `at` stands."""
    index = opening(code, at, "([{")
    return re.search(r"(\w*)$", code[:index])[1] if code[index] == "(" else ""


def access_at(code, at, start):
    """How the ordering at `at` is used: by a load, a store, or another access. Its function begins at `start`."""
    call = call_around(code, at)
    if not call:
        # A variable of its function, or what the function returns.
        body = code[start : end_of_item(code, start)]
        name = re.search(r"fn (\w+)", body)[1]
        returned = re.search(r"->\s*Ordering\b", body.split("{")[0])
        text, wanted = (code, rf"\b{name}\(\)") if returned else (body, r"\border\b")
        calls = {call_around(text, found.start()) for found in re.finditer(wanted, text)}
        calls = {one for one in calls if re.fullmatch(r"load|store|swap|fetch_\w+|compare_exchange\w*", one)}
        call = calls.pop() if len(calls) == 1 else "several"
    return call if call in ("load", "store") else "other"


def places():
    """All places, with the copy's text of each file."""
    found, texts = [], {}
    for folder in FOLDERS:
        for path in sorted(Path(folder).rglob("*.rs")):
            if path.name in ("tests.rs", "models.rs", "litmus.rs") or str(path) == FENCES:
                continue
            text = path.read_text()
            code = without_models(plain(text))
            hits = [(hit.start(), hit.end(), hit[1]) for hit in ORDER.finditer(code)]
            fences = [(hit.start(1), hit.end(1), hit[2]) for hit in FENCE.finditer(code)]
            hits = [hit for hit in hits if not any(start <= hit[0] < end for start, end, _ in fences)]
            changes = []
            for start, end, kind in sorted(hits + fences):
                if re.search(r'if bug\("\w+"\)( \|\| bug\("\w+"\))* $', code[: opening(code, start, "{")]):
                    continue  # of a planted bug
                functions = list(re.finditer(r"\bfn (\w+)", code[:start]))
                function = [one for one in functions if end_of_item(code, one.start()) > start][-1]
                access = access_at(code, start, function.start()) if kind in WEAKER else None
                place = Place(len(found), str(path), code.count("\n", 0, start) + 1, function[1], kind, access)
                found.append(place)
                if kind in WEAKER:
                    changes.append((start, end, f"crate::sync::weaken::order({place.number}, {text[start:end]})"))
                else:
                    order = f"crate::sync::weaken::order({place.number}, Ordering::SeqCst)"
                    kept = text[start:end].replace("Ordering::SeqCst", order)
                    changes.append((start, end, f"if crate::sync::weaken::keeps({place.number}) {{ {kept} }}"))
            for start, end, new in reversed(changes):
                text = text[:start] + new + text[end:]
            texts[path] = text
    return found, texts


def named_checks():
    """By file and function: the models and tests that the memory model names."""
    named = {}
    for section in Path("docs/memory-model.md").read_text().split("\n### `")[1:]:
        for row in re.findall(r"^\| (`.*)\|$", section, re.M):
            cells = row.split("|")
            for function in re.findall(r"`(\w+)`", cells[0]):
                named.setdefault((section.split("`")[0], function), set()).update(re.findall(r"`(\w+)`", cells[-1]))
    return named


def mutations(found):
    result, count = [], {}
    for place in found:
        name = f"{place.file.removeprefix('allocator/src/')}:{place.function}:{place.kind}"
        count[name] = count.get(name, 0) + 1
        if count[name] > 1:
            name += f"#{count[name]}"
        result += [Mutation(place, order, f"{name}:{order}") for order in place.weaker]
    return result


def write_copy(found, texts):
    """The tree in a folder of its own. A file that is the same there keeps its time, so little is built again."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True)
    wanted = {Path(os.fsdecode(name)) for name in files.stdout.split(b"\0") if name}
    for path in wanted:
        if not path.is_file():
            continue
        new = texts.get(path, path.read_bytes())
        if path == Path("Cargo.toml"):
            # Another version is another file beside the dependencies, which both trees share.
            new = re.sub(r'^(version = "[^"]*)"', r'\1+weaken"', path.read_text(), count=1, flags=re.M)
        if path == Path("allocator/src/sync.rs"):
            new = path.read_text() + ASK.replace("PLACES", str(len(found)))
        new = new.encode() if isinstance(new, str) else new
        at = COPY / path
        if not at.is_file() or at.read_bytes() != new:
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(new)
    for at in [at for at in COPY.rglob("*") if at.is_file() and at.relative_to(COPY) not in wanted]:
        at.unlink()


class Checker:
    """A build, and how its tests are run."""

    def __init__(self, name, flags, arguments, folder, env, build_env=()):
        self.name, self.env = name, env
        command = ["cargo", "test", "-p", "acedia", "--no-run", "--message-format=json-render-diagnostics"]
        command += arguments + ["--target-dir", str(TARGET / folder)]
        # With the flags of the script that builds the sources themselves, so that the dependencies are built once for both.
        build_env = os.environ | {"RUSTFLAGS": "--cfg acedia_bugs " + flags} | dict(build_env)
        built = subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, env=build_env)
        if built.returncode:
            sys.exit(f"FAILED: the copy does not build for {name}")
        messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith(b"{")]
        self.binaries = [Path(message["executable"]) for message in messages if message.get("executable")]
        self.sound, self.lock = {}, threading.Lock()

    def run(self, binary, arguments, mutation=None, seconds=300, extra=()):
        """The status of one run, and its output. No status: it did not end in time."""
        env = os.environ | self.env | dict(extra)
        if mutation:
            env["ACEDIA_WEAKEN"] = f"{mutation.place.number} {mutation.order}"
        try:
            done = subprocess.run(
                [binary, *arguments], cwd=COPY / "allocator", env=env, timeout=seconds, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, f"did not end in {seconds} s"

    def is_sound(self, test, seconds):
        """Whether the test passes without a mutation. One that does not would count all of them as caught."""
        with self.lock:
            if test not in self.sound:
                status, output = self.run(*test, seconds=seconds)
                self.sound[test] = status == 0 and not re.search(r"\b0 passed", output)
                if not self.sound[test]:
                    print(f"PROBLEM  {self.name} {' '.join(test[1])} fails without a mutation\n{output[-2000:]}", flush=True)
            return self.sound[test]


class Models(Checker):
    """The loom models, each a run of its own. Those that reach no place of the mutation are left out."""

    def __init__(self, name, env):
        env = {"LOOM_MAX_PREEMPTIONS": "4", "LOOM_MAX_BRANCHES": "10000"} | {
            key: os.environ[key] for key in os.environ if key.startswith("LOOM_")
        } | env
        super().__init__(name, "--cfg acedia_loom -C debug-assertions=on", ["--release", "--lib", "--features", "loom"], "loom", env)
        (self.binary,) = self.binaries
        _, names = self.run(self.binary, ["--list", "--format=terse"])
        self.seen = self.look([line.rsplit(":", 1)[0] for line in names.splitlines() if "models::" in line])

    def look(self, models):
        """The places of each model, the quickest model first. With few preemptions: they reach the same."""
        folder = TARGET / "weaken" / "seen"
        folder.mkdir(parents=True, exist_ok=True)

        def one(model):
            at, start = folder / model.replace("::", "."), time.monotonic()
            at.write_text("")
            self.run(self.binary, [model, "--exact"], extra={"ACEDIA_WEAKEN_SEEN": str(at), "LOOM_MAX_PREEMPTIONS": "2"}.items())
            return time.monotonic() - start, model, {int(line) for line in at.read_text().split()}

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            return [(model, seen) for _, model, seen in sorted(pool.map(one, models), key=lambda one: one[0])]

    def tests(self, mutation):
        return [(self.binary, (model, "--exact")) for model, seen in self.seen if mutation.place.number in seen]

    def first(self, mutation):
        return [test for test in self.tests(mutation) if test[1][0].rsplit(":", 1)[1] in mutation.checks]


class Tests(Checker):
    """Unit, litmus and integration tests. A processor of x86-64 hides most of what a weaker ordering allows."""

    def tests(self, mutation):
        return [(binary, ("--skip", "collecting_a_million")) for binary in self.binaries]

    def first(self, mutation):
        return [(binary, tuple(sorted(mutation.checks))) for binary in self.binaries] if mutation.checks else []


def tsan():
    """The same under ThreadSanitizer, which sees some accesses that no model has."""
    build = {"RUSTC_BOOTSTRAP": "1", "CARGO_PROFILE_DEV_OPT_LEVEL": "1", "RUSTC": os.environ["TSAN_RUSTC"]}
    arguments = ["-Zbuild-std", "--lib", "--tests", "--target", os.environ["HOST"]]
    return Tests("tsan", "-Zsanitizer=thread", arguments, "tsan", {"TSAN_OPTIONS": "halt_on_error=1"}, build)


def runs(mutation, checkers):
    """The runs of a mutation. What the memory model names comes first, and is nearly always enough."""
    begun = set()
    # loom takes a SeqCst access for one that acquires and releases.
    models = mutation.place.kind != "SeqCst"
    for select in ("first", "tests"):
        for name, build in checkers:
            if name.startswith("loom") and not models:
                continue
            checker = build()
            for test in getattr(checker, select)(mutation):
                if (checker.name, test) not in begun:
                    begun.add((checker.name, test))
                    yield checker, test


def check(mutation, checkers, seconds):
    """The verdict on one mutation, and who caught it."""
    ran, slow = 0, []
    for checker, test in runs(mutation, checkers):
        ran += 1
        status, output = checker.run(*test, mutation, seconds)
        if status is None:
            slow.append(f"{checker.name} {test[0].name} {' '.join(test[1])}")
        elif status and checker.is_sound(test, seconds):
            failed = re.findall(r"^test (\S+) .*FAILED", output, re.M) or [f"{test[0].name} {' '.join(test[1])}"]
            return True, f"{checker.name} {failed[0]}"
    return False, f"{ran} runs" + "".join(f"; no end: {one}" for one in slow)


def main():
    parser = argparse.ArgumentParser(prog="ci/weaken.sh", description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", help="a name, the begin of one, or FILE:LINE")
    parser.add_argument("--list", action="store_true", help="print all mutations, and run none")
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, chosen by the seed")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--checkers", default="loom,loom_rmw,test", help="the last may be tsan")
    options = parser.parse_args()

    found, texts = places()
    chosen = mutations(found)
    names = {mutation.name for mutation in chosen}
    listed = {}
    for line in LIST.read_text().splitlines() if LIST.exists() else []:
        if line.strip() and not line.startswith("#"):
            name, reason = (part.strip() for part in line.split("|", 1))
            listed[name] = reason
    gone = [name for name in listed if name not in names]
    if options.only:
        chosen = [one for one in chosen if any(one.name.startswith(wish) or one.where.endswith(wish) for wish in options.only)]
    if options.sample:
        by_hash = lambda one: hashlib.sha256(f"{options.seed} {one.name}".encode()).digest()
        chosen = sorted(sorted(chosen, key=by_hash)[: options.sample], key=lambda one: one.place.number)
        print(f"seed {options.seed}: {len(chosen)} of {len(names)}")
    if options.list:
        for one in chosen:
            print(f"{one.name}  {one.where}")
        return
    if not chosen:
        sys.exit("FAILED: no such mutation; --list prints all")

    write_copy(found, texts)
    known = {
        "loom": lambda: Models("loom", {}),
        "loom_rmw": lambda: Models("loom_rmw", {"ACEDIA_LOOM_RMW": "1"}),
        "test": lambda: Tests("test", "", ["--lib", "--tests"], "bugs", {}),
        "tsan": tsan,
    }
    # Each is built when the first mutation comes to it.
    built, building = {}, threading.Lock()

    def get(name):
        with building:
            if name not in built:
                built[name] = known[name]()
            return built[name]

    checkers = [(name, lambda name=name: get(name)) for name in options.checkers.split(",")]
    seconds = int(os.environ.get("WEAKEN_SECONDS", "300"))

    problems = [f"PROBLEM  {LIST} names {name}, which is no mutation" for name in gone]
    caught = survived = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:

        def one(mutation):
            start = time.monotonic()
            return mutation, *check(mutation, checkers, seconds), time.monotonic() - start

        for done in concurrent.futures.as_completed([pool.submit(one, mutation) for mutation in chosen]):
            mutation, is_caught, by, took = done.result()
            verdict = "caught  " if is_caught else "argued  " if mutation.name in listed else "SURVIVED"
            line = f"{verdict} {mutation.name}  {mutation.where}  ({took:.0f} s)  {by}"
            print(line, flush=True)
            caught += is_caught
            survived += not is_caught
            if not is_caught and mutation.name not in listed:
                problems.append(line)
            if is_caught and mutation.name in listed:
                problems.append(f"PROBLEM  {LIST} lists {mutation.name}, which is caught")
    unsound = [test for checker in built.values() for test, sound in checker.sound.items() if not sound]
    print(*problems, sep="\n")
    print(f"{caught} caught, {survived} survived, of which {survived - sum(p.startswith('SURVIVED') for p in problems)} are argued")
    sys.exit(bool(problems or unsound))


JOBS = int(os.environ.get("WEAKEN_JOBS", "2"))
CHECKS = named_checks()
main()
