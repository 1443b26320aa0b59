"""What all encoders of providers share: losses, unknown keys, and errors that name the wire."""

from __future__ import annotations

import hashlib
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, NoReturn

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields, replace

from .._checks import refuse
from .._objects import encode, errors, is_null, is_object, places, shallow, with_keys
from .._surrogates import mended_value
from ..errors import DecodeError, EncodeError, LossError, WireglotError
from ..losses import Loss, Losses, lose
from ..model import (
    Media,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    TextBlock,
    Tool,
    ToolChoice,
    ToolResultBlock,
)
from ..model.base import NATIVE
from ..model.blocks import MediaBlock
from ._stored import holds_more, is_stored, references, servers
from ._turns import Disorder, ordered

__all__ = [
    "Make",
    "RequestWriter",
    "Writer",
    "check_dialect",
    "encode",
    "errors",
    "hashed",
    "inline",
    "is_plain",
    "is_uncited",
    "lists_some",
    "places",
    "shallow",
    "unknown_dialect",
    "with_keys",
    "written",
]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NULL: Final = Raw(b"null")
# Parameters that some wires have no key for, so that a body read there never holds them.
_KEYLESS: Final = frozenset({"parallel_tool_calls", "cache"})
_PARAMETERS: Final = fields(Request)
_NO_PARAMETERS: Final = _KEYLESS | {"messages", "tools", "extras"}
_FEW, _NAME = 5, 64  # the most tools that a loss names, and the characters of each
_APART: Final = frozenset({"model", "stream"})  # which some wires have in the URL


class Writer:
    """Base of the encoders: `root` is the canonical value being written, for paths in errors."""

    WIRE: ClassVar[str]
    """The provider's name, for errors."""
    API: ClassVar[str]
    LOSSES: ClassVar[dict[str, str]]
    """The rows of the wire's table of losses."""
    NOTES: ClassVar[tuple[str, ...]] = ()
    """Keys of spellings that are notes for the writer, and are not written."""

    def __init__(self, root: Any, losses: Losses, dialect: str) -> None:
        self._root = root
        self._losses = losses
        self._lost_before = len(losses or ())
        self._dialect = dialect
        # The places of the parts that losses name, the cheaper tables first.
        self._tool_places: dict[int, int] | None = None
        self._blocks: dict[int, tuple[int, ...]] | None = None
        self._paths: dict[int, str] | None = None
        self._made_of: dict[int, tuple[Any, Any]] = {}

    def _path(self, part: Any) -> str:
        """Find the path of `part`; only errors and losses need it, so encoding keeps no record."""
        while id(part) in self._made_of:
            part = self._made_of[id(part)][1]
        if part is self._root:
            return "$"
        if self._tool_places is None:
            tools = getattr(self._root, "tools", None) or ()
            self._tool_places = {id(tool): i for i, tool in reversed([*enumerate(tools)])}
        if id(part) in self._tool_places:
            return f"$.tools[{self._tool_places[id(part)]}]"
        if self._blocks is None:
            self._blocks = _block_places(self._root)
        place = self._blocks.get(id(part))
        if place is not None:
            message, *rest = place
            return f"$.messages[{message}]" + "".join(f".content[{i}]" for i in rest)
        if self._paths is None:
            self._paths = {}
            for key, path in places(self._root, "$"):
                self._paths.setdefault(key, path)
        return self._paths.get(id(part), "$")

    def _derived(self, new: Any, old: Any) -> None:
        """Note that `new` was made from `old`, whose path is the one to report."""
        self._made_of[id(new)] = (new, old)

    def _fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        refuse(part, self.WIRE, self._path(part))
        raise EncodeError(reason, wire=self.WIRE, path=self._path(part) + key)

    def _lose(
        self,
        what: str,
        part: Any,
        key: str = "",
        names: Sequence[str] = (),
        *,
        severe: bool = False,
    ) -> None:
        """Record the loss of `part`, or raise; `what` is a row of the wire's table of losses.

        The reason begins with the `names` of what is lost, if there are any.
        """
        path = self._path(part) + key
        why = "".join(f"`{name}`, " for name in names) + self.LOSSES[what]
        lose(self._losses, self.WIRE, path, what, why, self._lost_before, severe=severe)

    def _own_keys(self, part: Any) -> dict[str, Raw]:
        """Return the unknown keys of `part` that came over this API.

        Those of other APIs are a loss; those of the native wire never go to an LLM.
        """
        if self.has_foreign_keys(part):
            self._lose("extras", part)
        extra = part.extras.get(self.API)
        return _keys(extra.keys.text) if extra is not None else {}

    def has_foreign_keys(self, part: Any) -> bool:
        """Whether `part` has unknown keys of an API that is neither this one nor our own."""
        for api, extra in part.extras.items():
            if api not in (self.API, NATIVE):
                text = extra.keys.text
                if text != b"{}" and not is_null(text):
                    return True
        return False

    def _lose_keys(self, part: Any) -> None:
        """Report the unknown keys of a part for which no object is written."""
        if part.extras is not None and not all(map(is_null, self._own_keys(part).values())):
            self._lose("extras", part)

    def _with_extras(self, made: Any, part: Any) -> Any:
        """Return `made` with the unknown keys of `part`; a key that `made` has already wins.

        A key that is null in the spelling of `part` is left out.
        """
        if part.extras is None:
            return made
        own = self._own_keys(part)
        extra = part.extras.get(self.API)
        if extra is None or extra.spelling is None or extra.dialect not in (None, self._dialect):
            return with_keys(made, own) if own else made
        spelled = _keys(extra.spelling.text)
        for key in list(spelled):
            if key in self.NOTES or self._is_stale(part, key, spelled[key]):
                del spelled[key]
        if not own and not spelled:
            return made
        given = {key: raw for key, raw in spelled.items() if raw != _NULL}
        for key in given.keys() & own.keys():
            if is_object(given[key]) and is_object(own[key]):
                given[key] = Raw(encode(with_keys(_keys(given[key]), _keys(own[key]))))
        known = with_keys(made, own | given)
        return {key: known[key] for key in known if spelled.get(key) != _NULL}

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        """Whether a key of the spelling of `part` no longer agrees with `part`."""
        return False

    def _opaque(self, block: OpaqueBlock) -> RawJson:
        """Return the JSON of a block of this API, which is an object on every wire."""
        if block.raw.text[:1] != b"{":
            self._fail("an opaque block that is not an object", block)
        return block.raw

    def _finite(self, value: float | None, key: str) -> float | None:
        """Refuse a number that JSON cannot express."""
        # JSON can express every integer, and `isfinite` fails for a very large one.
        if isinstance(value, float) and not math.isfinite(value):
            self._fail(f"{value} has no JSON", self._root, key)
        return value


