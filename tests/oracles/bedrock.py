"""The oracle for the body of Bedrock's `POST /model/{modelId}/converse`, API version 2023-09-30.

Types: the service model of botocore 1.44, walked here because botocore's own validator looks at no
enum, no pattern and no maximum. Rules: what the model does not say; "Error" are the words of the
API's own 400, "Docs" a page of the Bedrock API reference.
"""

import base64
import functools
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import botocore.session
from botocore.eventstream import EventStreamBuffer

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes) -> None:
    """Judge `body` by its JSON, then by the service model, then by `RULES`.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    _check(_shape(), request, "")
    strict.check_rules(RULES, request)


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON, then by the service model.

    Raises `OracleError`.
    """
    _check(_model().operation_model("Converse").output_shape, strict.read_json(body), "")


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: its framing, each event by the service model, and their order.

    Docs: ConverseStream. Raises `OracleError`.
    """
    members = _model().shape_for("ConverseStreamOutput").members
    buffer = EventStreamBuffer()
    buffer.add_data(data)
    kinds: list[str] = []
    blocks: list[str] = []
    for number, message in enumerate(buffer):
        kind = message.headers[f":{message.headers[':message-type']}-type"]
        _require(kind in members, f"event {number}", f"no event {kind}")
        event = strict.read_json(message.payload)
        _check(members[kind], event, f"event {number}")
        if kind.endswith("Exception"):
            return
        if "contentBlockIndex" in event:
            blocks.append(f"{event['contentBlockIndex']} {kind}")
        else:
            kinds.append(kind)
    _require(len(b"".join(_lengths(data))) == len(data), "the end", "half a message")
    _require(kinds == ["messageStart", "messageStop", "metadata"], "the stream", f"has {kinds}")
    grammar = "".join(_LETTERS[line.partition(" ")[2]] for line in sorted(blocks, key=_index))
    _require(re.fullmatch("(sd+e|d+e)*", grammar), "the blocks", f"have the events {grammar}")
    numbers = sorted({_index(line) for line in blocks})
    _require(numbers == list(range(len(numbers))), "the blocks", f"have the numbers {numbers}")


_LETTERS = {"contentBlockStart": "s", "contentBlockDelta": "d", "contentBlockStop": "e"}


def _index(line: str) -> int:
    return int(line.partition(" ")[0])


def _lengths(data: bytes) -> Iterator[bytes]:
    """Cut a stream by the length that each message begins with."""
    at = 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4])
        yield data[at : at + size] if at + size <= len(data) else b""
        at += size


# Types


@functools.cache
def _model() -> Any:
    return botocore.session.get_session().get_service_model("bedrock-runtime")


@functools.cache
def _shape() -> Any:
    return _model().operation_model("Converse").input_shape


def _check(shape: Any, value: Any, path: str) -> None:
    kind, rules = shape.type_name, shape.metadata
    if kind == "structure" and not getattr(shape, "is_document_type", False):
        _check_structure(shape, value, path)
    elif kind == "list":
        _require(type(value) is list, path, "expected array")
        _check_range(len(value), rules, path)
        for i, item in enumerate(value):
            _check(shape.member, item, f"{path}.{i}")
    elif kind == "map":
        _require(type(value) is dict, path, "expected object")
        _check_range(len(value), rules, path)
        for key, item in value.items():
            _check(shape.key, key, f"{path}.{key}")
            _check(shape.value, item, f"{path}.{key}")
    elif kind == "blob":
        _require(_is_base64(value), path, "expected base64")
        _check_range(len(base64.b64decode(value)), rules, path)
    elif kind == "string":
        _require(type(value) is str, path, "expected string")
        _check_range(len(value), rules, path)
        pattern, words = rules.get("pattern"), getattr(shape, "enum", None)
        _require(
            not pattern or re.fullmatch(pattern, value, re.S), path, f"does not match {pattern}"
        )
        _require(not words or value in words, path, f"expected one of {words}")
    elif kind in ("integer", "long", "float", "double"):
        numbers = (int,) if kind in ("integer", "long") else (int, float)
        _require(type(value) in numbers, path, f"expected {kind}")
        _check_range(value, rules, path)
    elif kind == "boolean":
        _require(type(value) is bool, path, "expected boolean")


def _check_structure(shape: Any, value: Any, path: str) -> None:
    _require(type(value) is dict, path, "expected object")
    if getattr(shape, "is_tagged_union", False):
        _require(len(value) == 1, path, f"expected exactly one key, got {[*value]}")
    for key, item in value.items():
        _require(key in shape.members, f"{path}.{key}", f"no key of {shape.name}")
        _check(shape.members[key], item, f"{path}.{key}")
    for key in shape.required_members:
        in_url = shape.members[key].serialization.get("location") == "uri"
        _require(key in value or in_url, f"{path}.{key}", "missing")


def _check_range(number: float, rules: Json, path: str) -> None:
    low, high = rules.get("min", number), rules.get("max", number)
    _require(low <= number <= high, path, f"{number} is not in {low} to {high}")


def _is_base64(value: Any) -> bool:
    try:
        return type(value) is str and base64.b64decode(value, validate=True) is not None
    except ValueError:
        return False


def _require(holds: Any, path: str, what: str) -> None:
    if not holds:
        raise OracleError(f"schema: {what} - at {path.strip('.') or 'the body'}")


# Views of a request that has passed its types


def _blocks(request: Json, key: str) -> Iterator[tuple[str, str, Any]]:
    """List the blocks of one kind: path, role of the message, and what is under the key."""
    for i, message in enumerate(request.get("messages", [])):
        for j, block in enumerate(message["content"]):
            if key in block:
                yield f"messages.{i}.content.{j}.{key}", message["role"], block[key]


def _turns(request: Json) -> list[tuple[int, Json]]:
    return [(i, m) for i, m in enumerate(request.get("messages", [])) if m["role"] != "system"]


def _points(request: Json) -> list[Json]:
    """List the cache points in the order in which the API caches: tools, system, messages."""
    parts = [*request.get("toolConfig", {}).get("tools", []), *request.get("system", [])]
    points = [part["cachePoint"] for part in parts if "cachePoint" in part]
    return points + [point for _, _, point in _blocks(request, "cachePoint")]


def _thinking(request: Json) -> Json:
    """Return what an Anthropic model is asked to think, if it is asked in its own words."""
    fields = request.get("additionalModelRequestFields")
    asked = fields.get("thinking") if isinstance(fields, dict) else None
    return asked if isinstance(asked, dict) else {}


def _ids(message: Json, key: str) -> list[str]:
    own = [b[key] for b in message["content"] if key in b and not b[key].get("type")]
    return [block["toolUseId"] for block in own]


# Rules


def there_is_a_message(request: Json) -> Paths:
    """Docs: Converse wants messages, but for a prompt that it manages."""
    if not request.get("messages") and "promptVariables" not in request:
        yield "messages"


def every_message_has_content(request: Json) -> Paths:
    """Error: `The content field in the Message object at messages.0 is empty`."""
    for i, message in enumerate(request.get("messages", [])):
        if not message["content"]:
            yield f"messages.{i}.content"


def no_text_is_blank(request: Json) -> Paths:
    """Error: `The text field in the ContentBlock object at messages.0.content.0 is blank`.

    Recorded in 2026-10 with status 200: a line feed between a document and a cache point.
    """
    parting = {
        f"messages.{i}.content.{j}.text"
        for i, message in enumerate(request.get("messages", []))
        for j, (block, after) in enumerate(pairwise(message["content"]))
        if block.get("text") == "\n" and "cachePoint" in after
    }
    for path, _, text in _blocks(request, "text"):
        if not text.strip() and path not in parting:
            yield path
    for i, block in enumerate(request.get("system", [])):
        if "text" in block and not block["text"].strip():
            yield f"system.{i}.text"


def roles_alternate(request: Json) -> Paths:
    """Error: `roles must alternate between "user" and "assistant"`."""
    for (_, before), (i, message) in pairwise(_turns(request)):
        if before["role"] == message["role"]:
            yield f"messages.{i}.role"


def calls_and_results_stand_with_their_role(request: Json) -> Paths:
    """Docs: ContentBlock. Calls are the model's, results the user's, reasoning the model's."""
    roles = {"toolUse": "assistant", "toolResult": "user", "reasoningContent": "assistant"}
    for key, role in roles.items():
        for path, found, _ in _blocks(request, key):
            if found != role:
                yield path


