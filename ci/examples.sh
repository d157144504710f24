#!/usr/bin/env bash
# How many public functions of each crate have an example that `cargo test` runs: at least 60 of 100.
#   ci/examples.sh CRATE   lists those of a crate that have none
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python to read rustdoc's JSON with"
crates=(acedia-allocator acedia-text acedia-boxes acedia-collections acedia-signals acedia-actors)
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET/examples # JSON, on the stable toolchain
for crate in "${crates[@]}"; do
  cargo rustdoc --quiet -p "$crate" --lib --all-features -- -Zunstable-options --output-format json
done
python3 - "$TARGET/examples/doc" "${1:-}" "${crates[@]}" <<'PYTHON' || fail "too few examples; ci/examples.sh CRATE lists where there is none"
import json, re, sys

folder, wanted, *crates = sys.argv[1:]
OPENING = re.compile(r"^\s*```(\w[\w,]*)?\s*$")
RUN = {"rust", "should_panic", "edition2024"}


def has_example(docs):
    inside = False
    for line in (docs or "").splitlines():
        fence = OPENING.match(line)
        if fence and not inside:
            if all(tag in RUN for tag in (fence[1] or "rust").split(",")):
                return True
        inside ^= bool(fence)
    return False


low = False
print(f"{'':24} functions  with an example")
for crate in crates:
    with open(f"{folder}/{crate.replace('-', '_')}.json") as file:
        index = json.load(file)["index"]
    # What a trait's function does is written at the trait, not where it is implemented.
    implemented = {
        str(id)
        for item in index.values()
        if (block := item["inner"].get("impl")) and block["trait"]
        for id in block["items"]
    }
    functions = [
        item
        for id, item in index.items()
        if item["crate_id"] == 0 and "function" in item["inner"] and id not in implemented
    ]
    if not functions:
        sys.exit(f"no function in {crate}")
    without = [item for item in functions if not has_example(item["docs"])]
    share = 100 - 100 * len(without) / len(functions)
    low |= share < 60
    print(f"{crate:24} {len(functions):9} {share:10.1f} %{'  TOO FEW' if share < 60 else ''}")
    if crate == wanted:
        for item in sorted(without, key=lambda item: (item["span"]["filename"], item["span"]["begin"])):
            print(f"  {item['span']['filename']}:{item['span']['begin'][0]} {item['name']}")
sys.exit(low)
PYTHON
