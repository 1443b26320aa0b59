"""README.md -> the page of a package index, where links to files of the project are absolute.

The release workflow names the repository in `WIREGLOT_HOME` (`https://github.com/OWNER/NAME`) and
the release in `WIREGLOT_TAG`. Without them the page is README.md as it is, and no address is named.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

# Code, which is passed over, or the target of a link or an image that is a file of the project.
_PART = re.compile(r"^(```|~~~).*?^\1|`[^`]+`|(?<=\]\()(?![\w+.-]+:|#)([^)\s]+)", re.M | re.S)
_IMAGES = (".gif", ".jpg", ".png", ".svg", ".webp")


def absolute(page: str, home: str, tag: str) -> str:
    """Return a page of Markdown, its links and images at the addresses of a release."""

    def part(found: re.Match[str]) -> str:
        target = found[2]
        if target is None:
            return found[0]
        return f"{home}/{'raw' if target.endswith(_IMAGES) else 'blob'}/{tag}/{target}"

    return _PART.sub(part, page)


class IndexPage(MetadataHookInterface):
    """The fields `readme` and `urls`, which depend on where the project is published."""

    def update(self, metadata: dict) -> None:
        """Add both fields; called by Hatch."""
        page = Path(self.root, "README.md").read_text(encoding="utf-8")
        home, tag = os.environ.get("WIREGLOT_HOME"), os.environ.get("WIREGLOT_TAG")
        if home and tag:
            page = absolute(page, home, tag)
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/blob/{tag}/docs/index.md",
                "Changelog": f"{home}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": page}
