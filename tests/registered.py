"""Distributions that register wires, in a folder on the path, as an installer leaves them there."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from wireglot import _registry as _entry_points

__all__ = ["ECHO", "NOTES", "POINTS", "SERVICES", "installed"]

NOTES = """
import msgspec
import wireglot as wg

API = "notes"

class Note(msgspec.Struct, forbid_unknown_fields=True):
    note: str

MESSAGE = Note

def decode(data, type=None, *, losses=None):
    try:
        return to_canonical(msgspec.json.decode(data, type=list[Note]))
    except msgspec.DecodeError as error:
        raise wg.DecodeError(str(error), wire=API) from error

def encode(value, losses=None):
    return msgspec.json.encode(from_canonical(value, losses))

def to_canonical(messages):
    return [wg.UserMessage.from_text(note.note) for note in messages]

def from_canonical(messages, losses=None):
    return [Note(message.text()) for message in wg.llm_messages(messages)]
"""
"""A format: a list of notes."""
SERVICES = """
from wireglot.providers.openai_chat.dialects import Service as Chat
from wireglot.providers.openai_responses.dialects import Service as Responses

chat = Chat(path="/acme/chat", limit="max_tokens")
effortless = Chat(effort=None)
odd = Chat(thinking="ponder")
responses = Responses(path="/acme/responses")
"""
ECHO = b'{"model":"m","turns":[{"from":"user","text":"Hi"}]}'
POINTS: Mapping[str, Mapping[str, str]] = {
    "wireglot.providers": {"echo": "echo"},  # of examples/provider, which is on the path
    "wireglot.formats": {"acme_notes": "acme_notes"},
    "wireglot.dialects": {
        "openai_chat.acme": "acme_services:chat",
        "openai_responses.acme": "acme_services:responses",
    },
}


@contextmanager
def installed(
    folder: Path, points: Mapping[str, Mapping[str, str]] = POINTS, name: str = "acme-wires"
) -> Iterator[None]:
    """Install a distribution with entry points, group -> name -> value, for the time of a test."""
    info = folder / name / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, values in points.items():
        lines += [f"[{group}]", *(f"{one} = {value}" for one, value in values.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (folder / name / "acme_notes.py").write_text(NOTES)
    (folder / name / "acme_services.py").write_text(SERVICES)
    (folder / name / "acme_broken.py").write_text("1 / 0\n")
    sys.path.insert(0, str(folder / name))
    invalidate_caches()
    _entry_points.forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder / name))
        for module in ("acme_notes", "acme_services", "acme_broken"):
            sys.modules.pop(module, None)
        _entry_points.forget()
