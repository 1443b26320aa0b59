"""Request <-> the body of a provider: what all request codecs share, and the one way to use them.

"As it came": what a body says in another way than the encoder would is written back in that way.
Each part keeps its own spelling in `Extra.spelling`, noted where it is read. That of the parameters
is found by `RequestCodec`, which owns both the writer and the reader: it compares what came with
what would be written. A request that goes to another API does without it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields, replace

from ..._body.decode import ASIDE, plain_text, read_body, read_text, with_objects
from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS
from ..._body.objects import shallow, with_keys
from ..._body.refuse import encode_error
from ..._body.surrogates import mended_text, mended_value
from ...capabilities import Capabilities, of_model
from ...errors import DecodeError, EncodeError, LossError, WireglotError
from ...losses import Loss, Losses, LossList, lost_so_far
from ...model import (
    Extra,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    ThinkingLevel,
    ToolCallBlock,
    ToolNames,
    ToolResultBlock,
    UserMessage,
)
from .. import _interface
from .._across.client_tools import adapt_tools
from .._across.ids import all_named, numbered
from .._across.tools import has_opaque, lose_only_tools
from .._across.web_search import translate_search
from .._state.decoding import Decoding, read_out, residue
from .._state.encoding import Encoding, OutOfOrder
from .._state.facts import facts_of
from .._state.hosts import EVERYTHING
from .._state.opaque_text import with_opaque_text
from .._state.rules import Rules, asks_for_nothing, check_target
from .._state.signatures import CLAUDE, reads
from .._state.stored import references
from .order import ordered

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_raw = msgspec.json.Decoder(Raw).decode
_BOM: Final = b"\xef\xbb\xbf"
_LIST: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+\[")
_NULL: Final = Raw(b"null")
# Parameters that some wires have no key for, so that a body read there never holds them.
_KEYLESS: Final = frozenset({"parallel_tool_calls", "cache"})
_PARAMETERS: Final = fields(Request)
_NO_PARAMETERS: Final = _KEYLESS | {"messages", "tools", "extras"}
_APART: Final = frozenset({"model", "stream"})  # which some wires have in the URL
_Settings = tuple[Losses, str, Capabilities | None, ToolNames | None]
"""The losses, the dialect, the capabilities and the names of tools of one encoding."""


class OpenCalls(Struct):
    """How far an encoding is in the order of calls and results.

    Every wire requires that an answer's calls are answered at once. A writer raises `OutOfOrder`
    where they are not; then the messages are put in order, and written again.
    """

    open: dict[str, Any] = {}
    """Calls that wait for their results: canonical id -> what the result needs of the call."""
    ids: dict[str, bool] = {}
    """The ids of the calls before, on wires where all calls of a request must differ in them."""
    answers: int = 0
    """How many answers have been written, on wires whose results may have no ids."""
    in_call_order: frozenset[int] = frozenset()
    """The numbers of the answers whose results have been put in the order of their calls."""
    mismatched: set[int] = set()
    """The numbers of the answers whose results a reader would match to other calls."""
    is_ordered: bool = False

    def is_in_call_order(self) -> bool:
        """Whether the results of the last answer have been put in the order of its calls."""
        return self.answers in self.in_call_order

    def mismatch(self) -> None:
        """Refuse a result that a reader would match to another call of the last answer.

        If the messages have been put in order, note the answer instead, so that only its results
        are sorted on the next attempt.
        """
        if not self.is_ordered or self.is_in_call_order():
            raise OutOfOrder
        self.mismatched.add(self.answers)


class RequestWriter(ABC):
    """Base of the request encoders, one object for one encoding."""

    PROMPT_APART: ClassVar[bool] = False
    """Whether leading system messages are outside the conversation."""
    IDS_DIFFER: ClassVar[bool] = False
    """Whether no two calls of a whole request may have one id; else no two of a turn may."""

    sent: Sequence[Any] = ()
    """Encoded messages that precede those to write (see `Transcript`)."""
    lost: Sequence[Loss] = ()
    """What was lost of these."""
    is_whole: bool = False
    """Whether all messages are written that are not encoded yet."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self.request: Request = encoding.root
        self.open_calls: OpenCalls = OpenCalls()

    @abstractmethod
    def content(self, messages: list[Message]) -> dict[str, Any]:
        """Return the fields of the body that hold messages and tools. Raises `OutOfOrder`."""

    @abstractmethod
    def conversation(self, messages: list[Message]) -> list[Any]:
        """Return the wire's messages for these, without the system prompt. Raises `OutOfOrder`."""

    @abstractmethod
    def parameters(self) -> Any:
        """Return the wire's body without messages and tools; this may be called twice."""

    def alike(self, spelled: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters, as another dialect has them, that this one has so too."""
        return {}

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without those that the model refuses."""
        return came

    def own_keys(self) -> dict[str, Raw]:
        """Return the request's unknown keys that came over this API, and go out with the body."""
        return self.encoding.own_keys(self.request)

    def needs_turn(self) -> bool:
        """Whether the API refuses a request of a system prompt alone."""
        return False

    def rest(self, messages: list[Message]) -> list[Any]:
        """Return the wire's messages for those that are not encoded yet."""
        if self.lost and self.encoding.losses is not None:
            self.encoding.losses += self.lost
        return self.conversation(messages)

    def is_start(self, messages: list[Message]) -> bool:
        """Whether nothing but the system prompt comes before these messages."""
        if self.sent:
            return False
        first = (m for m in self.request.messages if type(m) is not SystemMessage)
        return self.is_whole or messages[0] is next(first, None)

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether no later message can change these messages of the wire."""
        return True

    def finished(self, body: Any) -> Any:
        """Return the whole body, a Struct or a dict; the last step of an encoding."""
        return body

    def lose_each(self, names: frozenset[str]) -> None:
        """Report those of some parameters that are asked for."""
        for name in _in_order(names):
            value = getattr(self.request, name)
            if value is not None and not asks_for_nothing(name, value):
                self.encoding.lose(name, self.request)

    def lose_parameters(self) -> None:
        """Report the parameters that the wire has no place for."""
        request = self.request
        plan = self.encoding.rules.plans[Request]
        self.encoding.check(request, plan)
        for name, row, _ in plan.lost:
            if not asks_for_nothing(name, getattr(request, name)):
                self.encoding.lose(row, request)


class CutPoint(Struct, frozen=True):
    """Where a conversation can be cut: before an answer, behind everything that it answers.

    `parts` counts the messages of the wire before the cut in the body that was read, `messages`
    the canonical ones, and `calls` is what a reader needs to go on from there.
    """

    parts: int
    messages: int
    calls: Any


class RequestReader(ABC):
    """Base of the request decoders, one object for one body."""

    NOTES_HOST: ClassVar[bool] = False
    """Whether the request notes the dialect that it came in, where that is not the usual one."""

    earlier: Any = None
    """What `calls` returned for the messages before this body, if not all of them are in it."""
    known: Sequence[Message] = ()
    """These messages, if the request is needed with them."""
    most_cuts: int = 0
    """How many places to note where the conversation can be cut."""
    read_messages: int = 0
    """How many canonical messages the conversation in the body has given."""

    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        self.decoding: Decoding = decoding
        self.path: str | None = path
        """The path of the URL, on the wires that keep the model or `stream` in it."""
        self.names: dict[str, str] = {}
        """Call -> the function that it called, of the calls read so far."""
        self.unread: set[str] = set()
        """Keys of the body whose value the model cannot express: a loss on other wires."""
        self.cuts: list[CutPoint] = []
        """The last places where the conversation can be cut, in their order."""

    @abstractmethod
    def request(self) -> Request:
        """Return the canonical request, without its `extras`."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return everything but messages and tools, by field of `Request`."""

    @abstractmethod
    def conversation(self, parts: list[Any]) -> list[Message]:
        """Return the messages for those of the wire."""

    @abstractmethod
    def begins_answer(self, before: Any, part: Any) -> bool:
        """Whether `part` begins an answer, and `before` is known to be no part of one."""

    def messages(self, parts: list[Any]) -> list[Message]:
        """Return the messages for those of the wire, and note where they can be cut."""
        if self.earlier is not None:
            self.go_on(self.earlier)
        if not self.most_cuts:
            out = self.conversation(parts)
            self.read_messages = len(out)
            return out
        out = []
        start = 0
        for at in self._answers(parts):
            out += self.conversation(parts[start:at])
            self.cuts.append(CutPoint(at, len(out), self.calls()))
            start = at
        out += self.conversation(parts[start:])
        self.read_messages = len(out)
        return out

    def _answers(self, parts: list[Any]) -> list[int]:
        """Return where the last answers begin, in their order."""
        found: list[int] = []
        at = len(parts)
        while len(found) < self.most_cuts and at > 1:
            at -= 1
            if self.begins_answer(parts[at - 1], parts[at]):
                found.append(at)
        return found[::-1]

    def whole(self, request: Request) -> Request:
        """Return the request with all messages of its conversation, not only those in the body."""
        if not self.known:
            return request
        first = len(request.messages) - self.read_messages
        messages = [*request.messages[:first], *self.known, *request.messages[first:]]
        return replace(request, messages=messages)

    def calls(self) -> Any:
        """Return a copy of what is known of the calls so far."""
        return dict(self.names)

    def go_on(self, calls: Any) -> None:
        """Begin with what is known of earlier calls."""
        self.names.update(calls)


class RequestCodec:
    """The codec of one wire's requests, made of its rules, its writer and its reader.

    `content` names the keys of the body that hold messages and tools; the conversation comes last.
    `adapt` fits the unknown keys of a request to the service and the model. `silent` are keys that
    the reader knows, and no field of the model says anything of; `portable` are those that are
    spelled in one way in all dialects.
    """

    def __init__(
        self,
        rules: Rules,
        body: type[Struct],
        content: tuple[str, ...],
        writer: type[RequestWriter],
        reader: type[RequestReader],
        *,
        adapt: Callable[[Encoding], None] | None = None,
        silent: frozenset[str] = frozenset(),
        portable: frozenset[str] = frozenset(),
    ) -> None:
        self.rules: Rules = rules
        self._body = body
        names = zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True)
        self._fields = [(name, key) for name, key in names if name != ASIDE]
        self._keys = [key for _, key in self._fields]
        self._content = content
        self._conversation = next(name for name, key in self._fields if key == content[-1])
        self._writer = writer
        self._reader = reader
        self._adapt = adapt
        self._silent = silent
        self._portable = portable

    def portable(self, spelling: RawJson | None) -> RawJson | None:
        """Return what of a spelling is the same for every dialect and every model."""
        keys = _keys(spelling.text) if spelling is not None else {}
        kept = {key: keys[key] for key in keys if key in self._portable}
        return RawJson.adopt(Raw(encode(kept))) if kept else None

    @property
    def conversation_key(self) -> str:
        """The key of the body that holds the conversation."""
        return self._content[-1]

    # -- encoding --------------------------------------------------------------------------------

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
        rules = self.rules
        dialect = rules.dialect(dialect)
        before = 0
        if losses is not None:  # one call for a list
            before = len(losses) if losses.__class__ is list else lost_so_far(losses)
        if names is not None:
            names.clear()
        settings = losses, dialect, capabilities, names
        try:
            try:
                body = encode(self._whole(request, repair, settings))
            except UnicodeEncodeError:
                if losses is not None:
                    del losses[before:]  # the second attempt finds these again
                mended = mended_value(request, rules.wire, "$", losses)
                body = encode(self._whole(mended, repair, settings))
            if isinstance(losses, LossList):
                losses.check(before, rules.wire)
            return body
        except LossError:
            raise
        except EncodeError:  # what is missing is perhaps what another API stores
            if not any(loss.severe for loss in (losses or ())[before:]):
                try:
                    _lose_stored(Encoding(rules, request, losses, dialect, len(losses or ())))
                except LossError:
                    raise
                except FAULTS:  # it holds values of wrong types, as the error tells
                    pass
            raise
        except FAULTS as error:
            if not isinstance(capabilities, Capabilities | None):
                kind = type(capabilities).__name__
                reason = f"capabilities of type `{kind}`, expected `Capabilities`"
                raise EncodeError(reason, wire=rules.wire) from error
            raise encode_error(error, rules.wire, request, Request) from error

    encode_request.__doc__ = _interface.encode_request.__doc__

    def writer(
        self,
        request: Request,
        losses: Losses,
        dialect: str,
        capabilities: Capabilities | None = None,
        names: ToolNames | None = None,
    ) -> RequestWriter:
        """Return the encoder of a request."""
        takes = capabilities or self.rules.takes(request.model, dialect)
        hosts = self.rules.hosts
        host = hosts[dialect] if hosts else EVERYTHING
        before = len(losses or ())
        encoding = Encoding(self.rules, request, losses, dialect, before, takes, host, names=names)
        if request.extras is not None and self._adapt is not None:
            self._adapt(encoding)
        if request.tools and has_opaque(request):
            translate_search(encoding)
            adapt_tools(encoding)
        return self._writer(encoding)

    def whole(self, writer: RequestWriter, messages: list[Message]) -> Any:
        """Return the wire's body for the request with these messages. Raises `OutOfOrder`."""
        takes = writer.encoding.takes
        if not takes.tools:
            _leave_out_tools(writer)
        if not takes.system:
            messages = [_as_users(message, writer.encoding) for message in messages]
        elif (
            messages
            and type(messages[-1]) is SystemMessage
            and {*map(type, messages)} == {SystemMessage}
            and not writer.sent
            and writer.needs_turn()
        ):
            for message in messages:
                writer.encoding.lose("system alone", message)
            messages = [_said(message, writer.encoding) for message in messages]
        if not self.rules.lossless[Request](writer.request):
            writer.lose_parameters()
        writer.is_whole = True
        content = writer.content(messages)
        has_extras = writer.request.extras is not None and not writer.encoding.unstored
        body, spelled = self._own_parameters(writer) if has_extras else (writer.parameters(), {})
        for name, value in content.items():
            setattr(body, name, value)
        if has_extras or writer.encoding.lost_tools:
            lose_only_tools(writer.encoding)
        if has_extras:
            body = self._kept(writer, body, spelled)
        return writer.finished(body)

    def _whole(self, request: Request, repair: bool, settings: _Settings) -> Any:
        writer = self.writer(request, *settings)
        losses, before = writer.encoding.losses, writer.encoding.before
        try:
            return self.whole(writer, writer.request.messages)
        except OutOfOrder:
            pass
        mismatched: frozenset[int] = frozenset()
        while True:
            if losses is not None:
                del losses[before:]
            writer = self.writer(request, *settings)
            writer.open_calls.is_ordered, writer.open_calls.in_call_order = True, mismatched
            try:
                body = self.whole(writer, self._ordered(writer.encoding, repair, mismatched))
            except OutOfOrder as disorder:
                reason = "calls and results out of order, expected each result after its call"
                raise EncodeError(reason, wire=self.rules.wire) from disorder
            if not writer.open_calls.mismatched:
                return body
            mismatched |= writer.open_calls.mismatched

    def _ordered(
        self, encoding: Encoding, repair: bool, in_call_order: frozenset[int]
    ) -> list[Message]:
        def leave(part: Any) -> None:
            """Report a part of a result without its call that has no meaning outside of one."""
            if type(part) is OpaqueBlock:
                encoding.lose("opaque block", part)
                return
            encoding.lose_keys(part)
            if type(part) is ToolResultBlock and part.cache is not None:
                encoding.lose("cache mark", part)

        def lose(block: OpaqueBlock) -> None:
            encoding.lose("opaque text", block)

        return ordered(
            with_opaque_text(
                encoding.root.messages,
                encoding.api,
                lose,
                encoding.derived,
                to_claude=reads(encoding, CLAUDE),
            ),
            encoding.fail,
            encoding.derived,
            leave,
            repair=repair,
            in_call_order=in_call_order,
            ids_differ=self._writer.IDS_DIFFER,
        )

    # -- as it came, on the way back -------------------------------------------------------------

    def _own_parameters(self, writer: RequestWriter) -> tuple[Any, dict[str, Raw]]:
        """Return the body with the parameters, and the keys to write as they came.

        What is written as it came is not a loss, except for parameters without a key of the wire.
        """
        encoding = writer.encoding
        extra = (writer.request.extras or {}).get(encoding.api)
        if extra is None:
            return writer.parameters(), {}
        new_losses: list[Loss] = []
        losses, encoding.losses = encoding.losses, new_losses
        is_whole = True
        try:
            body = writer.parameters()
        except EncodeError:  # the original body contradicts itself
            body = self._empty()
            is_whole = False
        finally:
            encoding.losses = losses
        other = _keys(extra.spelling.text) if extra.spelling is not None else {}
        own = _keys(extra.keys.text)
        spelled = {key: own[key] for key in self._keys if key in own and key not in other}
        if extra.dialect == encoding.dialect:
            spelled |= other
        else:
            if not new_losses:
                spelled |= writer.alike(other)
            spelled |= {
                key: other[key] for key in other.keys() & self._portable if other[key] != _NULL
            }
        if self._silent.issuperset(spelled):
            return writer.parameters(), spelled
        given = spelled
        spelled = writer.spellings(given)
        if spelled is not given:
            is_whole = is_whole and given.keys() - spelled.keys() <= _APART
        if not spelled or not self._says_the_same(writer, {**shallow(body), **spelled}, is_whole):
            return writer.parameters(), {}
        for loss in new_losses:
            if loss.what in _KEYLESS and loss.what not in spelled:
                encoding.lose(loss.what, writer.request)
        return body, spelled

    def _says_the_same(self, writer: RequestWriter, body: dict[str, Any], is_whole: bool) -> bool:
        """Whether a reader of this wire gets the request's own parameters from these keys.

        Unless the keys are the whole body (`is_whole`), all other parameters must be unset.
        """
        known = {key: body[key] for key in body if key not in self._content}
        try:
            read = self._parameters_in(known, writer.encoding.dialect)
        except WireglotError:
            return False
        if not is_whole:
            apart = _APART - {*self._body.__struct_fields__} | _NO_PARAMETERS
            read = {f.name: f.default for f in _PARAMETERS if f.name not in apart} | read
        return all(getattr(writer.request, name) == value for name, value in read.items())

    def _parameters_in(self, keys: dict[str, Any], dialect: str) -> dict[str, Any]:
        data = encode({**keys, self._content[-1]: []})
        body = read_body(self._body, data, self.rules.wire)
        return self._reader(Decoding(self.rules, body, dialect)).parameters()

    def _kept(self, writer: RequestWriter, body: Any, spelled: dict[str, Raw]) -> Any:
        """Return the body with the request's unknown keys, and with the keys as they came."""
        encoding, request = writer.encoding, writer.request
        own = writer.own_keys()
        if spelled:
            said = {**shallow(body), **spelled}
            body = {key: said[key] for key in self._keys if said.get(key, _NULL) != _NULL}
        if not own:
            return body
        whole = with_keys(body, own)
        halves = [
            key
            for key in self._keys
            if key in own
            and key not in self._silent
            and not self._is_whole(key, whole[key], encoding.dialect)
        ]
        if halves:
            encoding.lose("extras", request, keys=halves)
            whole = with_keys(body, {key: own[key] for key in own if key not in halves})
        return whole

    def _is_whole(self, key: str, value: Any, dialect: str) -> bool:
        """Whether a reader accepts a value that unknown keys were added to.

        It does not where a caller has removed the value, so that some unknown keys are all that is
        left.
        """
        if key in self._content:
            return True
        try:
            self._parameters_in({key: value}, dialect)
        except WireglotError:
            return False
        return True

    def _empty(self) -> Any:
        return self._body(**{self._content[-1]: []})

    # -- decoding --------------------------------------------------------------------------------

    def decode_request(
        self,
        data: Any,
        path: str | None = None,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        target: str = "",
    ) -> Request:
        rules = self.rules
        dialect = rules.dialect(dialect)
        check_target(target, rules.wire)

        def read(text: bytes, found: Losses) -> Request:
            body = read_text(self._body, text, rules.wire, found)
            reader = self._reader(Decoding(rules, body, dialect, target), path)
            request = self._request(reader)
            if b'""' in text:  # perhaps as an id
                numbered(request.messages)
            return request

        text = data if type(data) is bytes else plain_text(data, rules.wire, losses)
        if text[:1] == b"{" or not _LIST.match(text):
            return read_out(read, text, rules.wire, losses)
        return self._decode_list(read, text, losses)

    decode_request.__doc__ = _interface.decode_request.__doc__

    def decode_more(
        self,
        text: bytes,
        path: str | None,
        *,
        dialect: str,
        target: str,
        earlier: Any,
        known: list[Message],
        most_cuts: int,
    ) -> tuple[Request, RequestReader]:
        """Decode a body whose conversation goes on from `earlier`, or begins; and its reader.

        `known` are the messages before. The reader knows where the conversation can be cut, in this
        body.

        Raises `DecodeError` as `decode_request` does, and `OutOfOrder` for a call without an id:
        its id depends on those before it.
        """

        def read(text: bytes, found: Losses) -> tuple[Request, RequestReader]:
            body = read_text(self._body, text, self.rules.wire, found)
            reader = self._reader(Decoding(self.rules, body, dialect, target), path)
            reader.earlier, reader.known, reader.most_cuts = earlier, known, most_cuts
            request = self._request(reader)
            _check_named(request.messages, text)
            return request, reader

        return read_out(read, text, self.rules.wire, None)

    def decode_messages(
        self, text: bytes, *, dialect: str, target: str, earlier: Any, most_cuts: int
    ) -> tuple[list[Message], RequestReader]:
        """Decode a body that has nothing but messages, as `decode_more` does."""

        def read(text: bytes, found: Losses) -> tuple[list[Message], RequestReader]:
            body = read_text(self._body, text, self.rules.wire, found)
            reader = self._reader(Decoding(self.rules, body, dialect, target))
            reader.earlier, reader.most_cuts = earlier, most_cuts
            messages = reader.messages(getattr(body.root, self._conversation))
            _check_named(messages, text)
            return messages, reader

        return read_out(read, text, self.rules.wire, None)

    def _request(self, reader: RequestReader) -> Request:
        request = reader.request()
        if request.thinking is not None and request.thinking.visible is None:
            _show(request, reader.decoding)
        if reader.decoding.spells or reader.decoding.unknown or reader.unread:
            self._keep(reader, request)
        if not reader.decoding.spells:
            keys = facts_of(reader.decoding.target).keys_for_others
            if keys is not None:
                extras = request.extras or {}
                request.extras = {**extras, reader.decoding.target: Extra(keys)}
        return request

    def _decode_list(
        self, read: Callable[[bytes, Losses], Request], data: bytes, losses: Losses
    ) -> Request:
        """Decode a bare list of messages, as that of an object; paths begin with the list."""
        wire, key = self.rules.wire, self._content[-1]
        known = len(losses or ())
        text = data.removeprefix(_BOM)
        try:
            text = mended_text(text, wire, losses) or text
        except LossError as error:
            raise DecodeError(error.reason, wire=wire, path=error.path) from error
        # Text that is not JSON could go on with keys of its own.
        read_out(lambda text, _: _raw(text), text, wire, None)
        try:
            request = read_out(read, b'{"%b":%b}' % (key.encode(), text), wire, losses)
        except DecodeError as error:
            path = _in_list(error.path, key)
            raise type(error)(error.reason, wire=wire, path=path) from error
        if losses is not None:
            losses[known:] = [replace(it, path=_in_list(it.path, key)) for it in losses[known:]]
        return request

    def _keep(self, reader: RequestReader, request: Request) -> None:
        """Give a request its `extras`: unknown keys, and keys of another spelling."""
        body, decoding = reader.decoding.body, reader.decoding
        keeps_spelling = decoding.spells
        root, unknown = body.root, decoding.unknown
        keys: dict[str, Any] = dict(unknown.get(id(root), {}))
        spelling: dict[str, Any] = {}
        whole = reader.whole(request)
        ours = self._as_written(whole, decoding.dialect) if keeps_spelling else self._empty()
        raws: dict[str, Raw] | None = None
        is_any = keeps_spelling or reader.unread  # else only unknown keys inside are looked for
        for name, key in self._fields if is_any else with_objects(self._body):
            if key in self._content:
                continue
            original, usual = getattr(root, name), getattr(ours, name)
            if original is usual:
                continue
            is_strange = key in reader.unread or decoding.is_odd(original)
            if not is_strange and (not keeps_spelling or encode(original) == encode(usual)):
                continue
            if raws is None:
                raws = _keys(body.data)
            raw = raws.get(key, _NULL)
            if is_strange and key not in reader.unread and isinstance(original, Struct):
                inner = residue(original, unknown)
                if inner:  # keys that were read may change: keep the others only
                    keys[key], spelling[key] = inner, raw
                    continue
            (keys if is_strange else spelling)[key] = raw
        is_noted = reader.NOTES_HOST and decoding.dialect != self.rules.dialects[0]
        if keys or spelling or (is_noted and keeps_spelling):
            extra = Extra(RawJson.adopt(Raw(encode(keys))))
            if spelling:
                extra.spelling = RawJson.adopt(Raw(encode(spelling)))
            if spelling or decoding.dialect != self.rules.dialects[0]:
                extra.dialect = decoding.dialect
            request.extras = {decoding.api: extra}

    def _as_written(self, request: Request, dialect: str) -> Any:
        """Return the parameters that the encoder would write."""
        try:
            return self.writer(request, [], dialect).parameters()
        except FAULTS:  # the body cannot be written, or contradicts itself: it goes as it came
            return self._empty()


