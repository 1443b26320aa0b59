"""What is known of an API beside its JSON: a provider's `facts.py` says it, all others ask here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder

from ..._registry import APIS, PROVIDER_NAMES, PROVIDERS, registered
from ...model import AnnotationRef, ImageBlock, OpaqueEvent, RawJson, Tool, ToolName


class Endpoint(Struct, frozen=True, kw_only=True):
    """How clients reach an API over HTTP: its paths, in Starlette's syntax, and its headers."""

    paths: tuple[str, ...]
    end: str
    """The end of the first path, in place of which `other_calls` has other ends."""
    models: tuple[str, ...] = ()
    """The paths of the list of models."""
    other_calls: tuple[str, ...] = ()
    """The ends of other calls, which go only to a provider of the same wire."""
    before_model: str | None = None
    """What is before the model in a path, if the model is not in the body."""
    stream_end: str | None = None
    """The end of a path that asks for a stream, if the body does not say so."""
    own_paths: tuple[str, ...] = ()
    """How a path begins that only this API has."""
    own_header: str | None = None
    """A header that all clients of this API send, and no others."""
    feature_headers: tuple[str, ...] = ()
    """Headers that ask for extra features."""
    features_in_body: frozenset[str] = frozenset()
    """The dialects whose body says what `feature_headers` say elsewhere."""
    id_header: str = "x-request-id"
    """The header in which its SDKs look for the id of an exchange."""
    code_header: str | None = None
    """The header that has the code of an error, if its body does not."""
    unusable: int = 502
    """The status for a provider's answer that is of no use; some SDKs repeat a request at 502."""
    streams_unasked: bool = False
    """Whether a request that does not say gets a stream."""
    counts_if_asked: bool = False
    """Whether a stream has its usage only if the request asks for it (`stream_options`)."""
    array_unless: tuple[str, str] | None = None
    """The parameter of the query, and its value, without which a stream is a JSON array."""
    is_foreign: Callable[[bytes], Any] | None = None
    """Finds in a body what this gateway has put there, and the API would refuse."""
    model: Callable[[str, int], dict[str, Any]] | None = None
    """Returns a model as the API lists it, by name and seconds since 1970; None: as OpenAI does."""
    one_model: Callable[[dict[str, Any]], dict[str, Any]] = dict
    """Returns the answer of the API to a question for one model."""
    list_models: Callable[[list[dict[str, Any]]], dict[str, Any]] | None = None
    """Returns one page of the list of models; None: as OpenAI does."""
    fixed_answers: Mapping[tuple[str, str], bytes | Callable[[int], bytes]] = {}
    """Method and path -> JSON that its clients ask for before they send anything.

    What is always the same is told without a key; a function gets seconds since 1970.
    """
    timings: Callable[[float, float], dict[str, Any]] | None = None
    """Returns the keys of an answer that say how long it took."""


class Sdk(Struct, frozen=True, kw_only=True):
    """What an API's own SDK adds to the JSON of the API, in its objects."""

    beside: frozenset[str] = frozenset()
    """Keys beside the body of an answer: headers, and results of its own."""
    has_dicts: bool = False
    """Whether its objects are dicts, so that a dict may have such keys."""
    parsed: Mapping[str, Any] = {}
    """Where it puts what it has parsed of an answer, as pydantic's `exclude` takes it."""
    event: Callable[[Any, dict[str, Any]], Any] | None = None
    """Returns an event of the API for an object of the SDK's streams, None if it says nothing new.

    The arguments are the object, and the same as plain data, which is returned for an object that
    is not the SDK's.
    """
    keyed_events: bool = False
    """Whether an event is an object with one key, which is the event's name."""


class SearchResult(Struct):
    """A search result that every API with such blocks can carry whole."""

    source: str
    title: str
    texts: list[str]
    cites: bool | None = None


