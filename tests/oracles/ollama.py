"""The oracle for Ollama's `POST /api/chat`: the body, the answer, and its lines where it streams.

Types: those of the SDK, `ollama` 0.6, closed, and of the server's `api/types.go`, which has ids of
calls where the SDK has none. Rules: what no type can say; the server takes much, and reads it in
its own way: it drops unknown keys in silence, and an image that is no base64 is a 400.
"""

import base64
import functools
from typing import Annotated, Any, Literal, NotRequired

import pydantic
from ollama import Options
from pydantic import AwareDatetime
from typing_extensions import TypedDict

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes) -> None:
    """Judge `body` by its JSON, then by the types, then by `RULES`.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    strict.check_schema(_schema(), request)
    strict.check_rules(RULES, request)


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON and by the types.

    Raises `OracleError`.
    """
    answer = strict.read_json(body)
    strict.check_schema(_schema_of_answers(), answer)
    strict.check_rules((an_answer_is_done,), answer)


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: each line by the types, and that the last alone is done.

    Raises `OracleError`.
    """
    *lines, rest = data.split(b"\n")
    answers = [strict.read_json(line) for line in lines]
    if rest or not lines:
        raise OracleError("stream: a line without its end")
    for answer in answers:
        strict.check_schema(_schema_of_answers(), answer)
    strict.check_rules((an_answer_is_done,), answers[-1])
    for number, answer in enumerate(answers[:-1]):
        if answer["done"] or "done_reason" in answer:
            raise OracleError(f"stream: done before the end - at line {number}")


def an_answer_is_done(answer: Json) -> Paths:
    """Server: `done_reason` goes with `done`."""
    return [key for key in ("done", "done_reason") if not answer.get(key)]


# Types


class _Called(TypedDict):
    name: str
    arguments: dict[str, Any]
    index: NotRequired[int]


class _Call(TypedDict):
    function: _Called
    id: NotRequired[str]
    type: NotRequired[Literal["function"]]  # as the documentation writes it; the server drops it


class _Message(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    thinking: NotRequired[str]
    images: NotRequired[list[str]]
    tool_calls: NotRequired[list[_Call]]
    tool_name: NotRequired[str]
    tool_call_id: NotRequired[str]


class _Function(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: dict[str, Any]


class _Tool(TypedDict):
    type: Literal["function"]
    function: _Function


_Options = TypedDict(  # the names and types of the SDK's model, none of them required
    "_Options",
    {name: NotRequired[field.annotation] for name, field in Options.model_fields.items()},
)


class _Request(TypedDict):
    model: Annotated[str, pydantic.Field(min_length=1)]
    messages: list[_Message]
    stream: NotRequired[bool]
    format: NotRequired[Literal["", "json"] | dict[str, Any]]
    options: NotRequired[_Options]
    tools: NotRequired[list[_Tool]]
    think: NotRequired[bool | Literal["low", "medium", "high", "max"]]
    keep_alive: NotRequired[float | str]
    logprobs: NotRequired[bool]
    top_logprobs: NotRequired[int]


class _Answered(TypedDict):
    role: Literal["assistant"]
    content: str
    thinking: NotRequired[str]
    images: NotRequired[list[str]]
    tool_calls: NotRequired[list[_Call]]


class _TokenLogprob(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int]]


class _Logprob(_TokenLogprob):
    top_logprobs: NotRequired[list[_TokenLogprob]]


_Stamp = Annotated[
    str, pydantic.AfterValidator(pydantic.TypeAdapter(AwareDatetime).validate_python)
]


class _Answer(TypedDict):
    model: str
    created_at: _Stamp
    message: _Answered
    done: bool
    done_reason: NotRequired[str]
    total_duration: NotRequired[int]
    load_duration: NotRequired[int]
    prompt_eval_count: NotRequired[int]
    prompt_eval_duration: NotRequired[int]
    eval_count: NotRequired[int]
    eval_duration: NotRequired[int]
    remote_model: NotRequired[str]
    remote_host: NotRequired[str]
    logprobs: NotRequired[list[_Logprob]]


@functools.cache
def _schema_of_answers() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_Answer)


@functools.cache
def _schema() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_Request)


# Rules


def there_is_a_message(request: Json) -> Paths:
    """Server: a chat without messages only loads the model."""
    if not request["messages"]:
        yield "messages"


def calls_thoughts_and_results_stand_with_their_role(request: Json) -> Paths:
    """SDK: Message. Templates print a key only for the role that it belongs to."""
    for i, message in enumerate(request["messages"]):
        for key in ("tool_calls", "thinking"):
            if key in message and message["role"] != "assistant":
                yield f"messages.{i}.{key}"
        for key in ("tool_name", "tool_call_id"):
            if key in message and message["role"] != "tool":
                yield f"messages.{i}.{key}"


def every_image_is_bare_base64(request: Json) -> Paths:
    """Server: api.ImageData is a `[]byte`, which Go reads from base64 with padding."""
    for i, message in enumerate(request["messages"]):
        for j, image in enumerate(message.get("images", [])):
            try:
                base64.b64decode(image, validate=True)
            except ValueError:
                yield f"messages.{i}.images.{j}"


def every_call_is_answered_at_once(request: Json) -> Paths:
    """Templates print a result behind what stands before it, whatever that is."""
    waiting: list[str] = []
    for i, message in enumerate(request["messages"]):
        if message["role"] == "tool":
            if not waiting:
                yield f"messages.{i}"
            elif "tool_call_id" in message and message["tool_call_id"] not in waiting:
                yield f"messages.{i}.tool_call_id"
            else:
                waiting.remove(message.get("tool_call_id", waiting[0]))
            continue
        if waiting:
            yield f"messages.{i}"
        waiting = [call.get("id", "") for call in message.get("tool_calls", [])]
    if waiting:
        yield "messages"


def tool_names_are_unique(request: Json) -> Paths:
    """Two functions of one name cannot be told apart in a call."""
    names = [tool["function"]["name"] for tool in request.get("tools", [])]
    return [f"tools.{i}" for i, name in enumerate(names) if name in names[:i]]


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    calls_thoughts_and_results_stand_with_their_role,
    every_image_is_bare_base64,
    every_call_is_answered_at_once,
    tool_names_are_unique,
)
