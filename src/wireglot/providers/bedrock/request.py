"""Request <-> the JSON of Bedrock Converse.

What is normalized without a loss: blank text is left out; consecutive messages of one side share a
turn, tool results first; ids outside the alphabet are mapped one to one, call and result alike; a
document's name is changed to fit its alphabet, and documents without text beside them get one; if
the request has no tools, those that the conversation called are declared by name, since the API
requires a declaration.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._objects import is_null
from ...losses import Losses
from ...model import (
    CacheConfig,
    CacheMark,
    Extra,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    Tool,
    ToolChoice,
)
from .._reading import Body, decoded, read_body
from .._routes import Route, model_in_url, parts_of_url
from .._transcript import Transcript as BaseTranscript
from .._turns import Disorder
from .._writing import Make, RequestWriter, encode, shallow, written
from . import wire
from .parameters import ParameterReader, ParameterWriter
from .parts import is_mark

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = ("bedrock",)
"""Who serves the wire: AWS alone."""

# Parameter -> a value that, like None and False, asks for nothing.
_UNSUPPORTED: Final[dict[str, Any]] = {
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "seed": None,
    "candidates": 1,
    "logprobs": None,
    "top_logprobs": 0,
    "user_id": None,
}
_MODEL_IN_URL: Final = re.compile(r"/model/([^/]+)/(converse(?:-stream)?)")
_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_NO_CACHE: Final = CacheConfig(enabled=False)
_NO_KEYS: Final = RawJson.of({})
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /model/{model}/converse`, or of `/converse-stream`.

    Leading system messages become `system`. Tool arguments and inline media are spliced in
    unparsed. The URL holds the model and the stream flag: see `route`. `top_k` and a thinking
    budget are sent only to models with `anthropic` in their name. `cache` puts cache points after
    the tools, the system prompt and the last message.

    Raises `EncodeError` if there is no message and the model is no managed prompt, if a call has no
    result or a result no call (`repair` closes them, see `_turns.ordered`), or if the request
    contradicts itself; `LossError` if something has no place on this wire and `losses` is None.
    """
    return written(_writer(dialect), request, losses, repair=repair)


def decode_request(
    data: bytes | bytearray | memoryview | str,
    path: str | None = None,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    target: str = "",
) -> Request:
    """Decode the body of `POST /model/{model}/converse`; the model is taken from `path`.

    JSON in a tool's result becomes text, and goes back to this API as JSON.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(
        lambda body: _RequestReader(body, dialect, path), wire.Body, data, "bedrock", losses
    )


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request. Raises `EncodeError` if it names no model."""
    verb = "converse-stream" if request.stream else "converse"
    return Route("POST", f"/model/{model_in_url(request, 'bedrock')}/{verb}")


class _RequestWriter(ParameterWriter):
    UNSUPPORTED = _UNSUPPORTED
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("toolConfig", "system", "messages")
    PROMPT_APART = True

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        self.lose_unsupported()
        if request.parallel_tool_calls is False:
            self._lose("parallel_tool_calls", request)
        cache = request.cache or _NO_CACHE
        sections = cache.sections()
        mark = CacheMark(cache.ttl)
        tools = self._tools(mark if sections.cache_tools else None)
        split = next(
            (i for i, m in enumerate(messages) if type(m) is not SystemMessage), len(messages)
        )
        for message in messages[:split]:
            self._lose_keys(message)  # `system` is a list: no place for a message's keys
        prompt = self._prompt(messages[:split], mark if sections.cache_system else None)
        conversation = self.conversation(messages[split:] if split else messages)
        if self.sent and (self._goes_on or not conversation):
            raise Disorder  # the last encoded turn has not ended
        if not conversation and not self.sent and not self._is_managed():
            self._fail("no message with content", request, ".messages")
        if sections.cache_messages and conversation:
            last = conversation[-1]
            content = last["content"] if type(last) is dict else last.content
            if not is_mark(content[-1]):
                self.add_mark(content, mark, request)
        body: wire.Body = self.own_parameters()
        body.tool_config = self._tool_config(tools)
        body.system = prompt or None
        body.messages = [*self.sent, *conversation] or None
        return body

    def own_parameters(self) -> Any:
        made = super().own_parameters()
        self._spelled.pop("toolConfig", None)  # `kept` merges its keys into the tools'
        return made

    def kept(self, body: Any) -> Any:
        made = super().kept(body)
        if type(made) is not dict or "toolConfig" not in made:
            return made
        config: wire.ToolConfig | None = body.tool_config
        if config is None:
            self._lose("extras", self._request)
            del made["toolConfig"]
        elif config.tool_choice is not None:  # it replaces a choice of another kind
            made["toolConfig"] = {**shallow(made["toolConfig"]), "toolChoice": config.tool_choice}
        return made

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _is_managed(self) -> bool:
        """Whether the model is a managed prompt, which has messages of its own."""
        extra = (self._request.extras or {}).get(self.API)
        keys = extra.keys.value if extra is not None else {}
        return ":prompt/" in (self._request.model or "") or "promptVariables" in keys

    # -- tools ---------------------------------------------------------------------------------

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        names: set[str] = set()
        tools: list[Any] = []
        for tool in self._request.tools or []:
            if isinstance(tool, OpaqueBlock):
                if tool.api == self.API:
                    tools.append(self._with_extras(self._opaque(tool), tool))
                else:
                    self._lose("opaque tool", tool)
                continue
            name = self._name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            schema = wire.InputSchema(self._schema(tool))
            spec = wire.ToolSpec(name, schema, tool.description or None, tool.strict)
            tools.append(self._with_extras(wire.Tool(spec), tool))
            if tool.cache is not None:
                tools += self._tool_mark(tool.cache, tool)
        if mark is not None and tools and not is_mark(tools[-1]):
            tools += self._tool_mark(mark, self._request)
        return tools

    def _tool_mark(self, mark: CacheMark, part: Any) -> list[Any]:
        return [wire.Tool(cache_point=made.cache_point) for made in self._mark(mark, part)]

    def _schema(self, tool: Tool) -> RawJson | Raw:
        """Return the schema, with `type: object` added if it is missing: this wire requires it."""
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        value = schema.value
        if not isinstance(value, dict) or value.get("type", "object") != "object":
            self._fail("a tool's parameters are not an object schema", tool, ".parameters")
        if "type" in value:
            return schema
        added = b'{"type":"object",' if value else b'{"type":"object"'
        return Raw(added + schema.text.strip()[1:])

    def _tool_config(self, tools: list[Any]) -> wire.ToolConfig | None:
        """Return tools and choice. Without tools, those that the conversation called are named."""
        choice = self._tool_choice(bool(tools))
        if not tools:
            tools = [
                wire.Tool(wire.ToolSpec(name, wire.InputSchema(_NO_PARAMETERS)))
                for name in self.called()
            ]
        return wire.ToolConfig(tools, choice) if tools else None

    def _tool_choice(self, has_tools: bool) -> wire.ToolChoice | None:
        choice = self._request.tool_choice
        if choice is None:
            return None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if not has_tools:
            if choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        choice = self.chosen(choice)
        if choice.mode == "none":
            self._lose("tool choice", choice)
            return None
        if choice.name is not None:
            return wire.ToolChoice(tool=wire.NamedTool(self._name(choice.name, choice)))
        nothing = wire.Nothing()
        return (
            wire.ToolChoice(auto=nothing) if choice.mode == "auto" else wire.ToolChoice(any=nothing)
        )


