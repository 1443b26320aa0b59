"""`python -m wireglot`: the command, for a shell whose path does not have it."""

from .cli import main

if __name__ == "__main__":  # worker processes import this module too
    main()
