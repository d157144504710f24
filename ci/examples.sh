#!/usr/bin/env bash
# How many public functions of each crate have an example: `cargo test` runs it, it calls the function (not in a comment, and
# as a method if it is one), and it stands in the documentation of the function itself or of its type, trait or module. At
# least 60 of 100.
#   ci/examples.sh CRATE   lists those of a crate that have none
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python to read rustdoc's JSON with"
crates=(acedia acedia-lock acedia-text acedia-boxes acedia-collections acedia-json acedia-plain acedia-signals acedia-actors acedia-inspect)
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET/api # JSON, on the stable toolchain, with the dependencies that ci/api.sh has built
take_turn api
for crate in "${crates[@]}"; do
  cargo rustdoc --quiet -p "$crate" --lib --all-features -- -Zunstable-options --output-format json
done
python3 - "$TARGET/api/doc" "${1:-}" "${crates[@]}" <<'PYTHON' || fail "too few examples; ci/examples.sh CRATE lists where there is none"
import json, re, sys

folder, wanted, *crates = sys.argv[1:]
COMMENT = re.compile(r"(?<!:)//.*")
OPENING = re.compile(r"^\s*```(\w[\w,]*)?\s*$")
RUN = {"rust", "should_panic", "edition2024"}


def examples(item):
    """The code of the documentation's blocks that are run."""
    code, running, inside = [], False, False
    for line in ((item or {}).get("docs") or "").splitlines():
        if fence := OPENING.match(line):
            inside = not inside
            running = inside and all(tag in RUN for tag in (fence[1] or "rust").split(","))
            code.append("")
        elif running:
            code.append(COMMENT.sub("", line))
    return "\n".join(code).strip()


def call(item):
    """What a call of this function looks like."""
    inputs = item["inner"]["function"]["sig"]["inputs"]
    before = r"(\.|::)" if inputs and inputs[0][0] == "self" else r"(?<![.\w])"
    return re.compile(rf"{before}(r#)?{item['name']}(::<[^;]*>)?\(")


def owners(index):
    """Of each function: the type, trait or module that it belongs to. Nothing for what implements a trait's."""
    result = {}
    for id, item in index.items():
        inner = item["inner"]
        if block := inner.get("impl"):
            owner = None if block["trait"] else str(block["for"].get("resolved_path", {}).get("id"))
            result |= {str(member): owner for member in block["items"]}
        for kind in ("trait", "module"):
            if kind in inner:
                result |= {str(member): id for member in inner[kind]["items"]}
    return result


low = False
print(f"{'':24} functions  with an example")
for crate in crates:
    with open(f"{folder}/{crate.replace('-', '_')}.json") as file:
        index = json.load(file)["index"]
    owner = owners(index)
    functions = {}
    for id, item in index.items():
        at = owner.get(id)
        if "function" not in item["inner"] or at is None:
            continue
        shown = bool(call(item).search(examples(item) + "\n" + examples(index.get(at))))
        # A function that one row of a macro writes for several types, with the same words, counts once.
        place = (item["span"]["filename"], item["span"]["begin"][0] if not item["docs"] else 0, item["name"], item["docs"] or "")
        functions[place] = functions.get(place, False) or shown
    if not functions:
        sys.exit(f"no function in {crate}")
    share = 100 * sum(functions.values()) / len(functions)
    low |= share < 60
    print(f"{crate:24} {len(functions):9} {share:10.1f} %{'  TOO FEW' if share < 60 else ''}")
    if crate == wanted:
        for (file, _, name, _), shown in sorted(functions.items()):
            if not shown:
                print(f"  {file} {name}")
sys.exit(low)
PYTHON
