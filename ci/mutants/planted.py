"""Plants the bugs of allocator/bugs.txt, one at a time: the checker that each names must fail with it, and pass without.

The sources are copied, and in the copy each bug is switched on at run time. So each checker is built once. A run that takes too long
has caught nothing. See ci/bugs.sh for the options.
"""

import argparse, concurrent.futures, os, re, sys, time
from pathlib import Path

import checkers
from source import Change, plain, tokens

LIST = Path("allocator/bugs.txt")
SOURCES = Path("allocator/src")
KINDS = ["test", "loom", "loom_rmw", "loom_rmw_4", "asan", "tsan"]  # the last needs another compiler


class Bug:
    """An entry of the list."""

    def __init__(self, place, line, name, what):
        self.place, self.wish = place, str(place)
        self.line, self.name, self.what = line, name, what
        self.rows, self.hunks, self.changes = [], [], []

    def wrong(self, why):
        sys.exit(f"FAILED: {LIST}:{self.line}: {self.name}: {why}")

    def end(self):
        """Finds the entry's places in the sources."""
        if not self.rows or not self.hunks:
            self.wrong("needs a checker, and a file with a change")
        for path, lines in self.hunks:
            self.changes += [(path, change) for change in self.changes_in(path, lines)]

    def changes_in(self, path, lines):
        if not path.is_file():
            self.wrong(f"no file {path}")
        old = tokens("\n".join(line for mark, line in lines if mark != "+"))
        if not old or all(mark == " " for mark, _ in lines):
            self.wrong(f"changes nothing of {path}")
        text = path.read_text()
        code = tokens(plain(text, strings=True))
        words, wanted = [one[0] for one in code], [one[0] for one in old]
        hits = [at for at in range(len(words)) if words[at] == wanted[0] and words[at : at + len(wanted)] == wanted]
        if len(hits) != 1:
            self.wrong(f"{len(hits)} places in {path} are as it says, instead of one")
        first, passed, result = hits[0], 0, []
        for is_same, run in runs_of(lines):
            begin = first + sum(end <= passed for _, _, end in old)
            passed += sum(len(line) + 1 for mark, line in run if mark != "+")
            if not is_same:
                end = first + sum(end <= passed for _, _, end in old)
                new = "\n".join(line for mark, line in run if mark == "+")
                result.append(self.change(text, code, begin, end, new))
        return result

    def change(self, text, code, first, end, new):
        """Switches the words `first..end` of the code to `new` at run time."""
        ask = f"crate::sync::mutation::is({self.place})"
        if first == end:
            at = code[first][1]
            return Change(at, at, lambda others: f"if {ask} {{ {new} }} {others}", self.name)
        start, stop = code[first][1], code[end - 1][2]
        words = [one[0] for one in code[first:end]]
        if words[0] == "let" and words.index(";") == len(words) - 1:
            # Only the value of a variable changes.
            pattern, value = re.fullmatch(r"(let .*?[^=!<>]=)(?!=)(.*);", new.strip(), re.S).groups() if new.strip() else ("", "")
            taken = tokens(pattern)
            if [one[0] for one in taken] != words[: len(taken)] or not value:
                self.wrong("drops a variable. Take in the rest of its block")
            start, stop = code[first + len(taken)][1], code[end - 2][2]
            return Change(start, stop, lambda old: f"if {ask} {{ {value} }} else {{ {old} }}", self.name)
        following = code[end][0] if end < len(code) else "}"
        if words[-1] in (";", "}"):
            if "let" in outside_brackets(words) and following != "}":
                self.wrong("ends the scope of a variable early. Take in the rest of its block")
            return Change(start, stop, lambda old: f"if {ask} {{ {new} }} else {{ {old} }}", self.name)
        return Change(start, stop, lambda old: f"(if {ask} {{ {new} }} else {{ {old} }})", self.name)


def outside_brackets(words):
    depth, result = 0, []
    for word in words:
        depth += (word in tuple("([{")) - (word in tuple(")]}"))
        if depth == 0:
            result.append(word)
    return result