class RequestWriter(Writer, ABC):
    """Base of the request encoders, one object for one encoding.

    `UNSUPPORTED` of a subclass lists each parameter that its wire has no place for, with the value
    that asks for nothing.
    """

    UNSUPPORTED: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    SPOKEN: ClassVar[tuple[str, ...]]
    """The dialects of the wire."""
    BODY: ClassVar[type[Struct]]
    """The wire's Struct for the whole body."""
    CONTENT: ClassVar[tuple[str, ...]]
    """The keys of the body that hold messages and tools; the conversation comes last."""
    PROMPT_APART: ClassVar[bool] = False
    """Whether leading system messages are outside the conversation."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        if dialect not in self.SPOKEN:
            raise unknown_dialect(dialect, self.SPOKEN, self.WIRE)
        super().__init__(request, losses, dialect)
        self._request = request
        self._open: dict[str, Any] = {}
        """Calls that wait for their results: canonical id -> what the result needs of the call."""
        self.sent: list[Any] = []
        """Encoded messages that precede those to write (see `Transcript`)."""
        self._is_ordered = False
        self._answers = 0
        """How many answers have been written, on wires whose results may have no ids."""
        self._as_called: frozenset[int] = frozenset()
        self.untied: set[int] = set()
        """The numbers of the answers whose results a reader would match to other calls."""
        self._spelled: dict[str, Raw] = {}
        self._lost_tools: list[OpaqueBlock] = []

    def _lose(
        self,
        what: str,
        part: Any,
        key: str = "",
        names: Sequence[str] = (),
        *,
        severe: bool = False,
    ) -> None:
        """Record the loss of `part`, or raise; it is severe if another API stores what is lost."""
        stored = references(part, self.API) if what in ("extras", "opaque block") else []
        for name in stored:
            place = f".{name}" if part is self._root else ""
            super()._lose("stored state", part, place, [name], severe=True)
        if stored and not (part is self._root and holds_more(part, self.API)):
            return
        if what == "opaque tool":
            self._lost_tools.append(part)
        severe = severe or is_stored(part, what)
        super()._lose(what, part, key, names, severe=severe)

    def lose_stored(self) -> None:
        """Report all references of the request to what another API stores."""
        request = self._request
        if references(request, self.API):
            self._lose("extras", request)
        for message in request.messages:
            for block in getattr(message, "content", ()):
                if type(block) is OpaqueBlock and references(block, self.API):
                    self._lose("opaque block", block)

    def ordered(self, repair: bool, as_called: frozenset[int]) -> list[Message]:
        """Return the request's messages in order, see `_turns.ordered`."""
        self._is_ordered = True
        self._as_called = as_called
        return ordered(
            self._request.messages,
            self._fail,
            self._derived,
            self._leave,
            repair=repair,
            as_called=as_called,
        )

    def _is_as_called(self) -> bool:
        """Whether the results of the last answer have been put in the order of its calls."""
        return self._answers in self._as_called

    def _untie(self) -> None:
        """Refuse a result that a reader would match to another call of the last answer.

        If the messages have been put in order, note the answer instead, so that only its results
        are sorted on the next attempt.
        """
        if not self._is_ordered or self._is_as_called():
            raise Disorder
        self.untied.add(self._answers)

    def _leave(self, part: Any) -> None:
        """Report a part of a result without its call that has no meaning outside of a result."""
        if type(part) is OpaqueBlock:
            self._lose("opaque block", part)
            return
        self._lose_keys(part)
        if type(part) is ToolResultBlock and part.cache is not None:
            self._lose("cache mark", part)

    @abstractmethod
    def body(self, messages: list[Message]) -> Any:
        """Return the wire's body for the request with these messages. Raises `Disorder`."""

    @abstractmethod
    def conversation(self, messages: list[Message]) -> list[Any]:
        """Return the wire's messages for these, without the system prompt. Raises `Disorder`."""

    def is_settled(self, made: list[Any]) -> bool:
        """Whether no later message can change these messages of the wire."""
        return True

    @abstractmethod
    def parameters(self) -> Any:
        """Return the wire's body without messages and tools; this may be called twice."""

    def own_parameters(self) -> Any:
        """Return `parameters()`, and note the spelling in which they came if it still agrees.

        They are then written as they came, so none of them is a loss, except those that the wire
        has no key for.
        """
        extra = (self._request.extras or {}).get(self.API)
        if extra is None:
            return self.parameters()
        found: list[Loss] = []
        losses, self._losses = self._losses, found
        is_whole = True
        try:
            made = self.parameters()
        except EncodeError:  # the original body contradicts itself
            made = self.BODY(**{self.CONTENT[-1]: []})
            is_whole = False
        finally:
            self._losses = losses
        keys = self.BODY.__struct_encode_fields__
        other = _keys(extra.spelling.text) if extra.spelling is not None else {}
        own = _keys(extra.keys.text)
        spelled = {key: own[key] for key in keys if key in own and key not in other}
        if extra.dialect == self._dialect:
            spelled |= other
        if spelled and self._says_the_same({**shallow(made), **spelled}, is_whole):
            self._spelled = spelled
            for loss in found:
                if loss.what in _KEYLESS and loss.what not in spelled:
                    self._lose(loss.what, self._request)
            return made
        return self.parameters()

    def _says_the_same(self, body: dict[str, Any], is_whole: bool) -> bool:
        """Whether a reader of this wire gets the request's own parameters from these keys.

        Unless the keys are the whole body (`is_whole`), all other parameters must be unset.
        """
        known = {key: body[key] for key in body if key not in self.CONTENT}
        try:
            read = self.read(encode({**known, self.CONTENT[-1]: []}))
        except WireglotError:
            return False
        if not is_whole:
            apart = _APART - {*self.BODY.__struct_fields__} | _NO_PARAMETERS
            read = {f.name: f.default for f in _PARAMETERS if f.name not in apart} | read
        return all(getattr(self._request, name) == value for name, value in read.items())

    def kept(self, body: Any) -> Any:
        """Return the body with the request's unknown keys, and with the spelling that was noted.

        Report it if the request has lost all of its tools: the model would pretend to call them.
        """
        lost, choice = self._lost_tools, self._request.tool_choice
        names = [_shown(tool) for tool in lost] + servers(self._request, self.API)
        is_without = bool(names) and len(lost) == len(self._request.tools or ())
        if is_without and (choice is None or choice.mode != "none"):
            place = ".tools" if lost else f".{names[0]}"
            self._lose("only tools", self._request, place, names[:_FEW], severe=True)
        if self._request.extras is None:
            return body
        own = self._own_keys(self._request)
        if self._spelled:
            said = {**shallow(body), **self._spelled}
            known = self.BODY.__struct_encode_fields__
            body = {key: said[key] for key in known if said.get(key, _NULL) != _NULL}
        if not own:
            return body
        whole = with_keys(body, own)
        halves = [
            key
            for key in self.BODY.__struct_encode_fields__
            if key in own and not self._is_whole(key, whole[key])
        ]
        if halves:
            self._lose("extras", self._request)
            whole = with_keys(body, {key: own[key] for key in own if key not in halves})
        return whole

    def _is_whole(self, key: str, value: Any) -> bool:
        """Whether a reader accepts a value that unknown keys were added to.

        It does not where a caller has removed the value, so that some unknown keys are all that is
        left.
        """
        if key in self.CONTENT:
            return True
        try:
            self.read(encode({key: value, self.CONTENT[-1]: []}))
        except WireglotError:
            return False
        return True

    @abstractmethod
    def read(self, body: bytes) -> dict[str, Any]:
        """Return the parameters in a body of this wire, by field of `Request`."""

    def lose_unsupported(self) -> None:
        """Report the parameters that the wire has no place for."""
        for name, nothing in self.UNSUPPORTED.items():
            value = getattr(self._request, name)
            if value is not None and value is not False and value != nothing:
                self._lose(name, self._request)

    # -- tools ---------------------------------------------------------------------------------

    def carried_tools(self) -> list[Tool | OpaqueBlock]:
        """Return the tools that this wire has a place for: functions, and its own opaque ones."""
        given = self._request.tools or ()
        return [tool for tool in given if isinstance(tool, Tool) or tool.api == self.API]

    def has_lost(self, name: str | None) -> bool:
        """Whether the request has a tool of this name that this wire does not carry.

        Where a lost tool does not tell its name, each name that no carried tool has may be its.
        """
        if name is None:
            return False
        lost: set[str | None] = set()
        for tool in self._request.tools or ():
            own = tool.name if isinstance(tool, Tool) else _name_of(tool)
            if not isinstance(tool, Tool) and tool.api != self.API:
                lost.add(own)
            elif own == name:
                return False
        return name in lost or None in lost

    def chosen(self, choice: ToolChoice) -> ToolChoice:
        """Return the choice; if it forces a tool that is lost, that is a loss, and it is `auto`."""
        if not self.has_lost(choice.name):
            return choice
        self._lose("tool choice lost", choice)
        made = replace(choice, mode="auto", name=None)
        self._derived(made, choice)
        return made

    def allowed(self, choice: ToolChoice) -> list[str] | None:
        """Return the names that a choice is narrowed to; None if it is not, or all are lost."""
        given = choice.allowed
        if given is None:
            return None
        left = [name for name in given if not self.has_lost(name)]
        if len(left) == len(given):
            return given
        self._lose("tool choice lost", choice)
        return left or None


