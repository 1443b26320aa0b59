"""The oracle for the body of Gemini's `POST /v1beta/models/{model}:generateContent`, and Vertex's.

Types: the models of `google.genai.types`, which refuse unknown keys; here they take the keys in
camelCase alone, and no unknown word of an enumeration. Rules: what no type can say. Each names its
source: "SDK" is the docstring of a type, "Docs" a page below ai.google.dev/gemini-api/docs, "Error"
the words of the API's own 400.
"""

import base64
import datetime
import functools
import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pydantic
from google.genai import types as sdk
from pydantic.alias_generators import to_camel

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes, dialect: str = "gemini") -> None:
    """Judge `body` by its JSON, then by the SDK's types, then by `RULES`.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    _check_types(request, _Developer if dialect == "gemini" else _Vertex)
    strict.check_rules((*RULES, *RULES_OF[dialect]), request)


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON, by the SDK's model of it, and by `ANSWER_RULES`.

    Raises `OracleError`.
    """
    answer = strict.read_json(body)
    _check_types(answer, _Answer)
    strict.check_rules(ANSWER_RULES, answer)


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: server-sent events without names, each an answer, or an error last.

    SDK: `HttpResponse._iter_response_stream`. Raises `OracleError`.
    """
    *frames, rest = data.decode().split("\n\n")
    if rest or not frames:
        raise OracleError("stream: it does not begin, or not end")
    finished = False
    for number, frame in enumerate(frames):
        lines = frame.split("\n")
        if not all(line.startswith("data: ") for line in lines):
            raise OracleError(f"stream: a line that is no data - at event {number}")
        chunk = strict.read_json("\n".join(line[6:] for line in lines).encode())
        if finished:
            raise OracleError(f"stream: it goes on after its end - at event {number}")
        if "error" in chunk:
            finished = True
            continue
        _check_types(chunk, _Answer)
        strict.check_rules(ANSWER_RULES, chunk)
        finished = not chunk.get("candidates") or "finishReason" in chunk["candidates"][0]
    if not finished:
        raise OracleError("stream: it does not say why it ends")


# Types


class _Usage(sdk.GenerateContentResponseUsageMetadata):
    service_tier: str | None = None  # which the API sends


class _Answer(pydantic.BaseModel):
    """What the SDK's `_GenerateContentResponse_from_mldev` and `_from_vertex` read."""

    model_config = pydantic.ConfigDict(extra="forbid", alias_generator=to_camel)

    candidates: list[sdk.Candidate] | None = None
    create_time: datetime.datetime | None = None
    model_version: str | None = None
    prompt_feedback: sdk.GenerateContentResponsePromptFeedback | None = None
    response_id: str | None = None
    usage_metadata: _Usage | None = None
    model_status: sdk.ModelStatus | None = None


class _Config(sdk.GenerationConfig):
    image_config: sdk.ImageConfig | None = None


class _Request(pydantic.BaseModel):
    """What the SDK's `_GenerateContentParameters_to_mldev` and `_to_vertex` write."""

    model_config = pydantic.ConfigDict(extra="forbid", alias_generator=to_camel)

    contents: list[sdk.Content]
    system_instruction: sdk.Content | None = None
    tools: list[sdk.Tool] | None = None
    tool_config: sdk.ToolConfig | None = None
    safety_settings: list[sdk.SafetySetting] | None = None
    generation_config: _Config | None = None
    cached_content: str | None = None
    service_tier: sdk.ServiceTier | None = None
    labels: dict[str, str] | None = None


class _Developer(_Request):
    store: bool | None = None


class _Vertex(_Request):
    model_armor_config: sdk.ModelArmorConfig | None = None


def _check_types(request: Any, model: type[pydantic.BaseModel]) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # how the SDK takes an unknown word
            model.model_validate(_with_binary(request), strict=False, by_alias=True, by_name=False)
    except pydantic.ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(map(str, fault["loc"]))
        raise OracleError(f"schema: {fault['msg']} - at {path or 'the body'}") from error
    except (UserWarning, AttributeError) as error:  # a word of no enumeration, or a number
        raise OracleError(f"schema: {error}") from error


_OWN_JSON = frozenset(
    {
        "args",
        "response",
        "parameters",
        "parametersJsonSchema",
        "responseSchema",
        "responseJsonSchema",
        "labels",
        "partMetadata",
    }
)