def runs_of(lines):
    """Groups the lines into runs that stay and runs that change."""
    result = []
    for line in lines:
        is_same = line[0] == " "
        if not result or result[-1][0] != is_same:
            result.append((is_same, []))
        result[-1][1].append(line)
    return result


def read(first):
    """The bugs of the list, numbered from `first`."""
    bugs = []
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = re.fullmatch(r"(\w+): (.*)", line)
        row = re.fullmatch(rf"  ({'|'.join(KINDS)}) +(\S.*)", line)
        path = re.fullmatch(r"  (\S+\.rs)", line)
        change = re.fullmatch(r"    ([-+ ]) ?(.*)", line)
        if entry:
            bugs.append(Bug(first + len(bugs), number, entry[1], entry[2]))
        elif row and bugs:
            bugs[-1].rows.append((row[1], row[2]))
        elif path and bugs:
            crate, _, file = path[1].partition("/")
            bugs[-1].hunks.append((Path(crate, "src", file) if crate in ("lock", "plain") else SOURCES / path[1], []))
        elif change and bugs and bugs[-1].hunks:
            bugs[-1].hunks[-1][1].append((change[1], change[2]))
        else:
            sys.exit(f"FAILED: {LIST}:{number}: neither a bug, a checker, a file nor a change: {line}")
    for bug in bugs:
        bug.end()
    names = [bug.name for bug in bugs]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        sys.exit(f"FAILED: {LIST} lists twice: {', '.join(sorted(repeated))}")
    return bugs


def show(text):
    return "".join(f"\n  | {line}" for line in text.splitlines()[-40:])


def sound(checker, words, seconds):
    """The problems of these tests in the copy without a mutation."""
    runs = checker.matching(words)
    if not runs:
        return [f'PROBLEM  {checker.name} "{" ".join(words)}" runs no test']
    # In CI, ci/loom.sh has run all models to their end.
    extra = checkers.Models.FEW if os.environ.get("CI") and isinstance(checker, checkers.Models) else ()
    return ["" for run in runs if not checker.is_sound(run, seconds, extra)]


def caught(checker, bug, words, seconds):
    """The line that says whether the checker catches the bug."""
    started, slow = time.monotonic(), False
    for run in checker.matching(words):
        status, _, _ = checker.run(*run, bug.wish, seconds)
        if status:
            return f"caught   {checker.name}: {bug.name} ({time.monotonic() - started:.0f} s): {bug.what}"
        slow |= status is None
    verdict = f"takes longer than {seconds} s" if slow else "passes"
    return f"MISSED   {checker.name} {verdict} with {bug.name}: {bug.what}"


def main(arguments, bugs, copy):
    parser = argparse.ArgumentParser(prog="ci/bugs.sh", description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", metavar="NAME", help="of a bug; all without one")
    parser.add_argument("--checkers", default=",".join(KINDS))
    options = parser.parse_args(arguments)

    for name in options.only:
        if name not in [bug.name for bug in bugs]:
            sys.exit(f"FAILED: {LIST} lists no bug {name}")
    bugs = [bug for bug in bugs if not options.only or bug.name in options.only]
    seconds = int(os.environ.get("BUG_SECONDS", "120"))
    copy()

    said = []

    def say(lines):
        for line in lines:
            said.append(line)
            if line:
                print(line)

    for kind in KINDS:
        rows = [(bug, words.split()) for bug in bugs for at, words in bug.rows if at == kind]
        if not rows or kind not in options.checkers.split(","):
            continue
        print(f"::: {kind}")
        try:
            checker = checkers.build(kind, {word for _, words in rows for word in words})
        except checkers.Unavailable as why:
            print(f"not looked at: the bugs for {kind} ({why})")
            continue
        with concurrent.futures.ThreadPoolExecutor(checker.at_once) as pool:
            filters = sorted({tuple(words) for _, words in rows})
            for lines in pool.map(lambda words: sound(checker, words, seconds), filters):
                say(lines)
            for line in pool.map(lambda row: caught(checker, *row, seconds), rows):
                say([line])
    count = sum(line.startswith("caught ") for line in said)
    print(f"{count} caught, {len(said) - count} problems")
    sys.exit(count == 0 or len(said) > count)
