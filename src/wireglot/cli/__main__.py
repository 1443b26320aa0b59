"""`python -m wireglot.cli`."""

from . import main

main()
