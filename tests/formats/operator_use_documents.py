"""Nothing in, Hypothesis strategies out: session files of Operator-Use, unknown keys included."""

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import wireglot as wg
from wireglot.formats import operator_use as ou
from wireglot.formats._records import unknown
from wireglot.testing import json_values, texts

_COUNTS = st.integers(0, 2**53)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
# Times of our days to the microsecond, as Python tells them, and any other number.
_TIMES = st.integers(0, 2**42).map(lambda ticks: 1.6e9 + ticks / 1e6) | _FLOATS
# Some of them are ours.
_KEYS = texts().map("?{}".format) | st.sampled_from(["(entry)", "(entry)(entry)x"])
_UNKNOWN = st.dictionaries(_KEYS, json_values(), max_size=2).map(unknown)
_OBJECTS = st.dictionaries(texts(), json_values(), max_size=2)
_DATA = st.binary(max_size=9) | st.sampled_from([b"\xff\xd8\xff\xe0", b"GIF89a", b"OggS", b"BM"])
# Few, so that entries have parents that there are; none of them is what is made for new entries.
# Only the first entry of a file that has one keeps it: no two have the same.
_IDS = st.sampled_from(["aa000001", "aa000002", "aa000003", "root", ""])


@cache
def documents() -> SearchStrategy[list[Any]]:
    """Return session files: a header, and entries whose parents may be anywhere or nowhere."""
    entries = st.lists(
        st.one_of(_messages_in_entries(), _summaries_and_notices(), _settings()), max_size=4
    )
    return st.builds(lambda header, rest: [header, *_told_apart(rest)], _headers(), entries)


def _told_apart(entries: list[Any]) -> list[Any]:
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            entry.id = None
        elif entry.id is not None:
            seen.add(entry.id)
    return entries


@cache
def messages() -> SearchStrategy[list[Any]]:
    """Return arrays of bare messages."""
    return st.lists(_messages(), max_size=4)


