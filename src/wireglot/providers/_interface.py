"""The four functions of a provider, as an editor shows them: the methods of its codecs.

These here are never called. What calls a provider gets the methods themselves, which cost one call
less than functions around them.
"""

from __future__ import annotations

from typing import Any, Final

from ..capabilities import Capabilities
from ..losses import Losses
from ..model import IdSource, Request, Response, ToolNames

PLACES: Final = {
    "API": ".facts",
    "DIALECTS": ".wire",
    "FACTS": ".facts",
    "StreamDecoder": ".stream",
    "StreamEncoder": ".stream",
    "Transcript": ".request",
    "decode_error": ".errors",
    "decode_request": ".request",
    "decode_response": ".response",
    "encode_error": ".errors",
    "encode_request": ".request",
    "encode_response": ".response",
    "route": ".request",
}
"""The names of one of our providers -> the file that has each: a call loads what it needs."""


def encode_request(
    request: Request,
    *,
    losses: Losses = None,
    dialect: str | None = None,
    repair: bool = False,
    capabilities: Capabilities | None = None,
    names: ToolNames | None = None,
) -> bytes:
    """Encode `request` as the body of a call of the API; `dialect` is one of `DIALECTS`.

    Tool arguments and inline media are spliced in unparsed. `repair` gives a call without a
    result an error result that says so, and makes a result without its call a user's text.
    `capabilities` is what the model takes, if its name does not tell (see
    `wireglot.capabilities`). `names` is emptied, and gets the tools that have another name or
    kind on this wire; who decodes the answer with it gets the request's own names back.

    Raises `EncodeError` if there is no model or no message, if a call has no result or a result
    no call, or if the request contradicts itself; `LossError` if something has no place on this
    wire and `losses` is None.
    """
    raise NotImplementedError  # never called: the codec has it


def decode_request(
    data: Any,
    path: str | None = None,
    *,
    dialect: str | None = None,
    losses: Losses = None,
    target: str = "",
) -> Request:
    """Decode the body of a call of the API: bytes, text, plain data or an SDK's object.

    A bare list of messages is a request that names no model. `path` is that of the URL, which
    on some wires names the model, or asks for a stream. `target` is the API that the request
    goes to (the `API` of its module), if it is known to go only there: then what only this
    API's encoder needs is not looked for, and the request must not be encoded for this API
    again.

    Raises `DecodeError`, `EncodeError` for plain data that JSON cannot express, and `TypeError`
    for any other data. With `losses`, a lone surrogate in bytes or text becomes U+FFFD and a
    loss.
    """
    raise NotImplementedError  # never called: the codec has it


def encode_response(
    response: Response,
    *,
    losses: Losses = None,
    dialect: str | None = None,
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it.

    `ids` is asked for the ids that the wire needs and the answer does not have; without it they
    are a hash of the answer.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    raise NotImplementedError  # never called: the codec has it


def decode_response(
    data: Any,
    *,
    dialect: str | None = None,
    losses: Losses = None,
    ids: IdSource | None = None,
    names: ToolNames | None = None,
) -> Response:
    """Decode an answer of the API: bytes, text, plain data or an SDK's object.

    Calls without ids get some from `ids`, or from a hash.
    `names` is what the encoding of the request has filled: the calls get their names from it. A
    lone surrogate is an error; with `losses`, one in bytes or text becomes U+FFFD and a loss.

    Raises `DecodeError`, `ProviderError` where the API answers 200 with an error, `EncodeError`
    for plain data that JSON cannot express, and `TypeError` for any other data.
    """
    raise NotImplementedError  # never called: the codec has it
