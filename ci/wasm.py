"""Runs a program of wasm32-wasip1 with its arguments, in wasmtime: `python3 ci/wasm.py PROGRAM ARGUMENT…`. See ci/portable.sh."""

import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

wasi = WasiConfig()
wasi.argv = sys.argv[1:]
wasi.inherit_env()
wasi.inherit_stdout()
wasi.inherit_stderr()
engine = Engine()
store = Store(engine)
store.set_wasi(wasi)
module = Module.from_file(engine, sys.argv[1])
linker = Linker(engine)
linker.define_wasi()
linker.define_unknown_imports_as_traps(module)
try:
    linker.instantiate(store, module).exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
