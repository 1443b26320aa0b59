"""`python -m bench.peers install [NAME ...]`: make the environments of libraries."""

from __future__ import annotations

import argparse

from .environments import ENVIRONMENTS, install


def main() -> None:
    """Install the named environments, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("command", choices=["install"])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ENVIRONMENTS))
    for name in parser.parse_args().names or ENVIRONMENTS:
        install(name)


main()
