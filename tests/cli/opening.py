"""A process that reads archives with hostile names, and tells what it opened.

It is one of its own, because an audit hook cannot be taken out again. It takes a JSON object on
standard input: the members of the archive, and the arguments of runs of the command. It prints what
each run opened besides the archive, and what it printed.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cli.running import run

CHAT = '{"model":"m","messages":[{"role":"user","content":"%s"}]}'
_EVENTS = ("open", "socket.connect", "socket.getaddrinfo", "ftplib.connect", "urllib.Request")
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.startfile")


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive; its names are what they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return stream.getvalue()


def tarred(members: Mapping[str, str | bytes]) -> bytes:
    """Return a tar archive; its names are what they are."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, text in members.items():
            data = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def laid(names: list[str]) -> None:
    """Lay out a folder: archives with these names, and files that no run may open."""
    inside = dict.fromkeys(names, CHAT % "inside")
    Path("e.zip").write_bytes(zipped(inside))
    Path("e.tar").write_bytes(tarred(inside))
    Path("all.zip").write_bytes(zipped({"e.zip": zipped(inside)}))
    archives = {f"{name}.zip": zipped({"a": CHAT % "inside"}) for name in names}
    Path("nested.zip").write_bytes(zipped(archives))
    Path("tarred.tar").write_bytes(tarred(archives))
    Path("secret.json").write_text(CHAT % "SECRET")
    Path("local.zip").write_bytes(zipped({"a": CHAT % "SECRET", "a.json": CHAT % "SECRET"}))


def main() -> None:
    """Do the runs."""
    given = json.load(sys.stdin)
    opened: list[str] = []
    allowed: set[str] = set()
    root = str(Path(__file__).parents[2])
    ours = (sys.prefix, sys.base_prefix, root, "/dev/", "/usr/", "/proc/")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _PROGRAMS or (event in _EVENTS and event != "open"):
            opened.append(f"{event} {arguments[-1]!r}")
            raise OSError(f"{event} is not allowed")
        if event == "open" and isinstance(arguments[0], str):
            path = os.path.realpath(arguments[0])
            is_cache = path.startswith(tempfile.gettempdir()) and not path.startswith(folder)
            if path not in allowed and not is_cache and not path.startswith(ours):
                opened.append(f"open {arguments[0]!r}")

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = os.path.realpath(made)
        os.chdir(folder)
        laid(given["names"])
        run("check", "zip://a::local.zip", "ftp://127.0.0.1:9/none")  # imports what it needs
        sys.addaudithook(hook)
        results = []
        for arguments in given["runs"]:
            allowed = {os.path.realpath(arguments[-1].rpartition("::")[2])}
            opened.clear()
            done = run(*arguments)
            results.append({"opened": [*opened], "out": done.out, "said": done.said})
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