def _show(request: Request, decoding: Decoding) -> None:
    """Ask for the text of thinking that the source shows unasked, and the target only if asked."""
    asked: Any = request.thinking
    if (
        facts_of(decoding.api).shows == "unasked"
        and facts_of(decoding.target or None).shows == "asked"
        and asked.level is not ThinkingLevel.OFF
        and of_model(request.model).shows
    ):
        asked.visible = True


@cache
def _in_order(names: frozenset[str]) -> list[str]:
    return sorted(names)


def _check_named(messages: list[Message], text: bytes) -> None:
    """Raise `OutOfOrder` for a call without an id."""
    if b'""' in text and not all_named(messages):
        raise OutOfOrder


def _leave_out_tools(writer: RequestWriter) -> None:
    """Leave out the tools; that is severe, as the model would pretend to call them."""
    request = writer.request
    if not request.tools:
        return
    writer.encoding.lose("tools", request, ".tools", severe=True)
    writer.request = replace(request, tools=None, tool_choice=None, parallel_tool_calls=None)
    writer.encoding.derived(writer.request, request)


def _as_users(message: Message, encoding: Encoding) -> Message:
    """Return a user's message in place of a system message, for a model that takes none."""
    if type(message) is not SystemMessage:
        return message
    encoding.lose("system prompt", message)
    return _said(message, encoding)


def _said(message: Any, encoding: Encoding) -> Message:
    """Return a user's message that says what a system message says."""
    encoding.lose_keys(message)
    content = []
    for block in message.content:
        if type(block) in (ToolCallBlock, ToolResultBlock):  # which are of other turns
            encoding.lose_whole(block)
        else:
            content.append(block)
    said = UserMessage(content, name=message.name)
    encoding.derived(said, message)
    return said


def _lose_stored(encoding: Encoding) -> None:
    """Report all references of a request to what another API stores."""
    request: Request = encoding.root
    if references(request, encoding.api):
        encoding.lose("extras", request)
    for message in request.messages:
        for block in getattr(message, "content", ()):
            if type(block) is OpaqueBlock and references(block, encoding.api):
                encoding.lose("opaque block", block)


def _in_list(path: str, key: str) -> str:
    """Return a path in an object with a list under `key` as the path in that list."""
    return f"${path.removeprefix(f'$.{key}')}" if path.startswith(f"$.{key}[") else path
