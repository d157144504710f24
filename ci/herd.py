"""Runs herd7 on the shapes of allocator/shapes.txt, each as it is and with each of its orderings weakened. See ci/herd.sh."""

import concurrent.futures, re, subprocess, sys, tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, "ci/mutants")
from source import end_of_item, plain, without_models

SHAPES = Path("allocator/shapes.txt")
CRATES = ["actors", "allocator", "boxes", "collections", "lock", "plain", "signals", "text"]
# The next weaker orderings, by kind of access. `none`: no fence.
WEAKER = {
    "load": {"SeqCst": ["Acquire"], "Acquire": ["Relaxed"]},
    "store": {"SeqCst": ["Release"], "Release": ["Relaxed"]},
    "change": {"SeqCst": ["AcqRel"], "AcqRel": ["Acquire", "Release"], "Acquire": ["Relaxed"], "Release": ["Relaxed"]},
    "fence": {"SeqCst": ["none"], "Acquire": ["none"], "Release": ["none"]},
}
C_ORDER = {"Relaxed": "relaxed", "Acquire": "acquire", "Release": "release", "AcqRel": "acq_rel", "SeqCst": "seq_cst"}
ORDER = r"(?: (Relaxed|Acquire|Release|AcqRel|SeqCst))?"
FORMS = [
    ("fence", re.compile(r"fence (Acquire|Release|SeqCst)")),
    ("change", re.compile(rf"(?:([a-h]) = )?(\w\w+) (\+=|swap) (\d+){ORDER}")),
    ("store", re.compile(rf"(\w\w+) = (\d+){ORDER}")),
    ("load", re.compile(rf"([a-h]) = (\w\w+){ORDER}")),
]


@dataclass
class Step:
    """One access or fence, perhaps under a condition on a register."""

    kind: str
    order: str
    register: str = ""
    place: str = ""
    how: str = ""
    value: str = ""
    condition: tuple = ()

    @staticmethod
    def of(text):
        condition, rest = re.fullmatch(r"(?:\[([a-h])=(\d+)\] )?(.*)", text).groups(default="")[:2], re.sub(r"^\[.*?\] ", "", text)
        for kind, form in FORMS:
            if match := form.fullmatch(rest):
                groups = [group or "" for group in match.groups()]
                order = groups[-1] or "Relaxed"
                step = Step(kind, order, condition=condition if condition[0] else ())
                match kind:
                    case "change":
                        step.register, step.place, step.how, step.value = groups[0] or "h", *groups[1:4]
                    case "store":
                        step.place, step.value = groups[0], groups[1]
                    case "load":
                        step.register, step.place = groups[0], groups[1]
                return step
        sys.exit(f"{SHAPES}: not a step: {text!r}")

    def is_plain(self):
        """Whether it accesses an object, which is not an atomic."""
        return self.place.startswith("data")


@dataclass
class Shape:
    name: str
    what: str
    functions: list = field(default_factory=list)
    start: dict = field(default_factory=dict)
    threads: list = field(default_factory=list)
    never: str = ""
    # Weakened orderings that a model still forbids, with the reason: {(model, "thread.step Order"): reason}
    kept: dict = field(default_factory=dict)


def shapes():
    """The shapes of the file."""
    found = []
    for line in SHAPES.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.strip().partition(" ")
        if word == "shape":
            name, _, what = rest.partition(": ")
            found.append(Shape(name, what))
        elif word == "of":
            file, *functions = rest.split()
            found[-1].functions += [(file, function) for function in functions]
        elif word == "start":
            found[-1].start = dict(pair.split("=") for pair in rest.split())
        elif word == "thread":
            found[-1].threads.append([Step.of(step.strip()) for step in rest.split(";")])
        elif word == "never":
            found[-1].never = rest
        elif word == "kept":
            what, _, reason = rest.partition(": ")
            model, mutation = what.split(" ", 1)
            found[-1].kept[model, mutation] = reason
        else:
            sys.exit(f"{SHAPES}: not a line: {line!r}")
    return found


def places(threads):
    return sorted({step.place for thread in threads for step in thread if step.place})


def condition(never, register):
    """The forbidden state in herd7's syntax."""
    return re.sub(r"(\d):([a-h])=(\d+)", lambda found: register(*found.groups()), never).replace("&", "/\\")


