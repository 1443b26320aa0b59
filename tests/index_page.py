"""A folder with a built sdist and wheel -> exit 0 if a package index shows the page whole.

    python -m tests.index_page FOLDER

Every link has to be absolute, and every address that `tox.ini` gives has to be in the metadata.
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

_RELATIVE = re.compile(r"\]\((?!https?://|#)[^)]*\)")
_EXPECTED = (
    "Project-URL: Homepage, https://example.org/wireglot",
    "Project-URL: Changelog, https://example.org/wireglot/blob/v0/CHANGELOG.md",
    "(https://example.org/wireglot/raw/v0/docs/images/wires.svg)",
    "(https://example.org/wireglot/blob/v0/docs/quickstart.md)",
)


def metadata_of(folder: Path) -> dict[str, str]:
    """Return the metadata of each package in a folder, by the package's name."""
    found = {}
    for path in folder.glob("*.whl"):
        with zipfile.ZipFile(path) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
            found[path.name] = archive.read(name).decode()
    for path in folder.glob("*.tar.gz"):
        with tarfile.open(path) as archive:
            (name,) = (n for n in archive.getnames() if re.fullmatch(r"[^/]+/PKG-INFO", n))
            file = archive.extractfile(name)
            assert file is not None
            found[path.name] = file.read().decode()
    return found


def faults_of(metadata: str) -> list[str]:
    """Return the links that are relative, and the expected texts that are missing."""
    missing = [f"missing: {text}" for text in _EXPECTED if text not in metadata]
    return [f"relative: {link}" for link in _RELATIVE.findall(metadata)] + missing


def main() -> int:
    """Print every fault."""
    packages = metadata_of(Path(sys.argv[1]))
    faults = [f"{name}: {f}" for name, text in packages.items() for f in faults_of(text)]
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults or len(packages) != 2 else 0


if __name__ == "__main__":
    sys.exit(main())