def _with_binary(node: Any, path: str = "") -> Any:
    """Return the request with base64 text as bytes; refuse null, and a scalar of another type."""
    if isinstance(node, list):
        return [_with_binary(item, f"{path}.{i}") for i, item in enumerate(node)]
    if not isinstance(node, dict):
        return node
    made = {}
    for key, value in node.items():
        at = f"{path}.{key}".lstrip(".")
        if key in _OWN_JSON:
            made[key] = value
        elif "_" in key:  # which a part would take, by the name of its attribute
            raise OracleError(f"schema: Extra inputs are not permitted - at {at}")
        elif value is None:
            raise OracleError(f"schema: null - at {at}")
        elif key in ("data", "thoughtSignature", "continuationToken"):
            made[key] = _binary(value, at)
        elif _is_of_another_type(key, value):
            raise OracleError(f"schema: a number or text out of place - at {at}")
        else:
            made[key] = _with_binary(value, at)
    return made


def _binary(value: Any, path: str) -> bytes:
    """Decode base64 as proto3 JSON has it: either alphabet, padded or not; here not empty."""
    try:
        text = value.replace("-", "+").replace("_", "/")
        made = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (AttributeError, ValueError) as error:
        raise OracleError(f"schema: not base64 - at {path}") from error
    if not made:
        raise OracleError(f"schema: empty base64 - at {path}")
    return made


@functools.cache
def _kinds() -> dict[str, tuple[type, ...]]:
    """Return what the scalar fields of a configuration hold; the SDK would convert one to another.

    It cannot be asked to be strict as a whole: its enumerations are read from text.
    """
    kinds: dict[str, tuple[type, ...]] = {}
    for model in (sdk.GenerationConfig, sdk.ThinkingConfig, sdk.Part, sdk.FunctionCall):
        for name, field in model.model_fields.items():
            hint = str(field.annotation)
            for word, kind in (("bool", (bool,)), ("int", (int,)), ("float", (int, float))):
                if hint == f"typing.Optional[{word}]":
                    kinds[to_camel(name)] = kind
    return kinds


def _is_of_another_type(key: str, value: Any) -> bool:
    kind = _kinds().get(key)
    if kind is None:
        return False
    return not isinstance(value, kind) or (isinstance(value, bool) and bool not in kind)


# Views of a request that has passed its types

_Place = tuple[str, Json]  # an object, after the path to it
_DATA = (
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)


class _Turn(NamedTuple):
    role: str
    parts: list[_Place]

    def of_kind(self, key: str) -> list[_Place]:
        return [(f"{path}.{key}", part[key]) for path, part in self.parts if key in part]


def _turns(request: Json) -> list[_Turn]:
    return [
        _Turn(str(content.get("role", "user")), _parts(content, f"contents.{i}"))
        for i, content in enumerate(request["contents"])
    ]


def _parts(content: Json, path: str) -> list[_Place]:
    return [(f"{path}.parts.{i}", part) for i, part in enumerate(content.get("parts", []))]


def _exchanges(request: Json) -> Iterator[tuple[_Turn, _Turn]]:
    """Pair each turn of the model with the user's after it; one that is missing is empty."""
    turns = [_Turn("user", []), *_turns(request), _Turn("model", [])]
    for turn, following in pairwise(turns):
        if turn.role == "model" or following.role != "model":
            yield (
                turn if turn.role == "model" else _Turn("model", []),
                following if following.role != "model" else _Turn("user", []),
            )


def _functions(request: Json) -> list[_Place]:
    return [
        (f"tools.{i}.functionDeclarations.{j}", function)
        for i, tool in enumerate(request.get("tools", []))
        for j, function in enumerate(tool.get("functionDeclarations", []))
    ]


def _choice(request: Json) -> Json:
    return dict(request.get("toolConfig", {}).get("functionCallingConfig", {}))


def _config(request: Json) -> Json:
    return dict(request.get("generationConfig", {}))


# Rules on what is said


def there_is_a_turn(request: Json) -> Paths:
    """Error: `GenerateContentRequest.contents: contents is not specified`."""
    return [] if request["contents"] else ["contents"]


def every_turn_is_the_users_or_the_models(request: Json) -> Paths:
    """Error: `Please use a valid role: user, model.`."""
    for i, content in enumerate(request["contents"]):
        if content.get("role", "user") not in ("user", "model"):
            yield f"contents.{i}.role"


def every_turn_has_parts(request: Json) -> Paths:
    """Error: "it must include at least one parts field, which describes the prompt input"."""
    places = [(f"contents.{i}", content) for i, content in enumerate(request["contents"])]
    if "systemInstruction" in request:
        places.append(("systemInstruction", request["systemInstruction"]))
    return [f"{path}.parts" for path, content in places if not content.get("parts")]


