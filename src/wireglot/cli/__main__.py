"""`python -m wireglot.cli`."""

from . import main

if __name__ == "__main__":  # a process for a part of the work imports this too
    main()
