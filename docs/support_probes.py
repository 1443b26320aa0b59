"""What the tables of support ask of every wire: a value of the model, and what must come back."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

import wireglot as wg

__all__ = ["ANSWERS", "REQUESTS", "Probe"]


class Probe(Struct, frozen=True):
    """One row of a table.

    `build` takes the id of an API and returns a request, or an answer, that has the feature and
    little else; `see` returns the part of it that the same wire has to read again.
    """

    name: str
    build: Callable[[str], Any]
    see: Callable[[Any], Any]
    other_form: bool = True
    """Whether the feature has gone out in another form where nothing is lost nor comes back."""


_DATA = {
    wg.ImageBlock: ("image/png", "png", b"\x89PNG\r\n\x1a\n" + bytes(8)),
    wg.AudioBlock: ("audio/wav", "wav", b"RIFF" + bytes(4) + b"WAVE" + bytes(4)),
    wg.VideoBlock: ("video/mp4", "mp4", b"\x00\x00\x00\x18ftypmp42" + bytes(12)),
    wg.DocumentBlock: ("application/pdf", "pdf", b"%PDF-1.7\n"),
}
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
_TOOLS = [wg.Tool("weather", "Tell the weather.", _SCHEMA), wg.Tool("time", "Tell it.", _SCHEMA)]
_SIGNED = wg.ThinkingBlock("Hm.", "c2lnbmVk")
_CALLS = [wg.ToolCallBlock(f"callnum0{i}", "weather", '{"city": "Oslo"}') for i in range(2)]


# -- requests ----------------------------------------------------------------------------------


def _asked(*messages: Any, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), **{"model": "model", "max_tokens": 4096} | fields)


def _user(*content: Any) -> wg.UserMessage:
    return wg.UserMessage([wg.TextBlock(part) if type(part) is str else part for part in content])


def _parameter(label: str, value: Any, **more: Any) -> Probe:
    name = label.split("`")[1].partition("=")[0]
    fields = {name: value} | more
    return Probe(
        label,
        lambda api: _asked(_user("Hello."), **fields),
        lambda request: _plain(getattr(request, name)),
    )


def _plain(value: Any) -> Any:
    """Return a parameter without what is only a label of it."""
    return replace(value, name=None) if type(value) is wg.ResponseFormat else value


def _choice(label: str, mode: Any, name: str | None = None, allowed: Any = None) -> Probe:
    choice = wg.ToolChoice(mode, name, allowed)
    return Probe(
        label,
        lambda api: _asked(_user("Hello."), tools=_TOOLS, tool_choice=choice),
        lambda request: request.tool_choice,
    )


def _media(kind: type[wg.MediaBlock], name: str) -> Iterator[Probe]:
    mime_type, ending, data = _DATA[kind]
    sources = {
        "inline": kind.from_bytes(data, mime_type),
        "by URL": kind.from_url(f"https://example.com/a.{ending}", mime_type),
        "by file id": kind.from_file_id("file-1", mime_type),
    }
    for how, block in sources.items():
        yield Probe(f"{name} {how}", _beside(block), _source, how != "by file id")


def _beside(block: Any) -> Callable[[str], wg.Request]:
    return lambda api: _asked(_user("Look at this.", block))


def _source(request: wg.Request) -> Any:
    """Return the source of the first media: its text, its bytes, or its name."""
    for block in _blocks(request.messages):
        if isinstance(block, wg.MediaBlock):
            media = block.inline()
            inline = media.to_bytes() if media is not None else None
            text = getattr(block, "text", None)
            return text.encode() if text else inline or block.url or block.file_id
    return None


def _blocks(messages: Any) -> list[Any]:
    return [block for message in messages for block in message.content]


def _said(*content: Any) -> Callable[[str], wg.Request]:
    """Return a conversation in which this API has answered so."""
    return lambda api: _asked(
        _user("Hello."), wg.AssistantMessage(list(content), api=api), _user("Go on.")
    )


def _called(*content: Any, calls: int = 1, **fields: Any) -> Callable[[str], wg.Request]:
    """Return a conversation with calls and their results."""
    results: list[Any] = [
        wg.ToolResultBlock(call.id, call.name, list(content) or [wg.TextBlock("21")], **fields)
        for call in _CALLS[:calls]
    ]
    return lambda api: _asked(
        _user("How warm is it?"),
        wg.AssistantMessage(list(_CALLS[:calls]), wg.StopReason.TOOL_USE, api=api),
        wg.ToolMessage(results),
        tools=_TOOLS,
    )


def _result(request: wg.Request) -> Any:
    return next(block for block in _blocks(request.messages) if type(block) is wg.ToolResultBlock)


def _texts_of_results(request: wg.Request) -> list[str]:
    blocks = _blocks(request.messages)
    return [block.text() for block in blocks if type(block) is wg.ToolResultBlock]


def _in_result(kind: type[wg.MediaBlock], name: str) -> Probe:
    mime_type, _, data = _DATA[kind]
    return Probe(
        f"{name} in a result",
        _called(wg.TextBlock("Here."), kind.from_bytes(data, mime_type)),
        lambda request: [type(block) for block in _result(request).content],
    )


def _exchange(request: wg.Request) -> Any:
    return [(message.role, message.text(), _calls(message.content)) for message in request.messages]


def _calls(content: list[Any]) -> Any:
    return [(c.name, c.arguments.value) for c in content if type(c) is wg.ToolCallBlock]


def _of(kind: type, name: str) -> Callable[[Any], Any]:
    """Return what sees one attribute of the first block of a kind."""

    def see(value: Any) -> Any:
        messages = value.messages if type(value) is wg.Request else [value.message]
        return next((getattr(b, name) for b in _blocks(messages) if type(b) is kind), None)

    return see


REQUESTS: dict[str, list[Probe]] = {
    "Content": [
        Probe("text", lambda api: _asked(_user("Hello.")), _exchange),
        *_media(wg.ImageBlock, "image"),
        *_media(wg.AudioBlock, "audio"),
        *_media(wg.VideoBlock, "video"),
        *_media(wg.DocumentBlock, "document"),
        Probe(
            "document as text",
            _beside(wg.DocumentBlock.from_text("Words.", "a.txt")),
            _source,
        ),
        Probe(
            "cache mark on a block",
            _beside(wg.TextBlock("Hello.", cache=wg.CacheMark())),
            lambda request: request.messages[0].content[-1].cache,
        ),
    ],
    "Conversation": [
        Probe(
            "system prompt",
            lambda api: _asked(wg.SystemMessage.from_text("Be brief."), _user("Hello.")),
            _exchange,
        ),
        Probe(
            "system message later on",
            lambda api: _asked(
                *_said(wg.TextBlock("Hi."))(api).messages, wg.SystemMessage.from_text("Be brief.")
            ),
            _exchange,
        ),
        Probe(
            "name of a participant",
            lambda api: _asked(wg.UserMessage([wg.TextBlock("Hello.")], name="ann")),
            lambda request: request.messages[0].name,
        ),
        Probe(
            "thinking of this API",
            _said(_SIGNED, wg.TextBlock("Hi.")),
            _of(wg.ThinkingBlock, "thinking"),
        ),
        Probe(
            "signature of thinking",
            _said(_SIGNED, wg.TextBlock("Hi.")),
            _of(wg.ThinkingBlock, "signature"),
            other_form=False,
        ),
        Probe("tool call and result", _called(), _exchange),
        Probe(
            "parallel calls and results",
            _called(calls=2),
            lambda request: (_calls(_blocks(request.messages)), _texts_of_results(request)),
        ),
        Probe(
            "error flag of a result",
            _called(wg.TextBlock("No such city."), is_error=True),
            lambda request: _result(request).is_error,
        ),
        _in_result(wg.ImageBlock, "image"),
        _in_result(wg.DocumentBlock, "document"),
    ],
    "Tools": [
        Probe(
            "tools",
            lambda api: _asked(_user("Hello."), tools=_TOOLS),
            lambda request: [(tool.name, tool.parameters) for tool in request.tools],
        ),
        Probe(
            "`strict` of a tool",
            lambda api: _asked(_user("Hello."), tools=[replace(_TOOLS[0], strict=True)]),
            lambda request: request.tools[0].strict,
        ),
        _choice("tool choice `required`", "required"),
        _choice("tool choice `none`", "none"),
        _choice("tool choice of one tool", "tool", "weather"),
        _choice("tool choice among `allowed`", "auto", allowed=["weather"]),
        _parameter("`parallel_tool_calls=False`", False, tools=_TOOLS),
    ],
    "Parameters": [
        _parameter("`max_tokens`", 100),
        _parameter("`temperature`", 0.5),
        _parameter("`top_p`", 0.5),
        _parameter("`top_k`", 7),
        _parameter("`frequency_penalty`", 0.5),
        _parameter("`presence_penalty`", 0.5),
        _parameter("`seed`", 7),
        _parameter("`stop`", ["END"]),
        _parameter("`candidates`", 2),
        _parameter("`logprobs`", True),
        _parameter("`top_logprobs`", 2, logprobs=True),
        _parameter("`thinking` by level", wg.Thinking(wg.ThinkingLevel.HIGH)),
        _parameter("`thinking` by budget", wg.Thinking(budget_tokens=2048)),
        _parameter("`response_format` JSON", wg.ResponseFormat("json")),
        _parameter(
            "`response_format` of a schema",
            wg.ResponseFormat("json_schema", _SCHEMA, "place"),
        ),
        _parameter("`stream`", True),
        _parameter("`service_tier` `flex`", "flex"),
        _parameter("`user_id`", "u1"),
        _parameter("`metadata`", {"run": "r1"}),
    ],
}


# -- answers -----------------------------------------------------------------------------------


def _answer(*content: Any, **fields: Any) -> Callable[[str], wg.Response]:
    stop = fields.pop("stop_reason", wg.StopReason.STOP)

    def build(api: str) -> wg.Response:
        message = wg.AssistantMessage(list(content) or [wg.TextBlock("Hi.")], stop, "model")
        message.usage = fields.get("usage", wg.Usage(10, 5, total_tokens=15))
        message.stop_sequence = fields.get("stop_sequence")
        other = wg.AssistantMessage([wg.TextBlock("Ho.")], stop, "model")
        alternatives = [other] if "alternatives" in fields else None
        return wg.Response(message, "answer_1", 1_700_000_000_000, alternatives=alternatives)

    return build


def _counted(name: str, **counts: int) -> Probe:
    usage = wg.Usage(10, 5, total_tokens=15 + counts.get("cache_read", 0), **counts)
    return Probe(
        f"`usage.{name}`",
        _answer(usage=usage),
        lambda response: getattr(response.message.usage, name),
    )


def _stopped(reason: wg.StopReason) -> Probe:
    content = [_CALLS[0]] if reason is wg.StopReason.TOOL_USE else []
    return Probe(
        f"`{reason}`",
        _answer(*content, stop_reason=reason),
        lambda response: response.message.stop_reason,
    )


def _kinds(response: wg.Response) -> set[type]:
    return {type(block) for block in response.message.content}


def _block(kind: type[wg.MediaBlock], name: str) -> Probe:
    mime_type, _, data = _DATA[kind]
    return Probe(f"{name} inline", _answer(kind.from_bytes(data, mime_type)), _kinds)


ANSWERS: dict[str, list[Probe]] = {
    "Content": [
        Probe("text", _answer(), lambda response: response.message.text()),
        Probe(
            "thinking",
            _answer(wg.ThinkingBlock("Hm."), wg.TextBlock("Hi.")),
            _of(wg.ThinkingBlock, "thinking"),
        ),
        Probe("tool call", _answer(_CALLS[0]), lambda response: _calls(response.message.content)),
        Probe("parallel calls", _answer(*_CALLS), lambda r: _calls(r.message.content)),
        _block(wg.ImageBlock, "image"),
        _block(wg.AudioBlock, "audio"),
        _block(wg.DocumentBlock, "document"),
        Probe(
            "`alternatives`",
            _answer(alternatives=True),
            lambda response: [message.text() for message in response.alternatives or ()],
        ),
    ],
    "Stop reasons": [_stopped(reason) for reason in wg.StopReason],
    "Usage": [
        _counted("input"),
        _counted("output"),
        _counted("reasoning", reasoning=3),
        _counted("cache_read", cache_read=100),
        _counted("cache_write", cache_write=100),
    ],
}
