"""Content blocks <-> the parts and keys of messages of Chat Completions, in requests and answers.

A part may come in a shape that the model has no field for. Then `as` in the spelling of its extras
names the shape, and the writer restores it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...errors import DecodeError
from ...model import (
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DocumentBlock,
    ErrorBlock,
    Extras,
    ImageBlock,
    Media,
    OpaqueBlock,
    RawJson,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from ...model.media import Pieces
from ...model.rawjson import adopt_text
from .._across.citations import lose_others, pages, url_citation
from .._across.ids import hashed
from .._across.media import inline, is_foreign_file, media_type, of_its_kind
from .._across.openai_keys import LONGER
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from .._state.signatures import CLAUDE, FORMATS, GEMINI, SIGNER, SIGNS, claudes, maker, noted, reads
from .._state.stored import key_of, lenient_value
from .._state.wire import Slice, Wire
from . import wire
from .dialects import SERVICES, VARIANTS, Service, service_of
from .losses import BARE, MARKS

MEDIA: Final[dict[type, str]] = {
    ImageBlock: "image",
    AudioBlock: "audio",
    VideoBlock: "video",
    DocumentBlock: "document",
}
DETAILS: Final = "reasoning_details"
EXTRA_CONTENT: Final = "extra_content"
REASONING: Final = "reasoning"
"""The type of a part, and the shape, of thinking that came as a part of an answer's content."""
REFUSALS: Final = frozenset({"refusal", "refusal part"})
"""The shapes of a text that is a refusal: under the message's key, or as a part."""

