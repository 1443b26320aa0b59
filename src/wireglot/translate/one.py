"""Bytes of one provider's wire -> bytes of another's, by way of the canonical model."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import chain, repeat
from sys import maxsize
from typing import TYPE_CHECKING, Any
from weakref import ref

from msgspec.structs import replace

from .._registry import WireName
from ..capabilities import Capabilities, of_model
from ..errors import EncodeError, ProviderError, WireglotError, unknown
from ..losses import Loss, Losses
from ..model import AssistantMessage, IdSource, Request, Response, ToolNames
from ..model.events import BlockEnd, StreamEnd, StreamEvent, StreamFailure, StreamStart
from ..providers import PROVIDERS, Provider

if TYPE_CHECKING:
    from ..providers import StreamDecoder
    from ..providers._codecs.requests import RequestCodec

__all__ = ["StreamTranslator", "translate_request", "translate_response"]


def translate_request(
    data: Any,
    source: WireName,
    target: WireName,
    *,
    losses: Losses = None,
    path: str | None = None,
    model: str | None = None,
    source_dialect: str | None = None,
    target_dialect: str | None = None,
    repair: bool = False,
    capabilities: Capabilities | None = None,
    names: ToolNames | None = None,
) -> bytes:
    """Translate a request's body from `source` to `target`, both names of `PROVIDERS`.

    `path` is the URL's path, for a source that names the model there. `model` replaces the name of
    the model where the target has another. `repair` gives a call without a result an error result,
    and makes a result without a call a text. `capabilities` is what the target's model takes, if
    its name does not tell (see `wireglot.capabilities`). `names` is emptied, and gets the tools
    that have another name or kind at the target; the translation of the answer needs it. A body
    that is translated to its own wire keeps its unknown keys and its spelling.

    Raises `DecodeError` if the body is not a request of `source`, `EncodeError` if the target
    refuses it, `LossError` if the target cannot carry something and `losses` is None.
    """
    reader, writer = providers_of(source, target)
    request = reader.decode_request(
        data,
        path,
        dialect=source_dialect,
        losses=losses,
        target=writer.API,
    )
    if model is not None and request.extras:
        put_model(request, model, reader.Transcript.CODEC)
    elif model is not None:
        request.model = model
    return writer.encode_request(
        request,
        losses=losses,
        dialect=target_dialect,
        repair=repair,
        capabilities=capabilities,
        names=names,
    )


def put_model(request: Request, model: str, reader: RequestCodec) -> None:
    """Name another model in a request that `reader` has read.

    If it takes other parameters than the one that was named, they are not spelled as for that one.
    """
    was, request.model = request.model, model
    for extra in (request.extras or {}).values():
        if extra.spelling is not None or extra.dialect is not None:
            break
    else:
        return
    if of_model(was) != of_model(model):
        own = reader.rules.api
        request.extras = {
            api: replace(
                extra,
                spelling=reader.portable(extra.spelling) if api == own else None,
                dialect=None,
            )
            for api, extra in (request.extras or {}).items()
        }


def translate_response(
    data: Any,
    source: WireName,
    target: WireName,
    *,
    losses: Losses = None,
    model: str | None = None,
    source_dialect: str | None = None,
    target_dialect: str | None = None,
    ids: IdSource | None = None,
    names: ToolNames | None = None,
) -> bytes:
    """Translate an answer's body from `source` to `target`, both names of `PROVIDERS`.

    `model` replaces the name of the model, where the client asked for it by another. An answer that
    is translated to its own wire keeps its unknown keys. `ids` is asked for an id where the answer
    has none that the target needs; without it that is a hash, the same for the same answer. `names`
    is what `translate_request` has filled: the calls get the client's own names from it.

    Raises `DecodeError` if the body is not an answer of `source`, `EncodeError` if the target
    refuses it, `LossError` if the target cannot carry something and `losses` is None.
    """
    reader, writer = providers_of(source, target)
    response = reader.decode_response(
        data, dialect=source_dialect, losses=losses, ids=ids, names=names
    )
    if model is not None:
        response.message.model = model
    return writer.encode_response(response, losses=losses, dialect=target_dialect, ids=ids)


class _Read(list[Loss]):
    """What a decoder loses in one chunk, each with the number of events that it made before."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[int] = []
        self.decoder: Callable[[], StreamDecoder | None] = lambda: None
        """Returns the decoder; not the decoder itself, which has this list."""

    def append(self, loss: Loss) -> None:
        """Add a loss."""
        super().append(loss)
        decoder = self.decoder()
        self.places.append(decoder.made if decoder is not None else 0)

    def taken(self) -> deque[tuple[int, Loss]]:
        """Return the losses, each behind its number, and forget them."""
        found = deque(zip(chain(self.places, repeat(maxsize)), self, strict=False))
        self.clear()
        self.places.clear()
        return found


