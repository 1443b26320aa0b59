"""Request <-> the body of `POST /model/{model}/converse`, and of `/converse-stream`.

Leading system messages become `system`. Tool arguments and inline media are spliced in unparsed.
The URL holds the model and the stream flag: see `route`. `top_k` and a thinking budget are sent
only to models with `anthropic` in their name, or if there is no name. `cache` puts cache points
after the tools, the system prompt and the last message. A managed prompt needs no message.

What is normalized without a loss: blank text is left out; a conversation that begins with an answer
gets a user's turn with a full stop before it; consecutive messages of one side share a turn, tool
results first; ids outside the alphabet are mapped one to one, call and result alike; a document's
name is changed to fit its alphabet, and documents without text beside them get one; if the request
has no tools, those that the conversation called are declared by name, since the API requires a
declaration.

JSON in a tool's result becomes text, and goes back to this API as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.objects import is_null, is_object, with_keys
from ...capabilities import ANY
from ...errors import WireglotError
from ...model import (
    AssistantMessage,
    CacheConfig,
    CacheMark,
    CacheSections,
    DocumentBlock,
    ErrorBlock,
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
    ToolResultMessage,
    UserMessage,
)
from .._across.media import of_its_kind
from .._across.routes import Route, call_in_url, model_in_url
from .._across.schemas import held_to, input_schema
from .._across.thinking import SMALLEST_BUDGET, fitting
from .._across.tools import NO_PARAMETERS, carried, chosen, is_lost, tools
from .._codecs.order import (
    GO_ON,
    NO_MESSAGE,
    Result,
    count_prompts,
    is_thoughtless,
    last_answer,
    last_said,
)
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import MAY_BE_RESULT, is_bare_call, is_lone_text, result_of
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding, kinds, knows_all, residue
from .._state.encoding import NO_SECTIONS, Encoding, OutOfOrder
from .._state.stored import key_of, lenient_value
from . import blocks, wire
from .blocks import is_mark
from .conversation import Conversation, Role
from .losses import RULES
from .makers import LONGEST, of_model
from .model_fields import MODEL_FIELDS, NO_FIELDS, effort_of, is_read, known_fields, refused

_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_value: Final = msgspec.json.Decoder().decode

# -- the URL -----------------------------------------------------------------------------------

# An ARN has slashes, which not all clients quote. It ends before another `/model/`: a search looks
# at no part of a long URL twice.
_MODEL_IN_URL: Final = re.compile(
    r"/model/([^/]+|arn:(?:(?!/model/)[^?#])+)/(converse(?:-stream)?)(?![\w/-])"
)


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request. Raises `EncodeError` if it names no model."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    verb = "converse-stream" if request.stream else "converse"
    return Route("POST", f"/model/{model_in_url(request, 'bedrock')}/{verb}")


# -- request -> body ---------------------------------------------------------------------------

TIERS: Final = frozenset({"default", "priority", "flex", "reserved"})
_OPENING: Final = "."  # blank text is refused
_NO_TOOLS: Final = (
    "calls of tools for a model that takes none;"
    " ask another model, or send the calls and their results as text"
)
_MOST_METADATA: Final = 16
_is_metadata: Final = re.compile(r"[a-zA-Z0-9\s:_@$#=/+,-.]{0,256}").fullmatch
_LEAST_TOP_P: Final = 0.95  # while thinking
_NO_INFERENCE: Final = wire.Inference()
_EFFORTS: Final = {
    ThinkingLevel.MINIMAL: "low",
    ThinkingLevel.LOW: "low",
    ThinkingLevel.MEDIUM: "medium",
    ThinkingLevel.HIGH: "high",
    ThinkingLevel.XHIGH: "xhigh",
    ThinkingLevel.MAX: "max",
    ThinkingLevel.ULTRA: "max",
}
_NEAREST: Final = frozenset({ThinkingLevel.MINIMAL, ThinkingLevel.ULTRA})
_NULL: Final = Raw(b"null")
_IN_OUTPUT: Final = frozenset({"effort", "claude"})
_SYSTEM: Final[Role] = "system"
_ROLES: Final[dict[type, Role]] = {
    AssistantMessage: "assistant",
    SystemMessage: "user",  # where there is no turn for it
    UserMessage: "user",
    ToolMessage: "user",
    ToolResultMessage: "user",
}
_MAY_COME: Final = {
    False: frozenset(_ROLES) - {ToolResultMessage},
    True: frozenset(_ROLES) - {AssistantMessage, SystemMessage},
}
"""Whether calls wait for their results -> the kinds of messages that may come next."""
_WITH_RESULTS: Final = frozenset({UserMessage, ToolMessage})
_UNMARKED: Final = frozenset({ThinkingBlock, ErrorBlock, OpaqueBlock})


class _Writer(RequestWriter):
    PROMPT_APART = True
    IDS_DIFFER = True  # of Claude; the others take it

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._maker = of_model((self.request.model or "")[:LONGEST])
        self._blocks = blocks.BlockWriter(encoding, maker=self._maker)
        self._config: wire.ToolConfig | None = None
        self._is_hard = False
        """Whether Nova is asked to think hard, where it takes neither a limit nor sampling."""
        self._goes_on = False
        """Whether the messages began with an answer that was left out for lack of content."""
        self._lost_last = False
        """Whether something was lost of a system turn at the end."""

    def content(self, messages: list[Message]) -> dict[str, Any]:
        request = self.request
        cache = request.cache
        sections = self._cached(cache) if cache is not None else NO_SECTIONS
        mark = CacheMark(cache.ttl) if cache is not None else None
        functions = self._tools(mark if sections.cache_tools else None) if request.tools else []
        split = count_prompts(messages)
        for message in messages[:split]:
            self.encoding.lose_keys(message)  # `system` is a list: no place for a message's keys
        cached = mark if sections.cache_system else None
        prompt = self._prompt(messages[:split], cached) if split else []
        turns = self.rest(messages[split:] if split else messages)
        if self.sent and (self._goes_on or not turns):
            raise OutOfOrder  # the last encoded turn has not ended
        if not turns and not self.sent and not self._is_managed():
            self.encoding.fail(NO_MESSAGE, request, ".messages")
        if turns and _role(turns[-1]) == "assistant":
            turns = [*turns, *self._end(messages)]
        if mark is not None and sections.cache_messages and turns:
            last = turns[-1]
            content = last["content"] if type(last) is dict else last.content
            if not is_mark(content[-1]):
                self._blocks.add_mark(content, mark, request)
        self._config = self._tool_config(functions)
        return {
            "tool_config": self._config,
            "system": prompt or None,
            "messages": [*self.sent, *turns] or None,
        }

    def _end(self, messages: list[Message]) -> list[Any]:
        """Return what a user says at the end, where the model is not to go on with its answer."""
        last = last_said(messages)
        if type(last) is not AssistantMessage:  # it is blank
            self.encoding.lose("empty message", last)
        elif not self.encoding.takes.prefill:
            self.encoding.lose("prefill", last_answer(messages))
        else:
            return []
        return [wire.Message("user", [wire.Block(GO_ON)])]

    def _cached(self, cache: CacheConfig) -> CacheSections:
        """Return the sections to cache that the model can cache; others are a loss."""
        asked, marks = cache.sections(), self._maker.marks
        possible = CacheSections(
            asked.cache_system and "system" in marks,
            asked.cache_tools and "tools" in marks,
            asked.cache_messages and "messages" in marks,
        )
        if possible != asked:
            self.encoding.lose("cache", self.request)
        return possible

    def _strip(self, turn: Any, messages: list[Message]) -> None:
        """Remove the white space at the end of an answer that the model is to go on with."""
        content = turn["content"] if type(turn) is dict else turn.content
        last = content[-1]
        text = last.get("text") if type(last) is dict else getattr(last, "text", None)
        if type(text) is not str or text == text.rstrip():
            return
        self.encoding.lose("trailing space", last_answer(messages))
        if isinstance(last, dict):
            content[-1] = {**last, "text": text.rstrip()}
        else:
            content[-1] = replace(last, text=text.rstrip())

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without those that the model refuses."""
        return {key: raw for key, raw in came.items() if not self._is_refused(key, raw)}

    def _is_refused(self, key: str, raw: Raw) -> bool:
        """Whether the model refuses the value of a key of the body."""
        maker, takes, asked = self._maker, self.encoding.takes, self.request.thinking
        if not is_object(raw):
            return False
        keys = _keys(raw).keys()
        if key == "outputConfig":
            return bool(
                ("effort" in keys and maker.effort not in _IN_OUTPUT)
                or ("textFormat" in keys and not takes.bedrock_schemas)
            )
        if key == MODEL_FIELDS:
            is_unlike = asked is not None and (
                asked.budget_tokens is not None if takes.budgets is None else takes.efforts == ()
            )
            return bool(
                self._refused(raw)
                or ("top_k" in keys and takes.sampling == "never")
                or ("thinking" in keys and is_unlike)
            )
        if key == "inferenceConfig":
            sampled = keys & {"temperature", "topP"}
            is_nova = maker.effort == "reasoningConfig" and asked is not None
            return bool(
                (sampled and takes.sampling == "never")
                or (len(sampled) > 1 and not takes.both)
                or ("stopSequences" in keys and not maker.stop)
                or (is_nova and keys)
            )
        return False

    def _refused(self, given: Raw) -> set[str]:
        """Return the known keys of `additionalModelRequestFields` that the model does not take."""
        return refused(given, self._maker) if self.request.model is not None else set()

    def finished(self, body: Any) -> Any:
        """Return the body, with the unknown keys of `toolConfig` only where that is written.

        Keys of `additionalModelRequestFields` that models of another maker take are left out.
        """
        extra = (self.request.extras or {}).get(wire.API)
        if extra is not None:
            body = self._without_refused(body, extra.keys)
        own = _keys(extra.keys.text).get("toolConfig") if extra is not None else None
        if own is None:
            return body
        config = self._config
        if config is None:
            self.encoding.lose("extras", self.request, keys=_keys(own) if is_object(own) else ())
            return {key: body[key] for key in body if key != "toolConfig"}
        merged = with_keys(config, _keys(own) if is_object(own) else {})
        if config.tool_choice is not None:  # it replaces a choice of another kind
            merged["toolChoice"] = config.tool_choice
        return {**body, "toolConfig": merged}

    def _without_refused(self, body: Any, own: RawJson) -> Any:
        """Return the body without fields that the model refuses.

        Those are a loss that say more in what came than the parameters of the request do.
        """
        given = body.get(MODEL_FIELDS) if type(body) is dict else None
        raw = given if type(given) is Raw else Raw(encode(given))
        unread = self._refused(raw)
        if not unread:
            return body
        fields, came = _keys(raw), key_of(own, MODEL_FIELDS, {})
        lost = [key for key in fields if key in unread and not is_read(key, came, self.request)]
        if lost:
            self.encoding.lose("extras", self.request, keys=lost)
        fields = {key: fields[key] for key in fields if key not in unread}
        kept = {key: body[key] for key in body if fields or key != MODEL_FIELDS}
        return {**kept, MODEL_FIELDS: Raw(encode(fields))} if fields else kept

    def _is_managed(self) -> bool:
        """Whether the model is a managed prompt, which has messages of its own."""
        extra = (self.request.extras or {}).get(wire.API)
        keys = lenient_value(extra.keys) if extra is not None else {}
        return ":prompt/" in (self.request.model or "") or "promptVariables" in keys

    # Messages

    def needs_turn(self) -> bool:
        """Whether the API refuses a request of a system prompt alone."""
        return not self._is_managed()

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as turns: consecutive messages of one side share one, results first.

        Blank text is left out, and so is a message without content. Claude 4.8 and newer models
        take system messages after a turn that has ended; before or within a turn, and on any other
        model, they keep their place, as a user's text.
        """
        takes = self.encoding.takes
        has_system_turns = takes is not ANY and takes.system_turns
        talk = Conversation(self.encoding)
        shown = self._blocks.shown
        message: Any
        for message in messages:
            kind = type(message)
            if kind not in _MAY_COME[bool(self.open_calls.open)]:
                raise OutOfOrder
            is_prompt = kind is SystemMessage
            if is_prompt and has_system_turns and talk.turns:
                content, role = self._prompt([message]), _SYSTEM
            else:
                role = _ROLES[kind]
                result = result_of(message) if kind in MAY_BE_RESULT else None
                if result is not None:
                    content = [self._result(result)]
                    if self._blocks.inner_mark is not None:
                        self._mark_result(content, result)
                elif is_lone_text(message) and not self.open_calls.open:
                    content = [wire.Block(message.content[0].text)]
                else:
                    content = self._content(message)
                if content and is_prompt:
                    self.encoding.lose("system place", message)
            if shown and not self.open_calls.open:
                content += shown
                shown.clear()
            if content:
                talk.add(role, content, message)
            else:
                self.encoding.lose_keys(message)
        if self.open_calls.open:
            raise OutOfOrder
        begins = bool(talk.turns) and type(messages[0]) is AssistantMessage
        self._goes_on = begins and talk.turns[0].role != "assistant"
        before = len(self.encoding.losses or ())
        turns = talk.ended()
        if self._maker.beside_results is not None or not self._maker.texts_beside_calls:
            turns = [part for turn in turns for part in self._apart(turn)]
        self._lost_last = len(self.encoding.losses or ()) > before
        is_begun = bool(talk.turns) and talk.turns[-1].role == "assistant"
        if is_begun and self._maker.is_claude and self.encoding.takes.prefill:
            self._strip(turns[-1], messages)
        if turns and _role(turns[0]) == "assistant" and self.is_start(messages):
            turns.insert(0, wire.Message("user", [wire.Block(_OPENING)]))
        return turns

    def _mark_result(self, content: list[Any], part: Any) -> None:
        """Add the cache point behind a result whose content has one."""
        mark, self._blocks.inner_mark = self._blocks.inner_mark, None
        if mark is not None:
            self._blocks.add_mark(content, mark, part)

    def _apart(self, turn: Any) -> list[Any]:
        """Divide a turn that holds what the model does not take in one turn.

        Between the parts the other side says a word, since the API joins turns of one side.
        """
        role = _role(turn)
        content = turn["content"] if type(turn) is dict else turn.content
        if role == "user" and self._maker.beside_results is not None:
            count = len(content)
            first = next((i for i in range(count) if not _is_of_result(content[i])), count)
            before, behind = content[:first], content[first:]
            kinds = {kind for part in behind for kind in blocks.kinds_of(part)} - {"cachePoint"}
            if not before or kinds <= self._maker.beside_results:
                return [turn]
            between = wire.Message("assistant", [wire.Block(_OPENING)])
        elif role == "assistant" and not self._maker.texts_beside_calls:
            calls = [part for part in content if "toolUse" in blocks.kinds_of(part)]
            if not calls or len(calls) == len(content):
                return [turn]
            before = [part for part in content if "toolUse" not in blocks.kinds_of(part)]
            behind = calls
            between = wire.Message("user", [wire.Block(GO_ON)])
        else:
            return [turn]
        last = {**turn, "content": behind} if type(turn) is dict else wire.Message(role, behind)
        return [wire.Message(role, before), between, last]

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether nothing that follows can change these turns.

        An answer at either end may go on; cache points and document names are counted over the
        whole request. A system message at the end waits for the end of the turn before it; what is
        lost of it is told behind what is lost of the answer after it.
        """
        roles = [_role(turn) for turn in wire_messages[-2:]]
        if roles[-1] == "system":
            roles.pop()
        if roles[-1] == "assistant" or self._goes_on or self._lost_last:
            return False
        return not self._blocks.has_counted()

    def _content(self, message: Any) -> list[Any]:
        """Return a message's content, empty if there is nothing but blank text."""
        content: list[Any] = []
        has_documents = False
        shown = self._blocks.shown
        for given in message.content:
            if shown and not self.open_calls.open and type(given) is not ToolResultBlock:
                content += shown
                shown.clear()
            if not self.open_calls.open and blocks.is_plain(given):
                content.append(wire.Block(cast(TextBlock, given).text))
                continue
            block = of_its_kind(given, self.encoding) or given
            form = type(block)
            body = self._block(block, message)
            if body is not None:
                content.append(body)
            elif form is not TextBlock:
                continue
            elif block.cache is not None and self._blocks.parts_mark(content):
                content.append(wire.Block(cast(Any, block).text))
            has_documents |= form is DocumentBlock
            if self._blocks.inner_mark is not None:
                self._mark_result(content, block)
            elif form not in _UNMARKED and block.cache is not None:
                self._blocks.add_mark(content, block.cache, block)
        if has_documents and not any(map(_has_text, content)):
            content.append(wire.Block("Documents"))  # the API requires text beside documents
        if content:
            self.encoding.lose_rest(message)
        return content

    def _block(self, block: Any, message: Any) -> Any:
        kind = type(block)
        if kind is ToolResultBlock and type(message) in _WITH_RESULTS:
            return self._result(block)
        is_answer = type(message) is AssistantMessage
        if kind is ToolCallBlock and is_answer:
            if block.id in self.open_calls.ids:
                raise OutOfOrder
            self.open_calls.ids[block.id] = True
            self.open_calls.open[block.id] = call_id = self._blocks.id_of_call(block.id)
            if is_bare_call(block):
                return self._blocks.call(block, call_id)
        body = self._blocks.block(block, message)
        if body is not None and self.open_calls.open and not is_answer:
            raise OutOfOrder  # results come before other content
        return body

    def _result(self, result: Result) -> Any:
        call_id = self.open_calls.open.pop(result.tool_call_id, None)
        if call_id is None:
            raise OutOfOrder
        body = self._blocks.result(result, call_id)
        if result.extras is None:
            return body
        if self._maker.status:
            return self.encoding.with_extras(body, result)
        own = self.encoding.own_keys(result)  # a status is all that is spelled
        return with_keys(body, own) if own else body

    def _prompt(self, system: Sequence[Any], mark: CacheMark | None = None) -> list[Any]:
        """Write system messages as one list of blocks."""
        if mark is None and all(map(is_lone_text, system)):
            return [wire.Block(message.content[0].text) for message in system]
        content: list[Any] = []
        for message in system:
            self.encoding.lose_rest(message)
            for block in message.content:
                is_text = type(block) is TextBlock
                if not is_text and not blocks.is_own_block(block):
                    self.encoding.lose("system content", block)
                    continue
                body = self._blocks.block(block, message)
                if body is not None:
                    content.append(body)
                if is_text and block.cache is not None:
                    self._blocks.add_mark(content, block.cache, block, "system")
        if mark is not None and content and not is_mark(content[-1]):
            self._blocks.add_mark(content, mark, self.request, "system")
        return content

    # Tools

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        """Write the tools, with a cache point after each that has one, and after the last."""
        bodies = tools(self.request, self.encoding, self._function)
        out: list[Any] = []
        for tool, body in zip(carried(self.request, self.encoding), bodies, strict=True):
            out.append(body)
            if isinstance(tool, Tool) and tool.cache is not None:
                out += self._tool_mark(tool.cache, tool)
        if mark is not None and out and not is_mark(out[-1]):
            out += self._tool_mark(mark, self.request)
        return out

    def _function(self, tool: Tool, name: str) -> wire.Tool:
        strict = tool.strict if self._maker.strict else None
        if tool.strict and not strict:
            self.encoding.lose("strict", tool)
        schema = input_schema(tool, self.encoding, is_held=bool(strict))
        part = wire.InputSchema(schema)
        return wire.Tool(wire.ToolSpec(name, part, tool.description or None, strict))

    def _tool_mark(self, mark: CacheMark, part: Any) -> list[Any]:
        return [wire.Tool(cache_point=point) for point in self._blocks.point(mark, part, "tools")]

    def _tool_config(self, functions: list[Any]) -> wire.ToolConfig | None:
        """Return tools and choice. Without tools, those that the conversation called are named."""
        choice = self._tool_choice(bool(functions))
        if not functions:
            called = self._called()
            if called and not self.encoding.takes.tools:
                self.encoding.fail(_NO_TOOLS, self.request, ".messages")
            functions = [
                wire.Tool(wire.ToolSpec(name, wire.InputSchema(NO_PARAMETERS))) for name in called
            ]
        return wire.ToolConfig(functions, choice) if functions else None

    def _called(self) -> list[str]:
        """Return the names of the tools that the whole conversation has called."""
        names = (
            block.name
            for message in self.request.messages
            for block in message.content
            if type(message) is AssistantMessage and type(block) is ToolCallBlock
        )
        return list(dict.fromkeys(map(self.encoding.rules.tool_name, names)))

    def _tool_choice(self, has_tools: bool) -> wire.ToolChoice | None:
        asked = self.request.tool_choice
        if asked is None:
            return None
        choice = chosen(asked, self.encoding, has_tools=has_tools)
        if asked.allowed is not None:
            self.encoding.lose("tool choice allowed", asked)
        if choice is None:
            return None
        if choice.mode == "none":
            self.encoding.lose("tool choice", choice)
            return None
        if choice.name is not None and self._maker.named:
            return wire.ToolChoice(
                tool=wire.NamedTool(self.encoding.tool_name(choice.name, choice))
            )
        nothing = wire.Nothing()
        if choice.mode == "tool":
            if len(carried(self.request, self.encoding)) > 1:
                self.encoding.lose("tool choice forced", choice)
            return wire.ToolChoice(any=nothing)
        return (
            wire.ToolChoice(auto=nothing) if choice.mode == "auto" else wire.ToolChoice(any=nothing)
        )

    def _is_forced(self) -> bool:
        """Whether the model must call a tool."""
        choice = self.request.tool_choice
        is_asked = choice is not None and choice.mode in ("required", "tool")
        if choice is None or not is_asked or not self.encoding.takes.forced:
            return False
        return bool(carried(self.request, self.encoding)) and not is_lost(
            choice.name, self.encoding
        )

    # Parameters

    def parameters(self) -> wire.Body:
        request = self.request
        body = wire.Body(messages=[])
        fields, effort = wire.ModelFields(), None
        if request.thinking is not None:
            effort = self._put_thinking(request.thinking, fields)
        thinks = fields.thinking is not None and fields.thinking.type != "disabled"
        if request.top_k is not None and not self._is_hard:
            self._put_top_k(fields, thinks)
        if fields != NO_FIELDS:
            body.additional_model_request_fields = fields
        limit = self.encoding.most_tokens()
        if limit is not None and self._is_hard:
            self.encoding.lose("max_tokens", request)
            limit = None
        inference = wire.Inference(limit)
        if self._is_hard:
            self._lose_sampling()
        else:
            if request.temperature is not None:
                inference.temperature = self._temperature(thinks)
            if request.top_p is not None:
                inference.top_p = self._top_p(thinks)
        if request.stop:
            inference.stop_sequences = self._stop(request.stop)
        if inference != _NO_INFERENCE:
            body.inference_config = inference
        form = None
        if request.response_format is not None:
            form = self._text_format(request.response_format)
        if form or effort:
            body.output_config = wire.OutputConfig(form, effort)
        if request.metadata:
            body.request_metadata = self._metadata(request.metadata)
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        return body

    def _lose_sampling(self) -> None:
        """Report what is asked for of sampling, none of which goes."""
        for name in ("temperature", "top_p", "top_k"):
            if self.encoding.sampled(name) is not None:
                self.encoding.lose("sampling", self.request, f".{name}")

    def _fraction(self, asked: float | None, name: str) -> float | None:
        possible = min(max(asked, 0.0), 1.0) if asked is not None else None
        if possible != asked:
            self.encoding.lose(name, self.request)
        return possible

    def _temperature(self, thinks: bool) -> float | None:
        asked = self.encoding.sampled("temperature")
        if thinks and asked not in (None, 1):
            self.encoding.lose("temperature", self.request)
            return 1.0
        return self._fraction(asked, "temperature")

    def _top_p(self, thinks: bool) -> float | None:
        asked = self.encoding.sampled("top_p")
        if thinks and asked is not None and asked < _LEAST_TOP_P:
            self.encoding.lose("top_p", self.request)
            return _LEAST_TOP_P
        return self._fraction(asked, "top_p")

    def _put_top_k(self, fields: wire.ModelFields, thinks: bool) -> None:
        asked: int | None = self.encoding.sampled("top_k")
        if asked is None:
            return
        if not self._maker.top_k or thinks:
            self.encoding.lose("top_k", self.request)
        elif self._maker.top_k == "topK":
            fields.nova_inference = wire.NovaInference(asked)
        else:
            fields.top_k = asked

    def _stop(self, words: list[str]) -> list[str] | None:
        """Return the stop sequences that the model takes. An empty one is dropped without loss."""
        asked = [word for word in words if word]
        possible = asked if self._maker.stop else []
        if self._maker.is_claude and any(map(str.isspace, asked)):
            possible = [word for word in asked if not word.isspace()]
        if len(possible) < len(asked):
            self.encoding.lose("stop", self.request)
        return possible or None

    def _metadata(self, metadata: dict[str, Any]) -> dict[str, str] | None:
        texts = {
            key: value
            for key, value in metadata.items()
            if key and _is_metadata(key) and isinstance(value, str) and _is_metadata(value)
        }
        if len(texts) < len(metadata) or len(texts) > _MOST_METADATA:
            self.encoding.lose("metadata", self.request)
        return dict(list(texts.items())[:_MOST_METADATA]) or None

    def _service_tier(self, tier: str) -> wire.ServiceTier | None:
        if tier in TIERS:
            return wire.ServiceTier(tier)
        self.encoding.lose("service_tier", self.request)
        return None

    def _put_thinking(self, asked: Thinking, fields: wire.ModelFields) -> str | None:
        """Write how much to think into the fields, or return it as an effort."""
        effort = self._maker.effort
        if asked.visible is not None:
            self.encoding.lose("thinking shown", asked)
        level: ThinkingLevel | None = asked.level
        if effort == "claude":
            fields.thinking, level = self._thinking(asked)
        elif effort != "effort":
            self._put_effort(asked, fields)
            return None
        elif level is ThinkingLevel.OFF:
            self.encoding.lose("thinking off", asked)
            return None
        elif asked.budget_tokens is not None:
            self.encoding.lose("thinking budget", asked)
        if level in _NEAREST:
            self.encoding.lose("thinking level", asked)
        return _EFFORTS[level] if level is not None else None

    def _put_effort(self, asked: Thinking, fields: wire.ModelFields) -> None:
        """Write how much to think as models of the other makers are asked."""
        possible = fitting(asked, self.encoding)
        level = possible.level if possible is not None else None
        if level is None or (level is ThinkingLevel.OFF and not self.encoding.takes.unasked):
            return  # they rest until they are asked
        word = _EFFORTS.get(level, "none")
        key = self._maker.effort
        if key == "reasoningConfig":
            fields.nova_thinking = wire.NovaThinking("enabled", word)
            self._is_hard = word == "high"
        elif key == "reasoning":
            fields.reasoning = wire.AskedReasoning(word)
        elif key == "reasoning_effort":
            fields.reasoning_effort = word
        elif key == "reasoning_config":
            fields.reasoning_config = word

    def _thinking(self, asked: Thinking) -> tuple[wire.Thinking | None, ThinkingLevel | None]:
        """Return the `thinking` field for one of Anthropic's models, and the level for it."""
        request = self.request
        limit = self.encoding.most_tokens()
        possible = fitting(asked, self.encoding, limit)
        if possible is None:
            return None, None
        if possible.level is ThinkingLevel.OFF:
            return wire.Thinking("disabled"), None
        budget = possible.budget_tokens
        is_adaptive = budget is None
        if self._is_forced() and not (is_adaptive and self._maker.thinks_while_forced):
            self.encoding.lose("tool choice", asked)
            return wire.Thinking("disabled"), possible.level
        if budget is None:
            return wire.Thinking("adaptive"), possible.level
        if is_thoughtless(
            request.messages, self._blocks.is_thought, prefill=self.encoding.takes.prefill
        ):
            self.encoding.lose("thinking midway", asked)
            return wire.Thinking("disabled"), possible.level
        budget = max(budget, SMALLEST_BUDGET)
        if limit is not None and limit <= budget:
            self.encoding.lose("max_tokens", asked)
            if limit <= SMALLEST_BUDGET:
                return wire.Thinking("disabled"), possible.level
            budget = limit - 1
        return wire.Thinking("enabled", budget), possible.level

    def _text_format(self, asked: ResponseFormat) -> wire.TextFormat | None:
        if asked.kind == "text":
            return None
        if asked.kind == "json" or asked.schema is None:
            self.encoding.lose("json mode", asked)
            return None
        if not (self.encoding.takes.schemas and self.encoding.takes.bedrock_schemas):
            self.encoding.lose("no schema", asked)
            return None
        schema = held_to(asked.schema, asked, self.encoding)
        text = wire.JsonSchema(schema.text.decode(), asked.name, asked.description)
        return wire.TextFormat("json_schema", wire.Structure(text))


