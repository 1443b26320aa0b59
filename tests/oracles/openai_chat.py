"""The oracle for the body of `POST /v1/chat/completions`, in the dialects that servers speak.

Types: `openai` 3.52, `groq` 1.7 and `openrouter` 1.3; for the other dialects OpenAI's, with the
keys that their documentation adds. Rules: what no type can say. Each names its source: "SDK" is
the docstring of a type, "Docs" a page of the service, "Error" the words of a 400.
"""

import base64
import functools
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, NotRequired, Required, get_args, get_origin

import pydantic
from groq.types.chat import completion_create_params as groq
from openai.types import chat as openai
from openai.types.chat import completion_create_params as openai_body
from openrouter.components import ChatRequest
from typing_extensions import TypedDict, get_type_hints

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes, dialect: str = "openai") -> None:
    """Judge `body` by its JSON, then by the SDK's types, then by `RULES` and the dialect's own.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    if dialect == "generic":
        request = _without_signatures(request)
    if dialect == "openrouter":
        _check_openrouter(request)
    else:
        strict.check_schema(_schema(dialect), _without_foreign_marks(request))
    strict.check_rules((*RULES, *DIALECT_RULES.get(dialect, ())), request)


def _without_signatures(request: Any) -> Any:
    """Leave out what Google's endpoint for this API adds to calls (pydantic/pydantic-ai#4542)."""
    messages = []
    for message in request.get("messages", ()):
        calls = message.get("tool_calls")
        if calls:
            plain = [{key: call[key] for key in call if key != "extra_content"} for call in calls]
            message = message | {"tool_calls": plain}
        messages.append(message)
    return request | {"messages": messages}


def check_response(body: bytes, dialect: str = "openai") -> None:
    """Judge the body of an answer by its JSON and by the SDK's model of it.

    The keys that a service adds to OpenAI's are left out first. Raises `OracleError`.
    """
    strict.check_model(
        openai.ChatCompletion, _without(_ADDED.get(dialect, _THINKING), strict.read_json(body))
    )


def check_stream(data: bytes, dialect: str = "openai") -> None:
    """Judge a streamed answer: each chunk by the SDK's model of it, and their order.

    Docs: streaming. Each choice begins with its role and ends with its only finish reason, a call
    begins with id and name, the usage stands alone in the last chunk. Raises `OracleError`.
    """
    *frames, end = data.decode().split("\n\n")
    if end or any(not frame.startswith("data: ") or "\n" in frame for frame in frames):
        raise OracleError("stream: an event is one line of data")
    texts = [frame.removeprefix("data: ") for frame in frames]
    if texts[-1].startswith('{"error":'):
        return
    if texts[-1] != "[DONE]":
        raise OracleError("stream: it does not end in [DONE]")
    added = _ADDED.get(dialect, _THINKING) | _UNTYPED
    chunks = [_without(added, strict.read_json(text.encode())) for text in texts[:-1]]
    finished: set[int] = set()
    calls: dict[int, int] = {}
    for number, chunk in enumerate(chunks):
        strict.check_model(openai.ChatCompletionChunk, _with_functions_only(chunk))
        if {key: chunk[key] for key in ("id", "model")} != {
            key: chunks[0][key] for key in ("id", "model")
        }:
            raise OracleError(f"stream: another answer - at chunk {number}")
        if not chunk["choices"] and (chunk.get("usage") is None or number != len(chunks) - 1):
            raise OracleError(f"stream: no choice, and not the usage - at chunk {number}")
        for choice in chunk["choices"]:
            _check_choice(choice, calls, finished, number)
    if not calls or finished != set(calls):
        raise OracleError("stream: a choice without its end")


def _with_functions_only(chunk: Json) -> Json:
    """Return a chunk with the calls of custom tools as those of functions.

    The SDK's types have none in a stream, though the API sends them (openai/openai-openapi#576).
    """
    if "choices" not in chunk:
        return chunk
    choices = []
    for choice in chunk["choices"]:
        delta = choice["delta"]
        calls = delta.get("tool_calls")
        if calls and any("custom" in call for call in calls):
            delta = delta | {"tool_calls": list(map(_as_function, calls))}
        choices.append(choice | {"delta": delta})
    return chunk | {"choices": choices}


