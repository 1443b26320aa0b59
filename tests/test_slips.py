"""What people pass by mistake: the error names what to use in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import force_setattr

import wireglot as wg
from wireglot import gateway, queue

anthropic = wg.providers.anthropic
HI = wg.UserMessage([wg.TextBlock("Hi")])
REQUEST = wg.Request([HI], "m", max_tokens=9)
_OPENAI_TOOL = {"type": "function", "function": {"name": "f", "parameters": {}}}

# A field of a request and a value -> the end of the sentence, and the path.
FIELDS: dict[str, tuple[str, Any, str]] = {
    "a choice as a word": (
        "tool_choice",
        "auto",
        "got `str`; use `ToolChoice(mode='auto')` - at `$.toolChoice`",
    ),
    "thinking as a word": (
        "thinking",
        "high",
        "got `str`; use `Thinking(level='high')` - at `$.thinking`",
    ),
    "thinking as a number": (
        "thinking",
        1024,
        "got `int`; use `Thinking(budget_tokens=1024)` - at `$.thinking`",
    ),
    "a tool of OpenAI": (
        "tools",
        [_OPENAI_TOOL],
        "expected `Tool`, got `dict`; use `Tool` - at `$.tools[0]`",
    ),
    "a function as a tool": (
        "tools",
        [len],
        "`builtin_function_or_method`, expected a type of the model; use `Tool.from_function` "
        "- at `$.tools[0]`",
    ),
    "a tool alone": (
        "tools",
        wg.Tool("f"),
        "expected `array | null`, got `Tool`; use a list - at `$.tools`",
    ),
    "text as messages": (
        "messages",
        "Hi",
        "expected `array`, got `str`; use a list - at `$.messages`",
    ),
    "text as a message": (
        "messages",
        ["Hi"],
        "`str`, expected a message; use `UserMessage.from_text` - at `$.messages[0]`",
    ),
    "a dict as a message": (
        "messages",
        [{"role": "user", "content": "Hi"}],
        "`dict`, expected a message; use `from_builtins` - at `$.messages[0]`",
    ),
    "a format as a word": (
        "response_format",
        "json",
        "got `str`; use `ResponseFormat(kind='json')` - at `$.responseFormat`",
    ),
    "a cache as a flag": (
        "cache",
        True,
        "got `bool`; use `CacheConfig` - at `$.cache`",
    ),
    "where to stop as a word": (
        "stop",
        "END",
        "expected `array | null`, got `str`; use a list - at `$.stop`",
    ),
}


@pytest.mark.parametrize("provider", wg.PROVIDERS)
@pytest.mark.parametrize(("field", "value", "said"), FIELDS.values(), ids=FIELDS)
def test_a_field_of_a_request(provider: str, field: str, value: Any, said: str) -> None:
    given: dict[str, Any] = {"messages": [HI], "model": "m", "max_tokens": 9, field: value}
    with pytest.raises(wg.EncodeError) as raised:
        wg.PROVIDERS[provider].encode_request(wg.Request(**given), losses=[])
    text = str(raised.value)
    assert text.startswith(f"{provider}: ")
    assert text.endswith(said)


# A call -> the type of its error, and what the error says.
CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "losses as a flag": (
        lambda: anthropic.encode_request(REQUEST, losses=True),  # type: ignore[arg-type]
        TypeError,
        "losses of type `bool`, expected a list, or None",
    ),
    "losses as a tuple": (
        lambda: anthropic.encode_response(
            wg.Response(wg.AssistantMessage([])),
            losses=(),  # type: ignore[arg-type]
        ),
        TypeError,
        "losses of type `tuple`, expected a list, or None",
    ),
    "text as a chunk": (
        lambda: anthropic.StreamDecoder().feed("data: {}"),  # type: ignore[arg-type]
        TypeError,
        "chunk of type `str`, expected bytes; use those of the response as they come, or encode "
        "the text",
    ),
    "a number as a chunk": (
        lambda: anthropic.StreamDecoder().feed(5),  # type: ignore[arg-type]
        TypeError,
        "chunk of type `int`, expected bytes; `feed_event` takes the events of an SDK",
    ),
    "a dict as a request": (
        lambda: anthropic.encode_request({"messages": []}),  # type: ignore[arg-type]
        wg.EncodeError,
        "anthropic: `dict`, expected a `Request` - at `$`",
    ),
    "a message as an answer": (
        lambda: anthropic.encode_response(wg.AssistantMessage([])),  # type: ignore[arg-type]
        wg.EncodeError,
        "anthropic: `AssistantMessage`, expected a `Response` - at `$`",
    ),
    "a model as capabilities": (
        lambda: anthropic.encode_request(REQUEST, capabilities="claude"),  # type: ignore[arg-type]
        wg.EncodeError,
        "anthropic: capabilities of type `str`, expected `Capabilities` - at `$`",
    ),
    "a dict as an event": (
        lambda: anthropic.StreamEncoder().encode({"type": "start"}),  # type: ignore[arg-type]
        wg.EncodeError,
        "anthropic: `dict`, expected an event of `StreamEvent` - at `$`",
    ),
    "text as an event": (
        lambda: wg.Accumulator().add("Hi"),  # type: ignore[arg-type]
        wg.StreamError,
        "events: `str`, expected an event of `StreamEvent` - at `$`",
    ),
    "no key": (
        lambda: anthropic.route(REQUEST).with_key(None),  # type: ignore[arg-type]
        wg.EncodeError,
        "route: key of type `NoneType`, expected text; is its variable set? - at `$.key`",
    ),
    "the name of a company": (
        lambda: wg.PROVIDERS["openai"],
        KeyError,
        "'unknown provider `openai`, expected one of `anthropic`, `openai_chat`, "
        "`openai_responses`, `gemini`, `bedrock`, `mistral`, `cohere`, `ollama`; "
        "did you mean `openai_chat`?'",
    ),
    "half the name of a format": (
        lambda: wg.FORMATS["phi"],
        KeyError,
        "'unknown format `phi`, expected one of `phi_core`, `pyagenity`, `ravi`, `operator_use`, "
        "`langchain`, `pydantic_ai`, `mcp`, `otel`'",
    ),
    "a dict as a document": (
        lambda: wg.json.decode({"role": "user"}),  # type: ignore[call-overload]
        TypeError,
        "data of type `dict`, expected bytes; `from_builtins` takes dicts and lists",
    ),
    "a dict as JSON text": (
        lambda: wg.RawJson({"a": 1}),  # type: ignore[arg-type]
        TypeError,
        "JSON text of type `dict`, expected text or bytes; use `RawJson.of`",
    ),
    "bytes as an envelope": (
        lambda: queue.decode(b"{}"),  # type: ignore[call-overload]
        TypeError,
        "`bytes`, expected an `Envelope`; `Envelope.from_bytes` reads one that is in one piece",
    ),
    "a path as routes": (
        lambda: gateway.Config("gateway.toml"),  # type: ignore[arg-type]
        wg.EncodeError,
        "gateway: expected a list of `ModelRoute`; `read_config` reads a file - at `$.routes`",
    ),
}


@pytest.mark.parametrize(("call", "kind", "said"), CALLS.values(), ids=CALLS)
def test_a_call(call: Callable[[], Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert (type(raised.value), str(raised.value)) == (kind, said)


def test_the_names_of_the_package_are_those_that_are_public() -> None:
    shown = {*dir(wg)}
    assert shown.isdisjoint({"Any", "import_module", "first_use", "TYPE_CHECKING"})
    assert shown >= {*wg.__all__, "arrow", "queue", "schema"}


def test_tools_may_be_a_tuple_when_another_field_is_wrong() -> None:
    choice = wg.ToolChoice("tool", name=["x"])  # type: ignore[arg-type]
    request = wg.Request([HI], "m", tools=(wg.Tool("t"),), tool_choice=choice)
    reason = r"expected `str \| null`, got `array` - at `\$\.toolChoice\.name`"
    with pytest.raises(wg.EncodeError, match=reason):
        wg.providers.openai_chat.encode_request(request, losses=[])


def test_a_slice_of_another_kind_is_named_with_its_place() -> None:
    image = wg.ImageBlock(data=b"x")
    force_setattr(image, "data", wg.RawJson(b"{}"))
    text = wg.TextBlock("x", extras={"openai-chat": wg.Extra({"a": 1})})
    force_setattr(text.extras["openai-chat"], "keys", 5)  # type: ignore[index]
    for block, reason in (
        (image, r"expected `Media`, got `RawJson` - at `\$\.messages\[0\]\.content\[0\]\.data`"),
        (
            text,
            r"expected `RawJson`, got `int` - at `\$\.messages\[0\]\.content\[0\]\.extras\[...\]",
        ),
    ):
        with pytest.raises(wg.EncodeError, match=reason):
            wg.providers.openai_chat.encode_request(wg.Request([wg.UserMessage([block])], "m"))


def test_no_target_is_none() -> None:
    with pytest.raises(wg.EncodeError, match="unknown target `None`"):
        wg.providers.ollama.decode_request(b'{"messages":[]}', target=None)  # type: ignore[arg-type]
