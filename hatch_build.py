"""README.md -> the page of a package index, where links to files of the project are absolute.

The release workflow names the repository in `WIREGLOT_HOME` (`https://github.com/OWNER/NAME`) and
the release in `WIREGLOT_TAG`. Without them the page is README.md as it is, and no address is named.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)")


class IndexPage(MetadataHookInterface):
    """The fields `readme` and `urls`, which depend on where the project is published."""

    def update(self, metadata: dict) -> None:
        """Add both fields; called by Hatch."""
        page = Path(self.root, "README.md").read_text(encoding="utf-8")
        home, tag = os.environ.get("WIREGLOT_HOME"), os.environ.get("WIREGLOT_TAG")
        if home and tag:
            page = _LINK.sub(
                lambda m: f"{m[1]}{m[2]}({home}/{'raw' if m[1] else 'blob'}/{tag}/{m[3]})", page
            )
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/blob/{tag}/docs/index.md",
                "Changelog": f"{home}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": page}
