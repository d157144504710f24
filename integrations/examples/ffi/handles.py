"""Pooled objects from Python: python3 handles.py LIBRARY. A handle whose object was freed is an error, never another object."""

import ctypes
import random
import sys
from ctypes import POINTER, c_char, c_char_p, c_size_t, c_uint32, c_uint64


class Result(ctypes.Structure):
    _fields_ = [("status", c_uint32), ("value", c_uint64)]


class Stale(LookupError):
    pass


ERRORS = [
    None,
    lambda: Stale("no living object has this handle"),
    lambda: LookupError("no class has this name"),
    lambda: ValueError("not the bytes of an object of this class"),
    lambda: PermissionError("the object has an owner in Rust"),
    lambda: MemoryError(),
    lambda: RuntimeError("code of the class has panicked"),
]


class Pools:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name, arguments in {
            "allocate": [c_char_p, c_size_t],
            "class": [c_uint64, POINTER(c_char), c_size_t],
            "read": [c_uint64, POINTER(c_char), c_size_t],
            "write": [c_uint64, c_char_p, c_size_t],
            "free": [c_uint64],
        }.items():
            function = getattr(self.library, f"acedia_{name}")
            function.argtypes, function.restype = arguments, Result

    def call(self, name, *arguments):
        result = getattr(self.library, f"acedia_{name}")(*arguments)
        if result.status != 0:
            raise ERRORS[result.status]()
        return result.value

    def bytes_of(self, name, handle):
        """Once more with more room, if there was too little: the object may change between the calls."""
        capacity = 64
        while True:
            room = ctypes.create_string_buffer(capacity)
            length = self.call(name, handle, room, capacity)
            if length <= capacity:
                return room.raw[:length]
            capacity = length

    def allocate(self, name):
        return self.call("allocate", name.encode(), len(name.encode()))

    def class_of(self, handle):
        return self.bytes_of("class", handle).decode()

    def read(self, handle):
        return self.bytes_of("read", handle)

    def write(self, handle, content):
        self.call("write", handle, content, len(content))

    def free(self, handle):
        self.call("free", handle)


def refuses(error, function, *arguments):
    try:
        function(*arguments)
    except error:
        return
    sys.exit(f"{function.__name__}{arguments} was no {error.__name__}")


def main():
    pools = Pools(sys.argv[1])
    note = pools.allocate("Ffi.Buffer")
    pools.write(note, b"a note of " + b"many " * 100 + b"bytes")
    number = pools.allocate("Ffi.Number")
    pools.write(number, b"-42")
    print(f"{pools.class_of(note)} {len(pools.read(note))} bytes; {pools.class_of(number)} {pools.read(number).decode()}")
    refuses(ValueError, pools.write, number, b"many")
    refuses(LookupError, pools.allocate, "Ffi.Nothing")

    # The next object takes the slot of the freed one. The old handle does not lead to it.
    pools.free(note)
    other = pools.allocate("Ffi.Buffer")
    pools.write(other, b"secret")
    assert note != other
    print(f"slot reused: {note & 0xFFFFFFFF == other & 0xFFFFFFFF}")
    for function in (pools.read, pools.class_of, pools.free):
        refuses(Stale, function, note)
    refuses(Stale, pools.write, note, b"overwritten")
    assert pools.read(other) == b"secret"

    # Any number may come as a handle.
    numbers = random.Random(1)
    living = {number, other}
    for _ in range(20_000):
        bits = numbers.getrandbits(numbers.randrange(1, 65))
        if numbers.random() < 0.5:
            bits = other ^ (1 << numbers.randrange(64))
        if bits not in living:
            refuses(Stale, pools.read, bits)
            refuses(Stale, pools.free, bits)
    assert pools.read(other) == b"secret" and pools.read(number) == b"-42"
    pools.free(other)
    pools.free(number)
    print("every stale handle was an error")


main()