def in_c(name, start, threads, never):
    """The program in C, for RC11."""
    used = places(threads)
    arguments = ", ".join(f"{'int' if place.startswith('data') else 'atomic_int'} *{place}" for place in used)
    lines = [f"C {name}", "{ " + " ".join(f"*{place}={value};" for place, value in start.items()) + " }"]
    for number, thread in enumerate(threads):
        lines.append(f"P{number}({arguments}) {{")
        for register in sorted({step.register for step in thread if step.register}):
            lines.append(f"  int {register} = 9;")
        for step in thread:
            order = f"memory_order_{C_ORDER[step.order]}"
            match step.kind:
                case "fence":
                    text = f"atomic_thread_fence({order});"
                case "store" if step.is_plain():
                    text = f"*{step.place} = {step.value};"
                case "store":
                    text = f"atomic_store_explicit({step.place}, {step.value}, {order});"
                case "load" if step.is_plain():
                    text = f"{step.register} = *{step.place};"
                case "load":
                    text = f"{step.register} = atomic_load_explicit({step.place}, {order});"
                case "change":
                    call = "atomic_fetch_add_explicit" if step.how == "+=" else "atomic_exchange_explicit"
                    text = f"{step.register} = {call}({step.place}, {step.value}, {order});"
            if step.condition:
                text = f"if ({step.condition[0]} == {step.condition[1]}) {{ {text} }}"
            lines.append(f"  {text}")
        lines.append("}")
    state = condition(never, lambda thread, register, value: f"{thread}:{register}={value}")
    return "\n".join([*lines, f"exists ({state})", ""])


def in_arm(name, start, threads, never):
    """The program for AArch64, as compilers translate those orderings."""
    used = places(threads)
    base = {place: f"X{20 + at}" for at, place in enumerate(used)}
    names = {letter: f"W{at}" for at, letter in enumerate("abcdefgh")}
    columns, first = [], [f"{place}={value};" for place, value in start.items()]
    for number, thread in enumerate(threads):
        first += [f"{number}:{base[place]}={place};" for place in used]
        code, label = [], 0
        for register in sorted({step.register for step in thread if step.register}):
            code.append(f"MOV {names[register]},#9")
        for step in thread:
            if step.condition:
                label += 1
                code += [f"CMP {names[step.condition[0]]},#{step.condition[1]}", f"B.NE L{number}{label}"]
            at = f"[{base[step.place]}]" if step.place else ""
            acquires, releases = step.order in ("Acquire", "AcqRel", "SeqCst"), step.order in ("Release", "AcqRel", "SeqCst")
            match step.kind:
                case "fence":
                    code.append("DMB ISHLD" if step.order == "Acquire" else "DMB ISH")
                case "store":
                    code += [f"MOV W10,#{step.value}", f"{'STLR' if releases else 'STR'} W10,{at}"]
                case "load":
                    code.append(f"{'LDAR' if acquires else 'LDR'} {names[step.register]},{at}")
                case "change":
                    suffix = ("A" if acquires else "") + ("L" if releases else "")
                    operation = "LDADD" if step.how == "+=" else "SWP"
                    code += [f"MOV W10,#{step.value}", f"{operation}{suffix} W10,{names[step.register]},{at}"]
            if step.condition:
                code.append(f"L{number}{label}:")
        columns.append(code)
    height = max(map(len, columns))
    table = [" | ".join(f"P{number}" for number in range(len(columns))) + ";"]
    for row in range(height):
        table.append(" | ".join(column[row] if row < len(column) else "" for column in columns) + ";")
    state = condition(never, lambda thread, register, value: f"{thread}:X{'abcdefgh'.index(register)}={value}")
    return "\n".join([f"AArch64 {name}", "{ " + " ".join(first) + " }", *table, f"exists ({state})", ""])


MODELS = {"RC11": (in_c, ["-model", "rc11.cat"]), "AArch64": (in_arm, [])}


