"""Types of the model as the types of pydantic's fields, and so of FastAPI's parameters and answers.

`session: list[wg.AgentMessage]` needs no import of this module: pydantic asks the types themselves,
and they ask here. A value is an instance of the type, or plain data, which is read as
`from_builtins` does. It stays an object in `model_dump()`, and is plain data in JSON.

pydantic tries each member of a union by itself, and lists the errors of all of them. `Message`,
`Content` and `StreamEvent` of this module are the unions of these names, read as one type: a fault
is one error, as with `AgentMessage`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from .. import model
from .._runtime.extras import needs
from ..builtins import from_builtins, to_builtins
from ..errors import WireglotError
from ._definitions import definitions, name_of, names_below

with needs("wireglot.adapters.pydantic", "pydantic"):
    from pydantic_core import PydanticCustomError, core_schema
    from pydantic_core.core_schema import CoreSchema
if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

__all__ = ["Content", "Message", "StreamEvent", "schema_of", "validator_of"]


def validator_of(kind: Any) -> CoreSchema:
    """Return how pydantic reads and writes a type of the model, or a union of such types."""
    name = _name(kind)
    plain = core_schema.plain_serializer_function_ser_schema(_plain, when_used="json")
    return core_schema.no_info_plain_validator_function(
        _reader(kind, name), ref=_core_ref(name), serialization=plain
    )


def schema_of(kind: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
    """Return the JSON Schema of a type; what it refers to becomes a definition of its own."""
    schema = definitions()[_name(kind)]
    others = [_definition(other) for other in names_below(schema)]
    # Only what is inside another schema becomes a definition; what `handler` returns is not used.
    handler(core_schema.definitions_schema(core_schema.any_schema(), others))
    linked: dict[str, Any] = _linked(schema, handler)
    return linked


def _plain(value: Any) -> Any:
    return to_builtins(value, check=True)


class _Whole:
    """Makes one type of a union, which pydantic would take apart."""

    def __init__(self, union: Any) -> None:
        self._union = union

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return validator_of(self._union)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return schema_of(self._union, handler)


Content = Annotated[model.Content, _Whole(model.Content)]
"""A content block of any kind."""
Message = Annotated[model.Message, _Whole(model.Message)]
"""A message that may reach an LLM."""
StreamEvent = Annotated[model.StreamEvent, _Whole(model.StreamEvent)]
"""An event of a stream."""


def _name(kind: Any) -> str:
    return name_of(kind) or str(kind.__name__)


def _core_ref(name: str) -> str:
    """Return pydantic's own name of a type; the definition is called what its colon follows."""
    return f"wireglot.{name}:{name}"


def _reader(kind: Any, name: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if isinstance(value, kind):
            return value
        try:
            return from_builtins(value, kind)
        except WireglotError as error:
            context = {"reason": error.reason, "path": error.path}
            raise PydanticCustomError("wireglot", "{reason} - at `{path}`", context) from error

    read.__name__ = name  # which is in the place (`loc`) of an error inside a union
    return read


def _definition(name: str) -> CoreSchema:
    """Return a type whose JSON Schema links to others, but does not define them.

    Types contain each other, so one that defined all that it refers to would never be complete.
    """

    def linked(schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return _linked(definitions()[name], handler)

    # Where pydantic puts the `__get_pydantic_json_schema__` of a class.
    metadata = {"pydantic_js_functions": [linked]}
    return core_schema.any_schema(ref=_core_ref(name), metadata=metadata)


def _linked(schema: Any, handler: GetJsonSchemaHandler) -> Any:
    """Return a schema in which each reference is as pydantic writes it."""
    if isinstance(schema, list):
        return [_linked(item, handler) for item in schema]
    if not isinstance(schema, dict):
        return schema
    linked = {key: _linked(value, handler) for key, value in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return linked
    ref = core_schema.definition_reference_schema(_core_ref(schema["$ref"]))
    return {**handler(ref), **linked}
