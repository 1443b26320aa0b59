"""Locks that outlive a fork."""

from __future__ import annotations

import os
from threading import RLock

__all__ = ["lock_held_at_fork"]


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