Make = Callable[[Request, Losses], RequestWriter]


def check_dialect(dialect: str, spoken: tuple[str, ...], wire: str) -> None:
    """Refuse an unknown dialect. Raises `EncodeError`."""
    if dialect not in spoken:
        raise unknown_dialect(dialect, spoken, wire)


def unknown_dialect(dialect: str, spoken: tuple[str, ...], wire: str) -> EncodeError:
    """Return the error for a caller who asks for an unknown dialect."""
    known = ", ".join(f"`{name}`" for name in spoken)
    return EncodeError(f"unknown dialect `{dialect}`, expected one of {known}", wire=wire)


def written(make: Make, request: Request, losses: Losses, *, repair: bool = False) -> bytes:
    """Encode `request` with the writer that `make` returns; any failure is an `EncodeError`.

    A lone surrogate in a text is an error too; with a list of losses it becomes U+FFFD, and the
    loss is recorded.
    """
    before = len(losses) if losses is not None else 0
    with errors("model", request):  # making the writer reads some fields
        writer = make(request, losses)
    wire = writer.WIRE
    with errors(wire, request):
        try:
            return encode(_body(make, request, losses, repair))
        except UnicodeEncodeError:
            if losses is not None:
                del losses[before:]  # the second attempt finds these again
            mended = mended_value(request, wire, "$", losses)
            return encode(_body(make, mended, losses, repair))
        except LossError:
            raise
        except EncodeError:  # what is missing is perhaps what another API stores
            if not any(loss.severe for loss in (losses or ())[before:]):
                writer.lose_stored()
            raise