_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_FILE_TYPES: Final = frozenset({"application/pdf"})
_AUDIO_FORMATS: Final = {
    "audio/wav": "wav",
    "audio/wave": "wav",
    "audio/x-wav": "wav",
    "audio/vnd.wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}
_AUDIO_TYPES: Final = {form: mime_type for mime_type, form in reversed(_AUDIO_FORMATS.items())}
_USERS_PARTS: Final = frozenset({"image_url", "input_audio", "file", "video_url"})
_MOST_MARKS: Final = 4
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_LONGEST_NAME: Final = 64
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


# -- blocks -> parts and keys --------------------------------------------------------------------


class Draft(Struct):
    """The content of one answer, by the key that it is written under."""

    parts: list[Any] = []
    refusals: list[str] = []
    thoughts: dict[str, list[str]] = {}
    details: list[Any] = []
    calls: list[Any] = []
    rest: dict[str, Any] = {}


class BlockWriter:
    """Writes the blocks of one request or one answer.

    It knows the names that tools have been given, and how many breakpoints may still follow.
    """

    def __init__(self, encoding: Encoding, *, is_answer: bool = False) -> None:
        self._encoding = encoding
        self.service: Service = SERVICES[encoding.dialect]
        if encoding.dialect in VARIANTS and not is_answer:
            self.service = service_of(encoding.dialect, encoding.root.model)
        self._is_answer = is_answer
        self._marks_left = _MOST_MARKS

    # Parts of content

    def part(self, block: Any) -> Any:
        """Return the part for a block, with the block's unknown keys; None if it is lost."""
        write = _BLOCKS.get(type(block))
        if write is None:
            shown: Any = of_its_kind(block, self._encoding)
            if shown is not None:
                return self.part(shown)
            self._encoding.lose_whole(block)
            return None
        self._encoding.lose_rest(block)
        part = write(self, block)
        if part is None or block.extras is None:
            return part
        return self._encoding.with_extras(part, block)

    def _text(self, block: TextBlock) -> Any:
        if block.annotations and not self._is_cited(block):
            if self._is_answer:
                lose_others(block, self._encoding)
            else:
                self._encoding.lose("annotation", block)
        return self._marked(wire.Text(block.text), block)

    def _is_cited(self, block: TextBlock) -> bool:
        """Whether the message around a text keeps its citations as they came."""
        return bool(self.shape(block)[0] == "cited")

    def annotations(self, block: TextBlock, before: int) -> list[Any]:
        """Return the citations of an answer's text that came over another API.

        `before` counts the characters of the content before it.
        """
        if not block.annotations or self._is_cited(block) or self.refusal(block) is not None:
            return []
        return [
            {"type": "url_citation", "url_citation": url_citation(page, before)}
            for page in pages(block)
        ]

    def _image(self, block: ImageBlock) -> Any:
        if not self._encoding.takes.images:
            self._encoding.lose("image input", block, severe=True)
            return None
        url = self._url(block, _IMAGE_TYPES)
        if url is None:
            self._encoding.lose("image" if block.file_id is None else "image file", block)
            return None
        bare: Any = url if block.extras is not None and self._came_bare(block) else None
        return self._marked(wire.Image(bare or wire.Url(url, block.detail)), block)

    def _came_bare(self, block: ImageBlock) -> bool:
        """Whether an image came as a URL alone, in this dialect."""
        extra = (block.extras or {}).get(wire.API)
        if extra is None or extra.spelling is None or extra.dialect != self._encoding.dialect:
            return False
        return key_of(extra.spelling, BARE) is True and block.detail is None

    def made_image(self, block: ImageBlock) -> Any:
        """Return an image of an answer, None for one that has no place."""
        url = self._url(block, _IMAGE_TYPES)
        if url is None:
            return None
        self._encoding.lose_rest(block)
        self._encoding.lose_keys(block)
        return wire.Image(wire.Url(url))

    def _video(self, block: VideoBlock) -> Any:
        url = self._url(block, None)
        if url is None:
            self._encoding.lose("video", block)
            return _words(block.transcript)
        return self._marked(wire.Video(wire.Url(url)), block)

    def _audio(self, block: AudioBlock) -> Any:
        form = None
        media = inline(block)
        if media is not None:
            mime_type = block.known_mime_type()
            if self.came_so(block):
                form = _AUDIO_FORMATS.get(mime_type, mime_type.removeprefix("audio/"))
            elif "audio" in self.service.media:
                form = _AUDIO_FORMATS.get(mime_type)
        if media is None or form is None:
            self._encoding.lose("audio", block)
            return _words(block.transcript)
        return self._marked(wire.Audio(wire.AudioData(media.json(), form)), block)

    def _document(self, block: DocumentBlock) -> Any:
        text = _document_text(block) if not self.came_so(block) else None
        if text is not None:
            self._encoding.lose("document text", block)
            return self._marked(wire.Text(text), block)
        if is_foreign_file(block, wire.API):
            self._encoding.lose("file id", block)
            return None
        file = self._file(block)
        if file is None:
            self._encoding.lose("document", block)
            return None
        return self._marked(wire.File(file), block)

    def _file(self, block: DocumentBlock) -> wire.FileData | None:
        if block.file_id is not None:
            came_so = self.came_so(block)
            if not came_so and "document" not in self.service.media:
                return None
            # The API takes a file name only with inline data.
            return wire.FileData(block.filename if came_so else None, file_id=block.file_id)
        url = self._url(block, _FILE_TYPES)
        if url is None or (type(url) is str and not self._takes_url(block)):
            return None
        return wire.FileData(block.filename or block.title or "document.pdf", url)

    def _takes_url(self, block: DocumentBlock) -> bool:
        return self.service.file_urls or self.came_so(block)

    def _url(self, block: Any, types: frozenset[str] | None) -> Raw | Pieces | str | None:
        """Return a block's http URL, or a `data:` URL if its data is of one of the types."""
        came_so = self.came_so(block)
        if MEDIA[type(block)] not in self.service.media and not came_so:
            return None
        media = inline(block)
        if media is None:
            url: str | None = block.url
            return url if url is not None and url.startswith(("https://", "http://")) else None
        kind = block.known_mime_type() if types is None or came_so else media_type(block)
        return media.json_data_url(kind) if types is None or kind in types or came_so else None

    def _error(self, block: ErrorBlock) -> Any:
        self._encoding.lose("error", block)
        return _words(block.message)

    def _opaque(self, block: OpaqueBlock) -> Any:
        if block.api == wire.API:
            return self._encoding.opaque(block)
        self._encoding.lose("opaque block", block)
        return None

    def speaks(self, block: OpaqueBlock) -> bool:
        """Whether an opaque part is this API's, and not of a type only for user messages."""
        is_own = block.api == wire.API
        return is_own and key_of(self._encoding.opaque(block), "type") not in _USERS_PARTS

    # Answers

    def add(self, block: Any, draft: Draft, message: AssistantMessage, *, is_own: bool) -> None:
        """Add a block of an answer, but not a call; `is_own` is whether this API signed it."""
        block = of_its_kind(block, self._encoding) or block
        kind = type(block)
        if kind is TextBlock:
            self._add_text(block, draft)
            if block.signature is not None and self.signed_under(block, message) == DETAILS:
                draft.details.append(self.proof(block, len(draft.details)))
        elif kind is ThinkingBlock:
            self._add_thinking(block, draft, message, is_own)
        elif kind in MEDIA and not self.came_so(block):
            # Only users send media: the API's answers have text, and a voice by its id.
            is_asked = kind is ImageBlock and not self._is_answer
            self._encoding.lose("image place" if is_asked else MEDIA[kind], block)
        else:
            part = self.part(block)
            if part is not None:
                (draft.details if is_detail(block) else draft.parts).append(part)

    def _add_text(self, block: TextBlock, draft: Draft) -> None:
        shape = self.refusal(block) if block.extras is not None else None
        # What the API answers has one `refusal`; only requests may hold it as a part.
        if shape == "refusal" or (shape is not None and self._is_answer):
            self._encoding.lose_rest(block)
            self._encoding.lose_keys(block)  # it is a string, under a key of the message
            draft.refusals.append(block.text)
        elif shape is not None:
            draft.parts.append(self._encoding.with_extras(wire.Refusal(block.text), block))
        else:
            draft.parts.append(self.part(block))

    def refusal(self, block: TextBlock) -> str | None:
        """Return the shape of a text that is written as a refusal, None for other text."""
        shape, same = self.shape(block)
        is_known = shape in REFUSALS and (same or "refusal" in self.service.knows)
        return str(shape) if is_known else None

    def _add_thinking(
        self, block: ThinkingBlock, draft: Draft, message: AssistantMessage, is_own: bool
    ) -> None:
        if block.extras is not None and self.shape(block) == (REASONING, True):
            draft.parts.append({"type": REASONING, "text": block.thinking})
            return
        keys = self.keys_of(block, is_own)
        detail = None if is_own else self.foreign_detail(block, message, len(draft.details))
        if detail is not None:
            draft.details.append(detail)
        if keys == (DETAILS,):
            draft.details.append(self.detail(block))
        elif not keys and detail is None:
            self.lose_thinking(block)
        else:
            self._encoding.lose_rest(block)
            self._encoding.lose_foreign(block)
            for key in keys:
                draft.thoughts.setdefault(key, []).append(block.thinking)

    def keys_of(self, block: ThinkingBlock, is_own: bool) -> tuple[str, ...]:
        """Return the keys that thinking is written under; none if it is lost."""
        service = self.service
        shape, same = self.shape(block) if block.extras is not None else (None, False)
        if type(shape) is list and same:
            return tuple(shape)
        if is_own and (service.details or same) and (type(shape) is dict or block.signature):
            return (DETAILS,)
        if block.redacted or service.thinking is None:
            return ()
        return (service.thinking,)

    def lose_thinking(self, block: ThinkingBlock) -> None:
        """Report thinking for which there is no key."""
        self._encoding.lose("redacted thinking" if block.redacted else "thinking", block)

    def detail(self, block: ThinkingBlock) -> Any:
        """Return the reasoning detail for a block: a summary if it came as one, else by content."""
        shape = self.shape(block)[0] if block.extras is not None else None
        keys: dict[str, Any] = shape if type(shape) is dict else {}
        self._encoding.lose_rest(block)
        part: Any
        if keys.get("type") == "reasoning.summary":
            part = wire.ReasoningSummary(block.thinking)
        elif block.redacted:
            part = wire.ReasoningEncrypted(block.signature)
        else:
            is_bare = not block.thinking and (bool(block.signature) or "text" in keys)
            part = wire.ReasoningText(None if is_bare else block.thinking, block.signature)
        for key in ("id", "format", "index"):
            setattr(part, key, keys.get(key))
        return part if block.extras is None else self._encoding.with_extras(part, block)

    # Signatures that other APIs' models have made

    def foreign_detail(self, block: ThinkingBlock, message: AssistantMessage, index: int) -> Any:
        """Return the reasoning detail with the signature of another API's thinking, or None.

        It has the form that OpenRouter gives to the thinking of the same models.
        """
        family = maker(block, message)
        if not block.signature or family is None or not self._has_details(family):
            return None
        signature = block.signature
        if family == CLAUDE:
            its = claudes(block, message, self._encoding)
            if its is None:
                return None
            signature = its
        part: Any
        if block.redacted:
            part = wire.ReasoningEncrypted(signature)
        else:
            part = wire.ReasoningText(block.thinking or None, signature)
        part.format, part.index = FORMATS[family], index
        return part

    def _has_details(self, family: str) -> bool:
        return self.service.details and reads(self._encoding, family)

    def signed_under(self, block: Any, message: AssistantMessage) -> str | None:
        """Return the key that has the signature of a text or a call, None if it has no place.

        Gemini alone signs these. What came under a key of this wire goes back under it.
        """
        if maker(block, message) != GEMINI:
            return None
        if noted(block) is not None:
            return EXTRA_CONTENT
        if self._has_details(GEMINI):
            return DETAILS
        has_place = type(block) is ToolCallBlock and self.service.extra_content
        return EXTRA_CONTENT if has_place and reads(self._encoding, GEMINI) else None

    def is_proof(self, block: Any, message: AssistantMessage) -> bool:
        """Whether a block is but Gemini's signature, and a call after it has a place for it.

        Gemini's streams have it in an empty thought before a call; its own endpoint for this API
        has it in the call (pydantic/pydantic-ai#4542, 2026-03).
        """
        return (
            type(block) is ThinkingBlock
            and bool(block.signature)
            and not block.thinking
            and self.service.extra_content
            and noted(block) is None
            and maker(block, message) == GEMINI
            and reads(self._encoding, GEMINI)
        )

    def signed(self, call: ToolCallBlock, proof: ThinkingBlock) -> ToolCallBlock:
        """Return a call with the signature that came before it."""
        made = replace(call, signature=proof.signature)
        self._encoding.derived(made, call)
        return made

    def content_of(self, message: AssistantMessage) -> list[Content]:
        """Return the content of an answer, with the signatures of its calls where they belong."""
        content = message.content
        if message.api == wire.API:
            return content
        out: list[Content] = []
        for block in content:
            if out and type(block) is ToolCallBlock and block.signature is None:
                proof: Any = out[-1]
                if self.is_proof(proof, message):
                    self._encoding.lose_keys(proof)
                    out[-1] = self.signed(block, proof)
                    continue
            out.append(block)
        return out

    def proof(self, block: Any, index: int, call_id: str | None = None) -> Any:
        """Return the reasoning detail with the signature of a text, or of a call by its id."""
        form = FORMATS[GEMINI]
        return wire.ReasoningEncrypted(block.signature, id=call_id, format=form, index=index)

    # Calls

    def call(
        self,
        block: ToolCallBlock,
        call_id: str,
        name: str,
        text: Any,
        *,
        is_custom: bool,
        is_signed: bool = False,
    ) -> Any:
        """Return a call; without its arguments, which a stream writes later, if `text` is None.

        `is_signed` is whether it has its signature.
        """
        self._encoding.lose_rest(block)
        if is_custom and block.tool_type == "custom":
            custom = wire.Custom(name, "" if text is None else text)
            part = wire.Call(call_id, "custom", custom=custom)
        else:
            if block.tool_type == "custom":
                self._encoding.lose("custom call", block)
                if text is not None:
                    text = encode({"input": block.arguments.text.decode()}).decode()
            function = wire.Function(name, "" if text is None else text)
            kind = "function" if block.extras is None else self._type_of(block)
            part = wire.Call(call_id, kind, function)
        if is_signed:
            part.extra_content = wire.ExtraContent(wire.OfGoogle(block.signature or ""))
        return part if block.extras is None else self._encoding.with_extras(part, block)

    def arguments(self, block: ToolCallBlock, is_own: bool) -> Any:
        """Return a call's arguments as a JSON string; what the API wrote goes back as it came."""
        if is_own:
            return block.arguments.string_json()  # spliced, if it came as a string
        return block.arguments.string()

    def _type_of(self, block: ToolCallBlock) -> str:
        """Return the `type` of a call of a function; a service's own word goes back to it alone."""
        extra = block.extras.get(wire.API) if block.extras is not None else None
        if extra is None or extra.spelling is None or extra.dialect != self._encoding.dialect:
            return "function"
        word: str | None = key_of(extra.spelling, "type")
        return word if word is not None and word == block.tool_type else "function"

    # Breakpoints

    def mark(self, part: Any, mark: CacheMark, owner: Any) -> None:
        """Put a breakpoint on a part or a tool, under the dialect's key."""
        # A breakpoint says where a prompt is cached: an answer has none.
        key = None if self._is_answer else self.service.cache
        if self._came_marked(owner):
            return
        if key == "prompt_cache_breakpoint" and not self._encoding.takes.breakpoints:
            key = None
        if key == "cache_control" and self._marks_left and hasattr(part, key):
            self._marks_left -= 1
            part.cache_control = wire.CacheControl(mark.ttl)
        elif key == "prompt_cache_breakpoint" and hasattr(part, key):
            ttl = LONGER if mark.ttl == "1h" else None
            part.prompt_cache_breakpoint = wire.CacheBreakpoint("explicit", ttl)
        else:
            self._encoding.lose("cache mark", owner)

    def mark_last(self, parts: list[Any], mark: CacheMark, owner: Any) -> None:
        """Put a breakpoint behind the last of some parts."""
        last = parts[-1] if parts else None
        if type(last) is TextBlock:
            last = parts[-1] = wire.Text(last.text)
        if isinstance(last, Struct):
            self.mark(last, mark, owner)
        else:
            self._encoding.lose("cache mark", owner)

    def take_mark(self) -> None:
        """Count a breakpoint that stands elsewhere in the body."""
        self._marks_left -= 1

    @property
    def is_unmarked(self) -> bool:
        """Whether no breakpoint has been counted yet."""
        return self._marks_left == _MOST_MARKS

    def _marked(self, part: Any, block: Any) -> Any:
        if block.cache is not None:
            self.mark(part, block.cache, block)
        return part

    def _came_marked(self, part: Any) -> bool:
        """Whether a part's spelling, in this dialect, holds the breakpoint that it came with."""
        extra = part.extras.get(wire.API) if part.extras is not None else None
        if extra is None or extra.spelling is None or extra.dialect != self._encoding.dialect:
            return False
        return not lenient_value(extra.spelling).keys().isdisjoint(MARKS)

    # Names and shapes

    def name(self, name: str | None, part: Any) -> str | None:
        """Return another name in this wire's alphabet."""
        if name is None or _is_word(name):
            return name
        self._encoding.lose("name", part)
        return shortened(name)

    def author(self, message: Any) -> str | None:
        """Return the name of a message's author, None where there is no place for it."""
        if message.name is None or self.service.author_names:
            return self.name(message.name, message)
        self._encoding.lose("author name", message)
        return None

    def shape(self, part: Any) -> tuple[Any, bool]:
        """Return the shape that a part came in, None if usual, and whether it is this dialect's."""
        extra = part.extras.get(wire.API) if part.extras is not None else None
        if extra is None or extra.spelling is None:
            return None, False
        return key_of(extra.spelling, "as"), extra.dialect == self._encoding.dialect

    def came_so(self, block: Any) -> bool:
        """Whether a block goes back as it came in this dialect, even if the dialect takes none."""
        return block.extras is not None and self.shape(block) == ("as is", True)


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any], Any]]] = {
    TextBlock: BlockWriter._text,
    ImageBlock: BlockWriter._image,
    AudioBlock: BlockWriter._audio,
    VideoBlock: BlockWriter._video,
    DocumentBlock: BlockWriter._document,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque,
}


