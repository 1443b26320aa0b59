"""Content blocks <-> the items of Responses, in requests and in answers.

A file of its own, as the wire has two levels of content: a call or reasoning is an item beside the
messages, and never a part of one; `blocks.py` has the parts.

What the extras of a block say of its item stands in their spelling: `after` says that reasoning
came before it, `next` that the block continues the message of the part before it, and `message`
holds the spelled keys of the message around it. In their unknown keys, `message` holds the unknown
keys of that message. The writer restores it all. In an answer each item has an id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    Content,
    DataBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from ...model.rawjson import adopt_arguments, adopt_text
from .._across.media import of_its_kind
from .._codecs.order import Result, is_failure
from .._codecs.simple import is_lone_result
from .._state.decoding import Decoding, arguments_of, kinds
from .._state.encoding import Encoding
from .._state.signatures import CLAUDE, SIGNER, api_of, claudes, maker, noted, sealed, unsealed
from .._state.stored import key_of, lenient_value
from . import wire
from .blocks import (
    ANSWERS_SAY,
    LONGEST,
    OTHERS_SAY,
    PARTS,
    BlockReader,
    BlockWriter,
    as_content,
    given,
    joined,
    shape,
    shortened,
)
from .dialects import SERVICES
from .opaque import is_reference

_THOUGHT_PARTS: Final = {"summary": "summary_text", "content": "reasoning_text"}
_PARTS: Final = frozenset(
    {"input_text", "input_image", "input_file", "input_audio", "input_video"}
    | {"output_text", "refusal", "text"}
)
"""The types of message parts; an opaque block of another type is an item of its own."""
_keys = msgspec.json.Decoder(dict[str, Raw]).decode

# -- blocks -> items ---------------------------------------------------------------------------

_NOT_IN_RESULTS: Final = frozenset(
    {ThinkingBlock, ToolCallBlock, ToolResultBlock, DataBlock, AnnotationBlock}
)
_RESULTS: Final = {"custom": "custom_tool_call_output", "function": "function_call_output"}
_ECHOED: Final = frozenset({"id", "status"})
_QUOTES: Final = '""'
_TRUE: Final = Raw(b"true")
_NO_ARGUMENTS: Final = Raw(b'"{}"')
_Identify = Callable[[str], str]
"""Returns an id for an item of an answer, with the prefix that it gets."""


class Draft(Struct):
    """A message of an answer that is being written: its keys, which its first part has, its parts.

    In an answer it has a number among the items, and an id.
    """

    own: dict[str, Raw]
    spelling: dict[str, Raw]
    number: int = 0
    id: str = ""
    parts: list[Any] = []


class ItemWriter:
    """The encoder of the items of one request or one answer.

    It knows whether the current answer of a request has reasoned; `blocks` writes the parts.
    """

    def __init__(self, encoding: Encoding, blocks: BlockWriter, *, is_answer: bool = False) -> None:
        self._encoding = encoding
        self._service = blocks.service
        self._blocks = blocks
        self._is_answer = is_answer
        self._is_reasoned = is_answer

    def begin_answer(self) -> None:
        """Forget whether an earlier answer has reasoned."""
        self._is_reasoned = False

    # Messages

    def is_item(self, block: OpaqueBlock) -> bool:
        """Whether an opaque block of this API is an item, and not a part of a message."""
        form = shape(block)
        if form in ("item", "part"):
            return bool(form == "item")
        return key_of(self._encoding.opaque(block), "type") not in _PARTS

    def goes_on(self, block: Any) -> bool:
        """Whether a part belongs to the message of the part before it."""
        return block.extras is not None and self._spelling(block).get("next") == _TRUE

    def draft(self, block: Any, number: int = 0, item_id: str = "") -> Draft:
        """Return the message that begins with this block, still without any part."""
        extra = (block.extras or {}).get(wire.API)
        own = _around(_keys(extra.keys.text)) if extra is not None else {}
        return Draft(own, self._tied(_around(self._spelling(block))), number, item_id)

    def message(self, draft: Draft) -> Any:
        """Return the item for a message; in a request, a single text without an id is a string."""
        body: Any
        if self._is_answer:
            body = {
                "id": draft.id,
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": draft.parts,
            }
        elif "id" in draft.spelling:
            content = [_annotated(part) for part in draft.parts]
            body = wire.Item("message", role="assistant", content=content)
        else:
            body = wire.Item(role="assistant", content=as_content(draft.parts))
        return joined(body, draft.own, draft.spelling)

    def item(self, block: Any, message: AssistantMessage, identify: _Identify = str) -> Any:
        """Return the item for a block that is not a part of a message, None if it is lost.

        `identify` returns the ids of items; a request does without them.
        """
        self._encoding.lose_rest(block)
        item: Any
        if type(block) is ThinkingBlock:
            item = self._thought(block, message, identify)
            self._is_reasoned |= item is not None
        elif type(block) is ToolCallBlock:
            item = self._call(block, message, identify)
        else:
            item = self._encoding.opaque(block)
            self._is_reasoned |= _type_of(block) == "reasoning"
        return item if item is None or block.extras is None else self.with_extras(item, block)

    def _thought(self, block: ThinkingBlock, message: Any, identify: _Identify) -> Any:
        """Return the item for thinking.

        A request sends back only what came over this API and dialect: each service encrypts with
        its own keys, and refuses what another has encrypted. A client is shown that of any API,
        without its signature, but not data that only another one can read. A signature of Claude's
        goes to a client as `encrypted_content`, and from there only to a Claude.
        """
        is_noted = noted(block) is not None
        its = None
        if is_noted or self._is_answer:  # else it is this API's, or is not sent
            its = claudes(block, message, self._encoding)
        signature = sealed(its, redacted=block.redacted) if its is not None else block.signature
        extra = block.extras.get(wire.API) if block.extras is not None else None
        is_from_here = extra is not None and extra.dialect in (None, self._encoding.dialect)
        texts = [block.thinking] if block.thinking else []
        if block.details and "\n\n".join(block.details) == block.thinking:
            texts = block.details
        key = "content" if shape(block) == "content" else "summary"
        if self._is_answer:
            is_to_come = block.signature is None and maker(block, message) == CLAUDE
            if block.redacted and its is None and not is_to_come:  # as it begins in a stream
                self._encoding.lose("redacted thinking", block)
                return None
            parts = [{"type": _THOUGHT_PARTS[key], "text": text} for text in texts]
            item: dict[str, Any] = {"id": identify("rs_"), "type": "reasoning", "summary": []}
            item[key] = parts
            if its is not None or (message.api == wire.API and signature is not None):
                item["encrypted_content"] = signature
            elif signature is not None:
                self._encoding.lose("signature", block)
            return item
        is_unmarked = extra is None and not self._service.reasoning_ids
        is_taken = is_from_here or (is_unmarked and bool(block.signature))
        is_refused = is_noted and its is None
        item_id = self._blocks.spelling(block).get("id")
        is_lost = not signature and item_id is not None and not self._takes_id(item_id)
        if not is_taken or is_refused or is_lost or not self._is_own(message):
            self._encoding.lose("thinking", block)
            return None
        reasoning = wire.Item("reasoning", summary=[], encrypted_content=signature or None)
        key = key if is_from_here else "summary"
        setattr(reasoning, key, [wire.Part(_THOUGHT_PARTS[key], text) for text in texts])
        return reasoning

    def _is_own(self, message: AssistantMessage) -> bool:
        """Whether the reasoning in a message is this service's."""
        # Last, as a name that is not of ours is looked for among the registered dialects.
        return api_of(message) == wire.API and (
            message.provider in (None, self._encoding.dialect) or message.provider not in SERVICES
        )

    # Calls and results

    def is_custom(self, block: ToolCallBlock, message: AssistantMessage) -> bool:
        """Whether a call is written as one of a custom tool."""
        if block.tool_type != "custom" or self._service.custom:
            return block.tool_type == "custom"
        return message.api == wire.API if self._is_answer else self._blocks.came_so(block)

    def id_of_call(self, call_id: str) -> str:
        """Return an id of a call of a length that the API takes."""
        return call_id if 0 < len(call_id) <= LONGEST else shortened(call_id)

    def bare_call(self, block: ToolCallBlock, call_id: str, message: AssistantMessage) -> wire.Item:
        """Return the item for a call of a request that has no more than a call needs."""
        arguments = block.arguments
        # What the API itself wrote goes back as it came.
        text = arguments.string_json() if message.api == wire.API else arguments.string()
        name = self._encoding.tool_name(block.name, block)
        return wire.Item("function_call", call_id, name, text)

    def _call(self, block: ToolCallBlock, message: AssistantMessage, identify: _Identify) -> Any:
        is_custom = self.is_custom(block, message)
        is_own = not self._is_answer and message.api == wire.API
        is_text = block.tool_type == "custom"
        # What the API itself wrote goes back as it came.
        as_it_is = is_own or is_custom or is_text
        text = block.arguments.string_json() if as_it_is else block.arguments.string()
        if is_text and not is_custom:
            self._encoding.lose("custom call", block)
            text = Raw(encode(encode({"input": text}).decode()))
        kind = "custom_tool_call" if is_custom else "function_call"
        call_id = self.id_of_call(block.id)
        if not self._is_answer:
            name = self._encoding.tool_name(block.name, block)
            if is_custom:
                return wire.Item(kind, call_id, name, input=text)
            return wire.Item(kind, call_id, name, text)
        # A client knows the tool by the very name that the model has called.
        called = {"call_id": call_id, "name": block.name}
        if is_custom:
            return {"id": identify("ctc_"), "type": kind, **called, "input": text}
        item_id = identify("fc_")
        return {"id": item_id, "type": kind, "status": "completed", **called, "arguments": text}

    def result(self, result: Result, kind: str, call_id: str) -> Any:
        """Return the item for a result; `kind` is the type that the type of its call asks for."""
        content: Any = result.content
        if is_lone_result(result):
            return wire.Item(kind, call_id, output=content[0].text)
        self._encoding.lose_rest(result)
        if result.is_error and is_failure(result):
            self._encoding.lose("error flag", result)
        output = self._output(result)
        if result.extras is None:
            return wire.Item(kind, call_id, output=output)
        kind = _RESULTS.get(shape(result), kind)
        return self.with_extras(wire.Item(kind, call_id, output=output), result)

    def _output(self, result: Result) -> Any:
        """Return the content of a result: a string, if it is one plain text."""
        content: list[Any] = result.content
        cache = result.cache if type(result) is ToolResultBlock else None
        parts: list[Any] = []
        for block in content:
            shown: Any = of_its_kind(block, self._encoding) or block
            kind = type(shown)
            if kind in _NOT_IN_RESULTS or (
                kind is OpaqueBlock and block.api == wire.API and self.is_item(block)
            ):
                self._encoding.lose("tool result content", block)
                continue
            part = self._blocks.part(shown)
            if part is not None:
                parts.append(part)
        if cache is not None:
            self._blocks.mark(parts[-1] if parts else None, cache, result)
        return as_content(parts) if parts else ""

    # Spelling

    def _spelling(self, part: Any) -> dict[str, Raw]:
        """Return the spelled keys of the item of a part."""
        return self._tied(self._blocks.spelling(part))

    def with_extras(self, item: Any, part: Any) -> Any:
        """Return `item` with the unknown keys of `part`, and its spelled keys in this dialect.

        A spelled key replaces that of `item`, where the id of an item is made up.
        """
        if part.extras is None:
            return item
        return joined(item, self._encoding.own_keys(part), self._spelling(part))

    def _tied(self, spelled: dict[str, Raw]) -> dict[str, Raw]:
        """Return an item's spelling, without its id if the reasoning before it was not written.

        By the id the API knows which reasoning belongs to an item, and refuses one without it. It
        takes none that is too long, as some gateways send.
        """
        is_fine = "after" not in spelled or self._is_reasoned
        if is_fine and ("id" not in spelled or self._takes_id(spelled["id"])):
            return spelled
        return {key: spelled[key] for key in spelled if key not in _ECHOED}

    def _takes_id(self, item_id: Raw) -> bool:
        """Whether a request can have the id of an item, which came over this API."""
        is_short = len(memoryview(item_id)) <= LONGEST + len(_QUOTES)
        service = self._service
        return is_short or self._is_answer or service.reasoning_ids or service.long_ids


