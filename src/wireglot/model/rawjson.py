"""JSON that is passed on unread: the text as it came, parsed on first use."""

from __future__ import annotations

import math
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import msgspec
from msgspec import Raw
from msgspec.msgpack import Ext

from ..errors import DecodeError, EncodeError, reason_of
from .counting import MOST_VALUES, check_json
from .source import ASCII_JSON, JSON, MSGPACK, reading, taken_out

__all__ = [
    "BIG_INTEGER",
    "Arguments",
    "MaybeRawValue",
    "RawArguments",
    "RawJson",
    "RawValue",
    "adopt_arguments",
    "adopt_text",
    "check_utf8",
    "exact",
    "extension",
    "is_msgpack",
    "is_parsed",
    "not_finite",
    "not_json",
    "not_of_the_model",
    "optional_json",
    "parsed",
]


def not_of_the_model(value: object) -> str:
    """Return the reason for a value of another type, in what an encoder writes."""
    step = "; use `decode_request` or `decode_response`" if hasattr(value, "model_dump") else ""
    return f"`{type(value).__name__}`, expected a type of the model{step}"


def not_json(value: object) -> str:
    """Return the reason for a value of another type, in free data."""
    return f"`{type(value).__name__}`, expected a value that JSON has"


def not_finite(value: float) -> str:
    """Return the reason for NaN and infinity."""
    return f"`{value}`, expected a finite number"


def _plain(value: Any) -> Raw | dict[Any, Any]:
    """Return raw JSON inside Python data as it is, and a mapping as a dict."""
    if isinstance(value, RawJson):
        return value.native()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(not_json(value))


_UNREAD: Final = object()
"""In the place of a value that has not been parsed yet."""
_encode = msgspec.json.Encoder(enc_hook=_plain).encode
_decode = msgspec.json.Decoder().decode
_decode_exact = msgspec.json.Decoder(float_hook=lambda text: Raw(text.encode())).decode
_decode_raw = msgspec.json.Decoder(Raw).decode
_decode_text = msgspec.json.Decoder(str).decode
_decode_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_items = msgspec.json.Decoder(list[Raw]).decode

BIG_INTEGER: Final = 1
"""The MessagePack extension type of an integer beyond 64 bits, in decimal digits."""
_MOST_DIGITS: Final = 4300  # the default limit of `int()` on the digits of a text


def extension(code: int, data: memoryview) -> int | Ext:
    """Return the value of a MessagePack extension type, of which only one is known."""
    if code != BIG_INTEGER:
        return Ext(code, bytes(data))
    digits = bytes(data)
    if not digits.removeprefix(b"-").isdigit() or len(digits) > _MOST_DIGITS:
        raise msgspec.ValidationError(
            f"big integer of {len(digits)} bytes, expected at most {_MOST_DIGITS} digits"
        )
    return int(digits)


_decode_msgpack = msgspec.msgpack.Decoder(ext_hook=extension).decode

_new = object.__new__
_BRACE: Final = ord("{")
_QUOTE: Final = ord('"')
_SPACE: Final = b" \t\r\n"  # white space in JSON; `strip` alone takes more
_EMPTY_OBJECT: Final = Raw(b"{}")
_PLAIN: Final = (dict, list, str, int, float)
_SHOWN: Final = 10_000  # bytes of a text that `repr` shows as a value
_BEGINNINGS: Final = frozenset("{[0123456789-tf")
_OF_SOMETHING: Final = frozenset(map(ord, _BEGINNINGS))
"""The first bytes of a text, or of its JSON string, that begin neither white space nor null."""


