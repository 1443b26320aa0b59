"""Requests to a model, and complete answers. Times are integer milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, TypeAlias

from msgspec import Struct, field

from ..errors import EncodeError
from .accepted import NOTHING, MaybeListOf
from .base import Extras, Node, adopting
from .blocks import CacheMark, OpaqueBlock
from .enums import ThinkingLevel
from .messages import AssistantMessage, Message, UserMessage
from .rawjson import MaybeRawValue, RawJson, optional_json
from .session import MESSAGES, canonical, is_entry

if TYPE_CHECKING:
    from .accepted import Field
    from .session import AgentMessage, LlmMessage

    class _OwnMessage(Protocol):
        """A message of another system's types: a `Record` of `wireglot.formats`."""

        unknown: Any

    MessageList: TypeAlias = Field[list[Message], Sequence[AgentMessage | LlmMessage | _OwnMessage]]
else:
    MessageList = list[Message]

__all__ = [
    "CacheConfig",
    "CacheSections",
    "CacheStrategy",
    "ManualCache",
    "Request",
    "Response",
    "ResponseFormat",
    "Thinking",
    "Tool",
    "ToolChoice",
    "ToolName",
    "ToolNames",
]


class CacheSections(Struct, forbid_unknown_fields=True):
    """Which parts of a request to cache."""

    cache_system: bool
    cache_tools: bool
    cache_messages: bool


class ManualCache(Struct, forbid_unknown_fields=True):
    """The cache strategy that names the parts to cache."""

    manual: CacheSections


CacheStrategy = Literal["auto", "disabled"] | ManualCache


