"""`python -m bench.memory FILE`: resident memory that decoding and encoding FILE adds, in bodies.

A process of its own, since the peak of a process only ever grows. What an allocator reserves and
never touches does not count: msgspec reserves half as much again while it writes.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import wireglot as wg

__all__: list[str] = []


def _peak() -> int:
    """Return the peak resident memory so far, in bytes (Linux counts in kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _main() -> None:
    wg.json.encode(wg.json.decode(b"[]"))
    body = Path(sys.argv[1]).read_bytes()
    before = _peak()
    value = wg.json.decode(body)
    out = wg.json.encode(value)
    peak = _peak()
    assert out == body
    print((peak - before) / len(body))


_main()
