"""The text of Rust sources, and changes to it."""

import re
from collections import namedtuple

# A part of a file, and its replacement in the copy: `render` gets the part's own text, after the changes within it.
Change = namedtuple("Change", "start end render what")


def plain(text, strings=False):
    """The text with comments, and unless `strings` also strings, blanked."""
    blank = lambda found: found[0] if strings and found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'//[^\n]*|"(?:\\[\s\S]|[^"\\])*"', blank, text)


def end_of_item(code, at):
    """The end of the item or statement that begins at `at`."""
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
    """The code with the items of models and tests blanked."""
    for found in list(re.finditer(r"#\[cfg\((?:acedia_loom|test|all\(test[^\]]*)\)\]", code)):
        end = end_of_item(code, found.end())
        code = code[: found.start()] + re.sub(r"[^\n]", " ", code[found.start() : end]) + code[end:]
    return code


def opening(code, at, brackets):
    """Where the last of these brackets is that is open at `at`, or 0."""
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
    """The words and signs of the code, each with its start and end. Commas before a closing bracket are left out: the
    formatter adds and removes them."""
    found = [(hit[0], hit.start(), hit.end()) for hit in re.finditer(r'"(?:\\[\s\S]|[^"\\])*"|\w+|[^\w\s]', code)]
    following = [one[0] for one in found[1:]] + [""]
    return [one for one, after in zip(found, following) if one[0] != "," or after not in tuple(")]}")]


def changed(path, text, changes):
    """The text after the changes. Of two overlapping changes one must contain the other."""

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