def every_part_has_one_kind_of_data(request: Json) -> Paths:
    """Error: `required oneof field 'data' must have one initialized field`."""
    for turn in _turns(request):
        yield from (path for path, part in turn.parts if sum(key in part for key in _DATA) != 1)


def the_system_instruction_is_text(request: Json) -> Paths:
    """SDK: GenerateContentConfig.system_instruction. REST: "Currently, text only"."""
    for path, part in _parts(request.get("systemInstruction", {}), "systemInstruction"):
        if "text" not in part:
            yield path


def media_have_a_type_and_a_source(request: Json) -> Paths:
    """SDK: Blob and FileData, where these are required. A file's type may be left to the file."""
    parts = [place for turn in _turns(request) for place in turn.parts]
    for turn in _turns(request):
        for path, response in turn.of_kind("functionResponse"):
            parts += _parts(response, path)
    for path, part in parts:
        blob, file = part.get("inlineData"), part.get("fileData")
        if blob is not None and not (blob.get("data") and blob.get("mimeType")):
            yield f"{path}.inlineData"
        if file is not None and not re.match(r"https?://|gs://|files/", file.get("fileUri", "")):
            yield f"{path}.fileData"


def the_model_thinks_and_calls_and_the_user_answers(request: Json) -> Paths:
    """Docs: function-calling, thinking. The other side's parts stand in no turn."""
    for turn in _turns(request):
        for key in ("functionResponse",) if turn.role == "model" else ("functionCall", "thought"):
            yield from (path for path, _ in turn.of_kind(key))


# Rules on calls and their results


def a_call_comes_after_the_user(request: Json) -> Paths:
    """Error: "function call turn comes immediately after a user turn or after a function..."."""
    for turn in _turns(request)[:1]:
        if turn.role == "model":
            yield from (path for path, _ in turn.of_kind("functionCall"))


def there_are_as_many_results_as_calls(request: Json) -> Paths:
    """Error: "the number of function response parts is equal to the number of function call...".

    The results are counted in the one content after that of the calls. Reports of the refusal:
    crewAI#4693, eino-ext#571, ag2#2420, semantic-kernel#10597, bifrost#1391; of llumiverse#620,
    results in contents of their own refused, and accepted in one.
    """
    for model, user in _exchanges(request):
        calls, results = model.of_kind("functionCall"), user.of_kind("functionResponse")
        if len(calls) != len(results):
            yield (results or calls)[-1][0]


def results_have_the_names_of_their_calls(request: Json) -> Paths:
    """SDK: FunctionResponse.name, which matches FunctionCall.name."""
    for model, user in _exchanges(request):
        names = [call.get("name") for _, call in model.of_kind("functionCall")]
        for path, result in user.of_kind("functionResponse"):
            if result.get("name") in names:
                names.remove(result.get("name"))
            elif names:
                yield f"{path}.name"


def results_have_the_ids_of_their_calls(request: Json) -> Paths:
    """SDK: FunctionResponse.id. Where a call has an id its result has it, and it alone."""
    for model, user in _exchanges(request):
        ids = [call["id"] for _, call in model.of_kind("functionCall") if "id" in call]
        for path, result in user.of_kind("functionResponse"):
            if "id" in result and result["id"] not in ids:
                yield f"{path}.id"
            elif "id" in result:
                ids.remove(result["id"])
        if ids and user.of_kind("functionResponse"):
            yield user.of_kind("functionResponse")[-1][0]


def call_ids_are_unique_in_their_turn(request: Json) -> Paths:
    """Two calls of one id could not be told apart."""
    for turn in _turns(request):
        seen: set[str] = set()
        for path, call in turn.of_kind("functionCall"):
            if call.get("id") in seen:
                yield f"{path}.id"
            seen.add(call.get("id") or path)


def every_call_has_a_name_and_every_result_an_object(request: Json) -> Paths:
    """SDK: FunctionCall.name and FunctionResponse.response, which is required."""
    for turn in _turns(request):
        yield from (f"{p}.name" for p, call in turn.of_kind("functionCall") if "name" not in call)
        for path, result in turn.of_kind("functionResponse"):
            if "response" not in result:
                yield f"{path}.response"


def answers_in_a_row_are_one_turn(request: Json) -> Paths:
    """Calls of one answer in several contents would be counted each for itself."""
    turns = enumerate(pairwise(_turns(request)), 1)
    return [f"contents.{i}" for i, (one, other) in turns if one.role == other.role == "model"]


