"""The oracle for the body of `POST /v1/responses`, in the dialects that services speak.

Types: `openai` 3.52 and `openrouter` 1.3; for xAI OpenAI's, but for the keys that its reference
calls unsupported. Rules: what no type can say. Each names its source: "SDK" is the docstring of a
type, "Docs" a page of the service, "Error" the words of a 400.
"""

import base64
import functools
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, NotRequired, Required, get_args, get_origin

import pydantic
from openai.types import responses as sdk
from openai.types.responses import response_create_params as sdk_body
from openai.types.responses import response_input_item_param as sdk_item
from openai.types.responses.response_output_text_param import Annotation
from openrouter.components import ResponsesRequest
from typing_extensions import TypedDict, get_type_hints

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes, dialect: str = "openai") -> None:
    """Judge `body` by its JSON, then by the SDK's types, then by `RULES` and the dialect's own.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    if dialect == "openrouter":
        _check_openrouter(request)
    else:
        strict.check_schema(_schema(dialect), _without_blocked(_without_foreign_marks(request)))
    strict.check_rules((*RULES, *DIALECT_RULES.get(dialect, ())), request)


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON and by the SDK's model of it.

    Raises `OracleError`.
    """
    strict.check_model(sdk.Response, _typed(strict.read_json(body)))


# The services send these, and the types lack them.
_UNTYPED = frozenset(
    {"billing", "content_filters", "frequency_penalty", "presence_penalty", "store"}
    | {"output_text", "system_fingerprint"}
)
_UNTYPED_CODES = frozenset({"context_length_exceeded", "server_is_overloaded"})


