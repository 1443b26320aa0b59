"""One lock around the first use of a type, which two threads must not make at the same time.

msgspec (0.22) computes the layout of a type when the first decoder of it is made, and other threads
see that layout before it is complete: the process crashes. Hold this lock to make a decoder while
messages may be decoded, or to import a module that makes decoders.
"""

from __future__ import annotations

import os
from threading import RLock

__all__ = ["first_use"]

first_use = RLock()
if hasattr(os, "register_at_fork"):  # a child lacks the thread that may hold it
    os.register_at_fork(
        before=first_use.acquire,
        after_in_parent=first_use.release,
        after_in_child=first_use.release,
    )
