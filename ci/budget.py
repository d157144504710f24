#!/usr/bin/env python3
"""Fails if a folder has more code than its budget: a tenth more than the table says.

Code is lines of Rust that are neither blank nor only a comment. In the folder of a library, tests and models do not count.
`ci/budget.py --table` prints the table with the current numbers.
"""
import os
import re
import subprocess
import sys

# FOLDER: (planned lines of code, lines when the table was made). Renew the table when a folder has shrunk.
BUDGET = {
    "actors": (8100, 8384),
    "allocator": (8600, 8543),
    "benches": (3500, 3402),
    "boxes": (1300, 1352),
    "collections": (3900, 4220),
    "examples": (1500, 1104),
    "fuzz": (1300, 880),
    "inspect": (300, 325),
    "integrations": (2500, 1331),
    "json": (3300, 3377),
    "lock": (600, 494),
    "macros": (450, 411),
    "plain": (900, 866),
    "signals": (600, 488),
    "suites": (1600, 1526),
    "tests": (900, 872),
    "text": (4000, 3999),
}
# All of their code counts.
WHOLE = {"benches", "examples", "fuzz", "integrations", "suites", "tests"}
BESIDE = re.compile(r"(^|/)(tests|models|examples|benches)(/|\.rs$)|(_tests?|compile_fail)\.rs$")


def code_of(path):
    with open(path, encoding="utf8") as file:
        lines = (line.strip() for line in file)
        return sum(1 for line in lines if line and not line.startswith("//"))


files = subprocess.run(["git", "ls-files", "*.rs"], capture_output=True, text=True, check=True).stdout.split()
code = {}
for path in files:
    folder, _, rest = path.partition("/")
    if rest and not os.path.islink(path) and (folder in WHOLE or not BESIDE.search(rest)):
        code[folder] = code.get(folder, 0) + code_of(path)
if sys.argv[1:] == ["--table"]:
    for folder, lines in sorted(code.items()):
        print(f'    "{folder}": ({BUDGET.get(folder, (lines, 0))[0]}, {lines}),')
    sys.exit()
errors = [f"{folder} is not in the table of ci/budget.py" for folder in code if folder not in BUDGET]
for folder, (aim, lines) in BUDGET.items():
    now = code.get(folder, 0)
    print(f"{folder:14} {now:6} lines of code; {lines} when the table was made, aim {aim}")
    if now > lines * 1.1:
        errors.append(f"{folder} has over a tenth more code than its budget: delete some, or change ci/budget.py")
sys.exit("\n".join(errors) or 0)