def _as_function(call: Json) -> Json:
    if "custom" not in call:
        return call
    rest = {key: call[key] for key in call if key not in ("custom", "type")}
    custom = call["custom"]
    if custom.keys() - {"name", "input"}:
        raise OracleError("stream: a custom tool has a name and an input")
    named = {"name": custom["name"]} if "name" in custom else {}
    kind = {"type": "function"} if call.get("type") == "custom" else {}
    return {**rest, **kind, "function": {**named, "arguments": custom.get("input", "")}}


def _check_choice(choice: Json, calls: dict[int, int], finished: set[int], number: int) -> None:
    index, delta = choice["index"], choice["delta"]
    if index in finished or ("role" in delta) is (index in calls):
        raise OracleError(f"stream: a choice before its beginning or after its end - at {number}")
    known = calls.setdefault(index, 0)
    for call in delta.get("tool_calls") or ():
        is_new = call["index"] == known
        called = call.get(call.get("type", "function"), {})
        if is_new is not ("id" in call and "name" in called):
            raise OracleError(f"stream: calls begin with their id and name - at chunk {number}")
        known = calls[index] = known + is_new
        if call["index"] >= known:
            raise OracleError(f"stream: calls are numbered as they come - at chunk {number}")
    if choice.get("finish_reason") is not None:
        finished.add(index)


_UNTYPED = frozenset({"annotations"})  # which deltas of OpenAI's have too (vercel/ai#7754)
_THINKING = frozenset({"reasoning", "reasoning_content"})
_ADDED: dict[str, frozenset[str]] = {
    "openai": frozenset(),
    "azure": frozenset(),
    "openrouter": _THINKING
    | {"annotations", "cost", "native_finish_reason", "provider", "reasoning_details"},
}
"""Dialect -> the keys that its answers add to OpenAI's; those of thinking, if it has no row."""


def _without(keys: frozenset[str] | None, value: Any) -> Any:
    if isinstance(value, dict) and keys:
        return {key: _without(keys, item) for key, item in value.items() if key not in keys}
    return [_without(keys, item) for item in value] if isinstance(value, list) else value


def _without_foreign_marks(request: Any) -> Any:
    """Leave out the `cache_control` of texts, which OpenAI is known to take, and ignores."""
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(messages, list):
        return request

    def plain(part: Any) -> Any:
        if not isinstance(part, dict) or part.get("type") != "text":
            return part
        return {key: part[key] for key in part if key != "cache_control"}

    def mended(message: Any) -> Any:
        content = message.get("content") if isinstance(message, dict) else None
        return (
            message | {"content": [*map(plain, content)]} if isinstance(content, list) else message
        )

    return request | {"messages": [*map(mended, messages)]}


# Types

_Keys = Mapping[str, Any]
_NO_KEYS: _Keys = MappingProxyType({})


class _Server(NamedTuple):
    """What a server adds to OpenAI's types, and the keys of the body that it does not know."""

    body: _Keys = _NO_KEYS
    assistant: _Keys = _NO_KEYS
    user_parts: tuple[Any, ...] = ()
    tool_parts: tuple[Any, ...] = ()
    unknown: frozenset[str] = frozenset()


class _VideoUrl(TypedDict):
    url: str


class _Video(TypedDict):
    type: Literal["video_url"]
    video_url: _VideoUrl


class _Thinking(TypedDict):
    type: Literal["enabled", "disabled"]


class _ClearedThinking(_Thinking, total=False):
    clear_thinking: bool


