"""The arguments of a call as a `dict`, for the types of systems in which they are one.

The field of such a type holds `Arguments`, the model's own text, which is what is decoded and
written. Its attribute is a dict: made when it is first asked for, and written in place of that text
once a program has changed it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import Raw

from .._body.encode import encode_json as encode
from .._body.faults import FAULTS
from .._body.refuse import encode_error
from .._runtime.locks import lock_held_at_fork
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
_exact = msgspec.json.Decoder(float_hook=lambda text: Raw(text.encode())).decode
_NOTHING: Final = Raw(b"{}")
_making: Final = lock_held_at_fork()


class ArgumentsDict(dict[str, Any]):
    """The arguments of a call. Until they are changed, `text` is the model's own."""

    __slots__ = ("_changed", "_original")

    _original: Arguments
    # The text of the changed dict when it was last written, and the same in the model's spelling.
    _changed: tuple[bytes, Arguments]

    @property
    def text(self) -> bytes:
        """The JSON text that is written. Raises `EncodeError` if JSON cannot express the dict."""
        return _Shown(self).text

    @property
    def value(self) -> dict[str, Any]:
        """The arguments themselves, as of the `Arguments` of the model."""
        return self

    def __eq__(self, other: object) -> bool:
        """Compare as a dict; one that Python cannot compare, such as one in itself, is unequal."""
        try:
            return super().__eq__(other)
        except RecursionError:
            return False

    def __ne__(self, other: object) -> bool:
        """Compare as `==` does."""
        try:
            return super().__ne__(other)
        except RecursionError:
            return True

    __hash__ = None

    def __repr__(self) -> str:
        """Return a dict's, unless that is nested more deeply than Python can show."""
        try:
            return super().__repr__()
        except RecursionError:
            return "Arguments(...)"

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
            made = Arguments.of(shown)
            if original is None:
                return made._held
            # What is inside of the dict may be changed as well, so it is compared as it is written.
            text, changed = made.text, getattr(shown, "_changed", None)
            if changed is not None and changed[0] == text:
                return changed[1]._held
            before = _parsed(original)
            if text == encode(before):
                return original._held
            native = original.object_json() or _NOTHING
            spelling = _Spelling(memoryview(native).nbytes)
            made = Arguments.of(spelling.of(dict(shown), before, native))
            shown._changed = text, made
            return made._held
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


class _Spelling:
    """What a program changed, in which all that is as it was is as the model wrote it.

    A changed object or list is cut into its items' text, level by level. `size` is that of the
    whole: once many times as much was cut, only numbers are still as the model wrote them.
    """

    def __init__(self, size: int) -> None:
        self._left = 8 * size + 65_536

    def of(self, value: Any, before: Any, written: Any) -> Any:
        """Return a value; `written` is `before` as text, or as a value with text for numbers."""
        kind = type(value)
        if kind is not type(before):
            return value
        try:
            if kind is not dict and kind is not list:
                return written if encode(value) == encode(before) else value
            if type(written) is Raw:
                if encode(value) == encode(before):
                    return written
                self._left -= memoryview(written).nbytes
                cut = _exact if self._left < 0 else _keys if kind is dict else _items
                written = cut(written)
            return (
                self._list(value, before, written)
                if kind is list
                else {
                    key: self.of(inner, before[key], written[key]) if key in before else inner
                    for key, inner in value.items()
                }
            )
        except RecursionError:  # as JSON may be nested more deeply than Python calls
            return value

    def _list(self, value: list[Any], before: list[Any], written: list[Any]) -> list[Any]:
        """Return a list whose items may have moved: those at both ends are found again."""
        first = last = 0
        if self._left >= 0 or len(value) != len(before):
            now, then = [*map(encode, value)], [*map(encode, before)]
            most = min(len(now), len(then))
            while first < most and now[first] == then[first]:
                first += 1
            while last < most - first and now[-1 - last] == then[-1 - last]:
                last += 1
        end, end_before = len(value) - last, len(before) - last
        rest = value[first:end]
        pairs = zip(rest, before[first:end_before], written[first:end_before], strict=False)
        changed = [self.of(*each) for each in pairs]
        return [
            *written[:first],
            *changed,
            *rest[len(changed) :],
            *written[end_before:],
        ]


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