def as_content(parts: list[Any]) -> Any:
    """Return parts as `content`: a string, if they are one plain text."""
    if len(parts) == 1:
        part = parts[0]
        if type(part) is TextBlock:
            return part.text
        if type(part) is wire.Text and not (part.prompt_cache_breakpoint or part.cache_control):
            return part.text
    return parts


def is_detail(block: Any) -> bool:
    """Whether an opaque block is one of the `reasoning_details`."""
    return type(block) is OpaqueBlock and str(key_of(block.raw, "type")).startswith("reasoning.")


def shortened(word: str, longest: int = _LONGEST_NAME) -> str:
    """Return a name or an id in this wire's alphabet, with a hash to keep words distinct."""
    return hashed(word, _LETTER, min(longest, _LONGEST_NAME))


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _document_text(block: DocumentBlock) -> str | None:
    if block.text is not None:
        return block.text
    media = inline(block)
    if media is None or not block.known_mime_type().startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None


# -- parts and keys -> blocks --------------------------------------------------------------------

_EXPLICIT: Final = (wire.CacheBreakpoint("explicit"), wire.CacheBreakpoint("explicit", LONGER))
_TTLS: Final[dict[str | None, Any]] = {None: None, "5m": "5m", "1h": "1h"}
_LONGER_TTLS: Final = frozenset({"30m", "12h"})
"""How long OpenAI's breakpoints last; an hour is the nearest that other APIs have."""
_EMPTY: Final = Raw(b"[]")
_NULL: Final = Raw(b"null")
_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_string: Final = msgspec.json.Decoder(str).decode


