"""Two requests or answers, and the losses between them -> content that vanished without a loss.

Texts may be joined, wrapped and moved, and thinking may become text. Each must still be there, as
often as before.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import wireglot as wg
from tests.corpus.client_tools import client_names, found_tools, name_of_call, search_call
from tests.corpus.compare import canonical
from tests.corpus.verdicts import Failure

__all__ = ["Item", "dropped", "items", "tells_of"]

# Losses of something other than the content of a block or message: they do not excuse its absence.
_BESIDE = frozenset(
    {
        "annotation",
        "cache",
        "cache mark",
        "cache ttl",
        "citations",
        "document context",
        "error flag",
        "extras",
        "image detail",
        "name",
        "strict",
        "system place",
        "tool error",
        "trailing space",
    }
)
_MEDIA = (wg.ImageBlock, wg.AudioBlock, wg.VideoBlock, wg.DocumentBlock, wg.DataBlock)


# A web search of one API becomes that of another.
_SEARCH = re.compile(
    rb'"type":\s*"(openrouter:)?web_search[\w]*"|"(google_?s|enterprise_?web_?s)earch|web_search_options"',
    re.IGNORECASE,
)


class Item(NamedTuple):
    """A piece of content that must not vanish: its kind, its path and its value."""

    kind: str
    path: str
    value: Any


Whole = wg.Request | wg.Response


Tells = Callable[[wg.Loss, Item], bool]


def dropped(
    source: Whole,
    target: Whole,
    losses: list[wg.Loss],
    *,
    same_wire: bool = False,
    tells: Tells | None = None,
) -> Iterator[Failure]:
    """List what `source` holds and `target` does not, if no loss reports it.

    The unknown keys of one wire are always lost on another. `tells` decides whether a loss reports
    an item, by default by their paths.
    """
    tells = tells or tells_of
    there = _Pool(target)
    names_lost = any(loss.what == "tool name" for loss in losses)
    spaces_lost = {loss.path for loss in losses if loss.what == "extras"}
    told = [(any(tells(loss, item) for loss in losses), item) for item in items(source)]
    for is_told, item in sorted(told, key=_untold_and_longest_first):
        if (same_wire or item.kind != "extras") and there.take(item, names_lost):
            continue
        if item.path in spaces_lost and there.take(_without_namespace(item), names_lost):
            continue
        if item.kind == "extras" and not is_told and not same_wire and _is_whole(source, item):
            there_too = _names(target, spelled=True) | _lost_names(losses)
            is_told = not _names(source, spelled=False) - there_too
        if not is_told:
            yield Failure(
                "drop", item.path, f"{item.kind} is gone, and no loss says so", item.value
            )


def _is_whole(source: Whole, item: Item) -> bool:
    """Whether unknown keys are those of a whole request, or of an answer or its texts."""
    return item.path == "$" or (isinstance(source, wg.Response) and "content" in item.path)


def _names(whole: Whole, *, spelled: bool) -> set[str]:
    """Return the unknown keys of a request or answer, over all APIs, in the words of one.

    With `spelled`, those whose spelling was kept are among them.
    """
    names: set[str] = set()
    parts: list[Any] = [whole, *(whole.message.content if isinstance(whole, wg.Response) else ())]
    for part in parts:
        for extra in (getattr(part, "extras", None) or {}).values():
            for raw in (extra.keys, extra.spelling if spelled else None):
                said = raw.value if raw is not None else {}
                keys = {key: said[key] for key in said if _says_something(said[key])}
                inner = keys.get("text")  # of Responses, with the verbosity
                names |= {*keys, *(inner if isinstance(inner, dict) else ())}
    return {_SAME.get(name, name) for name in names} - {"text", "stream"}


_SAME: Final = {
    **dict.fromkeys(("choices", "candidates"), "logprobs"),  # the place of log probabilities
    "createTime": "created",
}
"""A key -> the key of another API that says the same."""
_KEPT: Final = frozenset({"citations", "created"})
"""What the model has a field for: Perplexity's sources are annotations, too."""
_LEFT: Final = frozenset({"include", "store", "stream_options"})
"""What other APIs do without (docs/losses.md)."""


def _lost_names(losses: list[wg.Loss]) -> set[str]:
    """Return the keys that losses name, and those that need none."""
    named = {key for loss in losses for key in loss.keys}
    return named | {loss.path.removeprefix("$.") for loss in losses} | _LEFT | _KEPT