def _role(turn: Any) -> Role:
    role: Role = turn["role"] if type(turn) is dict else turn.role
    return role


def _has_text(part: Any) -> bool:
    return "text" in part if type(part) is dict else type(part) is wire.Block and bool(part.text)


def _is_of_result(part: Any) -> bool:
    """Whether a block of the wire is a result, or the cache point behind it."""
    return not {"toolResult", "cachePoint"}.isdisjoint(blocks.kinds_of(part))


# -- body -> request ---------------------------------------------------------------------------

_LEVELS: Final = {word: level for level, word in _EFFORTS.items() if level not in _NEAREST}
_WORDS: Final = {"none": ThinkingLevel.OFF, "minimal": ThinkingLevel.MINIMAL, **_LEVELS}
_text: Final = msgspec.json.Decoder(str).decode
_schema_text: Final = msgspec.json.Decoder(str).decode
_RESULTS: Final = {ToolResultBlock}


_THINKING_KINDS: Final = kinds(wire.Thinking, "type", wire.THINKING_KEYS)


class _Reader(RequestReader):
    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        super().__init__(decoding, path)
        self._blocks = blocks.BlockReader(decoding)
        self.names = self._blocks.names

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        form = "/model/NAME/converse"
        model, verb = call_in_url(self.path, _MODEL_IN_URL, "bedrock", form)
        if model is None and "modelId" in self.decoding.unknown.get(id(body), ()):
            # boto3 has it among the parameters.
            model = self.decoding.inner(
                _text, self.decoding.unknown[id(body)].pop("modelId"), body, ".modelId"
            )
        if body.messages is None and not self._is_managed(model):
            self.decoding.fail("object missing required field `messages`", body)
        messages = self.messages(body.messages or [])
        if body.system:
            messages.insert(0, SystemMessage(self._blocks.content(body.system)))
        is_stream = verb == "converse-stream"
        request = Request(messages, model, stream=is_stream, **self.parameters())
        config = body.tool_config
        if config is not None:
            request.tools = self._tools(config.tools)
            request.tool_choice = self._choice(config)
            beside = self.decoding.unknown.get(id(config))
            if beside:  # no field of `Request` keeps these: they are the body's own unknown keys
                own = self.decoding.unknown.setdefault(id(body), {})
                own["toolConfig"] = Raw(encode(beside))
        return request

    def _is_managed(self, model: str | None) -> bool:
        """Whether the model is a managed prompt, which has messages of its own."""
        unknown = self.decoding.unknown.get(id(self.decoding.body.root), {})
        return ":prompt/" in (model or "") or "promptVariables" in unknown

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [self._message(part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return bool(part.role == "assistant" != before.role)

    def _message(self, part: wire.Message) -> Message:
        """Return the message for a turn; a turn of results alone is a `ToolMessage`."""
        content = self._blocks.content(part.content)
        extras = self.decoding.extras_of(part) if self.decoding.unknown else None
        if part.role == "assistant":
            return AssistantMessage(content, api=wire.API, extras=extras)
        if part.role == "system":
            return SystemMessage(content, extras=extras)
        if content and set(map(type, content)) == _RESULTS:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    def _tools(self, parts: list[wire.Tool]) -> list[Tool | OpaqueBlock]:
        out: list[Tool | OpaqueBlock] = []
        for part in parts:
            last = out[-1] if out else None
            spec, point = part.tool_spec, part.cache_point
            mark = blocks.mark_of(part, self.decoding) if point is not None else None
            if spec is not None and point is None:
                tool = Tool(spec.name, spec.description, spec.input_schema.json, spec.strict)
                tool.extras = self.decoding.extras(part)
                out.append(tool)
            elif mark is not None and isinstance(last, Tool) and last.cache is None:
                last.cache = mark
            else:
                out.append(OpaqueBlock(wire.API, self.decoding.raw(part)))
        return out

    def _choice(self, config: wire.ToolConfig) -> ToolChoice | None:
        """Return the choice; one of an unknown kind is an unknown key of `toolConfig`."""
        choice, decoding = config.tool_choice, self.decoding
        if choice is None:
            return None
        member = blocks.member_of(choice, decoding)
        unknown = residue(choice, decoding.unknown)
        if member is None or (unknown and not is_null(encode(unknown))):
            beside = decoding.unknown.setdefault(id(config), {})
            beside["toolChoice"] = Raw(decoding.raw(choice).text)
            return None
        if choice.tool is not None:
            return ToolChoice("tool", choice.tool.name)
        return ToolChoice("auto" if member == "auto" else "required")

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        inference = body.inference_config or _NO_INFERENCE
        fields = self._model_fields(body.additional_model_request_fields)
        effort = body.output_config.effort if body.output_config is not None else None
        return {
            "max_tokens": inference.max_tokens,
            "temperature": inference.temperature,
            "top_p": inference.top_p,
            "stop": inference.stop_sequences,
            "top_k": self._top_k(fields) if fields is not NO_FIELDS else None,
            "thinking": self._asked_thinking(fields, effort),
            "response_format": self._format(body.output_config),
            "metadata": body.request_metadata,
            "service_tier": body.service_tier.type if body.service_tier is not None else None,
        }

    def _top_k(self, fields: wire.ModelFields) -> int | None:
        nova = fields.nova_inference
        if nova is None or nova.top_k is None:
            return fields.top_k
        if fields.top_k is not None:
            self.unread.add(MODEL_FIELDS)
        return nova.top_k

    def _model_fields(self, original: Raw | None) -> wire.ModelFields:
        """Return the known keys of `additionalModelRequestFields`; with others, it is kept too."""
        fields, is_whole = known_fields(original)
        if not is_whole:
            self.unread.add(MODEL_FIELDS)
        return fields

    def _asked_thinking(self, fields: wire.ModelFields, effort: str | None) -> Thinking | None:
        level = _LEVELS.get(effort) if effort is not None else None
        if effort is not None and level is None:
            self.unread.add("outputConfig")
        thinking = fields.thinking
        if thinking is None and isinstance(fields.reasoning_config, wire.Thinking):
            thinking = fields.reasoning_config
        word = effort_of(fields) if fields is not NO_FIELDS else None
        if word is not None and (thinking is not None or word not in _WORDS or effort is not None):
            self.unread.add(MODEL_FIELDS)
        elif word is not None:
            return Thinking(_WORDS[word])
        if thinking is None:
            return Thinking(level) if level is not None else None
        if not knows_all(_THINKING_KINDS, thinking):
            self.unread.add(MODEL_FIELDS)
        if thinking.type == "disabled":
            if effort is not None:
                self.unread.add("outputConfig")
            return Thinking(ThinkingLevel.OFF)
        return Thinking(level, thinking.budget_tokens)

    def _format(self, config: wire.OutputConfig | None) -> ResponseFormat | None:
        if config is None or config.text_format is None:
            return None
        schema = config.text_format.structure.json_schema
        try:
            if schema is not None and config.text_format.type == "json_schema":
                text = RawJson(_schema_text(schema.schema))
                return ResponseFormat("json_schema", text, schema.name, schema.description)
        except (WireglotError, msgspec.DecodeError):  # no string that holds JSON
            pass
        self.unread.add("outputConfig")
        return None


# -- both --------------------------------------------------------------------------------------

_CONTENT: Final = ("toolConfig", "system", "messages")
REQUESTS: Final = RequestCodec(RULES, wire.Body, _CONTENT, _Writer, _Reader)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
