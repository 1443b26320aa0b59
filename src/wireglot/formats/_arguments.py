"""The arguments of a call as a `dict`, for the types of systems in which they are one.

The field of such a type holds `Arguments`, the model's own text, which is what is decoded and
written. Its attribute is a dict: made when it is first asked for, and written in place of that text
once a program has changed it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Raw

from .._objects import encode
from ..errors import DecodeError
from ..model import Arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import RawJson
    from ..model.accepted import Field

    DictArguments: TypeAlias = Field["ArgumentsDict", Mapping[str, Any] | RawJson | str | bytes]
else:
    DictArguments = Raw

__all__ = ["ArgumentsDict", "DictArguments", "ShownAsDict"]


class ArgumentsDict(dict[str, Any]):
    """The arguments of a call. Until they are changed, `text` is the model's own."""

    __slots__ = ("_shown",)

    _shown: _Shown

    @property
    def text(self) -> bytes:
        """The JSON text that is written."""
        return self._shown.text if hasattr(self, "_shown") else encode(self)

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

    __slots__ = ("_original", "shown")

    def __init__(self, original: Arguments) -> None:
        value = _parsed(original)
        if type(value) is not dict:
            raise DecodeError("arguments that are not an object, expected one")
        self._original = original
        self.shown: ArgumentsDict = ArgumentsDict(value)
        self.shown._shown = self

    @property
    def _held(self) -> Any:  # type: ignore[override]
        # What is inside of the dict may be changed as well, so it is compared as it is written.
        if encode(self.shown) == encode(_parsed(self._original)):
            return self._original._held
        return Raw(Arguments.of(self.shown).text)

    @property
    def value(self) -> Any:
        """The dict."""
        return self.shown

    def detach(self) -> _Shown:
        """Copy the text out of the input that it is a slice of, and return self."""
        self._original.detach()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as arguments of which nobody has the dict."""
        return Arguments, (self.text,)


def _parsed(arguments: Arguments) -> Any:
    """Return the value of arguments, which nobody else has."""
    return Arguments(arguments.text).value


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
            try:
                held = _Shown(held)
            except DecodeError:
                return held
            self.put(record, held)
        return held.shown if type(held) is _Shown else held

    def __set__(self, record: Any, value: Any) -> None:
        """Adopt a dict, text or `Arguments`."""
        self.put(record, self._adopt(value))