def _build(kind: Any, /, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    """Build a record; a third of them whole, so that the examples stay small."""
    bare = st.builds(kind, *parts)
    return bare | bare | st.builds(kind, *parts, unknown=_UNKNOWN, **fields)


def _maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | strategy


@cache
def _contents() -> SearchStrategy[list[Any]]:
    media = _DATA.map(wg.Media.from_bytes)
    urls = st.just("https://x/y")
    images = _build(ou.ImageContent, st.lists(media | urls, max_size=3))
    noted = _build(ou.ImageContent, st.lists(media, max_size=2), dimension_note=_maybe(texts()))
    paths = st.just("file:clip.mp3")
    sounds = st.lists(media | paths | urls, max_size=2)
    audio = _build(ou.AudioContent, sounds) | st.builds(ou.AudioContent, audios=sounds)
    both = st.builds(ou.AudioContent, sounds, sounds)
    films = _build(ou.VideoContent, sounds)
    metadata = _OBJECTS | st.fixed_dictionaries({"thoughtSignature": texts() | st.just(1)})
    call = _build(
        ou.ToolCallContent,
        texts(),
        texts(),
        args=_OBJECTS,
        kind=_maybe(st.sampled_from(wg.model.ToolKind)),
        metadata=metadata,
    )
    result = _build(
        ou.ToolResultContent,
        texts(),
        texts(),
        st.booleans(),
        _OBJECTS,
        st.booleans(),
        terminate_message=_maybe(texts()),
        tool_name=texts(),
        image=_maybe(images | noted),
        audio=_maybe(audio),
        video=_maybe(films),
    )
    plain = _build(ou.ToolResultContent, texts(), texts())
    return st.lists(
        st.one_of(
            _build(ou.TextContent, texts()),
            images,
            noted,
            audio,
            both,
            films,
            _build(ou.FileContent, sounds),
            _build(ou.ThinkingContent, texts(), texts()),
            call,
            result,
            plain,
            _build(ou.LinesContent, st.lists(texts(), max_size=2), texts()),
        ),
        max_size=3,
    )


@cache
def _shown() -> SearchStrategy[list[Any]]:
    kinds = ou.TextContent | ou.ImageContent | ou.LinesContent
    return _contents().map(lambda parts: [part for part in parts if isinstance(part, kinds)])


@cache
def _usages() -> SearchStrategy[ou.Usage]:
    cost = _build(ou.UsageCost, *[_FLOATS] * 5)
    return _build(ou.Usage, *[_COUNTS] * 4) | _build(
        ou.Usage, *[_COUNTS] * 4, cost=cost, input_tokens_include_cache_read=st.booleans()
    )


@cache
def _messages() -> SearchStrategy[Any]:
    common = {"id": _maybe(texts()), "timestamp": _maybe(_TIMES)}
    return st.one_of(
        _build(ou.SystemMessage, _contents(), **common),
        _build(ou.UserMessage, _contents(), **common),
        _build(ou.ToolMessage, _contents(), **common),
        _build(
            ou.AssistantMessage,
            _contents(),
            **common,
            usage=_usages(),
            stop_reason=st.sampled_from(ou.StopReason),
            error=texts(),
            error_kind=texts(),
        ),
        _build(ou.CustomMessage, texts(), _TIMES, _shown(), details=json_values()),
        _build(ou.BranchSummaryMessage, texts(), _IDS, timestamp=_maybe(_TIMES)),
        _build(ou.CompactionSummaryMessage, texts(), _COUNTS, timestamp=_maybe(_TIMES)),
        _build(ou.TerminalExecutionMessage, texts(), texts(), exit_code=_maybe(_COUNTS)),
        _build(ou.SkillInvocationMessage, texts(), texts(), timestamp=_maybe(_TIMES)),
        _build(ou.TemplateInvocationMessage, texts(), expanded=st.booleans()),
    )


@cache
def _headers() -> SearchStrategy[ou.SessionHeader]:
    return _build(
        ou.SessionHeader, _COUNTS, _maybe(texts()), _maybe(_TIMES), texts(), _maybe(texts())
    )


def _entry(kind: Any, /, **fields: Any) -> SearchStrategy[Any]:
    place = {"id": _maybe(_IDS), "timestamp": _maybe(_TIMES), "parent_id": _maybe(_IDS)}
    return st.builds(kind, **place, **fields) | st.builds(kind, **place, **fields, unknown=_UNKNOWN)


def _messages_in_entries() -> SearchStrategy[ou.MessageEntry]:
    attachment = _build(ou.MessageAttachment, texts(), mime_type=_maybe(texts()))
    meta = _build(
        ou.MessageMeta,
        reply_to=_maybe(texts()),
        channel_message_id=_maybe(texts()),
        attachments=_maybe(st.lists(attachment, max_size=1)),
        reactions=_maybe(st.lists(texts(), max_size=1)),
    )
    return _entry(ou.MessageEntry, message=_messages(), meta=_maybe(meta))


def _summaries_and_notices() -> SearchStrategy[Any]:
    summary = {"summary": texts(), "details": json_values(), "from_hook": st.booleans()}
    return st.one_of(
        _entry(ou.BranchEntry, from_id=_IDS, **summary),
        _entry(ou.CompactionEntry, first_kept_entry_id=_IDS, tokens_before=_COUNTS, **summary),
        _entry(
            ou.CustomMessageEntry,
            custom_type=texts(),
            content=_shown() | texts(),
            display=st.booleans(),
            details=json_values(),
        ),
    )


def _settings() -> SearchStrategy[Any]:
    data = json_values().map(lambda value: None if value is None else wg.RawJson.of(value))
    return st.one_of(
        _entry(ou.ThinkingLevelChangeEntry, thinking_level=st.sampled_from(wg.ThinkingLevel)),
        _entry(ou.ModelChangeEntry, model_id=texts(), provider_id=texts()),
        _entry(ou.LabelEntry, label=_maybe(texts()), target_id=_IDS),
        _entry(ou.LeafEntry, target_id=_maybe(_IDS)),
        _entry(ou.CustomInfoEntry, custom_type=texts(), data=data),
        _entry(ou.SessionInfoEntry, name=_maybe(texts())),
        _entry(ou.ChannelEntry, name=texts(), chat_id=_maybe(texts()), user_id=_maybe(texts())),
    )
