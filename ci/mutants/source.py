"""The text of Rust sources, and changes to it."""

import re
from collections import namedtuple

# A part of a file, and what the copy has there: a function of the part's own text, in which smaller changes are made.
Change = namedtuple("Change", "start end render what")


def plain(text, strings=False):
    """The text with comments blanked, and strings too unless they are kept; of the same length."""
    blank = lambda found: found[0] if strings and found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'//[^\n]*|"(?:\\[\s\S]|[^"\\])*"', blank, text)


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


def tokens(code):
    """The words and signs of the code, each with its begin and end. A comma before a closing bracket, which the formatter adds
    and removes, is none."""
    found = [(hit[0], hit.start(), hit.end()) for hit in re.finditer(r'"(?:\\[\s\S]|[^"\\])*"|\w+|[^\w\s]', code)]
    following = [one[0] for one in found[1:]] + [""]
    return [one for one, after in zip(found, following) if one[0] != "," or after not in tuple(")]}")]


def changed(path, text, changes):
    """The text after the changes. Of two that overlap one must contain the other."""

    def render(start, end, inner):
        result = []
        while inner:
            first, *inner = inner
            within = [one for one in inner if one.start < max(first.end, first.start + 1)]
            for one in within:
                if one.end > first.end:
                    raise SystemExit(f"FAILED: {path}: {one.what} begins within {first.what} and ends outside")
            inner = inner[len(within) :]
            result += [text[start : first.start], first.render(render(first.start, first.end, within))]
            start = first.end
        return "".join(result) + text[start:end]

    return render(0, len(text), sorted(changes, key=lambda one: (one.start, -one.end)))
