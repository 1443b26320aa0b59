"""Many requests from one wire to another, where only what is new of a conversation is translated.

An agent sends its whole conversation again with each turn. A body that begins with the same bytes
as an earlier one has the same first messages. Those are kept as they were read and as they were
written: the rest of the body is decoded behind them, and encoded behind their bytes.

That is possible only where nothing that follows can change what came before: before an answer, once
all that it answers is there. Such a place is a cut, and what a reader and a writer need to know of
the messages before it is kept with it. Wherever the whole might differ from its parts, the whole is
translated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from typing import Any, Final, NamedTuple

from msgspec import Struct

from .._body.decode import MOST_APART
from .._registry import WireName
from .._runtime.locks import lock_held_at_fork
from .._runtime.recent import Recent
from ..capabilities import Capabilities
from ..errors import DecodeError
from ..losses import Losses, lost_so_far
from ..model import AssistantMessage, Message, Request, TextBlock, Tool, ToolNames
from ..model.counting import MOST_VALUES, check_json
from ..providers._codecs.requests import RequestCodec, RequestReader
from ..providers._codecs.transcript import FAULTS, Prefix, grown, settled, shape
from ..providers._state.encoding import KeptTools, OutOfOrder
from .kept import Body, Conversation, Conversations, Cut, Envelope, Lists, detach, weight
from .one import providers_of, put_model

__all__ = ["RequestTranslator", "Translation", "TranslatorStats"]

_LEAST: Final = 1_000
"""Bytes. A shorter body is translated in the time that it takes to look for its beginning."""
_MOST_CUTS: Final = 3
"""How many cuts are looked for. Some clients mark their last two messages and unmark them later."""
_MOST_APART: Final = MOST_APART // 2
"""How many objects of one conversation may have unknown keys; with more, it may be refused."""
_SEEN, _SEEN_SIZE = 4, 200
"""How many beginnings are noted for each conversation that may be kept, and about their bytes."""
_NOTHING: Final = Prefix()
_one_at_a_time: Final = lock_held_at_fork()


class Translation(NamedTuple):
    """A request's body in another wire."""

    body: bytes
    request: Request
    """The request as it was read for the target: for the target's `route`, not to be encoded for
    the source again. What it holds must not be changed."""


class TranslatorStats(NamedTuple):
    """What a `RequestTranslator` has done, and what it holds."""

    hits: int
    """Requests that began as an earlier one did."""
    misses: int
    """Requests that did not, and those that are too short to look."""
    conversations: int
    bytes: int
    """About how much memory the conversations take."""


class _Begun(Struct, frozen=True):
    """A body without the messages that are known, and what is known of it."""

    body: Body
    envelope: Envelope | None
    conversation: Conversation | None = None
    cut: Cut | None = None
    keeps: bool = True
    """Whether more of it is to be kept."""

    @property
    def count(self) -> int:
        """How many messages of the conversation are known."""
        return self.cut.messages if self.cut is not None else 0

    @property
    def apart(self) -> int:
        """How many objects with unknown keys are known."""
        return self.cut.apart if self.cut is not None else 0

    def messages(self) -> list[Message]:
        """Return the messages that are known."""
        known = self.conversation
        return known.messages[: self.count] if known is not None else []

    def cuts(self, envelope: Envelope) -> list[Cut]:
        """Return the cuts among these messages, if with this envelope they are written the same."""
        known = self.conversation
        if known is None or not known.envelope.is_like(envelope):
            return []
        return [cut for cut in known.cuts if cut.messages <= self.count]