def _body(make: Make, request: Request, losses: Losses, repair: bool) -> Any:
    before = len(losses) if losses is not None else 0
    writer = make(request, losses)
    try:
        return writer.kept(writer.body(request.messages))
    except Disorder:
        pass
    untied: frozenset[int] = frozenset()
    while True:
        if losses is not None:
            del losses[before:]
        writer = make(request, losses)
        try:
            body = writer.body(writer.ordered(repair, untied))
        except Disorder as disorder:
            reason = "calls and results that cannot be put in order"
            raise EncodeError(reason, wire=writer.WIRE) from disorder
        if not writer.untied:
            return writer.kept(body)
        untied |= writer.untied


def is_plain(content: Any) -> bool:
    """Whether content is only text blocks, not blank, with no field but `text`.

    Most content is, and is then written without a check of each block.
    """
    for block in content:
        if (
            type(block) is not TextBlock
            or type(block.text) is not str
            or not block.text
            or block.cache is not None
            or block.extras is not None
            or block.annotations is not None
            or block.signature is not None
        ):
            return False
    return bool(content) and not content[0].text.isspace()


def is_uncited(text: TextBlock, spelled: Raw) -> bool:
    """Whether a text has lost the annotations that it came with (`spelled`, on the wire)."""
    return not text.annotations and lists_some(spelled)