def _around(keys: dict[str, Raw]) -> dict[str, Raw]:
    """Return the keys of the message around a part, from the part's extras."""
    raw = keys.get("message")
    return _keys(raw) if raw is not None and is_object(raw) else {}


def _annotated(part: Any) -> Any:
    """Return a text part with `annotations`, which the SDK's type requires with an id."""
    if type(part) is wire.Part and part.type == "output_text" and part.annotations is None:
        part.annotations = []
    return part


def _type_of(block: OpaqueBlock) -> Any:
    return key_of(block.raw, "type")


# -- items -> blocks ---------------------------------------------------------------------------

_NO_TEXT: Final = Raw(b'""')
_THOUGHTS: Final = frozenset(_THOUGHT_PARTS.values())


class ItemReader:
    """The decoder of the items of one body.

    It knows the tools called so far, and whether reasoning came before the next item of the answer.
    """

    def __init__(
        self, decoding: Decoding, blocks: BlockReader, *, is_reasoned: bool = False
    ) -> None:
        self._decoding = decoding
        self._service = blocks.service
        self._blocks = blocks
        self.is_reasoned: bool = is_reasoned
        """Whether reasoning came before the next item of the same answer."""
        self._names: dict[str, str] = {}
        self._kinds: dict[str, str] = {}

    def so_far(self) -> Any:
        """Return a copy of what is known of the calls so far."""
        return dict(self._names), dict(self._kinds)

    def go_on(self, so_far: Any) -> None:
        """Begin with what is known of earlier calls."""
        names, kinds = so_far
        self._names.update(names)
        self._kinds.update(kinds)

    def answer(self, items: list[wire.Item]) -> list[Content]:
        """Return the blocks of an answer's items, results of the API's own tools among them.

        A call without arguments gets `{}`.
        """
        content: list[Content] = []
        for item in items:
            is_message = item.type == "message" and item.role in (None, "assistant")
            if is_message and item.content is not None:
                blocks = self.answer_message(item)
                if not item.content:
                    self._blocks.note(blocks[0], {}, {"as": "empty"})
                content += blocks
                continue
            read = ITEMS.get(item.type)
            block = read(self, item) if read is not None else self.other(item)
            if type(block) is ToolCallBlock:
                if item.arguments == _NO_TEXT:
                    block.arguments = adopt_arguments("{}")
                if item.id is None:
                    self._blocks.note(block, {}, {"id": None})
            content.append(block)
        return content

    def answer_message(self, item: wire.Item) -> list[Content]:
        """Return the blocks of an answer's message; the first one holds the message's own keys."""
        if not _is_answer(item):
            self._decoding.set_aside(item, _KINDS["answer"])
        content = self._blocks.content(item.content, ANSWERS_SAY)
        if not content:
            content.append(TextBlock(""))
        unknown = self._decoding.unknown
        keys: dict[str, Any] = dict(unknown.get(id(item), {})) if unknown else {}
        if item.phase is not None:
            keys["phase"] = item.phase
        spelling = self._tied(item)
        if item.id is not None and item.content and type(item.content) is list:
            for block, part in zip(content, item.content, strict=True):
                if part.type == ANSWERS_SAY and part.annotations is None:
                    self._blocks.note(block, {}, {"annotations": None})
        if keys or spelling:
            self._blocks.note(
                content[0],
                {"message": keys} if keys else {},
                {"message": spelling} if spelling else {},
            )
        if len(content) > 1:
            for i, block in enumerate(content):
                self._blocks.note(block, {}, {"next": i > 0})
        return content

    def other_message(self, item: wire.Item) -> tuple[list[Content], dict[str, Any]]:
        """Return the blocks of another message than an answer's, and its spelling."""
        if not _is_message(item):
            self._decoding.set_aside(item, _KINDS["message"])
        return self._blocks.content(item.content, OTHERS_SAY), _echoed(item)

    def item(self, item: wire.Item) -> Content | None:
        """Return the block for reasoning or a call in a request, None for any other item."""
        read = ITEMS.get(item.type)
        if read is None:
            return None
        if not self._is_reference(item):
            return read(self, item)
        self.is_reasoned |= item.type == "reasoning"
        return self.other(item)

    def other(self, item: wire.Item) -> OpaqueBlock:
        """Return the block for an item of a kind that the model has no block for.

        A message and a reference to a stored item may lack their type, which no other item does.
        """
        if item.type is None and item.role is None and item.id is None:
            self._decoding.fail("object missing required field `type`", item)
        block = OpaqueBlock(wire.API, self._decoding.raw(item))
        if item.type in _PARTS:  # it is an item, with a part's type
            block.extras = self._blocks.came(None, {"as": "item"})
        return block

    def _is_reference(self, item: wire.Item) -> bool:
        """Whether an item is only an id: the rest of it is stored."""
        if item.id is None or item.call_id is not None or item.summary is not None:
            return False
        return is_reference(lenient_value(self._decoding.raw(item)))

    def _reasoning(self, item: wire.Item) -> Content:
        self._keep_to_type(item)
        summary, content = item.summary or [], item.content
        parts = [*summary, *(content if isinstance(content, list) else ())]
        self.is_reasoned = True
        if isinstance(content, str) or any(
            part.type not in _THOUGHTS
            or part.text is None
            or not PARTS[part.type].has_all(part)
            or not self._decoding.is_known(part)
            for part in parts
        ):
            return OpaqueBlock(wire.API, self._decoding.raw(item))
        spelling = _echoed(item)
        source = summary
        if content:
            source = content
            spelling["as"] = "content"
            if summary:
                spelling["summary"] = summary
        elif content is not None:
            spelling["content"] = []
        if item.summary is None:
            spelling["summary"] = None
        if not spelling and (self._service.reasoning_ids or not item.encrypted_content):
            spelling["as"] = "summary"
        texts = [part.text or "" for part in source]
        signature, is_redacted = item.encrypted_content, False
        claude = unsealed(signature)
        if claude is not None:
            signature, is_redacted = claude
            spelling[SIGNER] = CLAUDE
        block = ThinkingBlock("\n\n".join(texts), signature, redacted=is_redacted)
        if len(texts) > 1 or texts == [""]:
            block.details = texts
        block.extras = self._blocks.came(item, spelling)
        return block

    def _function_call(self, item: wire.Item) -> Content:
        return self._call(item, "arguments", arguments_of(item.arguments))

    def _custom_call(self, item: wire.Item) -> Content:
        block = self._call(item, "input", item.input)
        block.tool_type = "custom"
        if not self._service.custom:
            self._blocks.note(block, {}, {"as": "as is"})
        return block

    def _call(self, item: wire.Item, key: str, text: Any) -> ToolCallBlock:
        self._keep_to_type(item)
        call_id, name = item.call_id, item.name
        if call_id is None or name is None or text is None:
            lacks = "call_id" if call_id is None else "name" if name is None else key
            self._decoding.fail(f"object missing required field `{lacks}`", item)
        self._names[call_id] = name
        self._kinds[call_id] = f"{item.type}_output"
        block = ToolCallBlock(call_id, name, adopt_text(text))
        if item.id is not None or item.status is not None or self._decoding.unknown:
            block.extras = self._blocks.came(item, self._tied(item))
        return block

    def result(self, item: wire.Item) -> ToolResultBlock:
        """Return the block for the result of a call."""
        self._keep_to_type(item)
        if item.output is None:
            self._decoding.fail("object missing required field `output`", item)
        call_id = str(item.call_id)
        content = self._blocks.content(item.output, OTHERS_SAY)
        spelling = _echoed(item)
        if item.name is not None:
            spelling["name"] = item.name
        if item.type != self._kinds.get(call_id, "function_call_output"):
            spelling["as"] = "custom" if item.type == "custom_tool_call_output" else "function"
        extras = self._blocks.came(item, spelling)
        return ToolResultBlock(call_id, self._names.get(call_id), content, extras=extras)

    def _keep_to_type(self, item: wire.Item) -> None:
        """Treat the keys of an item that only other types of item know as unknown keys."""
        kind = _KINDS[item.type]
        if not kind.has_all(item):
            self._decoding.set_aside(item, kind)

    def _tied(self, item: wire.Item) -> dict[str, Any]:
        """Return an item's id and status, and `after` if reasoning came before it."""
        spelling = _echoed(item)
        if self.is_reasoned and item.id is not None:
            spelling["after"] = "reasoning"
        return spelling


ITEMS: Final[dict[str | None, Callable[[ItemReader, wire.Item], Content]]] = {
    "reasoning": ItemReader._reasoning,
    "function_call": ItemReader._function_call,
    "custom_tool_call": ItemReader._custom_call,
}
_KINDS: Final = kinds(wire.Item, "type id status", wire.ITEM_KEYS)
_is_answer: Final = _KINDS["answer"].has_all
_is_message: Final = _KINDS["message"].has_all


def _echoed(item: wire.Item) -> dict[str, Any]:
    """Return the keys of an item that the service itself added: its id and its status."""
    if item.id is None and item.status is None:
        return {}
    return given(id=item.id, status=item.status)
