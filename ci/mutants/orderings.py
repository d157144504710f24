"""Weakens each memory ordering and drops each fence of the engine's sources, one at a time, and reports what no checker sees.

The sources are copied, and in the copy each place asks at run time for its ordering. So each checker is built once, and each
mutation is one run of it. See ci/weaken.sh for the options.
"""

import argparse, hashlib, os, re, sys
from pathlib import Path

sys.path.insert(0, "ci")
import herd

from checkers import CRATES, check_all
from source import Change, end_of_item, opening, plain, without_models

FOLDERS = ["allocator/src/pool", "lock/src", "plain/src"]
# Defines the fences, whose calls are the places.
FENCES = "allocator/src/pool/threads.rs"
WEAKER = {
    "SeqCst": {"load": ["Acquire"], "store": ["Release"], "other": ["AcqRel"]},
    "AcqRel": {"other": ["Acquire", "Release"]},
    "Acquire": {"load": ["Relaxed"], "other": ["Relaxed"]},
    "Release": {"store": ["Relaxed"], "other": ["Relaxed"]},
}
# Only the shapes of ci/herd.sh check these, as they do SeqCst: no model has the directory, and a fence of the models
# orders the census.
ONLY_SHAPES = [("allocator/src/pool/directory.rs", "publishing"), ("allocator/src/pool/directory.rs", "finding"), ("allocator/src/pool/pins.rs", "includes")]
ACCESS = r"\.(load|store|swap|fetch_\w+|compare_exchange\w*)\("
FENCE = re.compile(r"^\s*((?:\w+::)*(fence|here|everywhere|fence_before_look)\((?:Ordering::\w+)?\);)", re.M)
ORDER = re.compile(r"\bOrdering::(SeqCst|AcqRel|Acquire|Release)\b")


class Place:
    """An ordering or a fence of the sources."""

    def __init__(self, number, file, line, function, kind, access):
        self.number, self.file, self.line, self.function, self.kind = number, file, line, function, kind
        self.weaker = WEAKER[kind].get(access, WEAKER[kind]["other"]) if kind in WEAKER else ["none"]
        # A fence that only acquires or only releases has no weaker fence.
        if kind == "fence" and access == "SeqCst":
            self.weaker += ["AcqRel"]


class Mutation:
    def __init__(self, place, order, name):
        self.place, self.wish, self.name = place.number, f"{place.number} {order}", name
        self.where = f"{place.file}:{place.line}"
        folder, _, *module = Path(place.file).with_suffix("").parts
        self.module = "::".join(module)
        self.crate = next(crate.replace("-", "_") for crate, at in CRATES.items() if at == folder)
        # loom treats a SeqCst access as one that acquires and releases.
        self.has_models = place.kind != "SeqCst" and (place.file, place.function) not in ONLY_SHAPES
        self.change = place.file, place.function, place.kind, order


def call_around(code, at):
    """The name of the call in whose arguments `at` stands."""
    index = opening(code, at, "([{")
    return re.search(r"(\w*)$", code[:index])[1] if code[index] == "(" else ""


def access_at(code, at, start):
    """How the ordering at `at` is used: by a load, a store, or another access. Its function begins at `start`."""
    call = call_around(code, at)
    if not call:
        # The ordering is a variable of its function, or the function returns it.
        body = code[start : end_of_item(code, start)]
        name = re.search(r"fn (\w+)", body)[1]
        returned = re.search(r"->\s*Ordering\b", body.split("{")[0])
        text, wanted = (code, rf"\b{name}\(\)") if returned else (body, r"\border\b")
        calls = {call_around(text, found.start()) for found in re.finditer(wanted, text)}
        calls = {one for one in calls if re.fullmatch(r"load|store|swap|fetch_\w+|compare_exchange\w*", one)}
        call = calls.pop() if len(calls) == 1 else "several"
    return call if call in ("load", "store") else "other"


