"""Python functions and types -> the name, description and JSON Schema of a tool.

The schema is msgspec's, or pydantic's of its models, with all definitions in the `$defs` of the
root, and the root itself an object, as the APIs want it.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT

from ..errors import EncodeError
from .rawjson import refuse_nan

__all__ = ["of_function", "of_type"]

_NAMED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_WORD: Final = r"\*{0,2}(\w+)"
_SECTION: Final = re.compile(r"^(?:(\w[\w ]*):$|(\w[\w ]*)\n-{3,}$|:\w+)", re.MULTILINE)
_GOOGLE: Final = re.compile(rf"^{_WORD} ?(?:\([^)\n]*\))?: *(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_NUMPY: Final = re.compile(rf"^{_WORD} *(?::.*)?((?:\n[ \t]+.*)+)", re.MULTILINE)
_SPHINX: Final = re.compile(rf"^:param (?:[^:]* )?{_WORD}: *(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_ARGUMENTS: Final = frozenset({"args", "arguments", "parameters", "params"})


def of_function(function: Callable[..., Any]) -> tuple[str, str | None, dict[str, Any]]:
    """Return the name, the description and the schema of a function's parameters.

    The docstring's text before its sections is the description; what a section says about a
    parameter (Google's, NumPy's or Sphinx's style) is that parameter's.

    Raises `EncodeError` if a call by keywords is not possible, or a type has no schema.
    """
    name = getattr(function, "__name__", type(function).__name__)
    try:
        hints = typing.get_type_hints(function, include_extras=True)
        parameters = inspect.signature(function).parameters
    except Exception as error:  # an annotation in a text is evaluated, and may raise anything
        raise EncodeError(f"`{name}` has no signature: {error}", wire="model") from error
    fields = []
    for parameter in parameters.values():
        if parameter.kind not in _NAMED:
            reason = f"parameter `{parameter.name}` of `{name}`, expected one with a name"
            raise EncodeError(reason, wire="model")
        given = parameter.default
        default = NODEFAULT if given is inspect.Parameter.empty else _default(given)
        hint = hints.get(parameter.name, Any)
        fields.append((parameter.name, hint, msgspec.field(default=default)))
    description, about = _documented(inspect.getdoc(function) or "")
    try:
        kind = msgspec.defstruct(name, fields, kw_only=True)
    except (TypeError, ValueError, RuntimeError) as error:  # the last of a name that begins `__`
        raise EncodeError(f"`{name}` has no schema: {error}", wire="model") from error
    schema = _schema(kind)
    del schema["title"]  # the function's name
    for key, text in about.items():
        if key in schema["properties"]:
            schema["properties"][key] = _described(schema["properties"][key], text)
    return name, description or None, schema


def of_type(kind: Any) -> tuple[str, str | None, dict[str, Any]]:
    """Return the name, the description and the schema of a type whose values are objects.

    Raises `EncodeError` if there is no such schema.
    """
    schema = _schema(kind)
    return str(schema.pop("title", "tool")), schema.pop("description", None), schema


def _default(value: Any) -> Any:
    """Return a default that the schema can show; one that it cannot only makes it optional."""
    if value and isinstance(value, list | dict | set | bytearray):  # msgspec shares no such value
        return msgspec.UNSET
    try:
        refuse_nan(value)
        msgspec.json.encode(value)
    except (TypeError, ValueError):
        return msgspec.UNSET
    return value


def _described(schema: dict[str, Any], text: str) -> dict[str, Any]:
    return schema if "description" in schema else {**schema, "description": text}


def _schema(kind: Any) -> dict[str, Any]:
    """Return the schema of an object; the root's own definition stands at the root."""
    defs: dict[str, Any] = {}

    def of_model(inner: Any) -> dict[str, Any]:
        if not hasattr(inner, "model_json_schema"):
            raise NotImplementedError  # what msgspec expects of a hook
        schema: dict[str, Any] = inner.model_json_schema()
        defs.update(schema.pop("$defs", {}))
        return schema

    try:
        if hasattr(kind, "model_json_schema"):
            schema = of_model(kind)
        else:
            schema = msgspec.json.schema(kind, schema_hook=of_model)
    except Exception as error:  # pydantic's errors have no base but this
        raise EncodeError(f"`{kind}` has no schema: {error}", wire="model") from error
    defs = {**schema.pop("$defs", {}), **defs}
    root = schema.get("$ref", "").rpartition("/")[2]
    is_alone = bytes(msgspec.json.encode([schema, defs])).count(b'"#/$defs/%b"' % root.encode()) < 2
    if root in defs:
        schema = defs.pop(root) if is_alone else {**defs[root]}
    if schema.get("type") != "object":
        reason = f"`{kind}` is `{schema.get('type')}` in JSON, expected `object`"
        raise EncodeError(reason, wire="model")
    return {**schema, "$defs": defs} if defs else schema


def _documented(text: str) -> tuple[str, dict[str, str]]:
    """Return the text before the sections, and what they say about each parameter."""
    sections = [*_SECTION.finditer(text), re.search(r"\Z", text)]
    first = sections[0]
    about = {match[1]: _joined(match[2]) for match in _SPHINX.finditer(text)}
    for section, following in pairwise(sections):
        if section is None or following is None or section.lastindex is None:
            continue
        if section[section.lastindex].lower() not in _ARGUMENTS:
            continue
        body = inspect.cleandoc(text[section.end() : following.start()])
        style = _GOOGLE if section.lastindex == 1 else _NUMPY
        about |= {match[1]: _joined(match[2]) for match in style.finditer(body)}
    return text[: first.start()].strip() if first is not None else text, about


def _joined(text: str) -> str:
    return " ".join(text.split())
