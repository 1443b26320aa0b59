"""One lock for what two threads must not be the first to use at the same time.

msgspec works out the layout of a type when the first decoder of it is made, and shows it to other
threads before it is complete (0.22): they crash the process. Whoever makes a decoder while messages
are being read, or imports a module that makes some, holds this lock.
"""

from __future__ import annotations

import os
from threading import RLock

__all__ = ["first_use"]

first_use = RLock()
if hasattr(os, "register_at_fork"):  # a child must not find it held by a thread that it lacks
    os.register_at_fork(
        before=first_use.acquire,
        after_in_parent=first_use.release,
        after_in_child=first_use.release,
    )
