"""What every part of a process shares: locks, caches, extras. It knows no conversation."""