def every_call_has_an_object_as_input(request: Json) -> Paths:
    """Error: `The format of the value at messages.0.content.0.toolUse.input is invalid`."""
    for path, _, use in _blocks(request, "toolUse"):
        if type(use["input"]) is not dict:
            yield f"{path}.input"


def every_call_is_answered_in_the_next_turn(request: Json) -> Paths:
    """Error: `Expected toolResult blocks at messages.1.content for the following Ids`."""
    turns = _turns(request)
    for (i, message), after in zip(turns, [*turns[1:], None], strict=False):
        answered = _ids(after[1], "toolResult") if after is not None else []
        if set(_ids(message, "toolUse")) - set(answered):
            yield f"messages.{i}"


def every_result_has_its_call_in_the_turn_before(request: Json) -> Paths:
    """Error: `The number of toolResult blocks exceeds the number of toolUse blocks`."""
    turns = _turns(request)
    for before, (i, message) in zip([None, *turns[:-1]], turns, strict=False):
        called = _ids(before[1], "toolUse") if before is not None else []
        results = _ids(message, "toolResult")
        if set(results) - set(called) or len(results) > len(set(results)):
            yield f"messages.{i}"


def results_come_first_in_their_turn(request: Json) -> Paths:
    """Docs: the results of a turn stand before what the user says."""
    for i, message in enumerate(request.get("messages", [])):
        spoken = [block for block in message["content"] if "cachePoint" not in block]
        kinds = ["toolResult" in block for block in spoken]
        if kinds != sorted(kinds, reverse=True) and message["role"] == "user":
            yield f"messages.{i}"