def run(model, shape, threads, folder, label):
    """Whether the forbidden state or a data race occurs, and herd7's output."""
    write, flags = MODELS[model]
    name = f"{shape.name}_{label}".replace("-", "_")
    file = Path(folder) / f"{model}_{name}.litmus"
    file.write_text(write(name, shape.start, threads, shape.never))
    done = subprocess.run([HERD, *flags, str(file)], capture_output=True, text=True, timeout=300)
    verdict = re.search(r"^Observation \S+ (\w+)", done.stdout, re.M)
    if not verdict:
        sys.exit(f"{model} {name}: herd7 gives no verdict\n{file.read_text()}\n{done.stdout}{done.stderr}")
    return verdict[1] != "Never" or "Flag *undef*" in done.stdout, f"{file.read_text()}\n{done.stdout}"


def twins(shape):
    """The shape with each ordering weakened in turn: a label, and the threads."""
    for thread, steps in enumerate(shape.threads):
        for at, step in enumerate(steps):
            for order in WEAKER[step.kind].get(step.order, []):
                weakened = [list(steps) for steps in shape.threads]
                if order == "none":
                    del weakened[thread][at]
                else:
                    weakened[thread][at] = Step(**{**step.__dict__, "order": order})
                yield f"{thread}.{at + 1} {order}", weakened


def judge(shape, folder):
    """The problems of a shape, the number of programs, and their outputs."""
    problems, programs, said = [], 0, []
    unused = set(shape.kept)
    for model in MODELS:
        found, text = run(model, shape, shape.threads, folder, "right")
        programs += 1
        said.append(text)
        if found:
            problems.append(f"{shape.name}: {model} allows what it forbids")
        for label, threads in twins(shape):
            found, text = run(model, shape, threads, folder, re.sub(r"\W", "_", label))
            programs += 1
            said.append(text)
            unused.discard((model, label))
            if found == ((model, label) in shape.kept):
                problems.append(f"{shape.name}: {model} {'allows' if found else 'forbids'} it with {label}" + (", contrary to the list" if found else ""))
    problems += [f"{shape.name}: no such mutation: {model} {label}" for model, label in unused]
    return problems, programs, said


def of_sources():
    """The orderings stronger than Relaxed of each function of the library crates."""
    found = {}
    for path in sorted(path for crate in CRATES for path in Path(crate, "src").rglob("*.rs")):
        if path.name in ("tests.rs", "models.rs", "sync.rs"):
            continue
        code = without_models(plain(path.read_text()))
        for hit in re.finditer(r"(?<!compiler_fence\(Ordering::)\b(SeqCst|AcqRel|Acquire|Release)\b", code):
            functions = list(re.finditer(r"\bfn (\w+)", code[: hit.start()]))
            function = [one for one in functions if end_of_item(code, one.start()) > hit.start()][-1]
            found.setdefault((str(path), function[1]), set()).add(hit[1])
    return found


def uncovered(shapes, found):
    """Orderings that no shape of their function has, and functions of shapes that have none."""
    named = {}
    for shape in shapes:
        orders = {step.order for thread in shape.threads for step in thread}
        for function in shape.functions:
            named[function] = named.get(function, set()) | orders
    missing = [
        f"{file}: no shape of {function} has {order}"
        for (file, function), orders in found.items()
        for order in sorted(orders - named.get((file, function), set()))
    ]
    return missing + [f"{SHAPES}: no ordering in {file} {function}" for file, function in sorted(named.keys() - found.keys())]


def refuses(file, function, order, weaker):
    """Whether no shape of the function has the weaker ordering: such a shape would reach its forbidden state."""
    found = of_sources()
    orders = found.pop((file, function)) - {order} | {weaker} - {"Relaxed"}
    return bool(uncovered(shapes(), found | ({(file, function): orders} if orders else {})))


def main():
    every = shapes()
    chosen = [shape for shape in every if not WANTED or shape.name in WANTED]
    if not chosen:
        sys.exit(f"no shape is named {' '.join(WANTED)}")
    problems, programs = ([] if WANTED else uncovered(every, of_sources())), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for shape, (wrong, count, said) in zip(chosen, pool.map(lambda shape: judge(shape, folder), chosen)):
            if WANTED:
                print("\n".join(said))
            print(f"{'WRONG ' if wrong else 'right '} {shape.name}: {shape.what} ({count} programs)")
            problems, programs = problems + wrong, programs + count
    print("\n".join(problems))
    print(f"{len(chosen)} shapes, {programs} programs, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    HERD, WANTED = sys.argv[1], sys.argv[2:]
    main()