class StreamTranslator:
    """Translate a streamed answer from one provider's wire to another's, chunk by chunk.

    The parameters are those of `translate_response`. An error that the source sends in its stream
    is written as the target's error. If the stream was cut, `close` raises `StreamError`, and the
    target's stream has no end; `fail` gives it one. After an exception the translator is finished:
    every later call raises it again, because the rest of its chunk has not been written. What the
    chunk gave before the error is returned first, and the next call raises. A provider's error in
    the same chunk is written all the same.
    """

    def __init__(
        self,
        source: WireName,
        target: WireName,
        *,
        losses: Losses = None,
        model: str | None = None,
        source_dialect: str | None = None,
        target_dialect: str | None = None,
        ids: IdSource | None = None,
        names: ToolNames | None = None,
    ) -> None:
        reader, writer = providers_of(source, target)
        self._losses = losses
        # The losses of both are in one order, however large the chunks are.
        self._read = None if losses is None else _Read()
        self._decoder = reader.StreamDecoder(
            dialect=source_dialect, losses=self._read, ids=ids, names=names
        )
        if self._read is not None:
            self._read.decoder = ref(self._decoder)
        self._encoder = writer.StreamEncoder(losses=losses, dialect=target_dialect, ids=ids)
        self._model = model
        if model is not None:
            self._encoder.expect(Response(AssistantMessage([], model=model)))
        self._feed = self._decoder.feed
        self._encode = self._encoder.encode
        # Raised again without its traceback, which would grow with every call.
        self._error: WireglotError | None = None

    @property
    def error(self) -> WireglotError | None:
        """The exception that has ended the stream, which the next call raises."""
        return self._error or self._decoder.error

    def feed(self, chunk: bytes | bytearray | memoryview) -> bytes:
        """Return the target's bytes for the events that `chunk` completes, often none.

        Raises `StreamError` if the source's stream is invalid, `LimitError` for a frame that is too
        large, `EncodeError` if the target refuses something, `LossError` if the target cannot carry
        something and there is no list of losses.
        """
        if self._error is not None:
            raise self._error.with_traceback(None)
        events: list[StreamEvent] = []
        try:
            events = self._feed(chunk)
            if len(events) == 1 and self._model is None and not self._read:  # as in most chunks
                return self._encode(events[0])
        except WireglotError as error:
            self._error = self._graver(error, events)
            self._lose_read()
            raise self._error from self._error.__cause__
        frames: list[bytes] = []
        try:
            self._write(events, frames)
        except WireglotError as error:
            self._error = error
            if not any(frames):
                raise
        return b"".join(frames)

    def close(self) -> bytes:
        """Return the last bytes. Raises `StreamError` if the source was cut, or as `feed` does."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        made: list[bytes] = []
        try:
            self._write(self._decoder.finish(), made)
            return b"".join(made) + self._encoder.close()
        except WireglotError as error:
            self._error = error
            self._lose_read()
            if any(made) and self._encoder.is_over:
                return b"".join(made)
            raise

    def fail(self, error: ProviderError) -> bytes:
        """Return the last bytes of a stream that cannot go on, in place of `close`.

        They are `error` as the target sends one in a stream, and empty if the answer has ended
        already. `feed` or `close` may have raised before.
        """
        self._error = self._error or error
        if self._encoder.is_over:
            return b""
        failure = StreamFailure.of(error)
        failure.message = failure.message.encode(errors="replace").decode()
        return self._encoder.encode(failure) + self._encoder.close()

    def _write(self, events: list[StreamEvent], frames: list[bytes]) -> None:
        """Add the bytes of each event to `frames`.

        If the source's own error is the last event, it is written whatever is wrong before it.
        """
        if self._model is not None:
            for event in events:
                if type(event) is StreamStart or type(event) is StreamEnd:
                    event.response.message.model = self._model
        try:
            self._write_each(events, frames)
        except WireglotError as error:
            failure = events[-1]
            graver = self._graver(error, events[len(frames) :])
            if type(failure) is StreamFailure and not self._encoder.is_over:
                frames.append(self._encode(failure))
            raise graver from graver.__cause__

    def _graver(self, error: WireglotError, events: list[StreamEvent]) -> WireglotError:
        """Return the error to raise where the first of these events cannot be written.

        What breaks the source counts more than a call that ends again because of it.
        """
        broken = self._decoder.error
        event = events[0] if events else None
        is_because = type(event) is BlockEnd and event.revised
        return broken if broken is not None and is_because else error

    def _write_each(self, events: list[StreamEvent], frames: list[bytes]) -> None:
        if not self._read or self._losses is None:
            for event in events:
                frames.append(self._encode(event))
            return
        found = self._read.taken()
        try:
            for number, event in enumerate(events):
                while found and found[0][0] <= number:
                    self._losses.append(found.popleft()[1])
                frames.append(self._encode(event))
        finally:
            self._losses += (loss for _, loss in found)

    def _lose_read(self) -> None:
        """Report what the decoder has lost before an error."""
        if self._read and self._losses is not None:
            self._losses += (loss for _, loss in self._read.taken())


def providers_of(source: str, target: str) -> tuple[Provider, Provider]:
    """Return two providers by their names. Raises `EncodeError` for one that is not known."""
    try:
        return PROVIDERS[source], PROVIDERS[target]
    except KeyError as error:
        name = target if source in PROVIDERS else source
        raise EncodeError(unknown("provider", name, PROVIDERS), wire="translate") from error