class _RequestReader(ParameterReader):
    WRITER = _RequestWriter

    def __init__(self, body: Body, dialect: str, path: str | None = None) -> None:
        super().__init__(body, dialect)
        self._url = path
        self._beside_tools: dict[str, Any] = {}
        """Keys of `toolConfig` that `Request` has no field for."""

    def request(self) -> Request:
        body: wire.Body = self.body.root
        model, verb = parts_of_url(self._url, _MODEL_IN_URL)
        if body.messages is None and not self._is_managed(model):
            self._fail("object missing required field `messages`", body)
        messages = [self.message(part) for part in body.messages or ()]
        if body.system:
            messages.insert(0, SystemMessage(self.content(body.system)))
        request = Request(messages, **self.parameters())
        request.model = model
        request.stream = verb == "converse-stream"
        config = body.tool_config
        if config is not None:
            self._beside_tools = dict(self._unknown.get(id(config), {}))
            request.tools = self._tools(config.tools)
            request.tool_choice = self._choice(config.tool_choice)
        return request

    def kept(self, request: Request) -> Request:
        request = super().kept(request)
        if self._beside_tools:
            extra = (request.extras or {}).get(self.API) or Extra(_NO_KEYS)
            keys = {**_keys(extra.keys.text), "toolConfig": self._beside_tools}
            extra.keys = RawJson.adopt(Raw(encode(keys)))
            request.extras = {self.API: extra}
        return request

    def _is_managed(self, model: str | None) -> bool:
        """Whether the model is a managed prompt, which has messages of its own."""
        unknown = self._unknown.get(id(self.body.root), {})
        return ":prompt/" in (model or "") or "promptVariables" in unknown

    def _tools(self, given: list[wire.Tool]) -> list[Tool | OpaqueBlock]:
        tools: list[Tool | OpaqueBlock] = []
        for part in given:
            last = tools[-1] if tools else None
            spec, point = part.tool_spec, part.cache_point
            mark = self._mark(part) if point is not None else None
            if spec is not None and point is None:
                made = Tool(spec.name, spec.description, spec.input_schema.json, spec.strict)
                made.extras = self._extras(part)
                tools.append(made)
            elif mark is not None and isinstance(last, Tool) and last.cache is None:
                last.cache = mark
            else:
                tools.append(OpaqueBlock(self.API, self._raw(part)))
        return tools

    def _choice(self, choice: wire.ToolChoice | None) -> ToolChoice | None:
        if choice is None:
            return None
        member = self._member(choice)
        residue = self._residue(choice)
        if member is None or (residue and not is_null(encode(residue))):
            self._beside_tools["toolChoice"] = self._raw(choice)
            return None
        if choice.tool is not None:
            return ToolChoice("tool", choice.tool.name)
        return ToolChoice("auto" if member == "auto" else "required")


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
