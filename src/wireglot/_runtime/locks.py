"""Locks of the process: one that outlives a fork, and the one around the first use of a type.

msgspec (0.22) computes the layout of a type when the first decoder of it is made, and other threads
see that layout before it is complete: the process crashes. Hold `first_use` to make a decoder while
messages may be decoded, or to import a module that makes decoders.
"""

from __future__ import annotations

import os
from threading import RLock


def lock_held_at_fork() -> RLock:
    """Return a lock that the forking thread takes for the time of the fork.

    A child has no other thread, and so would wait forever for one that held the lock.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock


first_use = lock_held_at_fork()
