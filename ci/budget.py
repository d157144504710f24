#!/usr/bin/env python3
"""Fails if a folder has a tenth more code than its budget.

Code is lines of Rust that are neither blank nor only a comment. In the folder of a library, tests and models do not count.
"""
import os
import re
import subprocess
import sys

# FOLDER: lines of code.
BUDGET = {
    "actors": 8100,
    "allocator": 8600,
    "benches": 3500,
    "boxes": 1300,
    "collections": 3900,
    "examples": 1500,
    "fuzz": 1300,
    "inspect": 300,
    "integrations": 2500,
    "json": 3300,
    "lock": 600,
    "macros": 450,
    "plain": 900,
    "signals": 600,
    "suites": 1600,
    "tests": 900,
    "text": 4000,
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
errors = [f"{folder} is not in the table of ci/budget.py" for folder in code if folder not in BUDGET]
for folder, budget in BUDGET.items():
    now = code.get(folder, 0)
    print(f"{folder:14} {now:6} lines of code, budget {budget}")
    if now > budget * 1.1:
        errors.append(f"{folder} has over a tenth more code than its budget: delete some")
sys.exit("\n".join(errors) or 0)
