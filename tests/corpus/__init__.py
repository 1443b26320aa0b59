"""Recorded traffic of real programs, taken through the codec: `python -m tests.corpus FOLDER`."""