def _without_namespace(item: Item) -> Item:
    """Return a call whose namespace has become a loss."""
    if item.kind != "call":
        return item
    name, arguments = item.value
    return item._replace(value=(name.rpartition("__")[2], arguments))


def items(whole: Whole) -> Iterator[Item]:
    """List the texts, thoughts, calls, results, media and tools."""
    yield from _extras(whole, "$")
    yield from _of_answer(whole) if isinstance(whole, wg.Response) else _of_request(whole)


def _of_answer(response: wg.Response) -> Iterator[Item]:
    yield from _extras(response.message, "$.message")
    yield from _content(response.message.content, "$.message.content")
    for i, message in enumerate(response.alternatives or []):
        yield from _content(message.content, f"$.alternatives[{i}].content")


def _of_request(request: wg.Request) -> Iterator[Item]:
    searches = any(
        isinstance(tool, wg.OpaqueBlock) and client_names(tool) == ["tool_search"]
        for tool in request.tools or []
    )
    for i, message in enumerate(request.messages):
        yield from _extras(message, f"$.messages[{i}]")
        if type(message) is wg.ToolResultMessage:
            yield from _result(message, f"$.messages[{i}]")
        else:
            yield from _content(message.content, f"$.messages[{i}].content", searches=searches)
    for i, tool in enumerate(request.tools or []):
        yield from _extras(tool, f"$.tools[{i}]")
        if isinstance(tool, wg.OpaqueBlock) and (names := client_names(tool)):
            yield from (Item("tool", f"$.tools[{i}]", name) for name in names)
        elif isinstance(tool, wg.OpaqueBlock):
            is_search = _SEARCH.search(tool.raw.text) is not None
            kind, value = ("search", "web") if is_search else ("opaque tool", tool.raw.value)
            yield Item(kind, f"$.tools[{i}]", value)
        else:
            yield Item("tool", f"$.tools[{i}]", tool.name)
    found = {
        name
        for message in request.messages
        for block in getattr(message, "content", ())
        for name in (found_tools(block) or () if searches else ())
    }
    listed = {name for tool in request.tools or [] for name in _names_of(tool)}
    yield from (Item("tool", "$.tools", name) for name in sorted(found - listed))


def _names_of(tool: Any) -> list[str]:
    return client_names(tool) if isinstance(tool, wg.OpaqueBlock) else [tool.name]


def _extras(part: Any, path: str) -> Iterator[Item]:
    """List the unknown keys of a part; those of another API need a loss, unless all are null."""
    for api, extra in (part.extras or {}).items():
        keys = extra.keys.value
        if type(part) is wg.ToolCallBlock:  # the namespace is a part of the name
            keys = {key: keys[key] for key in keys if key != "namespace"}
        if _says_something(keys):
            yield Item("extras", path, api)


def _says_something(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_says_something, value.values() if isinstance(value, dict) else value))
    return value is not None


def _content(content: list[Any], path: str, *, searches: bool | None = None) -> Iterator[Item]:
    """List what content holds; `searches` is whether a request has a client's search for tools."""
    for i, block in enumerate(content):
        at = f"{path}[{i}]"
        yield from _extras(block, at)
        if type(block) is wg.TextBlock and block.text.strip():
            yield Item("text", at, block.text)
        elif type(block) is wg.ThinkingBlock and block.thinking.strip():
            yield Item("thinking", at, block.thinking)
        elif type(block) is wg.ToolCallBlock:
            yield Item("call", at, (name_of_call(block), _arguments(block, searches is not None)))
        elif type(block) is wg.ToolResultBlock:
            yield from _result(block, at)
        elif type(block) is wg.OpaqueBlock and (search := search_call(block)) is not None:
            yield Item("call", at, ("tool_search", canonical(search)))
        elif type(block) is wg.OpaqueBlock and (image := _made_image(block.raw.value)):
            yield Item("media", at, hashlib.sha256(b64decode(image)).hexdigest())
        elif type(block) is wg.OpaqueBlock and not (searches and found_tools(block) is not None):
            yield Item("opaque", at, _opaque(block.raw.value))
        elif isinstance(block, _MEDIA):
            yield from _media(block, at)


def _made_image(value: Any) -> str | None:
    """Return the image that a model has made, in base64: at Responses it is an item of its own."""
    is_image = isinstance(value, dict) and value.get("type") == "image_generation_call"
    return value.get("result") if is_image else None


