"""An answer of one wire -> an answer of another, judged by its oracle; nothing may vanish."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import wireglot as wg
from tests.corpus.answers import Answer
from tests.corpus.compare import canonical
from tests.corpus.kept import Item, dropped, tells_of
from tests.corpus.oracles import faults_of
from tests.corpus.refusals import broken, refused_for
from tests.corpus.streams import decoded, encoded
from tests.corpus.verdicts import Failure, Refusal, Verdict

__all__ = ["judge_other_answer"]


def judge_other_answer(answer: Answer, target: str) -> Verdict:
    """Take an answer to another wire. One that does not decode is reported by its own wire."""
    verdict = Verdict(answer.id, answer.label, answer.provider, answer.dialect, target)
    read, judge = _WAYS[answer.kind]
    try:
        source = read(answer)
    except Exception as error:  # noqa: BLE001 -- `judge_own_answer` reports it
        return verdict._replace(refusal=Refusal(f"does not decode: {type(error).__name__}", False))
    judged = _judged(judge, source, target, verdict)
    if not judged.failures:
        return judged
    why = broken(answer.provider, answer.data) if answer.kind == "stream" else _faulty(source)
    return judged if why is None else verdict._replace(refusal=Refusal(why, mended=False))


def _faulty(source: Any) -> str | None:
    """Return why an answer cannot be what its service sent, None if it can be."""
    if isinstance(source, wg.Response) and not all(c.name for c in source.message.tool_calls()):
        return "a call has no name"
    calls = source.message.tool_calls() if isinstance(source, wg.Response) else ()
    if not all(map(_can_be_named, calls)):
        return "a call has a name that no tool of another wire can have"
    return None


def _can_be_named(call: wg.ToolCallBlock) -> bool:
    return re.fullmatch(r"[\w.:-]+", call.name) is not None


def _judged(judge: Any, source: Any, target: str, verdict: Verdict) -> Verdict:
    try:
        return verdict._replace(failures=tuple(judge(source, target)))
    except wg.ProviderError:
        return verdict  # an answer that has failed is an error at Responses
    except wg.WireglotError as error:
        if (why := refused_for(error)) is not None:
            return verdict._replace(refusal=Refusal(why, mended=False))
        return verdict._replace(failures=(Failure("encode", error.path, error.reason),))
    except Exception as error:  # noqa: BLE001 -- a crash is what we look for
        return verdict._replace(failures=(Failure("crash", "$", repr(error)),))


# Responses


def _read_response(answer: Answer) -> wg.Response:
    provider = wg.PROVIDERS[answer.provider]
    return provider.decode_response(answer.data, dialect=answer.dialect, losses=[])


def _response(source: wg.Response, target: str) -> Iterator[Failure]:
    losses: list[wg.Loss] = []
    written = wg.PROVIDERS[target].encode_response(source, losses=losses)
    yield from faults_of(target, "check_response", written)
    again = wg.PROVIDERS[target].decode_response(written)
    yield from dropped(source, again, losses, tells=_tells)
    yield from _beside(source, again, written, losses)


# Errors


def _read_error(answer: Answer) -> wg.ProviderError:
    return wg.PROVIDERS[answer.provider].decode_error(answer.data, answer.status)


def _error(source: wg.ProviderError, target: str) -> Iterator[Failure]:
    written = wg.PROVIDERS[target].encode_error(source)
    status = wg.ERROR_KINDS[source.kind]
    yield from _changed(source, wg.PROVIDERS[target].decode_error(written, status))


# Wires whose errors do not name their kind: only the status does, and a stream has no status.
_WORDLESS: Final = ("cohere", "ollama")


def _changed(
    source: wg.ProviderError, again: wg.ProviderError, *, kind: bool = True
) -> Iterator[Failure]:
    if again.message != source.message or (kind and again.kind != source.kind):
        yield Failure("drop", "$", f"the error is another: {source} became {again}")


# Streams


def _read_stream(answer: Answer) -> tuple[list[Any], Any]:
    return decoded(answer.provider, answer.dialect, answer.data)


def _stream(source: tuple[list[Any], Any], target: str) -> Iterator[Failure]:
    events, ended = source
    dialect = wg.PROVIDERS[target].DIALECTS[0]
    losses: list[wg.Loss] = []
    written = encoded(target, dialect, events, losses)
    _, again = decoded(target, dialect, written)
    if isinstance(ended, wg.StreamFailure):
        yield from _changed(ended.error(), again.error(), kind=target not in _WORDLESS)
        return
    yield from faults_of(target, "check_stream", written)
    if isinstance(again, wg.StreamFailure):
        if ended.message.stop_reason != "error":
            yield Failure("drop", "$", "an answer became an error")
        return
    for failure in dropped(ended, again, losses, tells=_tells_in_stream):
        yield failure._replace(kind="drop in stream")
    for failure in _beside(ended, again, written, losses, in_lines=target in _LINES):
        yield failure._replace(message=f"{failure.message} (stream)")
    provider = wg.PROVIDERS[target]
    losses = []
    twin = provider.decode_response(provider.encode_response(ended, losses=losses))
    if any(loss.what == "arguments" for loss in losses):
        return  # they were cut, which is seen too late in a stream
    if (one := _said(again.message)) != (other := _said(twin.message)):
        yield Failure("twin", "$.message", "streamed it says something else", other, one)


def _said(message: wg.AssistantMessage) -> tuple[Any, ...]:
    """Return the texts, thoughts and calls; how these are divided depends on the wire."""
    thoughts = _run_on("".join(block.thinking for block in message.thinking()))
    calls = [(call.name, _value(call)) for call in message.tool_calls()]
    return _run_on(message.text()), thoughts, calls


def _run_on(text: str) -> str:
    return "".join(text.split())


_LINES: Final = ("ollama",)
_TOLD_BY: Final = {
    "call": ("tool call", "arguments", "tool name"),
    "extras": ("extras",),
    "media": ("image", "audio", "video", "document", "data", "media"),
    "opaque": ("opaque block",),
    "text": ("error", "tool result"),
    "thinking": ("thinking", "redacted thinking"),
}
"""Kind of item -> the losses that report it, if their path names only an event."""


def _tells_in_stream(loss: wg.Loss, item: Item) -> bool:
    return loss.what in _TOLD_BY.get(item.kind, ()) or _tells(loss, item)


def _tells(loss: wg.Loss, item: Item) -> bool:
    of_candidate = loss.what == "candidates" and item.path.startswith("$.alternatives")
    return of_candidate or tells_of(loss, item)


def _value(call: wg.ToolCallBlock) -> str:
    try:
        return canonical(call.arguments.value)
    except wg.DecodeError:
        return call.arguments.text.decode()


# Beside the content


def _beside(
    source: wg.Response,
    again: wg.Response,
    written: bytes,
    losses: list[wg.Loss],
    *,
    in_lines: bool = False,
) -> Iterator[Failure]:
    """Compare the rest; `in_lines` is for wires that allow no line feed in their JSON."""
    lost = {loss.what for loss in losses}
    before, after = source.message, again.message
    stops = {before.stop_reason or after.stop_reason, after.stop_reason}
    if not before.tool_calls() and before.stop_reason == "toolUse":
        stops.discard("toolUse")  # no client can do with that what it is told to do
    if len(stops) > 1 and "stop reason" not in lost:
        yield Failure(
            "drop",
            "$.message.stopReason",
            f"{before.stop_reason} became {after.stop_reason}",
            before.raw_stop_reason,
        )
    if _counts(after.usage) != _counts(before.usage):
        yield Failure("drop", "$.message.usage", "other counts", before.usage, after.usage)
    if _sources(after) < _sources(before) and "annotation" not in lost:
        yield Failure("drop", "$.message", "annotations are gone, and no loss says so")
    changed = {text.strip() for text in _arguments(before)}
    changed -= {text.strip() for text in _arguments(after)}
    if changed and "arguments" not in lost and not (in_lines and b"\n" in b"".join(changed)):
        yield Failure("drop", "$.message", "arguments are not the same bytes", changed)
    for block in before.content:
        signature = getattr(block, "signature", None)
        is_there = signature and len(signature) > 8 and signature.encode() in written
        if is_there and not _may_go(block, before, again.message.api):
            yield Failure("leak", "$.message", "a signature went to another API")


_CLAUDES: Final = ("anthropic-messages", "bedrock-converse")
_TO: Final = {
    "anthropic-claude-v1": (*_CLAUDES, "openai-responses"),
    "google-gemini-v1": ("gemini-generate-content",),
}
"""The form of a signature at OpenRouter -> the APIs whose answers have a place for it."""


def _may_go(block: Any, message: wg.AssistantMessage, target: str | None) -> bool:
    """Whether an API of the models that have signed a block gets it, or a client of Responses."""
    form = "anthropic-claude-v1" if message.api in _CLAUDES else None
    extra = (block.extras or {}).get("openai-chat")
    if extra is not None and extra.spelling is not None:
        shape = extra.spelling.value.get("as")
        form = shape.get("format") if isinstance(shape, dict) else form
    return target in _TO.get(form or "", ())


def _counts(usage: wg.Usage | None) -> tuple[int, int] | None:
    """Return the counts of input tokens, cached or not, and of output tokens."""
    if usage is None:
        return (0, 0)
    return usage.input + usage.cache_read + usage.cache_write, usage.output


def _sources(message: wg.AssistantMessage) -> int:
    """Count the sources: texts may be joined, and what is said of one twice is counted once."""
    texts = [block for block in message.content if type(block) is wg.TextBlock]
    return len({(ref.url, ref.title) for block in texts for ref in block.annotations or ()})


def _arguments(message: wg.AssistantMessage) -> set[bytes]:
    texts = (call.arguments.text for call in message.tool_calls())
    return {b"{}" if text in (b"", b"null") else text for text in texts}


_Way = tuple[Callable[[Answer], Any], Callable[[Any, str], Iterator[Failure]]]
_WAYS: Final[dict[str, _Way]] = {
    "response": (_read_response, _response),
    "error": (_read_error, _error),
    "stream": (_read_stream, _stream),
}