def lists_some(spelled: Raw) -> bool:
    """Whether a slice is a list that is not empty."""
    listed = bytes(spelled)
    return listed[:1] == b"[" and listed[1:-1].strip() != b""


def inline(block: MediaBlock) -> Media | None:
    """Return a block's inline data, also from a `data:` URL; None if there is none."""
    try:
        media = block.inline()
    except DecodeError:  # a malformed `data:` URL
        return None
    return media if media is not None and not media.is_empty else None


def hashed(word: str, allowed: re.Pattern[str], longest: int, filler: str = "_") -> str:
    """Return `word` in an alphabet, with eight digits of a hash to keep words distinct.

    `allowed` matches a single character.
    """
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    kept = "".join(char if allowed.fullmatch(char) else filler for char in word[: longest - 9])
    return f"{kept}{filler}{digest}"


def _name_of(tool: OpaqueBlock) -> str | None:
    """Return the name that an opaque tool tells, None if it tells none or holds tools itself.

    The name stands in the tool, or in the object that has its type as a key; a tool of Bedrock has
    no type.
    """
    value = tool.raw.value
    if not isinstance(value, dict) or "tools" in value:
        return None
    inner = value.get(str(value.get("type", "systemTool")))
    name = value.get("name", inner.get("name") if isinstance(inner, dict) else None)
    return name if isinstance(name, str) else None


def _shown(tool: OpaqueBlock) -> str:
    """Return how to name an opaque tool: its name or its type."""
    value = tool.raw.value
    kind = value.get("type", next(iter(value), None)) if isinstance(value, dict) else None
    return str(_name_of(tool) or kind or "unnamed")[:_NAME]


def _block_places(root: Any) -> dict[int, tuple[int, ...]]:
    """Return the places of a request's messages and blocks, which most losses name."""
    found: dict[int, tuple[int, ...]] = {}
    for i, message in enumerate(getattr(root, "messages", ())):
        found.setdefault(id(message), (i,))
        for j, block in enumerate(getattr(message, "content", ())):
            found.setdefault(id(block), (i, j))
            if type(block) is ToolResultBlock:
                for k, inner in enumerate(block.content):
                    found.setdefault(id(inner), (i, j, k))
    return found