def results_stand_apart(request: Json) -> Paths:
    """Newer models refuse a content with results and with what else a user says."""
    for i, content in enumerate(request["contents"]):
        kinds = {"functionResponse" in part for part in content.get("parts", [])}
        if len(kinds) == 2:
            yield f"contents.{i}"


# Rules on tools


def function_names_match_their_pattern(request: Json) -> Paths:
    """SDK: FunctionDeclaration.name, "with a maximum length of 128"."""
    places = _functions(request)
    for turn in _turns(request):
        places = places + turn.of_kind("functionCall") + turn.of_kind("functionResponse")
    for path, place in places:
        if not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", place.get("name", "")):
            yield f"{path}.name"


def function_names_are_unique(request: Json) -> Paths:
    """Error: `Duplicate function declaration found`."""
    seen: set[str] = set()
    for path, function in _functions(request):
        if function.get("name", "") in seen:
            yield f"{path}.name"
        seen.add(function.get("name", ""))


def parameters_describe_an_object_in_one_language(request: Json) -> Paths:
    """SDK: FunctionDeclaration; `parameters` and `parameters_json_schema` exclude each other."""
    for path, function in _functions(request):
        if "parameters" in function and "parametersJsonSchema" in function:
            yield path
        schema = function.get("parametersJsonSchema", {})
        if not isinstance(schema, dict) or schema.get("type", "object") != "object":
            yield f"{path}.parametersJsonSchema"


def a_call_is_forced_only_where_there_are_functions(request: Json) -> Paths:
    """Error: "Function calling config is set without function_declarations"."""
    if _choice(request).get("mode") in ("ANY", "VALIDATED") and not _functions(request):
        yield "toolConfig"


def a_choice_is_narrowed_only_where_calls_are_constrained(request: Json) -> Paths:
    """SDK: FunctionCallingConfigMode: for ANY and VALIDATED; the names are declared ones."""
    choice = _choice(request)
    names = {function.get("name") for _, function in _functions(request)}
    allowed = choice.get("allowedFunctionNames")
    if allowed is None:
        return
    if choice.get("mode") not in ("ANY", "VALIDATED") or not set(allowed) <= names:
        yield "toolConfig.functionCallingConfig.allowedFunctionNames"


def a_cached_content_brings_its_own_tools(request: Json) -> Paths:
    """Error: "CachedContent can not be used with GenerateContent request setting ..."."""
    if "cachedContent" in request:
        yield from (key for key in ("systemInstruction", "tools", "toolConfig") if key in request)


# Rules on the configuration


def the_temperature_is_at_most_two(request: Json) -> Paths:
    """REST: GenerationConfig.temperature, "values can range from [0.0, 2.0]"."""
    if not 0 <= _config(request).get("temperature", 0) <= 2:
        yield "generationConfig.temperature"


def there_are_at_most_five_stop_sequences(request: Json) -> Paths:
    """REST: GenerationConfig.stopSequences, "up to 5"."""
    if len(_config(request).get("stopSequences", [])) > 5:
        yield "generationConfig.stopSequences"


def thinking_has_a_budget_or_a_level(request: Json) -> Paths:
    """Error: "You can only set only one of thinking budget and thinking level"."""
    if {"thinkingBudget", "thinkingLevel"} <= _config(request).get("thinkingConfig", {}).keys():
        yield "generationConfig.thinkingConfig"


def a_schema_is_for_json(request: Json) -> Paths:
    """SDK: GenerationConfig.response_schema and response_json_schema, of which there is one."""
    config = _config(request)
    schemas = [key for key in ("responseSchema", "responseJsonSchema") if key in config]
    if len(schemas) > 1:
        yield "generationConfig"
    if schemas and config.get("responseMimeType") not in ("application/json", "text/x.enum"):
        yield "generationConfig.responseMimeType"


def the_number_of_log_probabilities_is_asked_with_them(request: Json) -> Paths:
    """SDK: GenerateContentConfig.logprobs: "`response_logprobs` must be True"."""
    config = _config(request)
    if "logprobs" in config and not config.get("responseLogprobs"):
        yield "generationConfig.logprobs"


def labels_have_their_form(request: Json) -> Paths:
    """Docs: cloud.google.com/resource-manager/docs/labels-overview#requirements."""
    for key, value in request.get("labels", {}).items():
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", key) or not re.fullmatch(
            r"[a-z0-9_-]{0,63}", value
        ):
            yield f"labels.{key}"


# Rules of one dialect


def no_text_is_empty(request: Json) -> Paths:
    """Error: "Unable to submit request because it has an empty text parameter"."""
    for turn in _turns(request):
        for path, part in turn.parts:
            if part.get("text") == "" and "thoughtSignature" not in part:
                yield f"{path}.text"