class SearchForm(Struct, frozen=True):
    """How a service writes a web search, and which options it has."""

    write: Callable[[dict[str, Any]], dict[str, Any]]
    """Returns the tool for the options, which are by their usual key."""
    takes: frozenset[str]
    is_had: Callable[[Any], bool] = lambda _: True
    """Whether a request can have the search."""
    one_list: bool = False
    """Whether domains are either allowed or blocked."""


FunctionsOf: TypeAlias = Callable[
    [dict[str, Any], str], Iterable[tuple[Tool, ToolName | None, Collection[str]]]
]
"""Returns the functions that stand for a tool of an API.

With each, what the client calls it, if otherwise, and the keys of the tool that have no place.
"""


class TokenLogprob(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A token, and how probable it was, in the words of Chat; the id is Mistral's."""

    token: str
    logprob: float
    bytes: list[int] | None = None
    top_logprobs: list[TokenLogprob] | None = None
    token_id: int | None = None


class LogprobsForm(Struct, frozen=True):
    """Where an API has the probabilities of an answer's tokens, among keys that are unknown."""

    read: Callable[[dict[str, Raw]], list[TokenLogprob] | None]
    """Takes them out of the keys; None if there are none. Raises what msgspec raises."""
    write: Callable[[list[TokenLogprob]], dict[str, Any]] | None
    """Returns the keys with them; None if the API's clients need more of a token."""
    in_text: bool = False
    """Whether those are keys of a text, not of the answer."""


class DocumentCitation(Struct):
    """A place in a document of the request, or in a search result, that a text cites."""

    kind: str
    """What `start` and `end` count: `char`, `page`, `block`, or the blocks of a `result`."""
    index: int
    """The number of the document, or of the search result."""
    start: int
    end: int
    cited_text: str
    title: str | None = None
    source: str | None = None


class DocumentsForm(Struct, frozen=True):
    """How an API says which places in documents a text cites, in the spelling of the text."""

    read: Callable[[bytes, str], list[DocumentCitation] | None]
    """Returns them for a spelling and the text, None if one is of another kind.

    It may raise what msgspec raises.
    """
    write: Callable[[str, list[DocumentCitation]], dict[str, Any]]
    """Returns the spelling of a text with them."""


class TokenParts(Struct):
    """Tokens that some APIs also count apart, and for which `Usage` has no field."""

    audio_in: int = 0
    audio_out: int = 0
    images_in: int = 0
    written_5m: int = 0
    """Written into the cache for five minutes."""
    written_1h: int = 0


TokenPlace: TypeAlias = tuple[str | tuple[str, str], ...]
"""The keys that lead to a count in an API's usage; a pair chooses the objects of a list."""


class Facts(Struct, frozen=True, kw_only=True):
    """What is known of an API beside its JSON. Only `api` has to be said."""

    api: str
    """The stable id of the wire."""
    endpoint: Endpoint | None = None
    """How clients reach it; without, the gateway serves none of its clients."""
    sdk: Sdk = Sdk()

    # -- how its documents are told from others

    framing: Literal["sse", "ndjson", "eventstream"] | None = None
    """What a stream is made of. None: not known."""
    model_in_path: bool = False
    """Whether the model is in the path of a request, not in its body."""
    models: tuple[str, ...] = ()
    """How the names of models begin that only this provider has."""
    own_keys: frozenset[str] = frozenset()
    """Keys of a request that no similar wire has, and that the model has no field for."""

    # -- what another wire needs to know of what came over it

    stop_reasons: frozenset[str] | None = None
    """Its stop reasons. Any other was read as `STOP`, whatever it says. None: not known."""
    file_store: str | None = None
    """The store in which its file ids are valid."""
    progress: tuple[str, ...] = ()
    """How the names of events begin that tell of an item only what its end says, too."""
    keys_for_others: RawJson | None = None
    """The keys of a request that has come over another API, whose clients expect what they say.

    They are one object, by which the encoder knows a request that has no others.
    """
    stored_keys: tuple[str, ...] = ()
    """Keys of a request that refer to an earlier answer, to a prompt or to a cache.

    A dot leads to an inner key; an `id` may be given bare, without its object.
    """
    idle_keys: Mapping[str, bytes] = {}
    """Keys of a request that ask for what other APIs do anyway -> their values that do so."""
    shown_keys: tuple[str, ...] = ()
    """Keys of a request with what the model is shown beside the messages, such as documents."""
    server_keys: tuple[str, ...] = ()
    """Keys of a request that give tools, which the provider runs, outside of `tools`."""
    signer: str | None = None
    """The family of models whose signatures it carries."""
    shows: Literal["asked", "unasked"] | None = None
    """Whether an answer has the text of thinking only if that is asked for. None: it depends."""
    signs_as_blob: bool = False
    """Whether redacted thinking is the base64 of the text that other APIs have."""
    text_of: Callable[[bytes], str | None] | None = None
    """Returns the text of an opaque block that is for the model to read, None if it has none.

    It may raise what msgspec raises; so may the two that follow.
    """
    result_in: Callable[[bytes], SearchResult] | None = None
    """Returns the search result that an opaque block is; raises if a part has no place in it."""
    result_as: Callable[[SearchResult], Any] | None = None
    """Returns the opaque block for a search result."""
    refers_to: Callable[[Any], str | None] | None = None
    """Returns what an opaque block, as plain data, refers to of what the API stores."""
    search_in: Callable[[dict[str, Any]], dict[str, Any] | None] | None = None
    """Returns the options of a tool that is the provider's web search, None of another one."""
    searches: Mapping[str, SearchForm] = {}
    """Dialect -> the form of its web search."""
    client_tools: FunctionsOf | None = None
    """Reads a tool that the client runs itself."""
    token_parts: Mapping[str, TokenPlace] = {}
    """Field of `TokenParts` -> where the API's usage has it."""
    tier_key: str | None = None
    """The key of usage under which an answer has the tier that served it."""
    logprobs: LogprobsForm | None = None
    retold: frozenset[str] = frozenset()
    """Keys beside the deltas of a stream that the answer has again at the end of its block."""
    documents: DocumentsForm | None = None
    images_in: Callable[[dict[str, Raw]], list[ImageBlock]] | None = None
    """Takes the images that a model has made out of the unknown keys of an answer's message.

    It may raise what msgspec raises, or `DecodeError`; so may `sources_in` and `image_in`.
    """
    sources_in: Callable[[dict[str, Raw], str], list[AnnotationRef]] | None = None
    """Takes the pages that an answer cites as a whole out of its unknown keys."""
    image_in: Callable[[bytes], ImageBlock | None] | None = None
    """Returns the image that an opaque block is, None if it is something else."""
    image_as: Callable[[ImageBlock], dict[str, Any] | None] | None = None
    """Returns the opaque block for an image in an answer, None if it cannot be had."""
    finds_tools: bool = False
    """Whether its clients search for tools, and have functions in namespaces."""
    also_called: Mapping[str, tuple[str, ...]] = {}
    """Another system -> its names for this provider, the one that it writes first.

    `""` has the names for a message's `provider`, `opentelemetry` that of the conventions,
    `command` what people type; a dialect may follow there after a colon.
    """


_UNKNOWN: Final = Facts(api="")
_KNOWN: Final[dict[str | None, Facts]] = {None: _UNKNOWN}


def facts_of(api: str | None) -> Facts:
    """Return what is known of an API, by its id; of an unknown one nothing is."""
    known = _KNOWN.get(api)
    return known if known is not None else _found(api)


def _found(api: str | None) -> Facts:
    name = APIS.get(api or "")
    if name is None:
        others = (each for each in registered().values() if api == each.API)
        return _said(next(others, None))
    facts: Facts = PROVIDERS[name].FACTS
    return _KNOWN.setdefault(api, facts)


class _Typed(Struct):
    type: str = ""


_typed: Final = Decoder(_Typed).decode


def is_progress(event: OpaqueEvent) -> bool:
    """Whether an event shows progress alone, so that no loss need tell of it."""
    known = facts_of(event.api).progress
    if not known or event.beside:
        return False
    try:
        name = event.name or _typed(event.raw.text).type
    except (DecodeError, RecursionError):
        return False
    return name.startswith(known)


def facts_named(provider: str) -> Facts:
    """Return what is known of the API of a provider, by the provider's name.

    Of an unknown provider, and of one that cannot be loaded, nothing is known.
    """
    if provider in PROVIDER_NAMES:
        return facts_of(PROVIDERS[provider].API)
    return _said(registered().get(provider))


def _said(provider: Any) -> Facts:
    """Return what a provider of another distribution says, if it says anything."""
    facts = getattr(provider, "FACTS", None)
    return facts if isinstance(facts, Facts) else _UNKNOWN


_TEXTS: Final = {
    Endpoint: (
        "paths",
        "models",
        "other_calls",
        "own_paths",
        "feature_headers",
        "features_in_body",
    ),
    Facts: (
        "models",
        "own_keys",
        "stop_reasons",
        "progress",
        "retold",
        "stored_keys",
        "shown_keys",
        "server_keys",
    ),
}
"""The fields that hold several texts."""
_TEXT: Final = {
    Endpoint: ("end", "before_model", "stream_end", "own_header", "id_header", "code_header"),
    Facts: ("api", "framing", "file_store", "signer", "tier_key"),
}
"""The fields that hold a text, or None."""


def wrong_facts(provider: Any) -> str | None:
    """Return what is wrong with the `FACTS` of another distribution's provider, if it has some."""
    facts = getattr(provider, "FACTS", None)
    if facts is None:
        return None
    if not isinstance(facts, Facts):
        return f"`FACTS` is `{type(facts).__name__}`, expected `wireglot.providers.Facts`"
    if facts.api != provider.API:
        return f"`FACTS.api` is {facts.api!r}, expected the `API` {provider.API!r}"
    endpoint = facts.endpoint
    if endpoint is not None and not isinstance(endpoint, Endpoint):
        return f"`FACTS.endpoint` is `{type(endpoint).__name__}`, expected an `Endpoint`"
    for part in filter(None, (facts, endpoint)):
        for name in _TEXTS[type(part)]:
            texts = getattr(part, name)
            if texts is not None and not (
                isinstance(texts, tuple | frozenset) and all(isinstance(x, str) for x in texts)
            ):
                return f"`{name}` of `FACTS`, expected a tuple or frozenset of `str`"
        for name in _TEXT[type(part)]:
            if not isinstance(getattr(part, name), str | None):
                return f"`{name}` of `FACTS`, expected `str`"
    if endpoint is not None and not all(path.startswith("/") for path in endpoint.paths or ("",)):
        return "`paths` of `FACTS.endpoint`, expected at least one, each with a `/` first"
    for name in ("also_called", "searches", "token_parts", "idle_keys"):
        if not isinstance(getattr(facts, name), Mapping):
            return f"`{name}` of `FACTS`, expected a mapping"
    return None


def our_facts() -> list[Facts]:
    """Return what is known of each of our APIs."""
    return [facts_of(api) for api in APIS]


def called(system: str, name: str | None) -> str | None:
    """Return the API of a provider by the name that another system has for it, None if unknown."""
    if name is None:
        return None
    found = _names(system).get(name)
    if found is not None:
        return found
    others = (_said(provider) for provider in registered().values())
    return next((each.api for each in others if name in each.also_called.get(system, ())), None)


def name_in(system: str, api: str | None) -> str | None:
    """Return the first name that another system has for the provider of an API, None if unknown."""
    return next(iter(facts_of(api).also_called.get(system, ())), None)


@cache
def _names(system: str) -> dict[str, str]:
    return {name: facts.api for facts in our_facts() for name in facts.also_called.get(system, ())}
