"""The source -> the picture of its rooms on the architecture page, as a Sphinx extension.

A room is a module or folder of the package. It is above all rooms that it imports from, so that
every import points down. The picture is made from the imports, and cannot differ from them.
"""

import sys
from html import escape
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.structure import picture

_PLACE = "@@rooms:"


def _floors(graph):
    """Return the rooms by floor, the highest first; each is as low as its imports allow."""
    depth = {}

    def of(room):
        if room not in depth:
            depth[room] = 1 + max((of(other) for other in graph[room]), default=0)
        return depth[room]

    for room in graph:
        of(room)
    top = max(depth.values())
    return [sorted(room for room in graph if depth[room] == floor) for floor in range(top, 0, -1)]


def _drawing(package):
    graph = picture(package)
    rows = ""
    for rooms in _floors(graph):
        boxes = ""
        for room in rooms:
            module = import_module(f"{package}.{room}")
            about = (module.__doc__ or room).partition("\n")[0]
            uses = ", ".join(sorted(graph[room])) or "nothing"
            boxes += (
                f'<span class="room" title="{escape(about)} It uses: {escape(uses)}.">'
                f"{escape(room)}</span>"
            )
        rows += f'<div class="floor">{boxes}</div>\n'
    return f'```{{raw}} html\n<div class="house">\n{rows}</div>\n```'


def _insert(app, docname, source):
    before, place, after = source[0].partition(_PLACE)
    while place:
        package, _, after = after.partition("@@")
        source[0] = f"{before}{_drawing(package)}{after}"
        before, place, after = source[0].partition(_PLACE)


def setup(app):
    """Connect the picture; called by Sphinx."""
    app.connect("source-read", _insert)