def every_file_has_a_type(request: Json) -> Paths:
    """Error: "it must have a mimeType parameter"."""
    for turn in _turns(request):
        for path, file in turn.of_kind("fileData"):
            if not file.get("mimeType"):
                yield f"{path}.mimeType"


def nothing_is_for_the_developer_api(request: Json) -> Paths:
    """SDK: `_Part_to_vertex` and `_ToolConfig_to_vertex`."""
    for turn in _turns(request):
        for key in ("toolCall", "toolResponse", "partMetadata"):
            yield from (path for path, _ in turn.of_kind(key))
    if "includeServerSideToolInvocations" in request.get("toolConfig", {}):
        yield "toolConfig.includeServerSideToolInvocations"


def nothing_is_for_vertex(request: Json) -> Paths:
    """SDK: `_FunctionCall_to_mldev`, `_SafetySetting_to_mldev` and their like."""
    for turn in _turns(request):
        for path, call in turn.of_kind("functionCall"):
            yield from (f"{path}.{key}" for key in ("partialArgs", "willContinue") if key in call)
    for i, setting in enumerate(request.get("safetySettings", [])):
        if "method" in setting:
            yield f"safetySettings.{i}.method"
    for key in ("routingConfig", "modelSelectionConfig", "audioTimestamp"):
        if key in _config(request):
            yield f"generationConfig.{key}"


# Rules of answers


def an_answer_is_the_models(answer: Json) -> Paths:
    """SDK: Content.role; parts are optional, and each has one kind of data."""
    for i, candidate in enumerate(answer.get("candidates", [])):
        content = candidate.get("content", {})
        if content.get("role", "model") != "model":
            yield f"candidates.{i}.content.role"
        for path, part in _parts(content, f"candidates.{i}.content"):
            if sum(key in part for key in _DATA) != 1:
                yield path


def an_answer_calls_by_name(answer: Json) -> Paths:
    """SDK: FunctionCall.name; the result of a call is told by it."""
    for i, candidate in enumerate(answer.get("candidates", [])):
        for path, part in _parts(candidate.get("content", {}), f"candidates.{i}.content"):
            if not part.get("functionCall", {"name": "f"}).get("name"):
                yield f"{path}.functionCall.name"


def candidates_are_numbered(answer: Json) -> Paths:
    """SDK: Candidate.index; 0 may be left out."""
    for i, candidate in enumerate(answer.get("candidates", [])):
        if candidate.get("index", 0 if i == 0 else i) != i:
            yield f"candidates.{i}.index"


def counts_add_up(answer: Json) -> Paths:
    """SDK: GenerateContentResponseUsageMetadata; cached tokens are some of the prompt's."""
    usage = answer.get("usageMetadata", {})
    if usage.get("cachedContentTokenCount", 0) > usage.get("promptTokenCount", 0):
        yield "usageMetadata.cachedContentTokenCount"


ANSWER_RULES: tuple[Rule, ...] = (
    an_answer_is_the_models,
    an_answer_calls_by_name,
    candidates_are_numbered,
    counts_add_up,
)
RULES: tuple[Rule, ...] = (
    there_is_a_turn,
    every_turn_is_the_users_or_the_models,
    every_turn_has_parts,
    every_part_has_one_kind_of_data,
    the_system_instruction_is_text,
    media_have_a_type_and_a_source,
    the_model_thinks_and_calls_and_the_user_answers,
    a_call_comes_after_the_user,
    there_are_as_many_results_as_calls,
    results_have_the_names_of_their_calls,
    results_have_the_ids_of_their_calls,
    call_ids_are_unique_in_their_turn,
    every_call_has_a_name_and_every_result_an_object,
    answers_in_a_row_are_one_turn,
    results_stand_apart,
    function_names_match_their_pattern,
    function_names_are_unique,
    parameters_describe_an_object_in_one_language,
    a_call_is_forced_only_where_there_are_functions,
    a_choice_is_narrowed_only_where_calls_are_constrained,
    a_cached_content_brings_its_own_tools,
    the_temperature_is_at_most_two,
    there_are_at_most_five_stop_sequences,
    thinking_has_a_budget_or_a_level,
    a_schema_is_for_json,
    the_number_of_log_probabilities_is_asked_with_them,
    labels_have_their_form,
)
RULES_OF: dict[str, tuple[Rule, ...]] = {
    "gemini": (nothing_is_for_vertex,),
    "vertex": (no_text_is_empty, every_file_has_a_type, nothing_is_for_the_developer_api),
}
