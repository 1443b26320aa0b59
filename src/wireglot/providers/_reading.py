"""What all decoders of providers share: wire Structs -> the model, and errors with a path."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn, TypeVar

import msgspec
from msgspec import Raw, Struct

from .._bodies import Body, plain_text, read_body, slices_of
from .._lifting import lifting
from .._objects import is_null, located
from ..errors import DecodeError, EncodeError, LimitError, WireglotError
from ..losses import Losses
from ..model import Extra, Extras, RawJson, Request
from ..model.blocks import MediaBlock
from ._ids import numbered
from ._writing import RequestWriter, encode, places, unknown_dialect

__all__ = [
    "Body",
    "Reader",
    "RequestReader",
    "arguments_of",
    "decoded",
    "read_body",
    "read_out",
    "read_with",
    "residue",
    "slices_of",
]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_Read = TypeVar("_Read")
_Block = TypeVar("_Block", bound=MediaBlock)


def arguments_of(raw: Any) -> Any:
    """Return the arguments of a call as they came. Null, or no key at all, is `{}`.

    So is a text that says null.
    """
    if raw is None:
        return b"{}"
    first = bytes(memoryview(raw)[:6])
    return b"{}" if first[:4] == b"null" or first == b'"null"' else raw


class Reader:
    """Base of the decoders: knows the JSON and the path of each wire Struct of a body."""

    WIRE: ClassVar[str]
    """The provider's name, for errors."""
    API: ClassVar[str]

    def __init__(self, body: Body, dialect: str) -> None:
        self.body = body
        self._unknown = body.unknown
        self._dialect = dialect
        self._paths: tuple[Any, dict[int, str]] = (None, {})

    def _path(self, part: Any) -> str:
        root, paths = self._paths
        if root is not self.body.root:
            paths = {}
            for key, path in places(self.body.root, "$"):
                paths.setdefault(key, path)
            self._paths = self.body.root, paths
        return paths.get(id(part), "$")

    def _fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        raise DecodeError(reason, wire=self.WIRE, path=self._path(part) + key)

    def _inner(self, read: Callable[[Any], _Read], raw: Any, part: Any, key: str) -> _Read:
        """Read the slice under a key of `part`, which has not been decoded until now."""
        try:
            return read(raw)
        except WireglotError:
            raise
        except (msgspec.DecodeError, ValueError) as error:
            reason, below = located(error)
            self._fail(reason, part, key + below)

    def _raw(self, part: Any) -> RawJson:
        """Return the JSON that `part` was decoded from; `part` may be a `Raw` of unknown type."""
        if type(part) is Raw:
            return RawJson.adopt(part)
        return RawJson.adopt(self.body.raws.get(id(part)) or Raw(encode(part)))

    def _extras(self, *parts: Any, **spelling: Any) -> Extras | None:
        """Return the unknown keys of wire Structs, including those of the objects in their fields.

        `spelling` holds keys that have been read, but whose exact form only their own text keeps.
        """
        if not self._unknown and not spelling:
            return None
        keys: dict[str, Any] = {}
        for part in parts:
            keys |= self._residue(part)
        if not keys and not spelling:
            return None
        extra = Extra(RawJson.adopt(Raw(encode(keys))))
        if spelling:
            extra.spelling = RawJson.adopt(Raw(encode(self._as_it_came(spelling))))
        return {self.API: extra}

    def _keep_type(self, call: Any, word: str) -> None:
        """Treat the type word of a call as an unknown key, unless it is the usual one."""
        if word != "function":
            self._unknown.setdefault(id(call), {})["type"] = Raw(encode(word))

    def _owned(self, block: _Block) -> _Block:
        """Return a media block; if it has a file id, its extras say that the id is of this API."""
        if block.file_id is not None and block.extras is None:
            block.extras = {self.API: Extra(RawJson(b"{}"))}
        return block

    def _is_known(self, part: Any) -> bool:
        """Whether a part has no unknown keys but null ones, which say nothing."""
        unknown = self._unknown.get(id(part)) if self._unknown else None
        return unknown is None or (type(part) is not Raw and all(map(is_null, unknown.values())))

    def _as_it_came(self, value: Any) -> Any:
        """Return wire values as they came, including the keys that have no field."""
        if not self._unknown:
            return value
        if isinstance(value, dict):
            return {key: self._as_it_came(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._as_it_came(inner) for inner in value]
        return self.body.raws.get(id(value), value)

    def _residue(self, part: Any) -> dict[str, Any]:
        return residue(part, self._unknown)


def residue(part: Any, unknown: Mapping[int, dict[str, Raw]]) -> dict[str, Any]:
    """Return the unknown keys of a wire Struct, and of the Structs in its fields, in place."""
    keys: dict[str, Any] = dict(unknown.get(id(part), {}))
    for key, name in zip(part.__struct_encode_fields__, part.__struct_fields__, strict=True):
        value = getattr(part, name)
        if isinstance(value, Struct) and (inner := residue(value, unknown)):
            keys[key] = inner
    return keys


class RequestReader(Reader, ABC):
    """Base of the request decoders, one object for one body."""

    WRITER: ClassVar[type[RequestWriter]]

    def __init__(self, body: Body, dialect: str) -> None:
        if dialect not in self.WRITER.SPOKEN:
            raise unknown_dialect(dialect, self.WRITER.SPOKEN, self.WIRE)
        super().__init__(body, dialect)
        self._unread: set[str] = set()
        """Keys of the body whose value the model cannot express: a loss on other wires."""

    @abstractmethod
    def request(self) -> Request:
        """Return the canonical request, without the `extras` that `kept` adds."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return everything but messages and tools, by field of `Request`."""

    def kept(self, request: Request) -> Request:
        """Return the request with its `extras`: unknown keys, and keys of another spelling."""
        root = self.body.root
        keys: dict[str, Any] = dict(self._unknown.get(id(root), {}))
        spelling: dict[str, Any] = {}
        made = self._made(request)
        given: dict[str, Raw] | None = None
        for name, key in zip(root.__struct_fields__, root.__struct_encode_fields__, strict=True):
            if key in self.WRITER.CONTENT:
                continue
            theirs, ours = getattr(root, name), getattr(made, name)
            if theirs is ours:
                continue
            strange = key in self._unread or (
                bool(self._unknown) and any(part in self._unknown for part, _ in places(theirs, ""))
            )
            if not strange and encode(theirs) == encode(ours):
                continue
            if given is None:
                given = _keys(self.body.data)
            raw = given.get(key, Raw(b"null"))
            if strange and key not in self._unread and isinstance(theirs, Struct):
                residue = self._residue(theirs)
                if residue:  # keys that were read may change: keep the others only
                    keys[key], spelling[key] = residue, raw
                    continue
            (keys if strange else spelling)[key] = raw
        if keys or spelling:
            extra = Extra(RawJson.adopt(Raw(encode(keys))))
            if spelling:
                extra.spelling = RawJson.adopt(Raw(encode(spelling)))
                extra.dialect = self._dialect
            request.extras = {self.API: extra}
        return request

    def _made(self, request: Request) -> Any:
        """Return the parameters of the body that the encoder would write."""
        try:
            return self.WRITER(request, [], self._dialect).parameters()
        except EncodeError:  # the body contradicts itself: it is sent back as it came
            return self.WRITER.BODY(**{self.WRITER.CONTENT[-1]: []})


def decoded(
    make: Callable[[Body], RequestReader], kind: Any, data: Any, wire: str, losses: Losses
) -> Request:
    """Decode a body into the canonical request. Raises `DecodeError`."""

    def read(text: bytes, found: Losses) -> Request:
        body = read_body(kind, text, wire, found)
        reader = make(body)  # an unknown dialect is the caller's fault
        request = read_out(lambda _: reader.kept(reader.request()), body, wire)
        if b'""' in text:  # perhaps as an id
            numbered(request.messages)
        return request

    return lifting(read, plain_text(data, wire, losses), losses)


def read_with(
    read: Callable[[Body], _Read], kind: Any, data: Any, wire: str, losses: Losses
) -> _Read:
    """Return the result of `read` on a decoded body; any failure is a `DecodeError`."""
    return lifting(
        lambda text, found: read_out(read, read_body(kind, text, wire, found), wire),
        plain_text(data, wire, losses),
        losses,
    )


def read_out(read: Callable[[Body], _Read], body: Body, wire: str) -> _Read:
    """Return the result of `read` on a decoded body; any failure is a `DecodeError`."""
    with slices_of(body.data):
        try:
            return read(body)
        except WireglotError as error:
            if not isinstance(error, DecodeError):
                raise DecodeError(error.reason, wire=wire, path=error.path) from error
            if error.wire == wire:
                raise
            raise type(error)(error.reason, wire=wire, path=error.path) from error
        except RecursionError as error:
            raise LimitError("nested too deeply", wire=wire) from error
        except (msgspec.DecodeError, ValueError) as error:
            reason, below = located(error)
            raise DecodeError(reason, wire=wire, path="$" + below) from error
