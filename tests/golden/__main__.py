"""`python -m tests.golden`: golden files -> how they differ from what is written now.

It exits with 1 if one differs, or is missing. `--write` writes them. A golden file is what a test
expects: read the difference first. Files in a folder `v1` are bytes that somebody has stored: one
that is there is never written, only one that is missing.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final
from unittest import mock

import msgspec
from click.testing import CliRunner

import wireglot as wg
from wireglot.cli.command import wireglot

__all__ = ["main", "written"]

GOLDEN: Final = Path(__file__).parent
_EXAMPLE: Final = GOLDEN.parents[1] / "examples" / "agent-session.jsonl"
_NATIVE: Final[dict[str, Any]] = {"request": wg.Request, "response": wg.Response}


def written(golden: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield each golden file that can be made from its input, and what it would hold now."""
    yield from _native(golden / "native" / "v1")
    yield from _requests(golden / "providers")
    yield from _streams(golden / "providers")
    yield from _anthropic(golden / "anthropic")
    yield from _shown(golden / "cli")


def _native(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.glob("*.json")):
        name, *kinds, _ = path.name.split(".")
        if kinds == ["out"]:
            continue
        value = wg.json.decode(path.read_bytes(), _NATIVE.get(name.split("-")[0], _SESSION))
        yield folder / f"{name}{'.out' if kinds else ''}.json", wg.json.encode(value) + b"\n"
        packed = folder / f"{name}.msgpack"
        if packed.exists():
            yield packed, wg.msgpack.encode(value)


_SESSION: Final[Any] = list[wg.AgentMessage]


def _requests(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.glob("*.in.json")):
        case = path.name.removesuffix(".in.json")
        request = wg.json.decode(path.read_bytes(), wg.Request)
        lost: dict[str, list[wg.Loss]] = {name: [] for name in wg.PROVIDERS}
        for name, provider in wg.PROVIDERS.items():
            body = provider.encode_request(request, losses=lost[name])
            yield folder / f"{case}.{name}.json", body + b"\n"
        yield folder / f"{case}.losses.json", _told(lost)


def _streams(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.glob("*.events.json")):
        case = path.name.removesuffix(".events.json")
        events = wg.json.decode(path.read_bytes(), list[wg.StreamEvent])
        lost: dict[str, list[wg.Loss]] = {name: [] for name in wg.PROVIDERS}
        for name, provider in wg.PROVIDERS.items():
            encoder = provider.StreamEncoder(losses=lost[name])
            data = b"".join(map(encoder.encode, events)) + encoder.close()
            yield folder / f"{case}.{name}.bytes", data
        yield folder / f"{case}.losses.json", _told(lost)


def _told(lost: dict[str, list[wg.Loss]]) -> bytes:
    lines = {
        name: [f"{loss.path}: {loss.what}" for loss in losses] for name, losses in lost.items()
    }
    return msgspec.json.format(msgspec.json.encode(lines), indent=1) + b"\n"


def _anthropic(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.glob("*.in.json")):
        request = wg.json.decode(path.read_bytes(), wg.Request)
        case = path.name.removesuffix(".in.json")
        yield folder / f"{case}.out.json", wg.providers.anthropic.encode_request(request) + b"\n"


def _shown(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.glob("show-*.txt")):
        columns = path.stem.removeprefix("show-")
        env = {"COLUMNS": columns, "WIREGLOT_PRICES": str(folder / "prices.toml")}
        with mock.patch.dict(os.environ, env):  # rich reads it when it is imported, too
            done = CliRunner().invoke(wireglot, ["show", os.path.relpath(_EXAMPLE)])
        yield path, done.stdout_bytes


def _difference(path: Path, old: bytes, new: bytes) -> str:
    """Return a unified difference; of JSON with a value on each line, if the values differ."""
    before, after = _lines(old), _lines(new)
    if before == after:  # other bytes of the same value
        before, after = [f"{old!r}\n"], [f"{new!r}\n"]
    return "".join(unified_diff(before, after, f"{path}", f"{path}, as written now"))


def _lines(data: bytes) -> list[str]:
    try:
        data = msgspec.json.format(data, indent=1)
    except msgspec.DecodeError:  # not JSON, or many documents
        pass
    text = data.decode("utf-8", "backslashreplace")
    return [f"{line}\n" for line in text.split("\n")]


def main(arguments: list[str], golden: Path = GOLDEN) -> int:
    """Print how files differ; return 1 if one does and was not written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write what differs")
    writes = parser.parse_args(arguments).write
    left = 0
    for path, new in written(golden):
        old = path.read_bytes() if path.exists() else b""
        if new == old:
            continue
        sys.stdout.write(_difference(path.relative_to(golden), old, new))
        if writes and not (path.exists() and path.parent.name == "v1"):
            path.write_bytes(new)
        else:
            left += 1
    return min(left, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