class RawJson:
    """A JSON value kept as its own text, so that `1e2`, key order and big integers survive.

    `RawJson(text)` takes JSON text and checks it; `RawJson.of(value)` encodes Python data. Values
    that a decoder made are slices of its input and keep that input alive; see `detach`.

    It is used as the value that it holds: `[]`, `in`, `len`, iteration, `get`, `items`, `**`, `==`
    with plain data, and false if it is empty. It is parsed once, on the first such use. To change
    it, replace it: what is changed inside the parsed value is not written.

    Raises `DecodeError` if the text is not JSON.
    """

    __slots__ = ("_held", "_value")

    _held: Raw | bytes
    _value: Any

    def __init__(self, text: str | bytes) -> None:
        self._held = Raw(_checked(text))

    @classmethod
    def of(cls, value: Any) -> Self:
        """Encode plain Python data. Raises `EncodeError` for NaN, infinity and foreign types."""
        made = cls.__new__(cls)
        made._held = Raw(_encoded(value))
        return made

    @classmethod
    def adopt(cls, value: Any) -> Self:
        """Take over the value of a field: a decoder's slice, a `RawJson`, or Python data.

        Raises ValueError, which the current decoder turns into an error with the path.
        """
        if isinstance(value, cls):
            return value
        if type(value) is not Raw:
            return cls.of(value)
        made = cls.__new__(cls)
        made._held = _slice(value)
        return made

    @property
    def text(self) -> bytes:
        """The JSON text, UTF-8."""
        return bytes(self._held)

    @property
    def value(self) -> Any:
        """The parsed value, made once and kept. To change it, replace the `RawJson`.

        Raises `DecodeError` if the text is not JSON.
        """
        value = getattr(self, "_value", _UNREAD)  # an exception would take longer than parsing
        if value is _UNREAD:
            value = self._value = parsed(self.text)
        return value

    def native(self) -> Raw:
        """Return the value as native JSON, to be spliced into an output."""
        return self._held if type(self._held) is Raw else Raw(self._held)

    def packed(self) -> bytes | str:
        """Return the text as MessagePack carries it. Raises `EncodeError` if it is not UTF-8."""
        text = self.text
        if not text.isascii():
            _str(text)
        return text

    def detach(self) -> Self:
        """Copy the text out of the input that it is a slice of, and return self."""
        self._held = type(self._held)(bytes(self._held))
        return self

    def __getitem__(self, key: Any) -> Any:
        """Return an item of the value."""
        return self.value[key]

    def __contains__(self, key: object) -> bool:
        """Whether the value has a key, an item or a part of a text."""
        return key in self.value

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the keys of an object, or the items of an array."""
        return iter(self.value)

    def __len__(self) -> int:
        """Return the length of the value."""
        return len(self.value)

    def __bool__(self) -> bool:
        """Whether the value is true in Python; text that is not JSON is something, too."""
        try:
            return bool(self.value)
        except DecodeError:
            return True

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key of an object, or `default`."""
        return self._object().get(key, default)

    def keys(self) -> KeysView[str]:
        """Return the keys of an object."""
        return self._object().keys()

    def values(self) -> ValuesView[Any]:
        """Return the values of an object."""
        return self._object().values()

    def items(self) -> ItemsView[str, Any]:
        """Return the keys and values of an object."""
        return self._object().items()

    def _object(self) -> dict[str, Any]:
        """Return the value. Raises `TypeError` if it is not an object."""
        value = self.value
        if type(value) is not dict:
            raise TypeError(f"expected `object`, got `{type(value).__name__}`")
        return value

    def __eq__(self, other: object) -> bool:
        """Equal texts are equal; so are texts that parse to the same value, and that value itself.

        `1` equals `1.0`, but not `true`. A number that Python cannot represent equals only its own
        text.
        """
        try:
            if other is None or isinstance(other, _PLAIN):
                return self._is(other)
            if not isinstance(other, RawJson):
                return NotImplemented
            if self.text == other.text:
                return True
            return bool(self.value == other.value) and _has_same_truths(self.value, other.value)
        except RecursionError:
            return False
        except DecodeError:
            return isinstance(other, RawJson) and _is_alike(Raw(self.text), Raw(other.text))

    def _is(self, plain: object) -> bool:
        """Whether the value equals plain data."""
        return bool(self.value == plain) and _has_same_truths(self.value, plain)

    def __repr__(self) -> str:
        """Return the value's, which the constructor of a block takes.

        Of a text of more than 10,000 bytes, or one that is not JSON, it is the type and the first
        60 characters.
        """
        text = self.text
        if len(text) <= _SHOWN:
            try:
                return repr(self.value)
            except (DecodeError, RecursionError, ValueError):  # the last of a number too long
                pass
        shown = text.decode("utf-8", "replace")
        return f"{type(self).__name__}({shown if len(shown) <= 60 else shown[:57] + '...'})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy as bytes: a slice belongs to its input."""
        return _revive, (type(self), type(self._held), bytes(self._held))


