"""A plugin of Litestar: handlers that take and return types of the model, as native JSON.

    app = Litestar([handler], plugins=[WireglotPlugin()])

A handler's `data` and its answer may be a type of the model, a list or union of such types, or a
type of your own that holds them. The body is read from its bytes, so that tool arguments and media
stay as they came.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar, Final

import wireglot.json as json
import wireglot.msgpack as msgpack

from .._native.caller_types import is_model, kinds_inside
from .._runtime.extras import needs
from ..errors import DecodeError
from ._definitions import definitions, name_of

with needs("wireglot.adapters.litestar", "litestar"):
    from litestar import Response
    from litestar.dto import AbstractDTO
    from litestar.enums import MediaType
    from litestar.exceptions import ValidationException
    from litestar.openapi.spec import Reference, Schema
    from litestar.params import KwargDefinition
    from litestar.plugins import OpenAPISchemaPlugin, SerializationPlugin
    from litestar.typing import FieldDefinition

__all__ = ["WireglotPlugin"]


class _Native(AbstractDTO[Any]):
    """Reads a body, and writes an answer, as a whole: no field of a type has options of its own."""

    kind: ClassVar[Any]

    def decode_bytes(self, value: bytes) -> Any:
        try:
            return json.decode(value, self.kind)
        except DecodeError as error:
            fault = {"message": error.reason, "key": error.path, "source": "body"}
            raise ValidationException(str(error), extra=[fault]) from error

    def data_to_encodable_type(self, data: Any) -> Any:
        if isinstance(data, Response):
            data.content = self._encoded(data.content, data.media_type)
            return data
        return self._encoded(data, None)

    def _encoded(self, value: Any, media_type: Any) -> bytes:
        named = media_type or getattr(self.asgi_connection.route_handler, "media_type", None)
        encode = msgpack.encode if named == MediaType.MESSAGEPACK else json.encode
        return encode(value, check=True)

    @classmethod
    def create_for_field_definition(cls, *args: Any, **options: Any) -> None:
        """Prepare nothing: the fields of the type are not taken apart."""

    @classmethod
    def is_supported_model_type_field(cls, field_definition: FieldDefinition) -> bool:
        return True

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[Any, None, None]:
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        return False

    @classmethod
    def create_openapi_schema(
        cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any
    ) -> Reference | Schema:
        if field_definition.is_subclass_of(Response):
            field_definition = field_definition.inner_types[0]
        schema: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return schema


class WireglotPlugin(SerializationPlugin, OpenAPISchemaPlugin):
    """Teaches Litestar to read, write and document the types of the model.

    Invalid data are answered with the status 400, and the path of the fault.
    """

    def supports_type(self, field_definition: FieldDefinition) -> bool:
        """Whether there is a type of the model in the type of a handler's data or answer."""
        return any(map(is_model, kinds_inside(field_definition.annotation)))

    def create_dto_for_type(self, field_definition: FieldDefinition) -> type[AbstractDTO[Any]]:
        """Return what reads data of a type, and writes an answer."""
        return type("Native", (_Native,), {"kind": field_definition.annotation})

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Whether a type has a definition of ours; Litestar itself puts a union together."""
        kind = field_definition.annotation
        return isinstance(kind, type) and name_of(kind) is not None

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Any:
        """Return a reference to the definition of a type, and make that if it is not there."""
        return _reference(str(name_of(field_definition.annotation)), schema_creator.schema_registry)


# -- OpenAPI ---------------------------------------------------------------------------------------

_SCHEMAS: Final = frozenset({"additionalProperties", "items", "not"})
"""The keys of JSON Schema whose value is a schema, as we use them."""


def _reference(name: str, registry: Any) -> Reference:
    """Return a reference to a definition, which is made when it is first referred to."""
    field = FieldDefinition.from_kwarg(
        object, "", kwarg_definition=KwargDefinition(schema_component_key=name)
    )
    if registry.get_reference_for_field_definition(field) is None:
        # It is registered before it is complete: types contain each other.
        schema = registry.get_schema_for_field_definition(field)
        vars(schema).update(vars(_schema(definitions()[name], registry)))
    reference: Reference = registry.get_reference_for_field_definition(field)
    return reference


def _schema(document: dict[str, Any], registry: Any) -> Schema:
    """Return a JSON Schema as Litestar's own type has it."""
    fields: dict[str, Any] = {}
    for key, value in document.items():
        if key == "$ref":
            fields["allOf"] = [_reference(value, registry)]
        elif key == "properties":
            fields[key] = {name: _part(each, registry) for name, each in value.items()}
        elif key in ("allOf", "anyOf"):
            fields[key] = [_part(each, registry) for each in value]
        elif key in _SCHEMAS and isinstance(value, dict):
            fields[key] = _part(value, registry)
        else:
            fields[key] = value
    names = Schema.field_aliases()
    return Schema(**{names.get(key, key): value for key, value in fields.items()})


def _part(document: dict[str, Any], registry: Any) -> Reference | Schema:
    if document.keys() == {"$ref"}:
        return _reference(document["$ref"], registry)
    return _schema(document, registry)
