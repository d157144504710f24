"""Calls the module of ci/wasm_threads.rs from four threads with one memory, in wasmtime: `python3 ci/wasm_threads.py MODULE`."""

import sys
import threading

from wasmtime import Config, Engine, Instance, Limits, MemoryType, Module, SharedMemory, Store
from wasmtime import _ffi as ffi

THREADS, ROUNDS = 4, 20_000


class Shared(SharedMemory):
    """Of wasmtime 50, whose own function makes a pointer to the pointer."""

    def _as_extern(self):
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)


config = Config()
config.wasm_threads = True
config.shared_memory = True
engine = Engine(config)
module = Module.from_file(engine, sys.argv[1])
memory = Shared(engine, MemoryType(Limits(64, 4096), shared=True))


def instance():
    store = Store(engine)
    return store, Instance(store, module, [memory]).exports(store)


store, main = instance()
alone = main["work"](store, 1, 100)
read = []


def thread(number, stack, locals_):
    store, own = instance()
    own["__stack_pointer"].set_value(store, stack)
    own["__wasm_init_tls"](store, locals_)
    read.append(own["work"](store, number, ROUNDS))


size = main["__tls_size"].value(store)
threads = []
for number in range(2, 2 + THREADS):
    stack = main["memory"](store, 1 << 20) & ~15
    # Room to align them to 128 bytes, and the locals at its start.
    locals_ = (main["memory"](store, size + 256) - size - 128) & ~127
    threads.append(threading.Thread(target=thread, args=(number, stack, locals_)))
for one in threads:
    one.start()
for one in threads:
    one.join()

living = main["living"](store)
print(f"reads of other threads' objects: {read}; living: {living}")
sys.exit(not (alone == 0 and len(read) == THREADS and all(n > 0 for n in read) and living == 0))
