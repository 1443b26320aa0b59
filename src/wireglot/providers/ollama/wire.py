"""The JSON of Ollama's native chat (`POST /api/chat`).

Source: the types of the official Python SDK, `ollama` 0.6, and of the server, `api/types.go`, which
knows ids of calls where the SDK does not.
"""

from __future__ import annotations

from typing import Annotated, Final

from .._state.wire import Slice, Wire
from .facts import API as API

DIALECTS: Final = ("ollama",)
"""Who serves the wire: Ollama alone."""


class Call(Wire, kw_only=True):
    """The function of a call; `index` numbers the calls of an answer."""

    index: int | None = None
    name: str
    arguments: Slice = None


class ToolCall(Wire, kw_only=True):
    """A call; servers before 0.12.10 give it no id."""

    id: str | None = None
    type: str | None = None
    function: Call


class Message(Wire):
    """One message. `images` are base64; the wire does not say where in the text they belong."""

    role: str
    content: str | None = None
    thinking: str | None = None
    images: list[Annotated[Slice, str]] | None = None
    tool_calls: list[ToolCall] | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None


ROLE_KEYS: Final = {
    "system": "",
    "user": "",
    "assistant": "thinking tool_calls",
    "tool": "tool_name tool_call_id",
}
"""Role -> the keys of its messages, beside `role`, `content` and `images`."""


class Function(Wire):
    name: str = ""
    description: str | None = None
    parameters: Slice = None


class Tool(Wire):
    """A function; a tool of another type, or without a function, is opaque."""

    type: str | None = None
    function: Function | None = None


class Options(Wire):
    """Sampling options; the server has some twenty more.

    Where it needs an integer it cuts off the fraction.
    """

    num_predict: int | float | None = None
    temperature: float | None = None
    top_k: int | float | None = None
    top_p: float | None = None
    seed: int | float | None = None
    stop: str | list[str] | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None


class Body(Wire, kw_only=True):
    """The request; a body without `stream` asks for a stream.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    """

    model: str | None = None
    stream: bool | None = None
    format: Slice = None
    options: Options | None = None
    think: bool | str | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    tools: list[Tool] | None = None
    messages: list[Message]


class Response(Wire, kw_only=True):
    """The response, or with `done` false a line of a stream.

    The fields after `eval_count` are kept as raw JSON. Durations are in nanoseconds; `created_at`
    is a time in RFC 3339.
    """

    model: str | None = None
    created_at: str | None = None
    message: Message
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    total_duration: Slice = None
    load_duration: Slice = None
    prompt_eval_duration: Slice = None
    eval_duration: Slice = None
    remote_model: Slice = None
    remote_host: Slice = None
    logprobs: Slice = None


class Usage(Wire):
    """The counts of an answer; on the wire they are keys of the answer itself."""

    prompt_eval_count: int | None = None
    eval_count: int | None = None


class Line(Wire, kw_only=True):
    """A line of a stream, most of its keys left unread: those of `Answer`, or an error."""

    model: Slice = None
    created_at: Slice = None
    message: Message | None = None
    done: bool | None = None
    done_reason: Slice = None
    prompt_eval_count: Slice = None
    eval_count: Slice = None
    total_duration: Slice = None
    load_duration: Slice = None
    prompt_eval_duration: Slice = None
    eval_duration: Slice = None
    remote_model: Slice = None
    remote_host: Slice = None
    logprobs: list[Slice] | None = None
    error: Slice = None