class CacheConfig(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Prompt caching for a whole request (phi-core); for single blocks see `CacheMark`."""

    enabled: bool = field(default_factory=lambda: True)  # a plain default would be omitted
    strategy: CacheStrategy = field(default_factory=lambda: "auto")
    ttl: Literal["5m", "1h"] | None = None

    def sections(self) -> CacheSections:
        """Return the parts to cache: none when off, all when `auto`."""
        if isinstance(self.strategy, ManualCache) and self.enabled:
            return self.strategy.manual
        on = self.enabled and self.strategy == "auto"
        return CacheSections(on, on, on)


class Tool(Node, tag_field="type", tag="function"):
    """A function that the model may call. `parameters` is a JSON Schema, text as it came."""

    type: ClassVar[Literal["function"]] = "function"

    name: str
    description: str | None = None
    parameters: MaybeRawValue = NOTHING
    strict: bool | None = None
    cache: CacheMark | None = None
    extras: Extras | None = None

    @classmethod
    def from_function(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool | None = None,
    ) -> Self:
        """Return the tool of a function; `function(**call.arguments)` answers a call of it.

        Its signature gives the schema, its docstring the descriptions (in Google's, NumPy's or
        Sphinx's style); `typing.Annotated` with `msgspec.Meta` gives limits and descriptions, too.

        Raises `EncodeError` for a parameter that has no name in a call, or no schema.
        """
        from .functions import of_function

        own, about, schema = of_function(function)
        return cls(name or own, description or about, schema, strict)

    @classmethod
    def from_type(
        cls,
        type: Any,
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool | None = None,
    ) -> Self:
        """Return the tool whose arguments are a Struct, dataclass, TypedDict or pydantic model.

        `msgspec.convert(call.arguments.value, type)` makes one of them; pydantic has
        `type.model_validate_json(call.arguments.text)`.

        Raises `EncodeError` for a type that is not an object in JSON, or has no schema.
        """
        from .functions import of_type

        own, about, schema = of_type(type)
        return cls(name or own, description or about, schema, strict)

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if self.parameters is not None and not isinstance(self.parameters, RawJson):
            _put_parameters(self, optional_json(self.parameters))

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(parameters=optional_json)


# An assignment would come to `__setattr__`.
_put_parameters = Tool.__dict__["parameters"].__set__


class ToolName(Node):
    """What a client calls a tool that an API knows by another name, or as another kind of tool.

    A call of it gets this name, this `tool_type` and these `extras`. The arguments of a `custom`
    tool are the text in its `input`; a call of `tool_search`, `apply_patch` or `shell` is an item
    of OpenAI's Responses.
    """

    name: str
    tool_type: str | None = None
    extras: Extras | None = None


ToolNames: TypeAlias = dict[str, ToolName]
"""The name of a tool in a request that was sent -> what its client calls it."""


class ToolChoice(Node):
    """Whether the model must call a tool.

    With the mode `tool`, `name` is the tool to call. `allowed` narrows `auto` and `required`.
    """

    mode: Literal["auto", "none", "required", "tool"] = field(default_factory=lambda: "auto")
    name: str | None = None
    allowed: MaybeListOf[str] = NOTHING


class Thinking(Node):
    """How much to think: a level, or a budget in tokens. `visible` asks for the thinking's text."""

    level: ThinkingLevel | None = None
    budget_tokens: int | None = None
    visible: bool | None = None


class ResponseFormat(Node):
    """The form of the answer. `schema` is a JSON Schema, text as it came, for `json_schema`."""

    kind: Literal["text", "json", "json_schema"]
    schema: MaybeRawValue = NOTHING
    name: str | None = None
    description: str | None = None
    strict: bool | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if self.schema is not None and not isinstance(self.schema, RawJson):
            self.schema = optional_json(self.schema)

    if not TYPE_CHECKING:
        __setattr__ = adopting(schema=optional_json)


def _for_llm(messages: Any) -> Any:
    """Return the messages in a sequence that holds other entries, too; any other value stays."""
    if not isinstance(messages, list | tuple):
        return messages
    if not any(map(is_entry, {*map(type, messages)} - MESSAGES)):
        return messages
    try:
        return canonical(messages)
    except EncodeError as error:
        path = f"$.messages{error.path[1:]}"
        raise EncodeError(error.reason, wire="model", path=path) from error


class Request(Node):
    """One request to a model. Leading system messages are the system prompt.

    Pairs, or another system's own messages, may be given as `messages`. A message keeps its place
    in its session, which no encoder sends; `llm_messages` returns messages without. Encoders refuse
    an entry that is session-only: `llm_messages` leaves them out.

    `tools` holds functions, and provider-run tools as opaque blocks of their API. `top_k`, `seed`
    and the like are None where the caller leaves them to the provider.
    """

    messages: MessageList
    model: str | None = None
    tools: MaybeListOf[Tool | OpaqueBlock] = NOTHING
    tool_choice: ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None
    stop: MaybeListOf[str] = NOTHING
    candidates: int | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    thinking: Thinking | None = None
    response_format: ResponseFormat | None = None
    cache: CacheConfig | None = None
    stream: bool = False
    service_tier: str | None = None
    user_id: str | None = None
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    def __post_init__(self) -> None:
        """Take the messages out of a session, or of another system's messages."""
        messages = self.messages
        if type(messages) is not list or not MESSAGES.issuperset(map(type, messages)):
            self.messages = messages

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(messages=_for_llm)

    @classmethod
    def from_text(cls, text: str, model: str | None = None) -> Self:
        """Return a request of one text of the user, with the current time."""
        return cls([UserMessage.from_text(text)], model)


class Response(Node):
    """One complete answer. `created_at` is in milliseconds since the Unix epoch.

    Without a `created_at`, the wires whose clients need a time (Chat, Responses, Mistral, Ollama)
    write that epoch; a gateway, which has a clock, sets it.

    `alternatives` are further candidates, where more than one was asked for.
    """

    message: AssistantMessage
    id: str | None = None
    created_at: int | None = None
    service_tier: str | None = None
    alternatives: MaybeListOf[AssistantMessage] = NOTHING
    extras: Extras | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return an answer of one text block, with the current time."""
        return cls(AssistantMessage.from_text(text))