_DeepSeekEffort = Literal["minimal", "low", "medium", "high", "xhigh", "max", "ultra"]
_IMAGE = openai.ChatCompletionContentPartImageParam
_OPENAI_ONLY = frozenset(
    {"audio", "function_call", "functions", "metadata", "modalities", "moderation", "prediction"}
    | {"prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "safety_identifier"}
    | {"service_tier", "store", "verbosity", "web_search_options"}
)
_SAMPLING = {"top_k": int, "min_p": float, "repetition_penalty": float}
# Docs: the API reference of each service; vLLM and llama.cpp: their servers' README.
_SERVERS = {
    "openai": _Server(),
    "azure": _Server(body={"data_sources": list[Any], "user_security_context": dict[str, Any]}),
    "deepseek": _Server(
        body={"thinking": _Thinking, "user_id": str, "reasoning_effort": _DeepSeekEffort},
        assistant={"reasoning_content": str, "prefix": bool},
        unknown=_OPENAI_ONLY
        | {"logit_bias", "max_completion_tokens", "n", "parallel_tool_calls", "seed", "user"},
    ),
    "xai": _Server(
        body={"search_parameters": dict[str, Any], "deferred": bool},
        assistant={"reasoning_content": str},
        unknown=_OPENAI_ONLY - {"prompt_cache_key", "service_tier"},
    ),
    "zai": _Server(
        body={"thinking": _ClearedThinking, "do_sample": bool, "user_id": str, "request_id": str},
        assistant={"reasoning_content": str},
        user_parts=(_Video,),
        unknown=_OPENAI_ONLY
        | {"frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens", "n"}
        | {"parallel_tool_calls", "presence_penalty", "seed", "top_logprobs", "user"},
    ),
    "qwen": _Server(
        body={"enable_thinking": bool, "thinking_budget": int, "top_k": int}
        | {"repetition_penalty": float},
        assistant={"reasoning_content": str},
        user_parts=(_Video,),
        unknown=(_OPENAI_ONLY - {"audio", "modalities"}) | {"logit_bias"},
    ),
    "vllm": _Server(
        body=_SAMPLING
        | {"chat_template_kwargs": dict[str, Any], "thinking_token_budget": int, "min_tokens": int},
        assistant={"reasoning": str},
        user_parts=(_Video,),
        tool_parts=(_IMAGE,),
        unknown=_OPENAI_ONLY - {"audio", "modalities"},
    ),
    "llamacpp": _Server(
        body={"top_k": int, "min_p": float, "repeat_penalty": float, "typical_p": float}
        | {"chat_template_kwargs": dict[str, Any], "thinking_budget_tokens": int},
        assistant={"reasoning_content": str},
        tool_parts=(_IMAGE,),
        unknown=_OPENAI_ONLY,
    ),
    "ollama": _Server(
        assistant={"reasoning": str},
        unknown=_OPENAI_ONLY | {"logit_bias", "max_completion_tokens", "n", "parallel_tool_calls"},
    ),
    # Of Moonshot's models too, which have no dialect of their own; other keys may pass or not.
    "generic": _Server(body={"thinking": _Thinking}, assistant={"reasoning_content": str}),
}


@functools.cache
def _schema(dialect: str) -> pydantic.TypeAdapter[Any]:
    if dialect == "groq":
        # The API takes `stream_options`, and its documentation has them; the SDK's type does not.
        options = {"stream_options": openai.ChatCompletionStreamOptionsParam}
        return strict.schema_of(_extended(groq.CompletionCreateParams, options))
    server = _SERVERS[dialect]
    keys = {**server.body, "messages": Required[list[_message(server)]]}
    if dialect == "azure":
        keys["model"] = str  # the deployment in the URL says it
    whole, streamed = (
        _extended(base, keys, server.unknown)
        for base in (
            openai_body.CompletionCreateParamsNonStreaming,
            openai_body.CompletionCreateParamsStreaming,
        )
    )
    return strict.schema_of(whole | streamed)


def _message(server: _Server) -> Any:
    user = _with_parts(openai.ChatCompletionUserMessageParam, server.user_parts)
    tool = _with_parts(openai.ChatCompletionToolMessageParam, server.tool_parts)
    assistant = _extended(openai.ChatCompletionAssistantMessageParam, server.assistant)
    system = openai.ChatCompletionSystemMessageParam | openai.ChatCompletionDeveloperMessageParam
    return system | user | assistant | tool | openai.ChatCompletionFunctionMessageParam


def _with_parts(message: Any, parts: tuple[Any, ...]) -> Any:
    _, listed = get_args(get_type_hints(message)["content"])
    content = functools.reduce(lambda union, part: union | part, parts, get_args(listed)[0])
    return _extended(message, {"content": Required[str | list[content]]})


def _extended(base: Any, keys: _Keys, without: frozenset[str] = frozenset()) -> Any:
    """Return `base` with `keys`, which are optional where they do not say otherwise."""
    hints = {**get_type_hints(base, include_extras=True), **keys}
    marked = (Required, NotRequired)
    return TypedDict(
        base.__name__,
        {
            key: hint if get_origin(hint) in marked else NotRequired[hint]
            for key, hint in hints.items()
            if key not in without
        },
    )


# Docs: openrouter.ai/docs, "Reasoning Tokens" and "Prompt Caching"; the SDK's types lack these.
_BEYOND_SDK = re.compile(
    r"reasoning\.(max_tokens|enabled|exclude)|n|messages\.\d+\.content\.\d+\.cache_control"
    r"|audio|verbosity|web_search_options"
)


def _check_openrouter(request: Any) -> None:
    """Hold `request` against the SDK's models, which drop what they do not know."""
    try:
        model = ChatRequest.model_validate(request, strict=True)
    except pydantic.ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(map(str, fault["loc"]))
        raise OracleError(f"schema: {fault['msg']} - at {path or 'the body'}") from error
    known = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    lost = [path for path in _lost(request, known, "") if not _BEYOND_SDK.fullmatch(path)]
    if lost:
        raise OracleError(f"schema: Extra inputs are not permitted - at {lost[0]}")


def _lost(given: Any, known: Any, path: str) -> Iterator[str]:
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            below = f"{path}.{key}".lstrip(".")
            yield from _lost(value, known[key], below) if key in known else [below]
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for i, value in enumerate(given):
            yield from _lost(value, known[i], f"{path}.{i}")
    elif given != known:
        yield path


# Views of a request that has passed its schema

_Place = tuple[str, Json]  # an object, after the path to it


def _messages(request: Json, *roles: str) -> list[_Place]:
    places = [(f"messages.{i}", message) for i, message in enumerate(request["messages"])]
    return [place for place in places if not roles or place[1]["role"] in roles]


def _calls(request: Json) -> list[_Place]:
    return [call for message in _messages(request, "assistant") for call in _calls_of(message)]


def _calls_of(message: _Place) -> list[_Place]:
    path, calls = message[0], message[1].get("tool_calls") or []
    return [(f"{path}.tool_calls.{i}", call) for i, call in enumerate(calls)]


def _parts(request: Json, kind: str) -> Iterator[_Place]:
    """List what the parts of a kind hold under the key of that name."""
    for path, message in _messages(request):
        content = message.get("content")
        for i, part in enumerate(content if isinstance(content, list) else ()):
            if part["type"] == kind:
                yield f"{path}.content.{i}.{kind}", part[kind]


def _exchanges(request: Json) -> Iterator[tuple[list[_Place], list[_Place]]]:
    """Pair the calls of each message with the tool messages right after it."""
    calls: list[_Place] = []
    results: list[_Place] = []
    for place in _messages(request):
        if place[1]["role"] != "tool":
            yield calls, results
            calls, results = _calls_of(place), []
        else:
            results.append(place)
    yield calls, results


def _named(request: Json) -> Iterator[_Place]:
    """List the objects whose `name` is that of a tool."""
    for path, tool in [(f"tools.{i}", tool) for i, tool in enumerate(request.get("tools") or ())]:
        yield from ((f"{path}.{key}", tool[key]) for key in ("function", "custom") if key in tool)
    for path, call in _calls(request):
        yield f"{path}.{call['type']}", call[call["type"]]
    choice = request.get("tool_choice")
    if isinstance(choice, dict):
        yield from ((f"tool_choice.{k}", choice[k]) for k in ("function", "custom") if k in choice)


def _repeats(places: list[_Place], key: str) -> Iterator[str]:
    seen: set[str] = set()
    for path, place in places:
        if place[key] in seen:
            yield f"{path}.{key}"
        seen.add(place[key])


# Rules on messages


def there_is_a_message(request: Json) -> Paths:
    """Error: `[] is too short - 'messages'`."""
    return [] if request["messages"] else ["messages"]


def no_list_in_a_message_is_empty(request: Json) -> Paths:
    """Error: `[] is too short - 'messages.1.tool_calls'`; the same for content."""
    for path, message in _messages(request):
        yield from (f"{path}.{k}" for k in ("content", "tool_calls") if message.get(k) == [])


def an_assistant_says_something_or_calls(request: Json) -> Paths:
    """SDK: ChatCompletionAssistantMessageParam.content. An empty string will do."""
    keys = ("content", "tool_calls", "function_call", "audio", "refusal")
    for path, message in _messages(request, "assistant"):
        if all(message.get(key) is None for key in keys):
            yield f"{path}.content"


def participants_have_plain_names(request: Json) -> Paths:
    """Error: `messages[1].name: string does not match pattern '^[a-zA-Z0-9_-]+$'`; at most 64."""
    for path, message in _messages(request):
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", message.get("name", "none")):
            yield f"{path}.name"


# Rules on media


def images_are_http_urls_or_data_urls(request: Json) -> Paths:
    """Error: `You uploaded an unsupported image`, of png, jpeg, gif and webp."""
    for path, image in _parts(request, "image_url"):
        url = image["url"]
        if not re.match("https?://.", url) and not _is_data_url(url, "image/(png|jpeg|gif|webp)"):
            yield f"{path}.url"


def audio_is_bare_base64(request: Json) -> Paths:
    """SDK: InputAudio.data."""
    for path, audio in _parts(request, "input_audio"):
        if not _is_base64(audio["data"]):
            yield f"{path}.data"


def a_file_has_one_source(request: Json) -> Paths:
    """SDK: FileFile. Data comes with a name."""
    for path, file in _parts(request, "file"):
        if file.keys() not in ({"file_id"}, {"file_data", "filename"}):
            yield path


def _is_data_url(url: str, types: str) -> bool:
    head = re.match(f"data:{types};base64,", url)
    return head is not None and _is_base64(url[head.end() :])


def _is_base64(data: str) -> bool:
    try:
        return bool(base64.b64decode(data, validate=True))
    except ValueError:
        return False


# Rules on calls and their results


def call_ids_are_not_empty(request: Json) -> Paths:
    """Docs: nothing; but what would a result refer to."""
    return [f"{path}.id" for path, call in _calls(request) if not call["id"]]


def call_ids_are_unique_in_their_message(request: Json) -> Paths:
    """Error: `Duplicate value for 'tool_call_id'`. A later message may use an id again."""
    for message in _messages(request, "assistant"):
        yield from _repeats(_calls_of(message), "id")


def every_call_is_answered_at_once(request: Json) -> Paths:
    """Error: "An assistant message with 'tool_calls' must be followed by tool messages"..."""
    for calls, results in _exchanges(request):
        answered = {result["tool_call_id"] for _, result in results}
        yield from (f"{path}.id" for path, call in calls if call["id"] not in answered)


def every_result_follows_its_call(request: Json) -> Paths:
    """Error: "messages with role 'tool' must be a response to a preceding message with"..."""
    for calls, results in _exchanges(request):
        called = {call["id"] for _, call in calls}
        yield from (f"{p}.tool_call_id" for p, r in results if r["tool_call_id"] not in called)


def every_call_has_one_result(request: Json) -> Paths:
    """Error: `Duplicate value for 'tool_call_id'`."""
    for _, results in _exchanges(request):
        yield from _repeats(results, "tool_call_id")


# Rules on tools


def tool_names_match_their_pattern(request: Json) -> Paths:
    """SDK: FunctionDefinition.name."""
    for path, named in _named(request):
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", named["name"]):
            yield f"{path}.name"


def tool_names_are_unique(request: Json) -> Paths:
    """Docs: nothing; but which of two is called."""
    return _repeats([named for named in _named(request) if named[0].startswith("tools.")], "name")


def no_list_of_tools_is_empty(request: Json) -> Paths:
    """Error: `[] is too short - 'tools'`."""
    return ["tools"] if request.get("tools") == [] else []


def tool_parameters_describe_an_object(request: Json) -> Paths:
    """Error: `schema must be a JSON Schema of 'type: "object"'`; `missing properties`."""
    for path, tool in _named(request):
        schema = tool.get("parameters")
        if schema is not None and (schema.get("type") != "object" or "properties" not in schema):
            yield f"{path}.parameters"


def what_governs_tools_stands_with_tools(request: Json) -> Paths:
    """Error: "'tool_choice' is only allowed when 'tools' are specified"; parallel calls too."""
    governs = [key for key in ("tool_choice", "parallel_tool_calls") if key in request]
    return [] if request.get("tools") else governs


def a_named_choice_is_one_of_the_tools(request: Json) -> Paths:
    """Error: `Tool choice 'function' not found in 'tools' parameter`."""
    places = list(_named(request))
    known = {named["name"] for path, named in places if path.startswith("tools.")}
    chosen = [place for place in places if place[0].startswith("tool_choice.")]
    return [f"{path}.name" for path, named in chosen if named["name"] not in known]


# Rules on parameters

_RANGES = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "top_logprobs": (0, 20),
    "n": (1, 128),
}


