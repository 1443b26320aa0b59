"""Request <-> the body of `POST /v1beta/models/{model}:generateContent` of Gemini, or of Vertex AI.

Leading system messages are `systemInstruction`, later ones a user's turn. The URL holds the model
and the stream flag: see `route`. The API refuses two things that other models' conversations have:
calls without a signature (Gemini 3), so the first call in an answer of another API gets the
placeholder that Google documents; and an answer at the start, so a user's turn with a space as its
text goes before it.

What is normalized without a loss: keys become camelCase (snake_case is read too); function
declarations share one tool; consecutive results that are messages of their own share a content,
apart from the user's other content; a thinking level becomes a budget for Gemini 1 and 2; what
describes a block to programs (file names, sizes) and signatures of other APIs are not sent.

Calls may come without ids: they get one, which is not sent back to this wire, and their results are
found by the function's name and by order. Gemini's schemas become JSON Schema, and go back as they
came.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object
from ...errors import unknown
from ...model import (
    AssistantMessage,
    Content,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    ResponseFormat,
    SystemMessage,
    TextBlock,
    Thinking,
    ThinkingBlock,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from ...model.rawjson import exact
from .._across.routes import Route, call_in_url, model_in_url
from .._across.schemas import described, with_type
from .._across.thinking import fitting
from .._across.tools import (
    NOT_AN_OBJECT,
    allowed,
    carried,
    chosen,
    no_such_tool,
    object_schema,
    tools,
)
from .._codecs.calls_by_name import Call, CallsByName
from .._codecs.order import GO_ON, NO_MESSAGE, Result, count_prompts, last_answer
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import (
    MAY_BE_RESULT,
    is_bare,
    is_bare_call,
    is_lone_result,
    is_lone_text,
    result_of,
)
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding
from .._state.encoding import UNBOUNDED, Encoding, OutOfOrder, Ranges, lose_cache
from .._state.signatures import GEMINI, noted, signs
from .._state.stored import key_of
from . import blocks, wire
from .hosts import SHOWN, holds_own, host_of, without_foreign
from .losses import RULES
from .schemas import is_changed, json_schema

_NULL: Final = Raw(b"null")


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request; on Vertex the path is the part after the location.

    Raises `EncodeError` if the request names no model.
    """
    verb = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
    is_vertex = RULES.dialect(dialect) == "vertex"
    start = "/publishers/google/models" if is_vertex else "/v1beta/models"
    model = model_in_url(request, "gemini")
    kind, slash, name = model.partition("%2F")
    if slash and kind in ("models", "tunedModels", "endpoints"):
        model = name
        if kind != "models":
            start = f"{start.removesuffix('publishers/google/models').removesuffix('models')}{kind}"
    path = f"{start}/{model}:{verb}"
    if not is_vertex:
        return Route("POST", path, key=_KEY)
    tier = _OTHER_TIERS.get(request.service_tier or "", request.service_tier)
    return Route("POST", path, {_TIER: tier} if tier and tier in _TIERS else {})


# -- request -> body ---------------------------------------------------------------------------

_UNSIGNED: Final = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""The signature that Google documents for calls that another model made.

It is `skip_thought_signature_validator` in base64, as signatures are.
"""
_OPENING: Final = " "
_JSON: Final = "application/json"
_TIER: Final = "x-vertex-ai-llm-shared-request-type"
"""The header of Vertex AI for the tier: googleapis/python-genai#2847, 2026-08."""
_USUAL_TIER: Final = "standard"
_OTHER_TIERS: Final = {"default": _USUAL_TIER, "standard_only": _USUAL_TIER}
_TIERS: Final = frozenset({_USUAL_TIER, "flex", "priority"})
_WORDS: Final = {
    ThinkingLevel.MINIMAL: "MINIMAL",
    ThinkingLevel.LOW: "LOW",
    ThinkingLevel.MEDIUM: "MEDIUM",
    ThinkingLevel.HIGH: "HIGH",
    ThinkingLevel.XHIGH: "XHIGH",
    ThinkingLevel.MAX: "XHIGH",
    ThinkingLevel.ULTRA: "XHIGH",
}
_NEAREST: Final = frozenset({ThinkingLevel.MAX, ThinkingLevel.ULTRA})
_NO_BUDGET: Final = 0
_ANY_BUDGET: Final = -1  # as much as the model likes
_MOST_STOPS: Final = 5
_is_label: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}").fullmatch
_is_label_text: Final = re.compile(r"[a-z0-9_-]{0,63}").fullmatch
_KEY: Final = ("x-goog-api-key", "")
_NO_CONFIG: Final = wire.GenerationConfig()
_OBJECT: Final = Raw(b'"object"')
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_AUTO: Final = wire.FunctionCallingConfig("AUTO")
_NUMBERS: Final = Ranges(
    {
        "temperature": ("temperature", 0.0, 2.0),
        "top_p": ("top_p", *UNBOUNDED),
        "presence_penalty": ("presence_penalty", *UNBOUNDED),
        "frequency_penalty": ("frequency_penalty", *UNBOUNDED),
    }
)
_PENALTIES: Final = {
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
}
_NO_PENALTIES: Final = frozenset(_PENALTIES)
_CONFIG: Final = "generationConfig"
_LOGPROBS: Final = frozenset({"logprobs", "responseLogprobs"})
_SAMPLING: Final = {"temperature": "temperature", "top_k": "topK", "top_p": "topP"}


