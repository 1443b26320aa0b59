"""`python -m bench.memory FILE`: resident memory that decoding and encoding FILE adds, in bodies.

It is a process of its own, since the peak of a process only ever grows. Memory that an allocator
reserves and never touches does not count: msgspec reserves half as much again while it writes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import wireglot as wg

__all__: list[str] = []


def _resident(key: str) -> int:
    """Return a line of Linux's status of this process, in bytes: VmRSS is now, VmHWM the peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def _main() -> None:
    wg.json.encode(wg.json.decode(b"[]"))
    body = Path(sys.argv[1]).read_bytes()
    before = _resident("VmRSS")
    value = wg.json.decode(body)
    out = wg.json.encode(value)
    peak = _resident("VmHWM")
    assert out == body
    print((peak - before) / len(body))


_main()