_extra_content: Final = msgspec.json.Decoder(wire.ExtraContent).decode
_SIGNERS: Final = {form: family for family, form in FORMATS.items()}


def _signed_with(detail: Any) -> dict[str, Any]:
    """Return the notes on a reasoning detail: whose model has made it, and for which call."""
    family = _SIGNERS.get(detail.format or "")
    if family is None:
        return {}
    has_call = family == GEMINI and type(detail) is wire.ReasoningEncrypted
    return {SIGNER: family} | ({SIGNS: detail.id} if has_call and detail.id is not None else {})


class _Citation(Wire):
    url: str | None = None
    title: str | None = None
    start_index: int | None = None
    end_index: int | None = None
    content: Any = None  # at OpenRouter, the words of the page
    type: Slice = None


class _Annotation(Wire):
    """A citation of the web; those of other kinds are kept as raw JSON."""

    url_citation: _Citation | None = None
    type: Slice = None


_ANNOTATIONS: Final = list[_Annotation] | None


def _reference(annotation: _Annotation, extras: Extras | None) -> AnnotationRef:
    page = annotation.url_citation or _Citation()
    words = page.content if isinstance(page.content, str) else None
    return AnnotationRef(
        page.url,
        page.title,
        cited_text=words,
        start=page.start_index,
        end=page.end_index,
        extras=extras,
    )


