"""Messages with turn ids, as others put them on a queue: each library with types of its own.

They have no envelope: no checksum, no id, and no description of the content.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import msgspec
import orjson
import pydantic
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from .peers import dataclass_json, pydantic_models
from .plain import ParsedFlatMessage

__all__ = ["CARRIERS", "Carrier"]


class Carrier(NamedTuple):
    """How messages travel: `made` reads its own types from JSON, `told` writes them as JSON."""

    made: Callable[[bytes], Any]
    told: Callable[[Any], bytes]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]


@dataclass
class TurnId:
    """Which turn of which loop a message belongs to."""

    loopId: str  # noqa: N815 - its name in JSON
    turnIndex: int  # noqa: N815


@dataclass
class User(dataclass_json.User):
    """A user's message and its turn."""

    turnId: TurnId | None = None  # noqa: N815


@dataclass
class Assistant(dataclass_json.Assistant):
    """A model's message and its turn."""

    turnId: TurnId | None = None  # noqa: N815


@dataclass
class ToolResult(dataclass_json.ToolResult):
    """The result of a call, and its turn."""

    turnId: TurnId | None = None  # noqa: N815


_MESSAGES = {"user": User, "assistant": Assistant, "toolResult": ToolResult}


def _dataclass(data: dict[str, Any]) -> Any:
    data["content"] = [dataclass_json.BLOCKS[block["type"]](**block) for block in data["content"]]
    data["turnId"] = TurnId(**data["turnId"])
    if "usage" in data:
        data["usage"] = dataclass_json.Usage(**data["usage"])
    return _MESSAGES[data["role"]](**data)


def _dataclasses(data: bytes) -> list[Any]:
    return [_dataclass(message) for message in json.loads(data)]


class ModelTurnId(BaseModel):
    """Which turn of which loop a message belongs to."""

    model_config = ConfigDict(alias_generator=to_camel)

    loop_id: str
    turn_index: int


class _Placed(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)

    turn_id: ModelTurnId


class ModelUser(pydantic_models.User, _Placed):
    """A user's message and its turn."""


class ModelAssistant(pydantic_models.Assistant, _Placed):
    """A model's message and its turn."""


class ModelToolResult(pydantic_models.ToolResult, _Placed):
    """The result of a call, and its turn."""


_Model = Annotated[ModelUser | ModelAssistant | ModelToolResult, Field(discriminator="role")]
_models = TypeAdapter(list[_Model])


def _dumped(value: Any) -> bytes:
    return _models.dump_json(value, by_alias=True)


def _pickled(value: Any) -> bytes:
    return pickle.dumps(value, 5)


_structs = msgspec.json.Decoder(list[ParsedFlatMessage]).decode
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[ParsedFlatMessage]).decode

CARRIERS = {
    "pickle of dataclasses": Carrier(_dataclasses, dataclass_json.encode, _pickled, pickle.loads),
    "json and dataclasses": Carrier(
        _dataclasses, dataclass_json.encode, dataclass_json.encode, _dataclasses
    ),
    f"pydantic {pydantic.VERSION}, models": Carrier(
        _models.validate_json, _dumped, _dumped, _models.validate_json
    ),
    f"orjson {orjson.__version__}, dicts without types": Carrier(
        orjson.loads, orjson.dumps, orjson.dumps, orjson.loads
    ),
    "plain Structs, MessagePack": Carrier(_structs, msgspec.json.encode, _pack, _unpack),
}
"""The first four are what people use; the last is the floor: the least work that there can be."""