class _Writer(RequestWriter):
    PROMPT_APART: ClassVar[bool] = True

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._blocks = blocks.BlockWriter(encoding, is_answer=False)
        self._calls_by_name = CallsByName()
        self._is_unsigned = False  # whether the next call is the first of an answer of another API
        self._media: list[Any] = []  # of results, for models whose results hold none
        self._is_vertex = encoding.dialect == "vertex"
        self._is_shown = False  # whether the request asks what Google's tools do
        self._is_refused = False  # whether the configuration has what the model refuses

    def content(self, messages: list[Message]) -> dict[str, Any]:
        functions = self._tools() if self.request.tools else []
        split = count_prompts(messages)
        prompt = self._prompt(messages[:split]) if split else None
        conversation = self.rest(messages[split:] if split else messages)
        if not conversation and not self.sent:
            self.encoding.fail(NO_MESSAGE, self.request, ".messages")
        if conversation and not self.encoding.takes.prefill and _is_models(conversation[-1]):
            self.encoding.lose("prefill", last_answer(messages))
            conversation.append(wire.Content("user", [wire.Part(GO_ON)]))
        return {
            "tools": functions or None,
            "system_instruction": prompt,
            "contents": [*self.sent, *conversation] if self.sent else conversation,
        }

    # Messages

    def _prompt(self, system: Sequence[Any]) -> Any:
        """Write system messages as one `systemInstruction`."""
        if all(map(is_lone_text, system)):
            return wire.Content(parts=[wire.Part(message.content[0].text) for message in system])
        parts: list[Any] = []
        for message in system:
            self.encoding.lose_rest(message)
            for block in message.content:
                if type(block) is not TextBlock:
                    self.encoding.lose("system content", block)
                    continue
                part = self._blocks.part(block, is_own=False)
                if part is not None:
                    parts.append(part)
        if len(system) == 1 and (parts or _has_own_keys(system[0])):
            return self.encoding.with_extras(wire.Content(parts=parts or None), system[0])
        for message in system:
            self.encoding.lose_keys(message)
        return wire.Content(parts=parts) if parts else None

    def needs_turn(self) -> bool:
        """Whether the API refuses a request of a system prompt alone."""
        return True

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write each message as a content; results in a row share one, and so do answers.

        The API compares the number of results in a content with the number of calls in the one
        before it. A user's content beside results becomes a content of its own, unless the message
        came over this API. An answer that comes first gets a user's turn before it: the API refuses
        calls there.
        """
        out: list[Any] = []
        joins: Any = None  # what shares the last content: answers, results, or nothing
        kind: Any = None
        message: Any
        needs_signatures = self.encoding.takes.signed
        for message in messages:
            before, kind = kind, type(message)
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                content: Any = wire.Content("user", [self._result(result)])
                joins = self._show(out, _put(out, joins, "results", content))
                continue
            if kind is AssistantMessage:
                if not self.open_calls.open:
                    self._calls_by_name = CallsByName()
                elif before is not AssistantMessage:
                    raise OutOfOrder
                self.open_calls.answers += 1
            elif kind is SystemMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                if message.content:
                    self.encoding.lose("system place", message)
            elif kind is not UserMessage and kind is not ToolMessage:
                raise OutOfOrder  # putting the messages in order, it is refused
            if is_lone_text(message) and (kind is AssistantMessage or not self.open_calls.open):
                parts = [wire.Part(message.content[0].text)]
            else:
                is_unsigned = needs_signatures and kind is AssistantMessage and _is_bare(message)
                parts = self._parts(message, kind, is_unsigned=is_unsigned)
                if not parts:
                    self.encoding.lose_keys(message)
                    continue
                self.encoding.lose_rest(message)
            role, holds = ("model", "answers") if kind is AssistantMessage else ("user", None)
            if holds is None and _is_result(parts[0]):
                holds = "results"
                rest = self._apart(parts, message)
                if rest:
                    parts = parts[: -len(rest)]
                    joins = _put(out, joins, holds, wire.Content(role, parts))
                    holds, parts = None, rest
            content = wire.Content(role, parts)
            if message.extras is not None:
                if blocks.spelled(message, "role") == "function":
                    content.role = "function"
                content = self.encoding.with_extras(content, message)
            joins = self._show(out, _put(out, joins, holds, content))
        if self.open_calls.open:
            raise OutOfOrder
        if out and _is_models(out[0]) and self.is_start(messages):
            out.insert(0, wire.Content("user", [wire.Part(_OPENING)]))
        return out

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether no later message can change these; after a turn without parts, one can."""
        return not _is_models(wire_messages[-1])

    def _apart(self, parts: list[Any], message: Any) -> list[Any]:
        """Return the parts behind the results, unless they go in one content with them."""
        if wire.API in (message.extras or ()):
            return []
        return parts[sum(map(_is_result, parts)) :]

    def _parts(self, message: Any, role: Any, *, is_unsigned: bool) -> list[Any]:
        """Return the parts of a message that is of the class `role`."""
        parts: list[Any] = []
        is_answer = role is AssistantMessage
        is_own = is_answer and blocks.is_of_this_api(message)
        self._is_unsigned = is_unsigned or (is_answer and not is_own)
        loose = self._loose_signatures(message.content) if is_answer and not is_own else {}
        for block in message.content:
            if id(block) in loose:
                part = self._signed(block, loose[id(block)])
                if part is not None:
                    parts.append(part)
                continue
            if (
                is_bare(block)
                and (is_answer or not self.open_calls.open)
                and (block.text or self._blocks.takes_empty)
            ):
                parts.append(wire.Part(block.text))
                continue
            part = self._part(block, role, is_own)
            if part is not None:
                parts.append(part)
        return parts

    def _part(self, block: Content, role: Any, is_own: bool) -> Any:
        kind = type(block)
        if role is AssistantMessage:
            if kind is ToolCallBlock:
                return self._call(block, is_own)
            if _is_empty(block):  # models send empty parts, but the API refuses them
                return None
        elif kind is ToolResultBlock and role is not SystemMessage:
            return self._result(block)
        elif kind is ToolCallBlock:
            self.encoding.lose_whole(block)
            return None
        elif self.open_calls.open:
            raise OutOfOrder  # a user's content before the results of open calls
        return self._blocks.part(block, is_own)

    def _loose_signatures(self, content: list[Content]) -> dict[int, str]:
        """Return the signatures of this API's models that came apart from what they sign.

        Chat Completions has them beside the text and the calls: with the id of a call, or of the
        text. The result maps blocks to their signatures, those that only held one to nothing.
        """
        signatures: dict[int, str] = {}
        for block in content:
            if type(block) is not ThinkingBlock or block.thinking or noted(block) != GEMINI:
                continue
            signed = _signed_by(block, content)
            if signed is None or id(signed) in signatures or not block.signature:
                continue
            self.encoding.lose_keys(block)
            signatures[id(block)] = ""
            signatures[id(signed)] = block.signature
        return signatures

    def _signed(self, block: Content, signature: str) -> Any:
        """Return the part of an answer's block that gets this signature, None if it is none."""
        if not signature:
            return None
        if type(block) is ToolCallBlock:
            self._is_unsigned = False
        part = self._part(block, AssistantMessage, is_own=False)
        if type(part) is dict:
            part["thoughtSignature"] = signature
        elif part is not None:
            part.thought_signature = signature
        return part

    # Calls and results

    def _call(self, block: Any, is_own: bool) -> Any:
        if block.id in self.open_calls.open:
            raise OutOfOrder
        name = self.encoding.tool_name(block.name, block)
        part: Any = self._blocks.call(block, is_own, name)
        call = Call(block.id, name, part.function_call.id)
        self.open_calls.open[block.id] = call
        self._calls_by_name.add(call)
        if self._is_unsigned:
            part.thought_signature = part.thought_signature or _UNSIGNED
            self._is_unsigned = False
        if is_bare_call(block):
            return part
        self.encoding.lose_rest(block)
        return part if block.extras is None else self.encoding.with_extras(part, block)

    def _result(self, result: Any) -> Any:
        """Write a result so that a reader can match it to its call."""
        call = self.open_calls.open.pop(result.tool_call_id, None)
        if call is None:
            raise OutOfOrder
        content: Any = result.content
        wire_id: str | None = call.sent
        name = call.name
        if is_lone_result(result):
            response: Any = {"output": content[0].text}
            media: list[Any] = []
        else:
            self.encoding.lose_rest(result)
            response, media = self._blocks.outcome(result)
            if not self.open_calls.is_in_call_order():
                wire_id, name = _own_tie(result, call)
        self._tie(call, wire_id, name)
        if media and not self.encoding.takes.result_media:
            self._media += [wire.Part(f"This is from the result of {name}:"), *media]
            media = []
        part = wire.Part(
            function_response=wire.FunctionResponse(name, response, wire_id, media or None)
        )
        return part if result.extras is None else self.encoding.with_extras(part, result)

    def _show(self, out: list[Any], joins: Any) -> Any:
        """Write the media of results behind the last one; return what the last content holds."""
        if not self._media or self.open_calls.open:
            return joins
        out.append(wire.Content("user", self._media))
        self._media = []
        return None

    def _tie(self, call: Call, wire_id: str | None, name: str) -> None:
        """Make sure that a reader will find the call of a result (see `Turns.untie`)."""
        if wire_id is not None and wire_id == call.sent:
            call.is_answered = True
            return
        match = self._calls_by_name.answered(wire_id, name)
        if match is None and wire_id is not None:
            match = self._calls_by_name.answered(None, name)
        if match is not call:
            self.open_calls.mismatch()

    # Tools

    def _tools(self) -> list[Any]:
        """Return the tools; all functions share one, where the first of them stands."""
        out: list[Any] = []
        functions: list[Any] = []
        parts = tools(self.request, self.encoding, self._function)
        for tool, part in zip(carried(self.request, self.encoding), parts, strict=True):
            if isinstance(tool, OpaqueBlock):
                out.append(part)
                continue
            if not functions:
                out.append(wire.Tool(functions))
            functions.append(part)
        return out

    def _function(self, tool: Tool, name: str) -> wire.FunctionDeclaration:
        """Return a declaration; a schema in Gemini's dialect goes back as it came if unchanged."""
        function = wire.FunctionDeclaration(name, tool.description)
        if tool.parameters is not None:
            schema = object_schema(tool, self.encoding)
            keys = _keys(schema.native())
            kind = keys.get("type", _OBJECT)
            if kind != _OBJECT and key_of(schema, "type") != "object":
                self.encoding.fail(NOT_AN_OBJECT, tool, ".parameters")
            original = blocks.spelled(tool, "parameters")
            if original is None or is_changed(tool, original):
                function.parameters_json_schema = with_type(schema, keys)
        return function

    def _tool_config(self) -> wire.ToolConfig | None:
        """Return the choice; beside functions, the Gemini API wants a search to be shown.

        It has no mode `AUTO` then, which is the same as no choice.
        """
        choice = self._choice()
        functions = any(isinstance(tool, Tool) for tool in self.request.tools or ())
        is_mixed = self.encoding.has_new_search or self._brings_tools()
        if not is_mixed or not functions or self._is_vertex:
            return choice
        self._is_shown = True
        calling = choice.function_calling_config if choice is not None else None
        return wire.MixedToolConfig(calling if calling != _AUTO else None, True)

    def _brings_tools(self) -> bool:
        """Whether the request has tools of Google's, and the model wants them to be shown."""
        if not self.encoding.takes.signed and self.request.extras is None:
            return False
        tools = self.request.tools or ()
        own = any(type(tool) is OpaqueBlock and tool.api == wire.API for tool in tools)
        is_new = self.encoding.takes.signed or host_of(self.request) != self.encoding.dialect
        return own and is_new

    def _choice(self) -> wire.ToolConfig | None:
        asked = self.request.tool_choice
        if asked is None:
            return None
        functions = {tool.name for tool in self.request.tools or () if isinstance(tool, Tool)}
        choice = chosen(asked, self.encoding, has_tools=bool(functions))
        if choice is None:
            return None
        mode = {"auto": "AUTO", "none": "NONE"}.get(choice.mode, "ANY")
        if choice.allowed and mode == "NONE":
            self.encoding.lose("tool choice allowed", choice)
            return wire.ToolConfig(wire.FunctionCallingConfig(mode))
        one = choice.name
        names = [one] if one is not None else allowed(choice, self.encoding) or None
        if names is None:
            return wire.ToolConfig(wire.FunctionCallingConfig(mode))
        for name in names:
            if name not in functions:
                self.encoding.fail(no_such_tool(name), choice)
        names = [self.encoding.tool_name(name, choice) for name in names]
        # `AUTO` takes no names. `VALIDATED` does, and it also holds calls to their schemas.
        mode = "VALIDATED" if mode == "AUTO" else mode
        return wire.ToolConfig(wire.FunctionCallingConfig(mode, names))

    # The host

    def finished(self, body: Any) -> Any:
        """Leave out the keys of the host that the request came from, if it goes to the other."""
        host = self.encoding.dialect
        if self.request.extras is None and not self._is_vertex:
            return body
        if host_of(self.request) == host or not holds_own(self.request):
            return body
        body, gone = without_foreign(body, host)
        if gone:
            severe = any(path.partition(".")[0] in SHOWN for path in gone)
            self.encoding.lose("host key", self.request, keys=gone, severe=severe)
        return body

    # Parameters

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without a configuration that is refused."""
        config = came.get("toolConfig", _NULL)
        is_old = self._is_shown and b"erver" not in bytes(config)
        if is_old or self._chooses_nothing(config):
            came = {key: came[key] for key in came if key != "toolConfig"}
        if self._is_refused or self._keeps_refused():
            came = {key: came[key] for key in came if key != _CONFIG}
        return came

    def own_keys(self) -> dict[str, Raw]:
        """Return the request's unknown keys, without settings that the model refuses.

        A configuration that says what the model cannot express is among them as a whole.
        """
        keys = super().own_keys()
        if self._chooses_nothing(keys.get("toolConfig", _NULL)):
            del keys["toolConfig"]
        raw = keys.get(_CONFIG, _NULL)
        if self._keeps_refused():
            refused, given = self._refused(), _keys(raw)
            keys[_CONFIG] = Raw(encode({k: given[k] for k in given if k not in refused}))
        return keys

    def _refused(self) -> frozenset[str]:
        """Return the names of settings that are asked for, and that the model refuses here."""
        request, takes = self.request, self.encoding.takes
        refused: set[str] = set()
        if not takes.logprobs and (request.logprobs or request.top_logprobs):
            refused |= _LOGPROBS
        if takes.sampling == "never":
            refused |= {
                key for name, key in _SAMPLING.items() if getattr(request, name) is not None
            }
        if takes.penalties == "never" or (takes.penalties == "vertex" and not self._is_vertex):
            refused |= {key for name, key in _PENALTIES.items() if getattr(request, name)}
        if takes.candidates == "vertex" and not self._is_vertex and (request.candidates or 1) > 1:
            refused.add("candidateCount")
        return frozenset(refused)

    def _keeps_refused(self) -> bool:
        """Whether a configuration that is kept as a whole has a setting that the model refuses."""
        return not self._refused().isdisjoint(self._kept_config())

    def _kept_config(self) -> dict[str, Raw]:
        """Return the keys of a configuration that is kept as a whole."""
        extra = (self.request.extras or {}).get(wire.API)
        kept = _keys(extra.keys.text).get(_CONFIG, _NULL) if extra is not None else _NULL
        return _keys(kept) if is_object(kept) else {}

    def _keeps_level(self) -> bool:
        """Whether it has a level of thinking; beside one, a budget is refused."""
        kept = self._kept_config().get("thinkingConfig", _NULL)
        return is_object(kept) and "thinkingLevel" in _keys(kept)

    def _chooses_nothing(self, config: Raw) -> bool:
        """Whether a `toolConfig` has but a choice, and the model takes no functions."""
        if self.encoding.takes.tools or self.request.tools or not is_object(config):
            return False
        return _keys(config).keys() == {"functionCallingConfig"}

    def lose(self, what: str, part: Any, key: str = "") -> None:
        """Report what the model refuses here, even of a body that came over this API."""
        self._is_refused = True
        self.encoding.lose(what, part, key)

    def parameters(self) -> wire.Body:
        request = self.request
        if request.parallel_tool_calls is False:
            self.encoding.lose("parallel_tool_calls", request)
        if request.cache is not None:
            lose_cache(request.cache, self.encoding)
        takes = self.encoding.takes
        config = wire.GenerationConfig(
            max_output_tokens=self.encoding.most_tokens(),
            top_k=request.top_k,
            candidate_count=request.candidates,
            seed=request.seed,
        )
        if request.top_k is not None and takes.sampling != "always":
            config.top_k = self.encoding.sampled("top_k")
        if takes.logprobs:
            config.response_logprobs = True if request.top_logprobs else request.logprobs
            top = request.top_logprobs
            config.logprobs = top if request.logprobs else top or None
        elif request.logprobs or request.top_logprobs:
            self.lose("logprobs", request, ".logprobs")
        if takes.candidates == "vertex" and (request.candidates or 1) > 1 and not self._is_vertex:
            self.lose("candidates", request, ".candidates")
            config.candidate_count = None
        if takes.sampling == "always" and takes.penalties == "always":
            self.encoding.put_numbers(config, _NUMBERS)
        else:
            self._put_numbers(config)
        if request.stop:
            config.stop_sequences = self._stop(request.stop)
        asked = request.response_format
        if asked is not None and asked.kind != "text":
            if self._takes_json():
                config.response_mime_type = _JSON
                config.response_json_schema = described(asked)
            else:
                self.lose("response format", asked)
        if request.thinking is not None:
            config.thinking_config = self._thinking(request.thinking)
        body = wire.Body(contents=[])
        if config != _NO_CONFIG:
            body.generation_config = config
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        if request.metadata:
            body.labels = self._labels(request.metadata)
        if request.tools or request.tool_choice is not None:
            body.tool_config = self._tool_config()
        return body

    def _put_numbers(self, config: wire.GenerationConfig) -> None:
        """Write temperature, `top_p` and the penalties, as far as the model takes them here."""
        takes = self.encoding.takes
        is_taken = takes.penalties == "always" or (takes.penalties == "vertex" and self._is_vertex)
        if not is_taken:
            for name in _PENALTIES:
                if self.encoding.finite(name):
                    self.lose("penalty", self.request, f".{_PENALTIES[name]}")
        without: frozenset[str] = frozenset() if is_taken else _NO_PENALTIES
        thinks = None if takes.sampling == "always" else False
        self.encoding.put_numbers(config, _NUMBERS, without=without, thinks=thinks)

    def _takes_json(self) -> bool:
        """Whether the model can be held to JSON, beside the tools that the request has."""
        taken = self.encoding.takes.json
        if taken == "without tools":
            return not carried(self.request, self.encoding)
        return taken == "always"

    def _thinking(self, given: Thinking) -> wire.ThinkingConfig | None:
        is_free = given.level is None and given.budget_tokens is None
        keeps = is_free and self.encoding.takes.thinks
        asked = given if keeps else fitting(given, self.encoding)
        if asked is None:
            return None
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig(asked.visible, _NO_BUDGET)
        if asked.budget_tokens is not None:
            if asked.level is not None:
                self.encoding.lose("thinking level", asked)
            return wire.ThinkingConfig(asked.visible, asked.budget_tokens)
        if asked.level is None:
            thinks_if_told = self.encoding.takes.efforts == ()
            says_so = (asked.visible is None or thinks_if_told) and not self._keeps_level()
            if says_so and self.encoding.takes.budgets is None:  # it thinks unasked
                return wire.ThinkingConfig(asked.visible) if asked.visible is not None else None
            return wire.ThinkingConfig(asked.visible, _ANY_BUDGET if says_so else None)
        if asked.level in _NEAREST:
            self.encoding.lose("thinking level", asked)
        return wire.ThinkingConfig(asked.visible, thinking_level=_WORDS[asked.level])

    def _stop(self, asked: list[str]) -> list[str]:
        if len(asked) > _MOST_STOPS:
            self.encoding.lose("stop", self.request)
        return asked[:_MOST_STOPS]

    def _service_tier(self, asked: str) -> str | None:
        tier = _OTHER_TIERS.get(asked, asked)
        if tier in _TIERS and not self._is_vertex:
            return tier
        if tier != _USUAL_TIER:
            self.encoding.lose("service_tier", self.request)
        return None

    def _labels(self, asked: dict[str, Any]) -> dict[str, str] | None:
        labels = {
            key: value
            for key, value in asked.items()
            if _is_label(key) and isinstance(value, str) and _is_label_text(value)
        }
        if len(labels) < len(asked):
            self.encoding.lose("metadata", self.request)
        return labels or None


def _own_tie(result: Result, call: Call) -> tuple[str | None, str]:
    """Return the id and the name to write: those of the call, unless the result came with others.

    Of a result whose name has changed since, the name that it came with is of no use.
    """
    function = blocks.spelled(result, "functionResponse", {})
    is_bare = blocks.spelled(result, "id", "") is None  # it came without an id, unlike its call
    name = function.get("name", call.name)
    return (
        function.get("id", None if is_bare else call.sent),
        name if name == result.tool_name else call.name,
    )


def _is_bare(message: AssistantMessage) -> bool:
    """Whether an answer came over this API without any signature."""
    if not blocks.is_of_this_api(message):
        return False
    return not any(getattr(block, "signature", None) for block in message.content)


def _put(out: list[Any], joins: Any, holds: Any, content: Any) -> Any:
    """Append a content, or its parts to the last one if both hold the same; return `holds`.

    A content with unknown keys of its own is not joined.
    """
    if holds is None or joins != holds:
        out.append(content)
    elif type(content) is wire.Content:
        _parts_of(out[-1]).extend(content.parts or ())
    elif content.keys() <= {"role", "parts"}:
        _parts_of(out[-1]).extend(content["parts"])
    else:
        out.append(content)
    return holds


def _signed_by(signature: ThinkingBlock, content: list[Content]) -> Any:
    """Return the block that a signature signs: the call that it names, or the last text."""
    call_id = signs(signature)
    if call_id is not None:
        calls = (block for block in content if type(block) is ToolCallBlock)
        return next((call for call in calls if call.id == call_id), None)
    texts = (block for block in reversed(content) if type(block) is TextBlock and block.text)
    calls = (block for block in content if type(block) is ToolCallBlock)
    return next(texts, None) or next(calls, None)


def _is_empty(block: Any) -> bool:
    """Whether a block is a part of this API without any keys."""
    return type(block) is OpaqueBlock and block.api == wire.API and block.raw.text == b"{}"


def _has_own_keys(message: SystemMessage) -> bool:
    """Whether a message brought unknown keys over this API."""
    extra = message.extras.get(wire.API) if message.extras is not None else None
    return extra is not None and extra.keys.text != b"{}"


def _is_result(part: Any) -> bool:
    if type(part) is wire.Part:
        return part.function_response is not None
    return type(part) is dict and "functionResponse" in part


def _parts_of(content: Any) -> list[Any]:
    parts: list[Any] = content["parts"] if type(content) is dict else content.parts
    return parts


def _is_models(content: Any) -> bool:
    role: Any = content.get("role") if type(content) is dict else content.role
    return bool(role == "model")


# -- body -> request ---------------------------------------------------------------------------

_LEVELS: Final = {word: level for level, word in _WORDS.items() if level not in _NEAREST}
_MODEL_IN_URL: Final = re.compile(
    r"(?:^|/)(?:models/)?((?:tunedModels/|endpoints/)?[^/]+):((?:streamG|g)enerateContent)"
)


class _Reader(RequestReader):
    NOTES_HOST: ClassVar[bool] = True

    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        if decoding.unknown:
            blocks.forget_nulls(decoding.unknown)
        super().__init__(decoding, path)
        self._calls = blocks.Calls(makes_ids=True)
        self._is_answer = False  # whether the content before was the model's

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        messages = self._prompt(body.system_instruction)
        messages += self.messages(body.contents)
        request = Request(messages, **self.parameters())
        if self.path or request.model == "":
            form = "/v1beta/models/NAME:generateContent"
            model, verb = call_in_url(self.path, _MODEL_IN_URL, "gemini", form)
            request.model = request.model or model
            request.stream = verb == "streamGenerateContent"
        if body.tools is not None:
            request.tools = [tool for part in body.tools for tool in self._tools(part)]
        return request

    # Messages

    def _prompt(self, part: wire.Content | None) -> list[Message]:
        if part is None or (part.parts is None and id(part) not in self.decoding.unknown):
            return []  # a role alone says nothing
        content = blocks.content(part, self.decoding, self._calls, is_answer=False)
        spelling = {"role": part.role} if part.role is not None else {}
        return [SystemMessage(content, extras=self.decoding.extras_of(part, **spelling))]

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [self._message(part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return bool(part.role == "model" != before.role)

    def calls(self) -> Any:
        return self._calls.so_far()

    def go_on(self, calls: Any) -> None:
        self._calls.go_on(calls)

    def _message(self, part: wire.Content) -> Message:
        """Return the message for a turn; a turn of results alone is a `ToolMessage`."""
        role = part.role or "user"
        is_answer = role == "model"
        if is_answer and not self._is_answer:
            self._calls.begin_turn()
        self._is_answer = is_answer
        content = blocks.content(part, self.decoding, self._calls, is_answer=is_answer)
        kinds = set(map(type, content))
        spelling = {"role": _NULL} if part.role is None else {}
        if role == "function":  # formerly the role of results
            spelling["role"] = Raw(b'"function"')
            role = "user"
        elif len(kinds) > 1 and ToolResultBlock in kinds:  # keeps them in one content
            spelling.setdefault("role", Raw(b'"user"'))
        extras = None
        if spelling or self.decoding.unknown:
            extras = self.decoding.extras_of(part, **spelling)
        if is_answer:
            return AssistantMessage(content, api=wire.API, extras=extras)
        if role != "user":
            self.decoding.fail(unknown("role", role, ("user", "model")), part, ".role")
        if kinds == {ToolResultBlock}:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    # Tools

    def _tools(self, part: wire.Tool) -> list[Tool | OpaqueBlock]:
        """Return the functions of a tool, and as an opaque one what else it has."""
        out: list[Tool | OpaqueBlock] = [
            self._function(function) for function in part.function_declarations or ()
        ]
        others = self.decoding.unknown.get(id(part), {})
        if others or not out:
            out.append(OpaqueBlock(wire.API, RawJson.adopt(Raw(encode(others)))))
        return out

    def _function(self, function: wire.FunctionDeclaration) -> Tool:
        tool = Tool(function.name, function.description)
        spelling: dict[str, Any] = {}
        if blocks.is_set(function.parameters_json_schema):
            if blocks.is_set(function.parameters):
                self.decoding.fail(
                    "both `parameters` and `parametersJsonSchema`, expected one",
                    function,
                    ".parameters",
                )
            tool.parameters = RawJson.adopt(function.parameters_json_schema)
        elif blocks.is_set(function.parameters):
            schema = RawJson.adopt(function.parameters)
            tool.parameters = RawJson.of(json_schema(exact(schema)))
            spelling["parameters"] = function.parameters
        tool.extras = self.decoding.extras_of(function, **spelling)
        return tool

    def _choice(self, config: wire.ToolConfig | None) -> ToolChoice | None:
        calling = config.function_calling_config if config is not None else None
        if calling is None:
            return None
        names = calling.allowed_function_names
        mode = (calling.mode or "AUTO").upper()
        if mode == "ANY":
            if names is not None and len(names) == 1:
                return ToolChoice("tool", names[0])
            return ToolChoice("required", allowed=names)
        if mode == "VALIDATED" and names:
            return ToolChoice(allowed=names)
        if mode not in ("AUTO", "NONE"):
            self.unread.add("toolConfig")
            return ToolChoice() if mode == "VALIDATED" else None
        return ToolChoice("auto" if mode == "AUTO" else "none", allowed=names)

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        config = body.generation_config or _NO_CONFIG
        top_k = config.top_k
        if top_k is not None and top_k != int(top_k):
            self.unread.add("generationConfig")
        model = {"model": body.model.removeprefix("models/")} if body.model is not None else {}
        return model | {
            "max_tokens": config.max_output_tokens,
            "temperature": config.temperature,
            "top_p": config.top_p,
            "top_k": int(top_k) if top_k is not None else None,
            "candidates": config.candidate_count,
            "stop": config.stop_sequences,
            "seed": config.seed,
            "presence_penalty": config.presence_penalty,
            "frequency_penalty": config.frequency_penalty,
            "logprobs": config.response_logprobs,
            "top_logprobs": config.logprobs,
            "response_format": self._format(config),
            "thinking": self._thinking(config.thinking_config),
            "tool_choice": self._choice(body.tool_config),
            "service_tier": body.service_tier,
            "metadata": body.labels,
        }

    def _thinking(self, config: wire.ThinkingConfig | None) -> Thinking | None:
        if config is None:
            return None
        word = config.thinking_level
        level = _LEVELS.get(word.upper()) if word is not None else None
        if word is not None and level is None:
            self.unread.add("generationConfig")
        budget = config.thinking_budget
        if budget == _NO_BUDGET:
            level = ThinkingLevel.OFF
        if budget in (_NO_BUDGET, _ANY_BUDGET):
            budget = None
        return Thinking(level, budget, config.include_thoughts)

    def _format(self, config: wire.GenerationConfig) -> ResponseFormat | None:
        """Return the format; one that is neither JSON nor text, such as `text/x.enum`, has none."""
        kind = config.response_mime_type
        is_held = blocks.is_set(config.response_json_schema) or blocks.is_set(
            config.response_schema
        )
        if kind not in (None, _JSON) and (is_held or kind != "text/plain"):
            self.unread.add("generationConfig")
            return None
        if blocks.is_set(config.response_json_schema):
            if blocks.is_set(config.response_schema):
                self.unread.add("generationConfig")
            schema = RawJson.adopt(config.response_json_schema)
        elif blocks.is_set(config.response_schema):
            schema = RawJson.of(json_schema(exact(RawJson.adopt(config.response_schema))))
        else:
            return ResponseFormat("json") if kind == _JSON else None
        return ResponseFormat("json_schema", schema)


# -- both --------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(
    RULES, wire.Body, ("tools", "systemInstruction", "contents"), _Writer, _Reader
)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