class RequestTranslator:
    """Translates requests from `source` to `target` as `translate_request` does, but faster.

    Bytes, losses and errors are those of `translate_request`, always. One object serves many
    conversations, in any number of threads. What it keeps is bounded: `most_bytes` in memory
    (about), `most_conversations`, and `most_seconds` since one was last used. Most beginnings never
    come again, so one is kept when it comes for the second time; with `at_once`, for the first.

    The other parameters are those of `translate_request`. Raises `EncodeError` for an unknown
    provider or dialect.
    """

    def __init__(
        self,
        source: WireName,
        target: WireName,
        *,
        source_dialect: str | None = None,
        target_dialect: str | None = None,
        repair: bool = False,
        capabilities: Capabilities | None = None,
        most_bytes: int = 64_000_000,
        most_conversations: int = 1_000,
        most_seconds: float = 3_600.0,
        at_once: bool = False,
    ) -> None:
        reader, writer = providers_of(source, target)
        self._reader: RequestCodec = reader.Transcript.CODEC
        self._writer: RequestCodec = writer.Transcript.CODEC
        self._source_dialect = self._reader.rules.dialect(source_dialect)
        self._target_dialect = self._writer.rules.dialect(target_dialect)
        self._repair = repair
        self._capabilities = capabilities
        self._lists = Lists(self._reader.conversation_key)
        of_envelopes = most_bytes // 4
        self._envelopes: Recent[Hashable, Envelope] = Recent(
            most_conversations, of_envelopes, most_seconds
        )
        self._conversations = Conversations(
            most_conversations, most_bytes - of_envelopes, most_seconds
        )
        self._is_own = self._reader.rules.api == self._writer.rules.api
        self._at_once = at_once
        self._seen: Recent[Hashable, bool] = Recent(
            _SEEN * most_conversations, most_bytes, most_seconds
        )
        self._hits = self._misses = 0

    @property
    def stats(self) -> TranslatorStats:
        """What has been done so far, and what is held."""
        held = self._conversations.size + self._envelopes.size
        return TranslatorStats(self._hits, self._misses, len(self._conversations), held)

    def clear(self) -> None:
        """Forget all that is kept."""
        with _one_at_a_time:
            self._conversations.clear()
            self._envelopes.clear()
            self._seen.clear()

    def translate(
        self,
        data: Any,
        *,
        losses: Losses = None,
        path: str | None = None,
        model: str | None = None,
        names: ToolNames | None = None,
        tenant: str = "",
    ) -> bytes:
        """Translate a request's body; the parameters are those of `translate_request`.

        What was kept of the requests of one `tenant` is never compared with those of another:
        neither bytes nor time tell one what another has sent.

        Raises as `translate_request` does.
        """
        return self.translation(
            data, losses=losses, path=path, model=model, names=names, tenant=tenant
        ).body

    def translation(
        self,
        data: Any,
        *,
        losses: Losses = None,
        path: str | None = None,
        model: str | None = None,
        names: ToolNames | None = None,
        tenant: str = "",
    ) -> Translation:
        """Translate as `translate` does, and return the body with the request as it was read."""
        if isinstance(data, bytes) and len(data) >= _LEAST:
            try:
                return self._translate(data, losses, path, model, names, (tenant, names is None))
            except (OutOfOrder, DecodeError):  # nothing is lost yet; the whole says what is wrong
                pass
        with _one_at_a_time:
            self._misses += 1
        request = self._reader.decode_request(
            data,
            path,
            dialect=self._source_dialect,
            losses=losses,
            target=self._writer.rules.api,
        )
        if model is not None:
            put_model(request, model, self._reader)
        return Translation(self._whole(request, losses, names), request)

    def _translate(
        self,
        text: bytes,
        losses: Losses,
        path: str | None,
        model: str | None,
        names: ToolNames | None,
        owner: Hashable,
    ) -> Translation:
        begun = self._begun(text, path, model, owner)
        if len(text) > MOST_VALUES:
            check_json(text)
        rest, envelope, reader = self._rest(begun, path, model)
        known = begun.conversation
        if known is not None and type(rest[0]) is not AssistantMessage:
            raise OutOfOrder  # it goes on with something else than an answer
        lead = envelope.request.messages
        request = copy(envelope.request)
        # As `Request` would set them, if it knew that they are what a reader has made.
        Struct.__setattr__(request, "messages", [*lead, *begun.messages(), *rest])
        old = begun.cuts(envelope)
        cuts = [*old, *self._more_cuts(begun, reader, request, envelope, old, names)]
        before = cuts[-1].prefix if cuts else _NOTHING
        encoded = self._encoded(request, envelope, losses, before, names)
        new = None
        if len(cuts) > len(old):
            messages = request.messages[len(lead) : len(lead) + cuts[-1].messages]
            # Read alone, they hold on to little more than themselves.
            if not envelope.is_apart or begun.body.is_most_behind(cuts[-1].offset):
                detach(messages[begun.count :])
            new = Conversation.of(begun.body, envelope, messages, cuts)
        with _one_at_a_time:
            self._hits += known is not None
            self._misses += known is None
            if envelope is not begun.envelope and envelope.is_apart:
                key = owner, path, model, envelope.head, envelope.tail
                self._envelopes.put(key, envelope, envelope.size)
            if new is not None:
                is_next = known is not None and begun.cut is known.cuts[-1]
                self._conversations.put(owner, new, known if is_next else None)
        return Translation(encoded, request)

    def _begun(self, text: bytes, path: str | None, model: str | None, owner: Hashable) -> _Begun:
        """Return what is known of a body. Raises `OutOfOrder` where its list cannot be found."""
        with _one_at_a_time:
            known, cut, start = self._conversations.find(owner, text) or (None, None, 0)
        envelope = known.envelope if known is not None else None
        is_same = (
            envelope is not None
            and (envelope.path, envelope.model) == (path, model)
            and text.endswith(envelope.tail)
        )
        if known is not None and envelope is not None and is_same:
            body = self._lists.rest(text, known.start, start, envelope.tail)
        else:
            body = self._lists.find(text)
        if body is None:
            raise OutOfOrder
        if is_same:
            return _Begun(body, envelope, known, cut)
        head = body.head
        key = owner, path, model, head, body.tail
        with _one_at_a_time:
            envelope = self._envelopes.get(key)
            if known is not None:
                return _Begun(body.behind(start), envelope, known, cut)
            goes_on = self._was_seen(owner, head, body.opening)
            is_usual = envelope is not None or self._was_seen(key)
        if not goes_on and (self._is_own or not is_usual):
            raise OutOfOrder
        return _Begun(body, envelope, keeps=goes_on)

    def _more_cuts(
        self,
        begun: _Begun,
        reader: RequestReader,
        request: Request,
        envelope: Envelope,
        old: list[Cut],
        names: ToolNames | None,
    ) -> Iterator[Cut]:
        """Write what comes before each further cut; no cut follows one that is not settled."""
        before, size = (old[-1].prefix, old[-1].weight) if old else (_NOTHING, 0)
        lead = len(envelope.request.messages)
        done = lead + (old[-1].messages if old else 0)
        apart = begun.apart + len(reader.decoding.unknown)
        for found in reader.cuts:
            count = begun.count + found.messages
            more = self._settled(request, envelope, lead + count, before, names)
            if more is None:
                return
            size += weight(request.messages[done : lead + count])
            done = lead + count
            before = more
            offset = begun.body.ends[found.parts - 1]
            yield Cut(offset, count, found.calls, more, apart, size)

    def _was_seen(self, *what: Hashable) -> bool:
        """Return whether something has come before, and note that it has come now."""
        key = hash(what)
        is_known = self._seen.get(key) is not None
        if not is_known:
            self._seen.put(key, True, _SEEN_SIZE)
        return is_known or self._at_once

    def _rest(
        self, begun: _Begun, path: str | None, model: str | None
    ) -> tuple[list[Message], Envelope, RequestReader]:
        """Read the messages that are not known, and the envelope if that is not known."""
        body, envelope, cut = begun.body, begun.envelope, begun.cut
        earlier = cut.calls if cut is not None else None
        most_cuts = _MOST_CUTS if begun.keeps else 0
        if envelope is None and not self._is_own:
            request, _ = self._decoded(body.head + body.tail, path, None, [], 0)
            envelope = self._envelope(request, body, path, model)
        if envelope is not None and envelope.is_apart:
            rest, reader = self._reader.decode_messages(
                self._lists.alone(body),
                dialect=self._source_dialect,
                target=self._writer.rules.api,
                earlier=earlier,
                most_cuts=most_cuts,
            )
        else:
            known = begun.messages()
            request, reader = self._decoded(body.whole, path, earlier, known, most_cuts)
            first = len(request.messages) - reader.read_messages
            rest = request.messages[first:]
            del request.messages[first:]
            envelope = self._envelope(request, body, path, model)
        # The whole may have too many objects with unknown keys; a reader may not tell its messages.
        if begun.apart + len(reader.decoding.unknown) > _MOST_APART or not rest:
            raise OutOfOrder
        return rest, envelope, reader

    def _decoded(
        self,
        text: bytes,
        path: str | None,
        earlier: Any,
        known: list[Message],
        most_cuts: int,
    ) -> tuple[Request, RequestReader]:
        return self._reader.decode_more(
            text,
            path,
            dialect=self._source_dialect,
            target=self._writer.rules.api,
            earlier=earlier,
            known=known,
            most_cuts=most_cuts,
        )

    def _envelope(
        self, request: Request, body: Body, path: str | None, model: str | None
    ) -> Envelope:
        if model is not None:
            put_model(request, model, self._reader)
        detach(request)
        texts = (type(b) is TextBlock for message in request.messages for b in message.content)
        tools = request.tools or ()
        is_plain = request.cache is None and all(
            type(tool) is Tool and tool.cache is None for tool in tools
        )
        return Envelope(
            body.head,
            body.tail,
            path,
            model,
            request,
            shape(request),
            KeptTools() if tools and is_plain else None,
            # The same API would get its own spelling back, which is that of the whole.
            is_apart=all(texts) and not self._is_own,
        )

    def _settled(
        self,
        request: Request,
        envelope: Envelope,
        upto: int,
        before: Prefix,
        names: ToolNames | None,
    ) -> Prefix | None:
        try:
            return settled(
                self._writer,
                request,
                upto,
                before,
                dialect=self._target_dialect,
                capabilities=self._capabilities,
                has_names=names is not None,
                tools=envelope.tools,
            )
        except FAULTS:  # encoded as a whole, they are named as `encode_request` names them
            return None

    def _encoded(
        self,
        request: Request,
        envelope: Envelope,
        losses: Losses,
        before: Prefix,
        names: ToolNames | None,
    ) -> bytes:
        known = 0
        if losses is not None:  # one call for a list
            known = len(losses) if losses.__class__ is list else lost_so_far(losses)
        if names is not None:
            names.clear()
        try:
            return grown(
                self._writer,
                request,
                losses,
                before,
                dialect=self._target_dialect,
                capabilities=self._capabilities,
                names=names,
                tools=envelope.tools,
            )
        except FAULTS:
            if losses is not None:
                del losses[known:]
        return self._whole(request, losses, names)

    def _whole(self, request: Request, losses: Losses, names: ToolNames | None) -> bytes:
        return self._writer.encode_request(
            request,
            losses=losses,
            dialect=self._target_dialect,
            repair=self._repair,
            capabilities=self._capabilities,
            names=names,
        )