class Arguments(RawJson, Mapping[str, Any]):
    """The arguments of a tool call: a mapping, and the model's own text, byte for byte.

    Models send empty text for "no arguments" (its `value` is `{}`), and now and then broken JSON,
    which is kept so that it can be shown to the model again. `Arguments('{"a": 1}')` takes the
    model's text, `Arguments.of({"a": 1})` Python data. A `str` equals them if it is their text.

    As a mapping they raise `DecodeError` if the text is not JSON, and TypeError if it is not an
    object.

    Native JSON has text that is JSON as it is, and any other text as a JSON string. JSON that is
    itself a string is put into a JSON string too. This mapping is phi-core's. It is one to one but
    for white space around JSON, which is left out; JSON Lines also make spaces of line ends in it.
    MessagePack keeps every byte. JSON that came in a JSON string goes back in one: in MessagePack
    it is `str`, all other text is `bin`.
    """

    __slots__ = ()

    _held: Any  # a memoryview is the JSON string in which a wire sent the text

    def __init__(self, text: str | bytes) -> None:
        self._held = text if isinstance(text, bytes) else _utf8(text)

    @property
    def text(self) -> bytes:
        """The model's own text, UTF-8."""
        held: Raw | bytes | memoryview = self._held
        if type(held) is bytes:
            return held
        text = bytes(held)
        return parsed(text).encode() if text[:1] == b'"' else text

    @property
    def value(self) -> Any:
        """The parsed arguments, made once and kept. Blank text and `null` are `{}`.

        Raises `DecodeError` if the text is not JSON.
        """
        value = getattr(self, "_value", _UNREAD)
        if value is _UNREAD:
            value = self._value = self._read()
        return value

    def _read(self) -> Any:
        held = self._held
        if type(held) is Raw:
            view = memoryview(held)
            if view[0] == _BRACE and len(view) <= MOST_VALUES:  # as nearly all
                try:
                    return _decode(held)
                except (msgspec.DecodeError, UnicodeError, RecursionError):  # named below
                    pass
        text = self.text
        value = parsed(text) if text.strip() else None
        return {} if value is None else value

    def __getitem__(self, key: Any) -> Any:
        """Return an argument."""
        return self._object()[key]

    def __contains__(self, key: object) -> bool:
        """Whether there is an argument of this name."""
        return key in self._object()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._object())

    def __len__(self) -> int:
        """Return the number of arguments."""
        return len(self._object())

    def _is(self, plain: object) -> bool:
        """Whether the text equals a `str`, or the value other plain data."""
        if isinstance(plain, str):
            return self.text == plain.encode("utf-8", "surrogatepass")
        return super()._is(plain)

    def string(self) -> str | Raw:
        """Return what an encoder writes as a JSON string: the text; blank text and `null` are `{}`.

        A string that it came as is spliced. Raises `EncodeError` if it is not UTF-8.
        """
        content = self._held
        if type(content) is memoryview:
            if content[1] in _OF_SOMETHING:
                return Raw(content)
        else:
            try:
                text = str(content, "utf-8")
            except UnicodeDecodeError:  # which `string_json` names
                text = ""
            if text and text[0] in _BEGINNINGS:
                return text
        return "{}" if self.text.strip() in (b"", b"null") else self.string_json()

    def object_json(self) -> Raw | None:
        """Return the text if it is a JSON object, `{}` for blank text and `null`, else None."""
        held = self._held
        if type(held) is Raw and memoryview(held)[0] == _BRACE:
            return held
        try:
            is_string = type(held) is memoryview
            text = _decode_text(held).encode() if is_string else self.text
            if text.startswith(b"{") and (is_string or text.isascii()):  # it is UTF-8
                return _decode_raw(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):  # which the slow way names
            pass
        text = self.text
        if text.strip() in (b"", b"null"):
            return _EMPTY_OBJECT
        try:
            native = Arguments(text).native()
        except EncodeError:  # not UTF-8
            return None
        return native if memoryview(native)[0] == _BRACE else None

    def string_json(self) -> Raw:
        """Return the text as a JSON string: the slice that arrived, if it arrived as a JSON string.

        Raises `EncodeError` if it is not UTF-8.
        """
        content = self._held
        if type(content) is memoryview:
            return Raw(content)
        if type(content) is not Raw:
            return Raw(_encode(_str(content)))
        view = memoryview(content)
        return content if view[0] == _QUOTE else Raw(_encode(_str(content)))

    def native(self) -> Raw:
        """Return the text as native JSON: as it is where it is JSON, else as a JSON string."""
        content = self._held
        if type(content) is Raw:
            return content
        if type(content) is memoryview:
            content = self.text
        elif content[:1] == b"{" and content[-1:] == b"}":  # as nearly all
            try:
                if not content.isascii():
                    str(content, "utf-8")
                self._held = made = _decode_raw(content)  # looked through only once
                return made
            except (msgspec.DecodeError, UnicodeError, RecursionError):  # a JSON string
                pass
        text = content.strip(_SPACE)
        if text and text[:1] != b'"':
            try:
                return Raw(_checked(text))
            except DecodeError:
                pass
        return Raw(_encode(_str(content)))

    def packed(self) -> bytes | str:
        """Return the text as `bin`; as `str`, if it is JSON that came in a JSON string."""
        is_string = type(self._held) is Raw and memoryview(self._held)[0] == _QUOTE
        if is_string and not _is_string(Arguments(self.text)):
            return _str(self.text)
        return super().packed()