def call_ids_are_unique_in_their_turn(request: Json) -> Paths:
    """Error: `tool_use ids must be unique`."""
    for i, message in enumerate(request.get("messages", [])):
        ids = _ids(message, "toolUse")
        if len(ids) > len(set(ids)):
            yield f"messages.{i}"


def tools_are_described_where_they_were_used(request: Json) -> Paths:
    """Error: `The toolConfig field must be defined when using toolUse and toolResult`."""
    used = [*_blocks(request, "toolUse"), *_blocks(request, "toolResult")]
    if used and "toolConfig" not in request:
        yield "toolConfig"


def tool_names_are_unique(request: Json) -> Paths:
    """Error: `Tool names must be unique`."""
    tools = request.get("toolConfig", {}).get("tools", [])
    names = [tool["toolSpec"]["name"] for tool in tools if "toolSpec" in tool]
    if len(names) > len(set(names)):
        yield "toolConfig.tools"


def document_names_are_plain_and_unique(request: Json) -> Paths:
    """Docs: DocumentBlock. Letters, digits, single spaces, hyphens, parentheses and brackets."""
    seen = set()
    for path, _, document in _blocks(request, "document"):
        name = document["name"]
        if not re.fullmatch(r"[A-Za-z0-9()\[\] -]+", name) or "  " in name or name in seen:
            yield f"{path}.name"
        seen.add(name)


def documents_have_words_beside_them(request: Json) -> Paths:
    """Error: `A text block must be included when using documents`."""
    for i, message in enumerate(request.get("messages", [])):
        keys = {key for block in message["content"] for key in block}
        if "document" in keys and "text" not in keys:
            yield f"messages.{i}"


def there_are_at_most_four_cache_points(request: Json) -> Paths:
    """Docs: prompt caching, cache checkpoints of a request."""
    if len(_points(request)) > 4:
        yield "messages"


def cache_points_of_an_hour_come_first(request: Json) -> Paths:
    """Docs: prompt caching. Entries that live longer stand before those that do not."""
    hours = [point.get("ttl") == "1h" for point in _points(request)]
    if hours != sorted(hours, reverse=True):
        yield "messages"


def a_thinking_budget_is_large_enough_and_leaves_room(request: Json) -> Paths:
    """Error: `max_tokens must be greater than thinking.budget_tokens`; Docs: 1,024 at least."""
    budget = _thinking(request).get("budget_tokens")
    limit = request.get("inferenceConfig", {}).get("maxTokens")
    if budget is not None and (budget < 1024 or (limit is not None and limit <= budget)):
        yield "additionalModelRequestFields.thinking.budget_tokens"


def a_thinking_model_has_its_temperature(request: Json) -> Paths:
    """Error: `temperature may only be set to 1 when thinking is enabled`."""
    asked = request.get("inferenceConfig", {}).get("temperature", 1)
    if _thinking(request).get("type", "disabled") != "disabled" and asked != 1:
        yield "inferenceConfig.temperature"


def no_call_is_forced_with_a_thinking_budget(request: Json) -> Paths:
    """Error: `Thinking may not be enabled when tool_choice forces tool use`."""
    choice = request.get("toolConfig", {}).get("toolChoice", {"auto": {}})
    if _thinking(request).get("type") == "enabled" and "auto" not in choice:
        yield "toolConfig.toolChoice"


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    every_message_has_content,
    no_text_is_blank,
    roles_alternate,
    calls_and_results_stand_with_their_role,
    every_call_has_an_object_as_input,
    every_call_is_answered_in_the_next_turn,
    every_result_has_its_call_in_the_turn_before,
    results_come_first_in_their_turn,
    call_ids_are_unique_in_their_turn,
    tools_are_described_where_they_were_used,
    tool_names_are_unique,
    document_names_are_plain_and_unique,
    documents_have_words_beside_them,
    there_are_at_most_four_cache_points,
    cache_points_of_an_hour_come_first,
    a_thinking_budget_is_large_enough_and_leaves_room,
    a_thinking_model_has_its_temperature,
    no_call_is_forced_with_a_thinking_budget,
)
