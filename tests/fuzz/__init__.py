"""Bytes that coverage leads to, given to every decoder: `python -m tests.fuzz TARGET...`."""