class BlockReader:
    """Reads the parts and keys of the messages of one body."""

    def __init__(self, decoding: Decoding) -> None:
        self._decoding = decoding
        self.service: Service = SERVICES[decoding.dialect]

    # Parts of content

    def content(self, content: str | list[Any]) -> list[Content]:
        """Return the blocks of a message's `content`."""
        if type(content) is str:
            return [TextBlock(content)]
        return [_PARTS[type(part)](self, part) for part in content]

    def _text(self, part: wire.Text) -> Any:
        return self.marked(TextBlock(part.text), part)

    def _refusal(self, part: wire.Refusal) -> Any:
        return TextBlock(part.refusal, extras=self.came_as("refusal part", part))

    def _image(self, part: wire.Image) -> Any:
        image = part.image_url
        is_bare = isinstance(image, str)
        if isinstance(image, str):
            image = wire.Url(Raw(encode(image)))
        block = self._media(ImageBlock, image, "url", _IMAGE_TYPES)
        if block is None:
            return self._opaque(part)
        block.detail = image.detail
        return self.marked(block, part, is_bare=is_bare)

    def _video(self, part: wire.Video) -> Any:
        block = self._media(VideoBlock, part.video_url, "url", None)
        if block is None or part.video_url.detail is not None:
            return self._opaque(part)
        return self.marked(block, part)

    def _audio(self, part: wire.Audio) -> Any:
        form = part.input_audio.format
        block = self._decoding.inner(AudioBlock, part.input_audio.data, part.input_audio, ".data")
        block.mime_type = _AUDIO_TYPES.get(form, f"audio/{form}")
        if form not in _AUDIO_TYPES or "audio" not in self.service.media:
            block.extras = self.came_as("as is")
        return self.marked(block, part)

    def _file(self, part: wire.File) -> Any:
        file = part.file
        block: DocumentBlock | None = None
        if file.file_data is None and file.file_id is not None:
            block = DocumentBlock(file_id=file.file_id)
            if "document" not in self.service.media or file.filename is not None:
                block.extras = self.came_as("as is")
        elif file.file_data is not None and file.file_id is None and file.filename is not None:
            block = self._media(DocumentBlock, file, "file_data", _FILE_TYPES)
        if block is None:
            return self._opaque(part)
        block.filename = file.filename
        return self._decoding.owned(self.marked(block, part))

    def _media(self, kind: Any, part: Any, key: str, types: frozenset[str] | None) -> Any:
        """Return a block for a URL, None for one that is neither http nor well-formed `data:`."""
        url: Raw = getattr(part, key)
        try:
            media = Media.of_data_url(url)
        except DecodeError:
            return None
        if media is None:
            text = self._decoding.inner(_string, url, part, f".{key}")
            if not text.startswith(("https://", "http://")):
                return None
            block = kind(url=text)
            is_usual = kind is not DocumentBlock or self.service.file_urls
        else:
            block = kind(media, mime_type=media.mime_type)
            is_usual = types is None or block.known_mime_type() in types
        if not is_usual or MEDIA[kind] not in self.service.media:
            block.extras = self.came_as("as is")
        return block

    def _opaque(self, part: Any) -> Content:
        return OpaqueBlock(wire.API, self._decoding.raw(part))

    def keep_media(self, content: list[Any], taken: frozenset[str] = frozenset()) -> None:
        """Mark media of the kinds that this dialect does not take here: they go back as is."""
        for block in content:
            if MEDIA.get(type(block), "") not in ("", *taken):
                self._keep(block)

    def _keep(self, block: Any) -> None:
        """Mark a block to go back as is, beside what its extras hold."""
        extra = (block.extras or {}).get(wire.API)
        if extra is None:
            block.extras = self.came_as("as is")
            return
        spelled = _keys(extra.spelling.text) if extra.spelling is not None else {}
        extra.spelling = RawJson.adopt(Raw(encode({"as": "as is"} | spelled)))
        extra.dialect = self._decoding.dialect

    # Answers

    def answer(
        self, part: wire.Assistant | wire.Answered, spelling: dict[str, Any]
    ) -> list[Content]:
        """Return the thinking, the text and the refusal of an answer, in this order.

        What only the text of the message keeps is added to its `spelling`.
        """
        content: list[Content] = []
        if part.reasoning_details is not None or part.reasoning is not None:
            self._think(content, part, spelling)
        elif part.reasoning_content is not None:
            content.append(self.thought(part.reasoning_content, "reasoning_content"))
        if part.reasoning_text is not None:
            content.append(self.thought(part.reasoning_text, "reasoning_text"))
        text: Any = part.content
        if type(text) is dict:
            spelling["content"] = text
            content.append(TextBlock(encode(text).decode()))
        elif text or text == "":
            content += self.content(text)
            if type(text) is not str:
                content[:] = map(self._thought_in, content)
                self.keep_media(content)
        if part.annotations is not None and part.annotations != _NULL:
            spelling["annotations"] = part.annotations
            self._annotate(content, part)
        if part.refusal is not None:
            content.append(TextBlock(part.refusal, extras=self.came_as("refusal")))
        return content

    def _thought_in(self, block: Content) -> Content:
        """Return the thinking in a part that some clients send among an answer's texts."""
        if type(block) is not OpaqueBlock or key_of(block.raw, "type") != REASONING:
            return block
        value = lenient_value(block.raw)
        if value.keys() != {"type", "text"} or type(value["text"]) is not str:
            return block
        return ThinkingBlock(value["text"], extras=self.came_as(REASONING))

    def _think(
        self,
        content: list[Content],
        part: wire.Assistant | wire.Answered,
        spelling: dict[str, Any],
    ) -> None:
        """Read thinking from `reasoning_details`, `reasoning` and `reasoning_content`."""
        for detail in part.reasoning_details or ():
            content.append(self.detail(detail))
        is_told = any(type(block) is ThinkingBlock and block.thinking for block in content)
        if part.reasoning is not None and part.reasoning == part.reasoning_content and not content:
            content.append(self.thought(part.reasoning, "reasoning", "reasoning_content"))
            return
        for key in ("reasoning_content", "reasoning"):
            text = getattr(part, key)
            if text is not None and is_told:
                spelling[key] = text  # the details say the same
            elif text is not None:
                content.append(self.thought(text, key))

    def thought(self, text: str, *keys: str) -> ThinkingBlock:
        """Return the thinking that stands under some keys of a message."""
        is_usual = keys == (self.service.thinking,)
        return ThinkingBlock(text, extras=None if is_usual else self.came_as(keys))

    def detail(self, part: Any) -> Content:
        """Return one of the `reasoning_details`."""
        kind = type(part)
        if kind is Raw:
            return self._opaque(part)
        shape = {"type": part.__struct_config__.tag}
        for key in ("id", "format", "index"):
            if getattr(part, key) is not None:
                shape[key] = getattr(part, key)
        if kind is wire.ReasoningText and part.text is None and part.signature is None:
            shape["text"] = None  # Grok's reasoning at OpenRouter, recorded in 2026, has none
        extras = self.bound(part, **{"as": shape}, **_signed_with(part))
        if kind is wire.ReasoningText:
            return ThinkingBlock(part.text or "", part.signature, extras=extras)
        if kind is wire.ReasoningSummary:
            return ThinkingBlock(part.summary or "", extras=extras)
        return ThinkingBlock("", part.data, redacted=True, extras=extras)

    def _annotate(self, content: list[Content], part: wire.Assistant | wire.Answered) -> None:
        """Put the citations of an answer on its first text."""
        given = self._decoding.cited(_ANNOTATIONS, part.annotations, part, ".annotations")
        text = next((block for block in content if type(block) is TextBlock), None)
        if text is None and given:
            self._decoding.keep_key(part, "annotations", part.annotations)
        elif text is not None and given:
            text.annotations = [_reference(*each) for each in given]
            if text.extras is None:
                text.extras = self.came_as("cited")

    def call(self, part: wire.Call | wire.AnsweredCall, **spelling: Any) -> ToolCallBlock:
        """Return a call."""
        if part.index is not None:
            spelling["index"] = part.index
        if part.function is not None:
            text = adopt_text(arguments_of(part.function.arguments))
            block = ToolCallBlock(part.id, part.function.name, text)
            if part.custom is not None:
                custom, part.custom = self._decoding.as_it_came(part.custom), None
                self._decoding.keep_key(part, "custom", custom)
            if part.type not in ("function", "custom", None):  # a word of one service
                block.tool_type = spelling["type"] = part.type
                self._decoding.keep_type(part, part.type)
        elif part.custom is not None:
            block = ToolCallBlock(part.id, part.custom.name, part.custom.input, tool_type="custom")
        else:
            self._decoding.fail("call without `function` and `custom`, expected one", part)
        if part.extra_content is not None:
            block.signature = self._signature(part)
            if block.signature is not None:
                spelling[SIGNER] = GEMINI
        if spelling or self._decoding.unknown:
            block.extras = self.bound(part, **spelling)
        return block

    def _signature(self, part: Any) -> str | None:
        """Return the signature of a call; JSON that holds anything else is kept, too."""
        raw, part.extra_content = part.extra_content, None
        try:
            signature: str = _extra_content(raw).google.thought_signature
        except msgspec.DecodeError:
            self._decoding.keep_key(part, EXTRA_CONTENT, raw)
            return None
        return signature

    def legacy_call(self, part: wire.Function | wire.CalledFunction, call_id: str) -> ToolCallBlock:
        """Return a deprecated `function_call`, which has no id."""
        text = adopt_text(arguments_of(part.arguments))
        return ToolCallBlock(call_id, part.name, text, extras=self.came_as("function_call"))

    # Extras

    def marked(self, block: Any, part: Any, *, is_bare: bool = False) -> Any:
        """Return a block, or a tool, with its breakpoint and its unknown keys.

        `is_bare` is whether it is an image that came as a URL alone.
        """
        spelling: dict[str, Any] = {BARE: True} if is_bare else {}
        marks = {key: mark for key in MARKS if (mark := getattr(part, key, None)) is not None}
        if marks:
            ttl = getattr(marks.get("cache_control"), "ttl", None)
            longer = getattr(marks.get("prompt_cache_breakpoint"), "ttl", None) in _LONGER_TTLS
            block.cache = CacheMark("1h" if longer else _TTLS.get(ttl))
            is_plain = (
                ttl in _TTLS
                and marks.get("prompt_cache_breakpoint") in (None, *_EXPLICIT)
                and all(map(self._decoding.is_known, marks.values()))
            )
            if not is_plain or [*marks] != [self.service.cache]:
                spelling |= marks
            for key, mark in marks.items():
                known: Any = _TTLS if key == "cache_control" else _LONGER_TTLS
                if mark.ttl is not None and mark.ttl not in known:
                    self._decoding.keep_key(mark, "ttl", mark.ttl, part)
        if block.extras is not None:
            spelling["as"] = key_of(block.extras[wire.API].spelling, "as")
        if spelling or self._decoding.unknown:
            block.extras = self._decoding.extras_of(part, **spelling)
            if spelling and block.extras is not None:
                block.extras[wire.API].dialect = self._decoding.dialect
        return block

    def came_as(self, shape: Any, *parts: Any) -> Extras | None:
        """Return extras that name the shape of what was read, with the unknown keys of `parts`."""
        return self.bound(*parts, **{"as": shape})

    def bound(self, *parts: Any, **spelling: Any) -> Extras | None:
        """Return extras whose spelling is for this dialect alone: others may refuse its keys.

        Citations are content, so a spelling that holds some is for every dialect.
        """
        extras = self._decoding.extras_of(*parts, **spelling)
        if extras is not None and spelling and spelling.get("annotations", _EMPTY) == _EMPTY:
            extras[wire.API].dialect = self._decoding.dialect
        return extras


_PARTS: Final[dict[type, Callable[[BlockReader, Any], Content]]] = {
    wire.Text: BlockReader._text,
    wire.Refusal: BlockReader._refusal,
    wire.Image: BlockReader._image,
    wire.Video: BlockReader._video,
    wire.Audio: BlockReader._audio,
    wire.File: BlockReader._file,
    Raw: BlockReader._opaque,
}