def _is_string(arguments: Arguments) -> bool:
    """Whether native JSON has arguments as a JSON string."""
    return memoryview(arguments.native())[0] == _QUOTE


def adopt_arguments(value: Any) -> Arguments:
    """Take over a decoder's slice, Python data, or the model's text (`str` or `bytes`).

    Raises ValueError, which the current decoder turns into an error with the path.
    """
    if isinstance(value, dict) and isinstance(text := getattr(value, "text", None), bytes):
        return Arguments(text)  # a dict of a format's call, which knows the model's own text
    if type(value) is Raw:
        arguments = _new(Arguments)
        source = reading.get()
        if source is ASCII_JSON:
            arguments._held = value
        elif source is MSGPACK:
            arguments._held = _msgpack_arguments(value)
        elif source is JSON or not is_msgpack(memoryview(value)):
            _check_slice(value)
            arguments._held = value
        else:
            arguments._held = _msgpack_arguments(value)
        return arguments
    if type(value) is Arguments:
        return value
    if isinstance(value, RawJson):
        return Arguments(value.text)
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    return Arguments(value) if isinstance(value, str | bytes) else Arguments.of(value)


def adopt_text(value: Any) -> Arguments:
    """Take over a value of a wire that always has the model's text in a JSON string.

    That string does not say whether the text is JSON: `native` decides by the text itself.

    Raises ValueError, as `adopt_arguments` does.
    """
    source = reading.get()
    if type(value) is not Raw or source is None or source is MSGPACK:
        made = adopt_arguments(value)
        held = made._held
        if type(held) is not Raw:
            return made
    else:  # as nearly always
        if source is JSON:
            _check_slice(value)
        made, held = _new(Arguments), value
    view = memoryview(held)
    made._held = view if view[0] == _QUOTE else held
    return made


def _msgpack_arguments(raw: Raw) -> Raw | bytes:
    """Return the text in a MessagePack slice; any other value in it becomes JSON.

    JSON in a `str` is the content of a JSON string, as if native JSON had it.
    """
    value = _decode_msgpack(raw)
    if type(value) is bytes:
        if not value.isascii():
            check_utf8(value)
        return value
    is_text = isinstance(value, str) and _is_string(Arguments(value))
    return value.encode() if is_text else Raw(_encoded(value))


def optional_json(value: Any) -> RawJson | None:
    """Adopt the value of an optional field, in which `null` means unset."""
    if value is None or isinstance(value, RawJson):
        return value
    if type(value) is Raw and bytes(memoryview(value)[:4]) in (b"null", b"\xc0"):
        return None
    return RawJson.adopt(value)


def parsed(text: bytes, decode: Callable[[bytes], Any] = _decode) -> Any:
    """Parse JSON text. Raises `DecodeError`, and no other exception."""
    check_json(text, wire="json")
    try:
        return decode(text)
    except RecursionError as error:
        raise DecodeError("nested too deeply", wire="json") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason, _, at = str(error).partition(" - at `")
        raise DecodeError(reason, wire="json", path=at.removesuffix("`") or "$") from error


def is_parsed(raw: RawJson) -> bool:
    """Whether the parsed value is kept beside the text."""
    return hasattr(raw, "_value")


def exact(raw: RawJson) -> Any:
    """Return the parsed value, in which fractions and powers stay text as they are written.

    Python has no `1e400`, and would write `1.50` as `1.5`. Raises as `RawJson.value` does.
    """
    return parsed(raw.text, _decode_exact)


def _has_same_truths(one: Any, other: Any) -> bool:
    """Whether values that Python finds equal are equal in JSON: in Python, `True == 1`."""
    if type(one) is dict:
        return all(_has_same_truths(one[key], other[key]) for key in one)
    if type(one) is list:
        return all(map(_has_same_truths, one, other))
    return (type(one) is bool) is (type(other) is bool)


