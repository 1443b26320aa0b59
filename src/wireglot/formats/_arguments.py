"""The arguments of a call as a `dict`, for the types of systems in which they are one.

The field of such a type holds `Arguments`, the model's own text, which is what is decoded and
written. Its attribute is a dict: made when it is first asked for, and written in place of that text
once a program has changed it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import Raw

from .._locks import lock_held_at_fork
from .._objects import FAULTS, encode, encode_error
from ..errors import DecodeError, EncodeError
from ..model import Arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import RawJson
    from ..model.accepted import Field

    DictArguments: TypeAlias = Field["ArgumentsDict", Mapping[str, Any] | RawJson | str | bytes]
else:
    DictArguments = Raw

__all__ = ["ArgumentsDict", "DictArguments", "ShownAsDict"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_value = msgspec.json.Decoder().decode
_NOTHING: Final = Raw(b"{}")
_making: Final = lock_held_at_fork()


class ArgumentsDict(dict[str, Any]):
    """The arguments of a call. Until they are changed, `text` is the model's own."""

    __slots__ = ("_original",)

    _original: Arguments

    @property
    def text(self) -> bytes:
        """The JSON text that is written. Raises `EncodeError` if JSON cannot express the dict."""
        return _Shown(self).text

    @property
    def value(self) -> dict[str, Any]:
        """The arguments themselves, as of the `Arguments` of the model."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as plain data."""
        return dict, (dict(self),)


class _Shown(Arguments):
    """Arguments of which a program has the dict; their text is the dict's once that differs.

    Raises `EncodeError`, when it is written, for a dict that JSON cannot express.
    """

    __slots__ = ("shown",)

    def __init__(self, shown: ArgumentsDict) -> None:
        self.shown = shown

    @classmethod
    def of_text(cls, original: Arguments) -> _Shown:
        """Return arguments with a dict. Raises `DecodeError` if they are not an object."""
        value = _parsed(original)
        if type(value) is not dict:
            raise DecodeError("arguments that are not an object, expected one")
        shown = ArgumentsDict(value)
        shown._original = original
        return cls(shown)

    @property
    def _held(self) -> Any:  # type: ignore[override]
        shown = self.shown
        original = getattr(shown, "_original", None)
        try:
            if original is None:
                return Arguments.of(shown)._held
            # What is inside of the dict may be changed as well, so it is compared as it is written.
            text, before = encode(shown), _parsed(original)
            if text == encode(before) and (b"null" not in text or shown == before):  # or it is NaN
                return original._held
            spelled = _spelled(dict(shown), original.object_json() or _NOTHING)
            return Arguments.of(spelled)._held
        except FAULTS as error:
            raise encode_error(error, "json") from error

    @property
    def value(self) -> Any:
        """The dict."""
        return self.shown

    def detach(self) -> _Shown:
        """Copy the text out of the input that it is a slice of, and return self."""
        self.shown._original.detach()
        return self

    def __eq__(self, other: object) -> bool:
        """Compare as `Arguments` do; a dict that JSON cannot express equals only such a dict."""
        try:
            return super().__eq__(other)
        except EncodeError:
            return isinstance(other, _Shown) and self.shown == other.shown

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return what `Arguments` do, and of a dict that JSON cannot express the dict's."""
        try:
            return super().__repr__()
        except EncodeError:
            pass
        try:
            return repr(self.shown)
        except ValueError:  # of a number too long
            return "Arguments(...)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy as arguments of which nobody has the dict."""
        return Arguments, (self.text,)


def _parsed(arguments: Arguments) -> Any:
    """Return the value of arguments, which nobody else has."""
    return Arguments(arguments.text).value


def _spelled(value: Any, before: Raw) -> Any:
    """Return a value in which all that is as it was before is as the model wrote it."""
    first = bytes(memoryview(before)[:1])
    if first == b"{" and type(value) is dict:
        keys = _keys(before)
        made = {k: _spelled(v, keys[k]) if k in keys else v for k, v in value.items()}
        is_same = len(keys) == len(made) and all(made[key] is keys.get(key) for key in made)
        return before if is_same and [*made] == [*keys] else made
    if first == b"[" and type(value) is list:
        items = _items(before)
        listed = [*map(_spelled, value, items), *value[len(items) :]]
        is_same = len(items) == len(listed) and all(map(operator.is_, listed, items))
        return before if is_same else listed
    known = _value(before)
    return before if type(value) is type(known) and encode(value) == encode(known) else value


class ShownAsDict:
    """The attribute of a field that holds `Arguments`; it replaces that of the Struct.

    `adopt` makes `Arguments` of what a caller assigns.
    """

    def __init__(self, kind: Any, name: str, adopt: Callable[[Any], Arguments]) -> None:
        slot = kind.__dict__[name]
        self.held: Callable[[Any], Any] = slot.__get__
        """Returns what the field of a record holds, without a look into it."""
        self.put: Callable[[Any, Any], None] = slot.__set__
        self._adopt = adopt
        setattr(kind, name, self)

    def __get__(self, record: Any, kind: Any = None) -> Any:
        """Return the dict; of text that has none, the `Arguments`."""
        if record is None:
            return self
        held = self.held(record)
        if type(held) is Arguments:
            with _making:  # two threads must have the same dict
                held = self.held(record)
                if type(held) is Arguments:
                    try:
                        held = _Shown.of_text(held)
                    except DecodeError:
                        return held
                    self.put(record, held)
        return held.shown if type(held) is _Shown else held

    def __set__(self, record: Any, value: Any) -> None:
        """Adopt a dict, text or `Arguments`."""
        adopted = self._adopt(value)
        with _making:
            self.put(record, adopted)