def _typed(response: Any) -> Any:
    if not isinstance(response, dict):
        return response
    typed = {key: value for key, value in response.items() if key not in _UNTYPED}
    if typed.get("error") and typed["error"].get("code") in _UNTYPED_CODES:
        typed["error"] = typed["error"] | {"code": "server_error"}
    return typed


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: each event by the SDK's model of it, and what they add up to.

    Docs: streaming; events are numbered, items and parts begin before their deltas, and each end
    says again what the deltas said. Raises `OracleError`.
    """
    if not data.endswith(b"\n\n"):
        raise OracleError("stream: it does not end with an event")
    heard = _Heard()
    for number, frame in enumerate(data.decode().split("\n\n")[:-1]):
        head, _, text = frame.partition("\ndata: ")
        event = strict.read_json(text.encode())
        if head != f"event: {event['type']}":
            raise OracleError(f"stream: {head!r} - at event {number}")
        typed = event | {"response": _typed(event["response"])} if "response" in event else event
        if event["type"] == "error":  # the API nests what the SDK's type has flat
            typed = {key: value for key, value in event.items() if key != "error"}
            if event.get("error", {}).keys() - {"type", "code", "message", "param"}:
                raise OracleError(f"stream: an unknown key of an error - at event {number}")
        if event["type"] not in _EVENTS:
            raise OracleError(f"stream: an unknown event - at event {number}")
        strict.check_model(_EVENTS[event["type"]], typed)
        fault = "the number of another event" if event["sequence_number"] != number else None
        fault = fault or heard.fault(event)
        if fault is not None:
            raise OracleError(f"stream: {fault} - at event {number}, {event['type']}")
    if heard.last not in _LAST_EVENTS:
        raise OracleError(f"stream: it ends in {heard.last}")


# The members of the union by type: held against all of it, a fault says nothing.
_EVENTS = {
    get_args(event.model_fields["type"].annotation)[0]: event
    for event in get_args(get_args(sdk.ResponseStreamEvent)[0])
}
_FIRST_EVENTS = ("response.created", "response.in_progress")
# After `error` comes `response.failed`.
_LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed", "error")
_PLACES = ("output_index", "content_index", "summary_index")
# What begins a text, and under which key its end says it.
_TEXTS = {
    "response.output_text": "text",
    "response.refusal": "refusal",
    "response.reasoning_text": "text",
    "response.reasoning_summary_text": "text",
    "response.function_call_arguments": "arguments",
    "response.custom_tool_call_input": "input",
}


class _Heard:
    """What the events of a stream have said so far."""

    def __init__(self) -> None:
        self.last = ""
        self._count = 0
        self._ids: list[str | None] = []
        self._items: list[Any] = []
        self._texts: dict[tuple[Any, ...], str] = {}

    def fault(self, event: Json) -> str | None:
        """Take in an event; return what is wrong with it."""
        kind = event["type"]
        if self.last == "error" and kind == "response.failed":
            self.last = kind
            return "output of a failed answer" if event["response"]["output"] else None
        if self.last in _LAST_EVENTS:
            return "it comes after the end"
        if self._count < len(_FIRST_EVENTS) and kind not in (_FIRST_EVENTS[self._count], "error"):
            return f"it is no {_FIRST_EVENTS[self._count]}"
        self.last = kind
        self._count += 1
        if kind == "response.output_item.added":
            self._ids.append(event["item"].get("id"))
            self._items.append(None)
            return None if event["output_index"] == len(self._ids) - 1 else "an item out of order"
        if kind in _LAST_EVENTS[:3]:
            return None if event["response"]["output"] == self._items else "another output"
        if "output_index" not in event:
            return None
        index = event["output_index"]
        if index >= len(self._ids) or self._items[index] is not None:
            return "an item that has not begun, or has ended"
        if event.get("item_id", self._ids[index]) not in (self._ids[index], f"item_{index}"):
            return "the id of another item"
        if kind == "response.output_item.done":
            self._items[index] = event["item"]
            return self._unlike(event["item"], index)
        return self._told(event, kind)

    def _told(self, event: Json, kind: str) -> str | None:
        """Add a delta to its text, or compare the text with its end."""
        name, _, stage = kind.rpartition(".")
        place = (*(event.get(key) for key in _PLACES), name)
        if stage == "added" and "_part" in name:
            self._texts[place] = ""
        if name not in _TEXTS:
            return None
        is_call = _TEXTS[name] in ("arguments", "input")
        part = "response.content_part"
        if "summary" in name:
            part = "response.reasoning_summary_part"
        if not is_call and (*place[:-1], part) not in self._texts:
            return "a part that has not begun"
        if stage == "delta":
            self._texts[place] = self._texts.get(place, "") + event["delta"]
        elif stage == "done" and self._texts.get(place, "") != event[_TEXTS[name]]:
            return "another text than its deltas"
        return None

    def _unlike(self, item: Json, index: int) -> str | None:
        """Compare the texts of an item with its deltas."""
        said = "".join(text for place, text in self._texts.items() if place[0] == index)
        parts = [*(item.get("summary") or ()), *(item.get("content") or ())]
        kind = item["type"]
        whole = None
        if kind in ("message", "reasoning"):
            texts = [part.get("text", part.get("refusal", "")) for part in parts]
            whole = ("" if kind == "message" else "\n\n").join(texts)
        elif kind in _CALLS:
            whole = item.get("arguments", item.get("input"))
        return "another item than its deltas" if whole not in (None, said) else None


def _without_blocked(request: Any) -> Any:
    """Leave out the domains that a search is not to use, which the types lack (vercel/ai#18035)."""
    tools = request.get("tools") if isinstance(request, dict) else None
    if not isinstance(tools, list):
        return request

    def plain(tool: Any) -> Any:
        filters = tool.get("filters") if isinstance(tool, dict) else None
        if not isinstance(filters, dict) or tool.get("type") != "web_search":
            return tool
        known = {key: filters[key] for key in filters if key != "blocked_domains"}
        return tool | {"filters": known}

    return request | {"tools": [*map(plain, tools)]}


def _without_foreign_marks(request: Any) -> Any:
    """Leave out the `cache_control` of texts, which stands for any key of a part that we pass on.

    The types refuse it, but a key that came over this API goes back over it.
    """
    items = request.get("input") if isinstance(request, dict) else None
    if not isinstance(items, list):
        return request

    def plain(part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        return {key: part[key] for key in part if key != "cache_control"}

    def mended(item: Any) -> Any:
        content = item.get("content") if isinstance(item, dict) else None
        return item | {"content": [*map(plain, content)]} if isinstance(content, list) else item

    return request | {"input": [*map(mended, items)]}


# Types


class _OutputText(TypedDict):
    """SDK: ResponseOutputTextParam, which requires the annotations; the API does not."""

    type: Literal["output_text"]
    text: str
    annotations: NotRequired[list[Annotation]]
    logprobs: NotRequired[list[Any]]


class _Answer(TypedDict):
    """SDK: EasyInputMessageParam and ResponseOutputMessageParam, with no id required.

    Error: `Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'`.
    """

    role: Literal["assistant"]
    content: str | list[_OutputText | sdk.ResponseOutputRefusalParam]
    type: NotRequired[Literal["message"]]
    id: NotRequired[str]
    status: NotRequired[Literal["in_progress", "completed", "incomplete"]]
    phase: NotRequired[Literal["commentary", "final_answer"] | None]


_InputPart = sdk.ResponseInputTextParam | sdk.ResponseInputImageParam | sdk.ResponseInputFileParam


class _Said(TypedDict):
    """SDK: EasyInputMessageParam and Message."""

    role: Literal["user", "system", "developer"]
    content: str | list[_InputPart]
    type: NotRequired[Literal["message"]]
    status: NotRequired[Literal["in_progress", "completed", "incomplete"]]


_MESSAGES = ("EasyInputMessageParam", "Message", "ResponseOutputMessageParam")


def _kind(item: Any) -> str | None:
    """Tell an item by its type, which messages and references may leave out."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type") or ("message" if "role" in item else "item_reference")
    if kind != "message":
        return f"type={kind}"
    return f"type=message role={'assistant' if item.get('role') == 'assistant' else 'said'}"


def _items() -> Any:
    """Return the union of all items, told apart by `_kind`."""
    members: list[Any] = [
        Annotated[_Said, pydantic.Tag("type=message role=said")],
        Annotated[_Answer, pydantic.Tag("type=message role=assistant")],
    ]
    for item in get_args(sdk_item.ResponseInputItemParam):
        if item.__name__ in _MESSAGES:
            continue
        hints = get_type_hints(item, include_extras=True)
        (kind,) = (word for word in _words(hints["type"]) if word is not None)
        if kind == "reasoning":
            # The API takes it without an id, if the content is there encrypted.
            item = _extended(item, {"id": str})
        members.append(Annotated[item, pydantic.Tag(f"type={kind}")])
    union = functools.reduce(lambda one, other: one | other, members)
    return Annotated[union, pydantic.Discriminator(_kind)]


def _words(hint: Any) -> Iterator[Any]:
    """List the literals of a hint, under whatever marks."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for argument in get_args(hint):
            yield from _words(argument)


# Docs: docs.x.ai/developers, API reference, "Not supported".
_UNKNOWN_TO_XAI = frozenset(
    {"background", "conversation", "metadata", "moderation", "prompt", "prompt_cache_options"}
    | {"prompt_cache_retention", "safety_identifier", "service_tier", "truncation"}
)


@functools.cache
def _schema(dialect: str) -> pydantic.TypeAdapter[Any]:
    keys: dict[str, Any] = {"input": str | list[_items()]}
    unknown: frozenset[str] = frozenset()
    if dialect == "xai":
        keys["logprobs"] = bool
        unknown = _UNKNOWN_TO_XAI
    whole, streamed = (
        _extended(base, keys, unknown)
        for base in (
            sdk_body.ResponseCreateParamsNonStreaming,
            sdk_body.ResponseCreateParamsStreaming,
        )
    )
    return strict.schema_of(whole | streamed)


def _extended(base: Any, keys: Mapping[str, Any], without: frozenset[str] = frozenset()) -> Any:
    """Return `base` with `keys`, which are optional."""
    hints = get_type_hints(base, include_extras=True)
    hints |= {key: NotRequired[hint] for key, hint in keys.items()}
    marked = (Required, NotRequired)
    return TypedDict(
        base.__name__,
        {
            key: hint if get_origin(hint) in marked else NotRequired[hint]
            for key, hint in hints.items()
            if key not in without
        },
    )


# The SDK lacks these, or has them without a mark on a part.
_BEYOND_SDK = re.compile(r"input\.\d+\.content\.\d+\.cache_control")


def _check_openrouter(request: Any) -> None:
    """Hold `request` against the SDK's models, which drop what they do not know."""
    try:
        model = ResponsesRequest.model_validate(request, strict=True)
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
_CALLS = ("function_call", "custom_tool_call")
_RESULTS = {"function_call_output": "function_call", "custom_tool_call_output": "custom_tool_call"}
_STORED = ("previous_response_id", "conversation", "prompt")


def _all(request: Json) -> list[_Place]:
    items = request.get("input")
    return [(f"input.{i}", item) for i, item in enumerate(items if type(items) is list else ())]


def _of_type(request: Json, *kinds: str) -> list[_Place]:
    return [place for place in _all(request) if place[1].get("type") in kinds]


def _parts(request: Json, kind: str) -> Iterator[_Place]:
    """List the parts of a type, in messages and in results."""
    for path, item in _all(request):
        for key in ("content", "output"):
            parts = item.get(key)
            for i, part in enumerate(parts if isinstance(parts, list) else ()):
                if part.get("type") == kind:
                    yield f"{path}.{key}.{i}", part


def _exchanges(request: Json) -> Iterator[tuple[list[_Place], list[_Place]]]:
    """Pair the calls of each answer with the results before anything else is said."""
    calls: list[_Place] = []
    results: list[_Place] = []
    for place in _all(request):
        kind = place[1].get("type")
        if kind in _RESULTS:
            results.append(place)
            continue
        if results or _is_said(place[1]):
            yield calls, results
            calls, results = [], []
        if kind in _CALLS:
            calls.append(place)
    yield calls, results


def _is_said(item: Json) -> bool:
    return item.get("role", "assistant") != "assistant"


def _named(request: Json) -> list[_Place]:
    """List the objects whose `name` is that of a tool."""
    tools = [(f"tools.{i}", tool) for i, tool in enumerate(request.get("tools") or ())]
    choice = request.get("tool_choice")
    chosen: list[_Place] = []
    if isinstance(choice, dict):
        chosen = [("tool_choice", choice)]
        chosen += [(f"tool_choice.tools.{i}", t) for i, t in enumerate(choice.get("tools", ()))]
    places = [*tools, *_of_type(request, *_CALLS), *chosen]
    return [(path, named) for path, named in places if "name" in named]


def _repeats(places: list[_Place], key: str) -> Iterator[str]:
    seen: set[str] = set()
    for path, place in places:
        if place[key] in seen:
            yield f"{path}.{key}"
        seen.add(place[key])


# Rules on items


def there_is_an_input(request: Json) -> Paths:
    """Error: `Missing required parameter: 'input'`, where nothing is stored that could do."""
    stored = any(request.get(key) for key in _STORED)
    return [] if request.get("input") or stored else ["input"]


def there_is_a_model(request: Json) -> Paths:
    """Error: `Missing required parameter: 'model'`. A stored prompt may name it."""
    return [] if request.get("model") or request.get("prompt") else ["model"]


def no_list_of_parts_is_empty(request: Json) -> Paths:
    """Docs: nothing; but what would it say."""
    for path, item in _all(request):
        yield from (f"{path}.{key}" for key in ("content", "output") if item.get(key) == [])


_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}


def item_ids_have_the_form_of_their_type(request: Json) -> Paths:
    """Error: `Expected an ID that begins with 'fc'`; "contains letters, numbers, underscores"..."""
    for path, item in _all(request):
        item_id = item.get("id")
        prefix = _PREFIXES.get(item.get("type", ""), "")
        if item_id is not None and not re.fullmatch(rf"{prefix}[a-zA-Z0-9_-]{{1,64}}", item_id):
            yield f"{path}.id"


def reasoning_can_be_found(request: Json) -> Paths:
    """SDK: ResponseReasoningItemParam.id; its encrypted content does as well."""
    for path, item in _of_type(request, "reasoning"):
        if not item.get("id") and not item.get("encrypted_content"):
            yield path


def stored_reasoning_is_followed_by_what_it_led_to(request: Json) -> Paths:
    """Error: `Item 'rs_1' of type 'reasoning' was provided without its required following item`."""
    for (path, item), (_, after) in pairwise([*_all(request), ("", {"role": "user"})]):
        follows = not _is_said(after) and after.get("type") not in _RESULTS
        if item.get("type") == "reasoning" and "id" in item and not follows:
            yield path


# Rules on media


def images_have_one_source(request: Json) -> Paths:
    """SDK: ResponseInputImageParam."""
    for path, image in _parts(request, "input_image"):
        if (image.get("image_url") is None) is (image.get("file_id") is None):
            yield path


def images_are_http_urls_or_data_urls(request: Json) -> Paths:
    """Error: "The image data you provided does not represent a valid image", of four types."""
    for path, image in _parts(request, "input_image"):
        url = image.get("image_url") or "http://x"
        if not re.match("https?://.", url) and not _is_data_url(url, "image/(png|jpeg|gif|webp)"):
            yield f"{path}.image_url"


def a_file_has_one_source(request: Json) -> Paths:
    """SDK: ResponseInputFileParam. Data comes with a name."""
    sources = {"file_id", "file_data", "file_url"}
    for path, file in _parts(request, "input_file"):
        given = sources & file.keys()
        if len(given) != 1 or ("file_data" in given and not file.get("filename")):
            yield path


def file_data_is_a_data_url_of_a_document(request: Json) -> Paths:
    """Error: `Expected a base64-encoded data URL with a valid file MIME type`."""
    for path, file in _parts(request, "input_file"):
        if not _is_data_url(
            file.get("file_data", "data:text/plain;base64,AA=="), r"(application|text)/[\w.+-]+"
        ):
            yield f"{path}.file_data"


def _is_data_url(url: str, types: str) -> bool:
    head = re.match(f"data:{types};base64,", url)
    try:
        return head is not None and bool(base64.b64decode(url[head.end() :], validate=True))
    except ValueError:
        return False


# Rules on calls and their results


def call_ids_have_at_most_64_characters(request: Json) -> Paths:
    """Error: `string too long. Expected a string with maximum length 64`. None is empty."""
    for path, item in _of_type(request, *_CALLS, *_RESULTS):
        if not 1 <= len(item["call_id"]) <= 64:
            yield f"{path}.call_id"


def open_calls_have_ids_of_their_own(request: Json) -> Paths:
    """Docs: nothing; but which of two is answered. A later answer may use an id again."""
    for calls, _ in _exchanges(request):
        yield from _repeats(calls, "call_id")


def every_call_is_answered_at_once(request: Json) -> Paths:
    """Error: `No tool output found for function call call_1.`"""
    for calls, results in _exchanges(request):
        answered = {(_RESULTS[r["type"]], r["call_id"]) for _, r in results}
        for path, call in calls:
            if (call["type"], call["call_id"]) not in answered:
                yield f"{path}.call_id"


def every_result_follows_its_call(request: Json) -> Paths:
    """Error: `No tool call found for function call output with call_id call_1.`"""
    if any(request.get(key) for key in _STORED):
        return
    for calls, results in _exchanges(request):
        called = {call["call_id"] for _, call in calls}
        yield from (f"{path}.call_id" for path, r in results if r["call_id"] not in called)


def every_call_has_one_result(request: Json) -> Paths:
    """Docs: nothing; but which of two is it."""
    for _, results in _exchanges(request):
        yield from _repeats(results, "call_id")


# Rules on tools


def tool_names_match_their_pattern(request: Json) -> Paths:
    """Error: `Invalid 'tools[0].name': string does not match pattern`..."""
    for path, named in _named(request):
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", named["name"]):
            yield f"{path}.name"


def tool_names_are_unique(request: Json) -> Paths:
    """Docs: nothing; but which of two is called."""
    return _repeats([named for named in _named(request) if named[0].startswith("tools.")], "name")


def tool_parameters_describe_an_object(request: Json) -> Paths:
    """Error: `schema must be a JSON Schema of 'type: "object"'`; `missing properties`."""
    for path, tool in _named(request):
        schema = tool.get("parameters")
        if schema is not None and (schema.get("type") != "object" or "properties" not in schema):
            yield f"{path}.parameters"


def every_function_says_whether_it_is_strict(request: Json) -> Paths:
    """SDK: FunctionToolParam.strict; left out, it is true at OpenAI and false at xAI."""
    for path, tool in _named(request):
        if path.startswith("tools.") and tool["type"] == "function" and "strict" not in tool:
            yield f"{path}.strict"


def what_governs_tools_stands_with_tools(request: Json) -> Paths:
    """Error: `Tool choice 'required' must be specified with 'tools' parameter.`"""
    governs = [key for key in ("tool_choice", "parallel_tool_calls") if key in request]
    return [] if request.get("tools") else governs


def a_named_choice_is_one_of_the_tools(request: Json) -> Paths:
    """Error: `Tool choice 'function' not found in 'tools' parameter`."""
    places = _named(request)
    known = {named["name"] for path, named in places if path.startswith("tools.")}
    chosen = [place for place in places if place[0].startswith("tool_choice")]
    return [f"{path}.name" for path, named in chosen if named["name"] not in known]


# Rules on parameters

_RANGES = {"temperature": (0, 2), "top_p": (0, 1), "top_logprobs": (0, 20)}


def numbers_keep_to_their_ranges(request: Json) -> Paths:
    """SDK: ResponseCreateParamsBase. Error: `decimal below minimum value`."""
    for key, (least, most) in _RANGES.items():
        if request.get(key) is not None and not least <= request[key] <= most:
            yield key


def stream_options_go_with_a_stream(request: Json) -> Paths:
    """SDK: ResponseCreateParamsBase.stream_options."""
    if "stream_options" in request and not request.get("stream"):
        yield "stream_options"


def an_answers_schema_has_a_plain_name(request: Json) -> Paths:
    """SDK: ResponseFormatTextJSONSchemaConfigParam.name."""
    form = request.get("text", {}).get("format", {})
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", form.get("name", "none")):
        yield "text.format.name"


def metadata_is_small(request: Json) -> Paths:
    """SDK: ResponseCreateParamsBase.metadata."""
    pairs = request.get("metadata") or {}
    if len(pairs) > 16:
        yield "metadata"
    yield from (f"metadata.{k}" for k in pairs if len(k) > 64 or len(pairs[k]) > 512)


def an_identifier_has_at_most_128_characters(request: Json) -> Paths:
    """SDK: ResponseCreateParamsBase.safety_identifier."""
    if len(request.get("safety_identifier") or "") > 128:
        yield "safety_identifier"


RULES: tuple[Rule, ...] = (
    there_is_an_input,
    there_is_a_model,
    no_list_of_parts_is_empty,
    item_ids_have_the_form_of_their_type,
    reasoning_can_be_found,
    stored_reasoning_is_followed_by_what_it_led_to,
    images_have_one_source,
    images_are_http_urls_or_data_urls,
    a_file_has_one_source,
    file_data_is_a_data_url_of_a_document,
    call_ids_have_at_most_64_characters,
    open_calls_have_ids_of_their_own,
    every_call_is_answered_at_once,
    every_result_follows_its_call,
    every_call_has_one_result,
    tool_names_match_their_pattern,
    tool_names_are_unique,
    tool_parameters_describe_an_object,
    every_function_says_whether_it_is_strict,
    what_governs_tools_stands_with_tools,
    a_named_choice_is_one_of_the_tools,
    numbers_keep_to_their_ranges,
    stream_options_go_with_a_stream,
    an_answers_schema_has_a_plain_name,
    metadata_is_small,
    an_identifier_has_at_most_128_characters,
)


# Rules of single dialects


def a_limit_is_at_least_16(request: Json) -> Paths:
    """Error: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16`."""
    if (request.get("max_output_tokens") or 16) < 16:
        yield "max_output_tokens"


def only_reasoning_is_included(request: Json) -> Paths:
    """Docs: docs.x.ai/developers, `include`; other values are refused."""
    for i, word in enumerate(request.get("include") or ()):
        if word != "reasoning.encrypted_content":
            yield f"include.{i}"


def there_are_no_custom_tools(request: Json) -> Paths:
    """Docs: docs.x.ai/developers, tools."""
    custom = _of_type(request, "custom_tool_call", "custom_tool_call_output")
    yield from (path for path, _ in custom)


def files_are_stored(request: Json) -> Paths:
    """Docs: docs.x.ai/developers/files: an `input_file` has a `file_id` or a `file_url`."""
    yield from (path for path, file in _parts(request, "input_file") if "file_data" in file)


def top_logprobs_go_with_logprobs(request: Json) -> Paths:
    """Docs: docs.x.ai/developers: at most eight, and only with `logprobs`."""
    asked = request.get("top_logprobs")
    if asked is not None and (asked > 8 or not request.get("logprobs")):
        yield "top_logprobs"


DIALECT_RULES: dict[str, tuple[Rule, ...]] = {
    "openai": (a_limit_is_at_least_16,),
    "azure": (a_limit_is_at_least_16,),
    "xai": (
        only_reasoning_is_included,
        there_are_no_custom_tools,
        files_are_stored,
        top_logprobs_go_with_logprobs,
    ),
}