def places():
    """All places, and their changes by file."""
    found, changes = [], {}
    for folder in FOLDERS:
        for path in sorted(Path(folder).rglob("*.rs")):
            if path.name in ("tests.rs", "models.rs") or str(path) == FENCES:
                continue
            code = without_models(plain(path.read_text()))
            fences = [(hit.start(1), hit.end(1), hit[2]) for hit in FENCE.finditer(code)]
            hits = [(hit.start(), hit.end(), hit[1]) for hit in ORDER.finditer(code)]
            hits = [hit for hit in hits if not any(start <= hit[0] < end for start, end, _ in fences)]
            for start, end, kind in sorted(hits + fences):
                functions = list(re.finditer(r"\bfn (\w+)", code[:start]))
                function = [one for one in functions if end_of_item(code, one.start()) > start][-1]
                access = access_at(code, start, function.start()) if kind in WEAKER else "".join(ORDER.findall(code[start:end]))
                place = Place(len(found), str(path), code.count("\n", 0, start) + 1, function[1], kind, access)
                found.append(place)
                ask = ask_order if kind in WEAKER else ask_fence
                change = Change(start, end, ask(place.number), f"{kind} of line {place.line}")
                changes.setdefault(path, []).append(change)
    return found, changes


def ask_order(number):
    return lambda order: f"crate::sync::mutation::order({number}, {order})"


def ask_fence(number):
    weaker = lambda fence: fence.replace("Ordering::SeqCst", ask_order(number)("Ordering::SeqCst"))
    return lambda fence: f"if !crate::sync::mutation::is({number}) {{ {weaker(fence)} }}"


def mutations(found):
    result, count = [], {}
    for place in found:
        name = f"{place.file.removeprefix('allocator/src/')}:{place.function}:{place.kind}"
        count[name] = count.get(name, 0) + 1
        if count[name] > 1:
            name += f"#{count[name]}"
        result += [Mutation(place, order, f"{name}:{order}") for order in place.weaker]
    return result


def main(arguments, found, copy):
    """Weakens the places that the arguments name, in the copy that `copy` makes."""
    parser = argparse.ArgumentParser(prog="ci/weaken.sh", description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", help="a name, the begin of one, or FILE:LINE")
    parser.add_argument("--list", action="store_true", help="print all mutations, and run none")
    parser.add_argument("--seed", help="as many as begin in WEAKEN_BEGIN seconds, in the order of that seed")
    parser.add_argument("--checkers", default="loom,loom_rmw,test", help="the last may be tsan")
    options = parser.parse_args(arguments)

    chosen = mutations(found)
    if options.only:
        chosen = [one for one in chosen if any(one.name.startswith(wish) or one.where.endswith(wish) for wish in options.only)]
    if options.seed:
        chosen.sort(key=lambda one: hashlib.sha256(f"{options.seed} {one.name}".encode()).digest())
    if options.list:
        for one in chosen:
            print(f"{one.name}  {one.where}")
        return
    if not chosen:
        sys.exit("FAILED: no such mutation; --list prints all")

    copy()
    every, caught, survived = len(chosen), 0, []
    for mutation in [one for one in chosen if not one.has_models and herd.refuses(*one.change)]:
        print(f"caught   {mutation.name}  {mutation.where}  the shapes of ci/herd.sh")
        chosen.remove(mutation)
        caught += 1
    # A mutation that no checker catches takes over an hour; a caught one takes seconds.
    seconds = int(os.environ.get("WEAKEN_SECONDS", "60" if options.seed else "7200"))
    begin = int(os.environ.get("WEAKEN_BEGIN", "150")) if options.seed else float("inf")
    for mutation, is_caught, by, took in check_all(chosen, options.checkers.split(","), seconds, begin):
        line = f"{'caught  ' if is_caught else 'SURVIVED'} {mutation.name}  {mutation.where}  ({took:.0f} s)  {by}"
        print(line, flush=True)
        caught += is_caught
        survived += [] if is_caught else [line]
    print(f"{caught} caught, {len(survived)} survived", *survived, sep="\n")
    left = every - caught - len(survived)
    if left:
        print(f"NOT LOOKED AT: {left} of {every}, which did not begin in {begin} s (seed {options.seed})")
    sys.exit(bool(survived) or caught == 0)
