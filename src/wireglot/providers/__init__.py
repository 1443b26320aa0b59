"""The LLM providers' wires: one folder each, with the same names in each.

A provider is a package, imported when it is first asked for, here or in `PROVIDERS`, which also has
the providers of other distributions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .. import _registry
from .._runtime.lazy import lazily
from ..capabilities import Capabilities
from ..errors import ProviderError
from ..losses import Losses
from ..model import IdSource, Request, Response, ToolNames
from ._state.facts import Endpoint, Facts, facts_named, facts_of
from ._state.facts import wrong_facts as wrong_facts

if TYPE_CHECKING:
    from . import (
        anthropic,
        bedrock,
        cohere,
        gemini,
        mistral,
        ollama,
        openai_chat,
        openai_responses,
    )
    from ._across.routes import Route
    from ._codecs import stream_decoder, stream_encoder, transcript
    from ._codecs.stream_decoder import StreamDecoder
    from ._codecs.stream_encoder import StreamEncoder
    from ._codecs.transcript import Transcript

__all__ = [
    "PROVIDERS",
    "Endpoint",
    "Facts",
    "Provider",
    "Route",
    "StreamDecoder",
    "StreamEncoder",
    "Transcript",
    "anthropic",
    "bedrock",
    "cohere",
    "facts_named",
    "facts_of",
    "gemini",
    "mistral",
    "ollama",
    "openai_chat",
    "openai_responses",
]


class Provider(Protocol):
    """The interface of every provider module."""

    # Properties, since a checker lets a module have a narrower type only where nothing is set.

    @property
    def API(self) -> str:  # noqa: N802 -- a constant of the module
        """The stable id of the wire, used in `api` fields and as a key of `extras`."""
        ...

    @property
    def DIALECTS(self) -> tuple[str, ...]:  # noqa: N802 -- a constant of the module
        """The services that use the wire, each with small differences; the first is the default.

        A registered dialect is not listed, but `"name" in DIALECTS` is true.
        """
        ...

    @property
    def Transcript(self) -> type[transcript.Transcript]:  # noqa: N802 -- a class of the module
        """The requests of a growing conversation; see `wireglot.providers.Transcript`."""
        ...

    def encode_request(
        self,
        request: Request,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        repair: bool = False,
        capabilities: Capabilities | None = None,
        names: ToolNames | None = None,
    ) -> bytes:
        """Encode a request as the body that the API accepts.

        In full: `wireglot.providers.anthropic.encode_request`.
        """
        ...

    def decode_request(
        self,
        data: Any,
        path: str | None = None,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        target: str = "",
    ) -> Request:
        """Decode the body of a request; on some wires, model and stream are in the URL's `path`.

        In full: `wireglot.providers.anthropic.decode_request`.
        """
        ...

    def route(self, request: Request, *, dialect: str | None = None) -> Route:
        """Return the method, path and headers that go with the body."""
        ...

    def encode_response(
        self,
        response: Response,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> bytes:
        """Encode an answer as the API would have sent it.

        In full: `wireglot.providers.anthropic.encode_response`.
        """
        ...

    def decode_response(
        self,
        data: Any,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        ids: IdSource | None = None,
        names: ToolNames | None = None,
    ) -> Response:
        """Decode an answer of the API.

        In full: `wireglot.providers.anthropic.decode_response`.
        """
        ...

    def encode_error(self, error: ProviderError, *, dialect: str | None = None) -> bytes:
        """Encode an error as the body that the API, or a service of it, would have sent."""
        ...

    def decode_error(
        self,
        data: Any,
        status: int | None = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> ProviderError:
        """Decode the body of an error answer: bytes, text, plain data or an SDK's object.

        `headers` may say how long to wait.
        """
        ...

    @property
    def StreamDecoder(self) -> type[stream_decoder.StreamDecoder]:  # noqa: N802 -- a class of the module
        """Bytes of a streamed answer -> events; see `wireglot.providers.StreamDecoder`."""
        ...

    @property
    def StreamEncoder(self) -> type[stream_encoder.StreamEncoder]:  # noqa: N802 -- likewise
        """Events -> bytes of a streamed answer; see `wireglot.providers.StreamEncoder`."""
        ...


PROVIDERS: Mapping[str, Provider] = _registry.PROVIDERS
"""Every provider by name, in a stable order: ours, then those of other distributions, by name.

The entry points of other distributions are in the group `wireglot.providers`.
"""

if not TYPE_CHECKING:  # to a type checker every name would be there
    __getattr__, __dir__ = lazily(
        __name__,
        {name: f".{name}" for name in _registry.PROVIDER_NAMES}
        | {
            "Route": "._across.routes",
            "StreamDecoder": "._codecs.stream_decoder",
            "StreamEncoder": "._codecs.stream_encoder",
            "Transcript": "._codecs.transcript",
        },
    )
