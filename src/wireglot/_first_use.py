"""One lock around the first use of a type, which two threads must not make at the same time.

msgspec (0.22) computes the layout of a type when the first decoder of it is made, and other threads
see that layout before it is complete: the process crashes. Hold this lock to make a decoder while
messages may be decoded, or to import a module that makes decoders.
"""

from __future__ import annotations

from ._locks import lock_held_at_fork

__all__ = ["first_use"]

first_use = lock_held_at_fork()