def numbers_keep_to_their_ranges(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase."""
    for key, (least, most) in _RANGES.items():
        if request.get(key) is not None and not least <= request[key] <= most:
            yield key


def there_is_one_token_limit(request: Json) -> Paths:
    """Error: `Setting 'max_tokens' and 'max_completion_tokens' at the same time`..."""
    if {"max_tokens", "max_completion_tokens"} <= request.keys():
        yield "max_tokens"


def there_are_at_most_four_stops(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase.stop."""
    stops = request.get("stop")
    if isinstance(stops, list) and not len(stops) <= 4:
        yield "stop"


def top_logprobs_go_with_logprobs(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase.top_logprobs."""
    if request.get("top_logprobs") is not None and not request.get("logprobs"):
        yield "top_logprobs"


def stream_options_go_with_a_stream(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase.stream_options."""
    if "stream_options" in request and not request.get("stream"):
        yield "stream_options"


def a_response_format_has_a_plain_name(request: Json) -> Paths:
    """SDK: JSONSchema.name."""
    form = (request.get("response_format") or {}).get("json_schema", {"name": "none"})
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", form["name"]):
        yield "response_format.json_schema.name"


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    no_list_in_a_message_is_empty,
    an_assistant_says_something_or_calls,
    participants_have_plain_names,
    images_are_http_urls_or_data_urls,
    audio_is_bare_base64,
    a_file_has_one_source,
    call_ids_are_not_empty,
    call_ids_are_unique_in_their_message,
    every_call_is_answered_at_once,
    every_result_follows_its_call,
    every_call_has_one_result,
    tool_names_match_their_pattern,
    tool_names_are_unique,
    no_list_of_tools_is_empty,
    tool_parameters_describe_an_object,
    what_governs_tools_stands_with_tools,
    a_named_choice_is_one_of_the_tools,
    numbers_keep_to_their_ranges,
    there_is_one_token_limit,
    there_are_at_most_four_stops,
    top_logprobs_go_with_logprobs,
    stream_options_go_with_a_stream,
    a_response_format_has_a_plain_name,
)


# Rules of single dialects


def call_ids_have_at_most_40_characters(request: Json) -> Paths:
    """Error: `string too long. Expected a string with maximum length 40`, of OpenAI and Azure."""
    return [f"{path}.id" for path, call in _calls(request) if len(call["id"]) > 40]


def file_data_is_a_pdf_in_a_data_url(request: Json) -> Paths:
    """Docs: guides/file-inputs, "Chat Completions accepts only PDF files"."""
    for path, file in _parts(request, "file"):
        if "file_data" in file and not _is_data_url(file["file_data"], "application/pdf"):
            yield f"{path}.file_data"


def metadata_goes_with_store(request: Json) -> Paths:
    """Error: `The 'metadata' parameter is only allowed when 'store' is enabled`."""
    if "metadata" in request and not request.get("store"):
        yield "metadata"


def metadata_is_small(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase.metadata."""
    pairs = request.get("metadata") or {}
    if len(pairs) > 16:
        yield "metadata"
    yield from (f"metadata.{k}" for k in pairs if len(k) > 64 or len(pairs[k]) > 512)


def an_identifier_has_at_most_128_characters(request: Json) -> Paths:
    """SDK: CompletionCreateParamsBase.safety_identifier."""
    if len(request.get("safety_identifier") or "") > 128:
        yield "safety_identifier"


def every_part_is_text(request: Json) -> Paths:
    """Error: "unknown variant `image_url`, expected `text`", of DeepSeek."""
    for kind in ("image_url", "input_audio", "file"):
        yield from (path for path, _ in _parts(request, kind))


def thinking_goes_with_no_forced_call(request: Json) -> Paths:
    """Error: `Thinking mode does not support this tool_choice`, of DeepSeek."""
    thinks = (request.get("thinking") or {}).get("type") == "enabled"
    if thinks and request.get("tool_choice") not in (None, "auto", "none"):
        yield "tool_choice"


def thinking_before_a_call_goes_back(request: Json) -> Paths:
    """Error: `The reasoning_content in the thinking mode must be passed back to the API`.

    Thinking is on unless turned off. Docs: api-docs.deepseek.com/guides/thinking_mode.
    """
    if (request.get("thinking") or {}).get("type") != "disabled":
        for path, message in _messages(request, "assistant"):
            if message.get("tool_calls") and "reasoning_content" not in message:
                yield f"{path}.reasoning_content"


def a_choice_of_tool_is_a_word(request: Json) -> Paths:
    """Docs: llama.cpp, tools/server. It reads an object as `auto`."""
    return ["tool_choice"] if isinstance(request.get("tool_choice"), dict) else []


def there_are_at_most_four_cache_marks(request: Json) -> Paths:
    """Docs: openrouter.ai/docs, "Prompt Caching": Anthropic's limit."""
    marks = [f"tools.{i}" for i, t in enumerate(request.get("tools") or ()) if "cache_control" in t]
    for path, message in _messages(request):
        content = message.get("content")
        for i, part in enumerate(content if isinstance(content, list) else ()):
            if "cache_control" in part:
                marks.append(f"{path}.content.{i}")
    return [f"{path}.cache_control" for path in marks[4:]]


DIALECT_RULES: dict[str, tuple[Rule, ...]] = {
    "openai": (
        call_ids_have_at_most_40_characters,
        file_data_is_a_pdf_in_a_data_url,
        metadata_goes_with_store,
        metadata_is_small,
        an_identifier_has_at_most_128_characters,
    ),
    "azure": (
        call_ids_have_at_most_40_characters,
        file_data_is_a_pdf_in_a_data_url,
        metadata_goes_with_store,
        metadata_is_small,
    ),
    "deepseek": (
        every_part_is_text,
        thinking_goes_with_no_forced_call,
        thinking_before_a_call_goes_back,
    ),
    "llamacpp": (a_choice_of_tool_is_a_word,),
    "openrouter": (metadata_is_small, there_are_at_most_four_cache_marks),
}
