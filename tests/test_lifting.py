"""Large payloads that skip the decoder: what comes out is what comes out without the shortcut."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

import wireglot as wg
from wireglot._body import payloads as _lifting
from wireglot._body.decode import read_text, slices_of
from wireglot._native import reader as _reader
from wireglot.model.media import adopt_media
from wireglot.providers._codecs import requests as _requests

PAYLOAD = "iVBORw0KGgo" + "A" * 100_001
URL = f"data:image/png;base64,{PAYLOAD}"
DEFAULT = _lifting.LARGE
OFF = 1 << 60


def _chat(content: str) -> bytes:
    return f'{{"model":"m","messages":[{{"role":"user","content":{content}}}]}}'.encode()


def _image(url: str = URL) -> str:
    return f'{{"type":"image_url","image_url":{{"url":"{url}"}}}}'


def _seen(body: bytes) -> list[int]:
    """Return how many bytes the decoder was given, each time it was called."""
    sizes: list[int] = []

    def seen(kind: Any, data: bytes, *rest: Any) -> Any:
        sizes.append(len(data))
        return read_text(kind, data, *rest)

    with pytest.MonkeyPatch.context() as monkeypatch, suppress(wg.DecodeError):
        monkeypatch.setattr(_requests, "read_text", seen)
        wg.providers.openai_chat.decode_request(body)
    return sizes


def _outcome(body: bytes, name: str = "openai_chat") -> tuple[Any, ...]:
    """Return all that can be seen of a decoding: the value, the losses, what goes out, the error.

    A decoder that lifts and one that does not must agree on it.
    """
    losses: list[wg.Loss] = []
    try:
        request = wg.PROVIDERS[name].decode_request(body, losses=losses)
        packed = wg.msgpack.encode(request)
        return packed, losses, wg.PROVIDERS[name].encode_request(request, losses=losses)
    except wg.WireglotError as error:
        return type(error), str(error), losses


def _native_outcome(body: bytes) -> tuple[Any, ...]:
    losses: list[wg.Loss] = []
    try:
        messages = wg.json.decode(body, losses=losses)
        return wg.json.encode(messages), wg.msgpack.encode(messages), losses
    except wg.WireglotError as error:
        return type(error), str(error), losses


def _same(
    monkeypatch: pytest.MonkeyPatch, outcome: Callable[..., Any], large: int, *args: Any
) -> None:
    monkeypatch.setattr(_lifting, "LARGE", OFF)
    plain = outcome(*args)
    monkeypatch.setattr(_lifting, "LARGE", large)
    assert outcome(*args) == plain


# -- what it is for --------------------------------------------------------------------------------


def test_a_large_image_goes_from_one_wire_to_another_as_it_is() -> None:
    body = _chat(f'[{{"type":"text","text":"What is it?"}},{_image()}]')
    made = wg.translate_request(body, "openai_chat", "anthropic", losses=[], model="claude")
    assert made == (
        b'{"model":"claude","max_tokens":8192,"messages":[{"role":"user","content":['
        b'{"type":"text","text":"What is it?"},{"type":"image","source":{"type":"base64",'
        b'"media_type":"image/png","data":"' + PAYLOAD.encode() + b'"}}]}]}'
    )


def test_the_decoder_does_not_see_a_large_payload() -> None:
    body = _chat(f"[{_image()},{_image(URL + 'BBBB')}]")
    (size,) = _seen(body)
    assert size < 500


def test_the_decoder_of_the_native_wire_does_not_see_one_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def watched(read: Any, data: Any) -> Any:
        def reading(body: bytes, losses: Any) -> Any:
            sizes.append(len(body))
            return read(body, losses)

        return _lifting.lifting(reading, data)

    monkeypatch.setattr(_reader, "lifting", watched)
    image = b'{"type":"image","data":"%b"}' % PAYLOAD.encode()
    (message,) = wg.json.decode(b'[{"role":"user","content":[%b]}]' % image)
    assert message.as_llm().content[0].data.to_base64() == PAYLOAD
    assert len(sizes) == 1
    assert sizes[0] < 500


def test_two_payloads_are_not_taken_for_one_another() -> None:
    body = _chat(f"[{_image()},{_image(URL + 'BBBB')}]")
    first, second = wg.providers.openai_chat.decode_request(body).messages[0].content
    assert first.data.to_base64() == PAYLOAD
    assert second.data.to_base64() == PAYLOAD + "BBBB"


def test_a_payload_of_the_native_wire_is_a_slice_of_the_body() -> None:
    message = f'{{"type":"image","data":"{PAYLOAD}","mimeType":"image/png"}}'
    body = f'[{{"role":"user","content":[{message}],"timestamp":1}}]'.encode()
    value = wg.json.decode(body)
    assert value[0].content[0].data.to_base64() == PAYLOAD
    assert wg.json.encode(value) == body


def test_a_payload_in_pieces_goes_out_whole_on_every_wire() -> None:
    data = bytes(range(256)) * 400
    request = wg.Request([wg.UserMessage([wg.ImageBlock.from_bytes(data, "image/png")])], model="m")
    for name, provider in wg.PROVIDERS.items():
        back = provider.decode_request(provider.encode_request(request, losses=[]))
        assert back.messages[0].content[0].data.to_bytes() == data, name


# -- what sends the body to the decoder once more --------------------------------------------------

TEXT = f'[{{"type":"text","text":"{PAYLOAD}"}}]'
AGAIN = {
    "a text that looks like base64": _chat(TEXT),
    "a text that is a data URL": _chat(f'"{URL}"'),
    "a key that comes twice": _chat(
        f'[{{"type":"image_url","image_url":{{"url":"{URL}","url":"https://a/b"}}}}]'
    ),
    "a payload as a key": _chat(f'[{{"type":"text","text":"a","{PAYLOAD}":1}}]'),
    "a payload under an unknown key": _chat(f'[{{"type":"text","text":"a","x":"{PAYLOAD}"}}]'),
    "a payload in a block of no known type": _chat(f'[{{"type":"hologram","x":"{PAYLOAD}"}}]'),
    "an image, and the same as a text": _chat(f'[{_image()},{{"type":"text","text":"{URL}"}}]'),
    "an image with an unknown key that holds as much": _chat(
        f'[{{"type":"image_url","image_url":{{"url":"{URL}","x":"{PAYLOAD}"}}}}]'
    ),
    "a word where a string should be": _chat(f'[{{"type":"text","text":"a"{PAYLOAD}"b"}}]'),
    "a wrong type beside a payload": _chat(f'[{_image()},{{"type":"text","text":5}}]'),
}
READ_ALL_THE_SAME = {
    "a data URL without base64": _chat(f"[{_image('data:image/png,' + PAYLOAD)}]"),
    "a body that is cut": _chat(f"[{_image()}]")[:-3],
    "a body that ends in a payload": _chat(f"[{_image()}]")[:-50],
    "a lone surrogate beside a payload": _chat(rf'[{_image()},{{"type":"text","text":"\ud83d"}}]'),
    "arguments with an escaped quote before and after": _chat(
        rf'[{{"type":"text","text":"{{\"data\":\"{PAYLOAD}\"}}"}}]'
    ),
    "an escaped backslash before the closing quote": _chat(f"[{_image(URL + chr(92) * 2)}]"),
    "a payload that is no base64": _chat(f"[{_image('data:image/png;base64,' + '.' * 100_000)}]"),
    "white space as long as a payload": _chat('[{"type":"text",' + " " * 200_000 + '"text":"a"}]'),
    "a number as long as a payload": _chat('[{"type":"text","text":' + "1" * 200_000 + "}]"),
    "quotes that are all escaped": _chat('"' + r"\"" * 100_000 + '"'),
    "a body without a second quote": b'"' + b"A" * 200_000,
    "a body without any quote": b"A" * 200_000,
    "an escape within a payload": _chat(f'[{{"type":"text","text":"{PAYLOAD}\\n{PAYLOAD}"}}]'),
}


@pytest.mark.parametrize("case", AGAIN | READ_ALL_THE_SAME)
def test_a_hostile_neighbour_changes_nothing(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    _same(monkeypatch, _outcome, DEFAULT, (AGAIN | READ_ALL_THE_SAME)[case])


@pytest.mark.parametrize("case", AGAIN)
def test_what_no_media_value_holds_is_decoded_as_it_came(case: str) -> None:
    first, *_, last = _seen(AGAIN[case])
    assert (first < 500, last) == (True, len(AGAIN[case]))


WORDS = f'"{"a word " * 20_000}"'
ONCE = {
    "a string behind an escaped quote": _chat(rf'"a\"{PAYLOAD}"'),
    "a string before an escaped quote": _chat(rf'"{PAYLOAD}\"a"'),
    "a long text of words": _chat(WORDS),
    "a payload that is not large": _chat(
        f'[{{"type":"text","text":{WORDS[:30_000]}"}},{_image(URL[:20_000])},'
        f'{{"type":"text","text":{WORDS[:30_000]}"}}]'
    ),
    "a first key that looks like one": b'{"%b":1,%b'
    % (b"A" * 20, _chat("[" + ",".join(['{"type":"text","text":"b"}'] * 3_000) + "]")[1:]),
}


@pytest.mark.parametrize("case", ONCE)
def test_what_is_no_large_payload_is_left_where_it_is(case: str) -> None:
    assert _seen(ONCE[case]) == [len(ONCE[case])]


@pytest.mark.parametrize("kind", [bytearray, memoryview, bytes.decode])
def test_a_body_that_is_no_bytes_reads_the_same(kind: Callable[[bytes], Any]) -> None:
    body = _chat(f"[{_image()}]")
    (message,) = wg.providers.openai_chat.decode_request(kind(body)).messages
    assert message.content[0].data.to_base64() == PAYLOAD


def test_losses_of_the_first_attempt_are_not_told_twice() -> None:
    losses: list[wg.Loss] = []
    body = READ_ALL_THE_SAME["a lone surrogate beside a payload"]
    wg.providers.openai_chat.decode_request(body, losses=losses)
    at = body.index(rb"\ud83d")
    assert [loss.path for loss in losses] == [f"byte {at}"]


def test_a_payload_that_json_forbids_is_an_error_when_its_bytes_are_asked_for() -> None:
    body = _chat(f"[{_image(URL + chr(1))}]")
    media = wg.providers.openai_chat.decode_request(body).messages[0].content[0].data
    with pytest.raises(wg.DecodeError, match="media: "):
        media.to_bytes()


def test_raw_json_that_holds_what_a_media_value_has_is_decoded_as_it_came() -> None:
    body = f'["{PAYLOAD}"]'.encode()

    def read(data: bytes, _: object) -> tuple[wg.Media | None, wg.RawJson]:
        with slices_of(data):
            return adopt_media(Raw(data[1:-1])), wg.RawJson.adopt(Raw(data))

    media, whole = _lifting.lifting(read, body)
    assert (media.to_base64(), whole.text) == (PAYLOAD, body)


def test_no_text_can_stand_in_for_a_payload(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a word that was guessed: it is a text, and the payload is the image's."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
    word = "0" * 32 + "0"
    body = _chat(f'[{{"type":"text","text":"{word}"}},{_image()}]')
    text, image = wg.providers.openai_chat.decode_request(body).messages[0].content
    assert text.text == word
    assert image.data.to_base64() == PAYLOAD


# -- any body --------------------------------------------------------------------------------------

_WORDS = st.text("AZaz09+/=_-", min_size=0, max_size=60)
_STRINGS = st.one_of(
    _WORDS,
    _WORDS.map("data:image/png;base64,".__add__),
    st.text(max_size=30),
    st.lists(st.sampled_from(['"', "\\", "A" * 20, "data:", ",", "\n", "é", "\ud83d"])).map(
        "".join
    ),
)
_PARTS = st.one_of(
    _STRINGS.map(lambda text: {"type": "text", "text": text}),
    _STRINGS.map(lambda url: {"type": "image_url", "image_url": {"url": url}}),
    st.tuples(_STRINGS, _STRINGS).map(
        lambda pair: {"type": "image_url", "image_url": {"url": pair[0]}, pair[1]: 1}
    ),
    st.tuples(_STRINGS, _STRINGS).map(
        lambda pair: {"type": "file", "file": {"file_data": pair[0], "filename": pair[1]}}
    ),
    _STRINGS.map(lambda data: {"type": "input_audio", "input_audio": {"data": data}}),
    _STRINGS.map(lambda text: {"type": "hologram", "x": text}),
)


@st.composite
def _bodies(draw: st.DrawFn) -> bytes:
    """Draw a body, some of the time with a byte changed, taken out or put in."""
    message = {"role": "user", "content": draw(st.lists(_PARTS, min_size=1, max_size=4))}
    body = bytearray(json.dumps({"model": "m", "messages": [message]}).encode())
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(body) - 1))
        size = draw(st.integers(0, 2))
        body[at : at + size] = draw(st.sampled_from([b"", b'"', b"\\", b",", b"A", b"}", b" "]))
    return bytes(body)


@settings(max_examples=300)
@given(_bodies())
def test_any_body_reads_the_same_with_and_without_lifting(body: bytes) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _same(monkeypatch, _outcome, 32, body)


_BLOCKS = st.one_of(
    _STRINGS.map(lambda data: {"type": "image", "data": data, "mimeType": "image/png"}),
    _STRINGS.map(lambda text: {"type": "text", "text": text}),
    _STRINGS.map(lambda text: {"type": "text", "text": "a", text: text}),
    _STRINGS.map(
        lambda text: {"type": "toolCall", "id": "c", "name": "n", "arguments": {"a": text}}
    ),
)


@settings(max_examples=300)
@given(st.lists(_BLOCKS, min_size=1, max_size=4), st.sampled_from(["user", "custom", "other"]))
def test_any_native_document_reads_the_same_with_and_without_lifting(
    blocks: list[Any], role: str
) -> None:
    message = {"role": role, "content": blocks, "timestamp": 1, "kind": "k", "data": blocks}
    body = json.dumps([message]).encode()
    with pytest.MonkeyPatch.context() as monkeypatch:
        _same(monkeypatch, _native_outcome, 32, body)


# -- who looks into a string before a media value has it -------------------------------------------


def test_base64_for_urls_leaves_gemini_in_the_standard_alphabet() -> None:
    data = "iVBORw0KGgo" + "A_-B" * 20_000
    part = f'{{"inlineData":{{"mimeType":"image/png","data":"{data}"}}}}'
    body = f'{{"contents":[{{"role":"user","parts":[{part}]}}]}}'.encode()
    made = wg.translate_request(body, "gemini", "anthropic", losses=[], model="m")
    assert b'"data":"iVBORw0KGgo' + b"A/+B" * 20_000 + b'"' in made


def test_audio_of_mistral_is_a_url_by_its_first_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    audio = f'{{"type":"input_audio","input_audio":"https{PAYLOAD}"}}'
    _same(monkeypatch, _outcome, DEFAULT, _chat(f"[{audio}]"), "mistral")


def test_a_body_within_a_body_has_its_own_payloads() -> None:
    class Kept(msgspec.Struct, dict=True):
        """A type of a caller's that keeps what it is made of, and decodes it, too."""

        raw: Raw

        def __post_init__(self) -> None:
            self.block = wg.json.decode(bytes(self.raw), wg.ImageBlock)

    block = f'{{"type":"image","data":"{PAYLOAD}"}}'
    kept = wg.json.decode(f'{{"raw":{block}}}'.encode(), Kept)
    assert bytes(kept.raw) == block.encode()
    assert kept.block.data.to_base64() == PAYLOAD


def test_a_large_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\x89PNG\r\n\x1a\n" + bytes(100_000)
    path = tmp_path / "large.png"
    path.write_bytes(data)
    read = []

    def opened(path: str, mode: str) -> Any:
        read.append(path)
        return open(path, mode)

    monkeypatch.setattr("wireglot.model.media.open", opened, raising=False)
    made = wg.json.encode(wg.ImageBlock(wg.Media.from_file(path, "image/png")))
    assert read == [str(path)]
    assert wg.json.decode(made, wg.ImageBlock).data.to_bytes() == data