def _is_alike(one: Raw, other: Raw) -> bool:
    """Whether two texts, parts of which cannot be parsed, are the same in every part."""
    try:
        return _is_same(one, other)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _is_same(one: Raw, other: Raw) -> bool:
    first = bytes(memoryview(one)[:1])
    if first != bytes(memoryview(other)[:1]) or first not in (b"{", b"["):
        return bytes(one) == bytes(other) or bool(_decode(one) == _decode(other))
    if first == b"[":
        items, others = _decode_items(one), _decode_items(other)
        return len(items) == len(others) and all(map(_is_same, items, others))
    keys, known = _decode_keys(one), _decode_keys(other)
    return keys.keys() == known.keys() and all(_is_same(keys[key], known[key]) for key in keys)


def _checked(text: str | bytes) -> bytes:
    if not isinstance(text, bytes | str):
        kind = type(text).__name__
        raise TypeError(f"JSON text of type `{kind}`, expected text or bytes; use `RawJson.of`")
    try:
        data = text if isinstance(text, bytes) else _utf8(text)
        if not data.isascii():
            str(data, "utf-8")
        return bytes(_decode_raw(data))
    except RecursionError as error:
        raise DecodeError("nested too deeply", wire="json") from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise DecodeError(str(error), wire="json") from error


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise EncodeError("text holds a lone surrogate", wire="json") from error


def _str(text: bytes | Raw) -> str:
    try:
        return str(text, "utf-8")
    except UnicodeDecodeError as error:
        raise EncodeError("text is not UTF-8", wire="json") from error


def _encoded(value: Any) -> bytes:
    try:
        text = _encode(value)
        if b"null" in text:
            refuse_nan(value)
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire="json") from error
    except (TypeError, ValueError) as error:
        raise EncodeError(reason_of(error), wire="json") from error
    return text


def refuse_nan(value: Any, plain: Callable[[Any], Any] = _plain) -> None:
    """Refuse NaN and infinity: msgspec writes them as `null`, which would be a silent loss.

    `plain` is the encoder's hook. What it does not know holds no number, or is refused elsewhere.
    """

    def numbers(value: Any) -> Any:
        if isinstance(value, RawJson):
            return None
        try:
            return plain(value)
        except TypeError:
            return None

    _refuse_nan(msgspec.to_builtins(value, enc_hook=numbers))


def _refuse_nan(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise EncodeError(not_finite(value), wire="json")
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple | set | frozenset):
        return
    for item in value:
        _refuse_nan(item)


def check_utf8(data: Any) -> None:
    """Raise ValueError unless `data` is UTF-8, which the C decoder does not check in a slice."""
    try:
        str(data, "utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("text is not UTF-8") from error


def _check_slice(raw: Raw) -> None:
    """Check a slice of JSON that is passed on as it came. Raises ValueError if it is not UTF-8."""
    check_utf8(raw)
    held = taken_out.get()
    if held is not None:
        held.look(raw)


def _slice(raw: Raw) -> Raw:
    """Check a decoder's slice; a MessagePack one becomes JSON text.

    Raises ValueError, which the current decoder turns into an error with the path.
    """
    source = reading.get()
    if source is ASCII_JSON:
        return raw
    view = memoryview(raw)
    if source is JSON or not is_msgpack(view):
        _check_slice(raw)
        return raw
    text = _msgpack_text(view) if 0xC4 <= view[0] <= 0xC6 else None
    if text is None:
        return Raw(_encoded(_decode_msgpack(view)))
    try:
        return Raw(_checked(text))
    except DecodeError as error:
        raise ValueError(error.reason) from error


def is_msgpack(view: memoryview) -> bool:
    """Whether a slice is MessagePack.

    Outside a reader of ours, the first byte decides: JSON never begins above 127, and MessagePack
    always does, except for small integers.
    """
    source = reading.get()
    return source is MSGPACK or (source is None and view[0] >= 0x80)


def _msgpack_text(view: memoryview) -> bytes | None:
    """Return the payload of a MessagePack bin or str, None for any other value."""
    value = _decode_msgpack(view)
    if isinstance(value, bytes):
        check_utf8(value)
        return value
    return value.encode() if isinstance(value, str) else None


def _revive(cls: type[RawJson], form: Any, data: bytes) -> RawJson:
    made = cls.__new__(cls)
    made._held = form(data)
    return made


# What constructors accept (see `accepted.py`). At run time it is a slice of the input (`Raw`) that
# the owner's `__post_init__` adopts; it may be a null too, and cannot be in a union.
if TYPE_CHECKING:
    from .accepted import Field

    RawArguments: TypeAlias = Field[Arguments, Mapping[str, Any] | RawJson | str | bytes]
    RawValue: TypeAlias = Field[RawJson, Any]
    MaybeRawValue: TypeAlias = Field[RawJson | None, Any]
else:
    RawArguments = RawValue = MaybeRawValue = Raw
