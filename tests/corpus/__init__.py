"""Recorded traffic of real programs, run through the codec: `python -m tests.corpus FOLDER`."""
