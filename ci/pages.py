"""Checks the pages of `cargo doc`: no literal `[name]` (a broken link), no link to a Markdown file, and examples
import only those of our crates that the documented crate depends on.

    ci/pages.py target/doc
"""

import html.parser, json, pathlib, re, subprocess, sys

# A name in brackets, or code (between two `MARK`s) in brackets. Arrays, intervals and placeholders in brackets are in
# code.
MARK = "\0"
LITERAL = re.compile(r"\[(`?[A-Za-z_][\w:!]*(\(\))?`?|\0[^\0]*\0)\](\[[^\]]*\]|\([^)]*\))?")
# Every type has these links of `tracing` ("Blanket Implementations"), whose pages a build of our crates alone lacks.
FOREIGN = {"[`Span`]", "[`WithDispatch`]"}
SKIPPED = {"pre", "script", "style", "title", "head", "nav", "rustdoc-toolbar"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text, self.code, self.links = [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            is_skipped = tag in SKIPPED or "code-header" in (dict(attributes).get("class") or "")
            self.open.append((tag, is_skipped))
        self.handle_data(MARK if tag == "code" else "")
        if tag == "a":
            self.links.append(dict(attributes).get("href") or "")

    def handle_endtag(self, tag):
        self.handle_data(MARK if tag == "code" else "")
        while any(tag == one for one, _ in self.open) and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        is_inside = lambda tag: any(tag == one for one, _ in self.open)
        if is_inside("pre"):
            self.code.append(data)
        elif not any(is_skipped for _, is_skipped in self.open):
            self.text.append(re.sub(r"[][]", "", data) if is_inside("code") else data)


def dependencies():
    """Each of our crates, with those of our crates that it depends on, itself included."""
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"]
    packages = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["packages"]
    named = lambda name: name.replace("-", "_")
    direct = {named(one["name"]): {named(on["name"]) for on in one["dependencies"] if on["kind"] is None} for one in packages}
    result = {}
    for name in direct:
        found, todo = set(), [name]
        while todo:
            one = todo.pop()
            if one in direct and one not in found:
                found.add(one)
                todo += direct[one]
        result[name] = found
    return result


def problems(folder):
    seen = 0
    for name, allowed in dependencies().items():
        for path in sorted((folder / name).rglob("*.html")):
            seen += 1
            page = Page()
            page.feed(path.read_text())
            found = [match[0].replace(MARK, "`") for match in LITERAL.finditer("".join(page.text))]
            found = [literal for literal in found if literal not in FOREIGN]
            found += [link for link in page.links if ".md" in link and not link.startswith("http")]
            if "_guide" not in path.parts:
                imported = set(re.findall(r"\buse (acedia\w*)", "".join(page.code)))
                found += [f"use {one}" for one in sorted(imported - allowed)]
            if found:
                yield f"{path.relative_to(folder)}: {', '.join(sorted(set(found)))}"
    if seen == 0:
        yield f"no page of ours is in {folder}"


wrong = list(problems(pathlib.Path(sys.argv[1])))
print("\n".join(wrong) if wrong else "no page has a broken link or a foreign import")
sys.exit(bool(wrong))
