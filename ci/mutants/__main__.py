"""Mutations of the engine in a copy of its sources: `orderings` for ci/weaken.sh, `planted` for ci/bugs.sh.

One copy has both kinds of mutations, so both use the same builds.
"""

import sys

import checkers, orderings, planted

places, changes = orderings.places()
bugs = planted.read(len(places))
for bug in bugs:
    for path, change in bug.changes:
        changes.setdefault(path, []).append(change)
copy = lambda: checkers.write_copy(changes)

sys.stdout.reconfigure(line_buffering=True)
which, *arguments = sys.argv[1:]
if which == "orderings":
    orderings.main(arguments, places, copy)
else:
    planted.main(arguments, bugs, copy)
