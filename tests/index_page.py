"""A folder with a built sdist and wheel -> exit 0 if a package index shows the page whole.

    python -m tests.index_page FOLDER

Every link has to be absolute, and every address that `tox.ini` gives has to be in the metadata. The
function that makes links absolute is tried on others as well.
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

from hatch_build import absolute

_RELATIVE = re.compile(r"\]\((?!https?://|mailto:|#)[^)]*\)")
_CODE = re.compile(r"^```.*?^```|`[^`]+`", re.MULTILINE | re.DOTALL)
_EXPECTED = (
    "Project-URL: Homepage, https://example.org/wireglot",
    "Project-URL: Changelog, https://example.org/wireglot/blob/v0/CHANGELOG.md",
    "(https://example.org/wireglot/raw/v0/docs/images/wires.svg)",
    "(https://example.org/wireglot/blob/v0/docs/quickstart.md)",
)
_LINKS = {
    "[a](b.md) ![c](d.svg)": "[a](h/blob/v/b.md) ![c](h/raw/v/d.svg)",
    "[![a](b.png)](c.md)": "[![a](h/raw/v/b.png)](h/blob/v/c.md)",
    "[![a](https://b/c.svg)](https://d)": "[![a](https://b/c.svg)](https://d)",
    '[a [b]](c.md "d") [e](#f)': '[a [b]](h/blob/v/c.md "d") [e](#f)',
    "`[a](b.md)` [c](mailto:d@e)": "`[a](b.md)` [c](mailto:d@e)",
    "```md\n[a](b.md)\n```\n[c](d.md)": "```md\n[a](b.md)\n```\n[c](h/blob/v/d.md)",
}
"""Pages, and what `hatch_build.py` makes of them."""


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
    text = _CODE.sub("", metadata)
    return [f"relative: {link}" for link in _RELATIVE.findall(text)] + missing


def main() -> int:
    """Print every fault."""
    packages = metadata_of(Path(sys.argv[1]))
    faults = [f"{name}: {f}" for name, text in packages.items() for f in faults_of(text)]
    made = {page: absolute(page, "h", "v") for page in _LINKS}
    faults += [f"link: {text}" for page, text in made.items() if text != _LINKS[page]]
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults or len(packages) != 2 else 0


if __name__ == "__main__":
    sys.exit(main())