def _opaque(value: Any) -> Any:
    """Return the JSON of an opaque block; a search result in one form, whichever wire's it has."""
    found = value.get("searchResult", value) if isinstance(value, dict) else None
    if found is None or (found is value and value.get("type") != "search_result"):
        return value
    texts = [part["text"] for part in found["content"]]
    return {key: found[key] for key in found if key not in ("type", "content")} | {"content": texts}


def _result(result: Any, path: str) -> Iterator[Item]:
    for item in _content(result.content, f"{path}.content"):
        yield item._replace(kind="result") if item.kind == "text" else item


def _media(block: Any, path: str) -> Iterator[Item]:
    text = _text_of(block)
    if text is not None:
        yield Item("text", path, text)
    elif block.file_id is not None:
        yield Item("media", path, block.file_id)
    else:
        yield Item("media", path, _inline(block) or block.url)


def _text_of(block: Any) -> str | None:
    """Return the text of a block; of a document, if it is plain text, in whatever form."""
    if type(block) is not wg.DocumentBlock or block.text is not None:
        return getattr(block, "text", None)
    if not block.known_mime_type().startswith("text/"):
        return None
    try:
        media = block.inline()
        return media.to_bytes().decode() if media is not None else None
    except (wg.DecodeError, UnicodeDecodeError):
        return None


def _inline(block: Any) -> str | None:
    try:
        media = block.inline()
        return hashlib.sha256(media.to_bytes()).hexdigest() if media is not None else None
    except wg.DecodeError:  # not base64: compare its text as it is
        return str(block.url or block.data.to_base64())


def _arguments(call: wg.ToolCallBlock, is_asked: bool) -> str:
    if is_asked and call.tool_type == "custom":  # elsewhere a function with one text
        return canonical({"input": call.arguments.text.decode("utf-8", "replace")})
    try:
        return canonical(call.arguments.value)
    except wg.DecodeError:
        return call.arguments.text.decode("utf-8", "replace")


def _untold_and_longest_first(told: tuple[bool, Item]) -> tuple[bool, int]:
    """Sort items without a loss first, so that a lost item takes nothing that another needs."""
    is_told, item = told
    return is_told, -len(item.value) if isinstance(item.value, str) else 0


def tells_of(loss: wg.Loss, item: Item) -> bool:
    """Whether a loss is about an item, by their paths."""
    if item.kind == "tool" and loss.what.startswith("tool choice"):
        return True  # if a choice cannot be expressed, the other tools are left out
    if item.kind == "extras" and loss.what == "extras":
        return item.path == loss.path
    if item.kind == "extras" and loss.what == "stored state":  # which names its key
        return item.path == loss.path.rpartition(".")[0] or item.path == "$"
    if loss.what in _BESIDE or loss.path == "$":
        return False
    return item.path == loss.path or item.path.startswith((f"{loss.path}.", f"{loss.path}["))


class _Pool:
    """The items of a request or answer, by kind. A found item is taken out, so it counts once."""

    def __init__(self, whole: Whole) -> None:
        self._held: dict[str, list[Any]] = defaultdict(list)
        for item in items(whole):
            self._held[item.kind].append(item.value)

    def take(self, item: Item, names_lost: bool) -> bool:
        """Find an item and take it out; with `names_lost` a call may have another name."""
        if item.kind in ("text", "thinking"):
            return self._take_text(item.value, "text", "thinking", "result")
        if item.kind == "result":
            return self._take_text(item.value, "result", "text")
        held = self._held[item.kind]
        if item.value in held:
            held.remove(item.value)
            return True
        if not names_lost or item.kind not in ("call", "tool"):
            return False
        like = [one for one in held if item.kind == "tool" or one[1] == item.value[1]]
        if like:
            held.remove(like[0])
        return bool(like)

    def _take_text(self, text: str, *kinds: str) -> bool:
        for kind in kinds:
            held = self._held[kind]
            if text in held:
                held.remove(text)
                return True
        for kind in kinds:
            held = self._held[kind]
            for i, one in enumerate(held):
                rest = _without(text, one)
                if rest is not None:
                    held[i] = rest
                    return True
        return False


def _without(text: str, whole: str) -> str | None:
    """Return `whole` with `text` cut out of it, None if `text` is not in it."""
    for words in (text, text.strip()):
        before, found, after = whole.partition(words)
        if found:
            return f"{before}\0{after}"
    if re.match(r"\s*[\[{]", text) and _json(text) is not None and _json(text) == _json(whole):
        return ""
    return None


def _json(text: str) -> str | None:
    try:
        return canonical(json.loads(text))
    except ValueError:
        return None
