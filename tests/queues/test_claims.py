"""Media in a store instead of the message: they come back whole, or an error says what is wrong."""

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

import wireglot as wg
from wireglot import queue
from wireglot import testing as some
from wireglot.queue import Claim, check_in, check_out, claims

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

DATA = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 300
SHA256 = "9540144c2f0f627b93b9d0c40e567a9486624065a36cfa24281e6b07abaaee75"
URL = f"claim:sha256:{SHA256}?size=76808&type=image/png"
HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of b"hello"


class Shelf:
    """A store in memory, as object stores are: an object is there as a whole, or not at all."""

    def __init__(self, objects: dict[str, bytes] | None = None) -> None:
        self.objects = objects or {}
        self.puts: list[str] = []
        self.gets: list[tuple[str, int]] = []

    def put(self, sha256: str, data: memoryview) -> None:
        self.puts.append(sha256)
        self.objects[sha256] = bytes(data)

    def get(self, sha256: str, most: int) -> bytes:
        self.gets.append((sha256, most))
        try:
            return self.objects[sha256][:most]
        except KeyError:
            raise FileNotFoundError(sha256) from None


class Full(Shelf):
    """A store that fails at the second object."""

    def put(self, sha256: str, data: memoryview) -> None:
        if self.puts:
            raise OSError("no space left")
        super().put(sha256, data)


def _image(data: bytes = DATA) -> wg.ImageBlock:
    return wg.ImageBlock.from_bytes(data)


# -- there and back -------------------------------------------------------------------------------


def test_a_claim_stands_in_the_block_in_place_of_the_data_and_nothing_else_changes() -> None:
    block = wg.ImageBlock(
        data=wg.Media.from_bytes(DATA), mime_type="image/png", filename="a.png", alt_text="A dot"
    )
    store = Shelf()
    assert check_in(block, store) == wg.ImageBlock(
        url=URL, mime_type="image/png", filename="a.png", alt_text="A dot"
    )
    assert store.objects == {SHA256: DATA}
    assert block.data is not None
    assert block.data.to_bytes() == DATA
    assert check_out(check_in(block, store), store) == block


@laws
@given(
    st.sampled_from(
        (some.sessions, some.requests, some.responses, some.blocks, some.stream_events)
    ).flatmap(lambda strategy: strategy()),
    st.booleans(),
)
def test_what_was_checked_in_comes_back_and_stays_as_it_was(value: Any, lazy: bool) -> None:
    store = Shelf()
    before = wg.msgpack.encode(value)
    light = check_in(value, store, over=0)
    assert wg.msgpack.encode(value) == before
    held = wg.msgpack.encode(light)
    assert {claim.sha256 for claim in claims(light)} == {*store.objects}
    assert all(hashlib.sha256(data).hexdigest() == name for name, data in store.objects.items())
    assert check_out(light, store, lazy=lazy) == value
    assert wg.msgpack.encode(light) == held


_PLACES = {
    "a message": lambda block: wg.UserMessage([block]),
    "a message of a session": lambda block: wg.UserMessage([block], node_id=5),
    "a session": lambda block: [wg.UserMessage([block], turn_id=wg.model.TurnId("l", 1))],
    "a tool result": lambda block: [wg.ToolMessage([wg.ToolResultBlock("c", content=[block])])],
    "a tool result in a tool result": lambda block: wg.ToolResultBlock(
        "c", content=[wg.ToolResultBlock("d", content=[block])]
    ),
    "a tool result as a message": lambda block: wg.ToolResultMessage("c", content=[block]),
    "what an extension shows": lambda block: [wg.CustomMessage("x", [block])],
    "a still of a film": lambda block: wg.VideoBlock(url="https://a/b.mp4", thumbnail=block),
    "a request": lambda block: wg.Request([wg.UserMessage([block])], model="m"),
    "a response": lambda block: wg.Response(wg.AssistantMessage([block])),
    "an alternative": lambda block: wg.Response(
        wg.AssistantMessage([]), alternatives=[wg.AssistantMessage([block])]
    ),
    "the start of a stream": lambda block: [
        wg.StreamStart(wg.Response(wg.AssistantMessage([block])))
    ],
    "the start of a block": lambda block: [wg.BlockStart(0, block)],
    "the end of a block": lambda block: [wg.BlockEnd(0, block)],
    "the end of a stream": lambda block: [wg.StreamEnd(wg.Response(wg.AssistantMessage([block])))],
}


@pytest.mark.parametrize("place", _PLACES.values(), ids=_PLACES)
def test_media_are_found_wherever_they_may_be(place: Any) -> None:
    store = Shelf()
    light = check_in(place(_image()), store)
    assert light == place(wg.ImageBlock(url=URL, mime_type="image/png"))
    assert list(claims(light)) == [Claim(SHA256, 76_808, "image/png")]
    assert check_out(light, store) == place(_image())
    assert store.puts == [SHA256]


def test_a_film_and_its_still_are_both_checked_in() -> None:
    film = wg.VideoBlock.from_bytes(b"film" * 20_000, "video/mp4")
    film.thumbnail = _image()
    store = Shelf()
    light = check_in(film, store)
    assert len(store.objects) == 2
    assert [claim.size for claim in claims(light)] == [80_000, 76_808]
    assert check_out(light, store) == film


def test_media_are_checked_in_beyond_a_size_and_small_ones_stay() -> None:
    store = Shelf()
    assert check_in(_image(), store, over=76_808) == _image()
    assert check_in([wg.UserMessage([_image(bytes(64_000))])], store) == [
        wg.UserMessage([_image(bytes(64_000))])
    ]
    assert store.puts == []
    check_in(_image(), store, over=76_807)
    check_in(_image(bytes(64_001)), store)
    assert len(store.puts) == 2


def test_a_content_is_put_once_and_fetched_once_whatever_it_is_called() -> None:
    store = Shelf()
    same = [wg.DataBlock(data=wg.Media.from_bytes(DATA, kind)) for kind in ("a/b", "c/d", "c/d")]
    light = check_in([wg.UserMessage([*same, _image()])], store)
    assert store.puts == [SHA256]
    types = [claim.mime_type for claim in claims(light)]
    assert types == ["a/b", "c/d", "c/d", "image/png"]
    [message] = check_out(light, store)
    assert store.gets == [(SHA256, 76_809)]
    assert [block.data.mime_type for block in message.content] == types


def test_parts_without_media_are_the_same_objects() -> None:
    plain = wg.UserMessage.from_text("Hi")
    session = [plain, wg.UserMessage([_image()])]
    store = Shelf()
    light = check_in(session, store)
    assert light[0] is plain
    assert check_in([plain], store)[0] is plain
    only = [plain]
    assert check_in(only, store) is only
    assert check_out(only, store) is only


# -- media in every form --------------------------------------------------------------------------


def _decoded(data: bytes) -> wg.DataBlock:
    text = base64.b64encode(data)
    return wg.json.decode(b'{"type":"data","data":"%b"}' % text, wg.DataBlock)


@pytest.mark.parametrize(
    "block",
    [
        wg.DataBlock.from_bytes(DATA),
        wg.DataBlock.from_base64(base64.b64encode(DATA).decode()),
        wg.DataBlock.from_base64(base64.urlsafe_b64encode(DATA).rstrip(b"=").decode()),
        wg.DataBlock.from_base64(base64.encodebytes(DATA).decode()),
        wg.DataBlock(data=wg.Media.from_loader(lambda: DATA)),
        _decoded(DATA),
    ],
    ids=["binary", "base64", "URL-safe base64", "lines of base64", "a loader", "a slice of JSON"],
)
def test_media_of_any_form_are_checked_in(block: wg.DataBlock) -> None:
    store = Shelf()
    light = check_in(block, store)
    assert light.url == URL
    assert store.objects == {SHA256: DATA}
    assert check_out(light, store) == block


def test_a_file_is_checked_in_and_one_that_is_not_there_is_an_error_with_its_place(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(DATA)
    block = wg.ImageBlock.from_file(path)
    session = [wg.UserMessage([wg.TextBlock("Hi"), block])]
    store = Shelf()
    light = check_in(session, store)
    assert light[0].content[1] == wg.ImageBlock(url=URL, mime_type="image/png", filename="a.png")
    path.unlink()
    with pytest.raises(wg.EncodeError, match="cannot read") as caught:
        check_in(session, store)
    assert caught.value.path == "$[0].content[1]"
    assert check_out(light, store)[0].content[1].data.to_bytes() == DATA


def test_an_image_of_pillow_is_checked_in_as_what_it_is_written_as() -> None:
    image = Image.effect_noise((200, 200), 50)
    store = Shelf()
    light = check_in(wg.ImageBlock.from_pil(image), store, over=1000)
    [claim] = claims(light)
    assert claim.mime_type == "image/png"
    assert check_out(light, store).to_pil().tobytes() == image.tobytes()


def test_a_data_url_is_checked_in_and_comes_back_as_data_of_the_same_type() -> None:
    store = Shelf()
    url = "data:image/png;base64," + base64.b64encode(DATA).decode()
    light = check_in(wg.ImageBlock(url=url, alt_text="A dot"), store)
    assert light == wg.ImageBlock(url=URL, alt_text="A dot")
    whole = check_out(light, store)
    assert whole == wg.ImageBlock(data=wg.Media.from_bytes(DATA), alt_text="A dot")
    assert whole.data is not None
    assert whole.data.mime_type == "image/png"


@pytest.mark.parametrize(
    "mime_type",
    ["x/y", "image/svg+xml", "text/plain;charset=utf-8", "a b", "a&b=c?d", "é/ł", "%2F", "x" * 999],
)
def test_a_type_of_any_spelling_comes_back(mime_type: str) -> None:
    store = Shelf()
    light = check_in(wg.DataBlock(data=wg.Media.from_bytes(DATA, mime_type)), store)
    assert light.url is not None
    assert light.url.isascii()
    assert " " not in light.url
    whole = check_out(light, store)
    assert whole.data is not None
    assert whole.data.mime_type == mime_type


def test_data_of_no_known_type_come_back_without_one() -> None:
    store = Shelf()
    light = check_in(wg.DataBlock(data=wg.Media.from_bytes(b"hello")), store, over=0)
    assert light.url == f"claim:sha256:{HELLO}?size=5"
    whole = check_out(light, store)
    assert whole.data is not None
    assert whole.data.mime_type is None


def test_a_type_that_is_no_unicode_is_an_encode_error_with_its_place() -> None:
    block = wg.DataBlock(data=wg.Media.from_bytes(DATA, "x/\ud83d"))
    with pytest.raises(wg.EncodeError, match="type holds a lone surrogate") as caught:
        check_in([wg.UserMessage([block])], Shelf())
    assert caught.value.path == "$[0].content[0]"


@pytest.mark.parametrize(
    "block",
    [
        wg.DataBlock.from_base64("no base64!" * 10_000),
        wg.DataBlock(url="data:image/png;base64," + "no base64!" * 10_000),
        wg.DataBlock(url="data:no comma"),
        wg.DataBlock(url="https://example.com/" + "a" * 100_000),
        wg.DataBlock(file_id="f" * 100_000),
        wg.DocumentBlock.from_text("text" * 100_000),
        wg.DataBlock(),
    ],
    ids=["base64", "data URL", "no data URL", "URL", "file id", "text", "nothing"],
)
def test_what_has_no_bytes_stays_as_it_is(block: wg.MediaBlock) -> None:
    store = Shelf()
    assert check_in(block, store, over=0) is block
    assert check_out(block, store) is block
    assert list(claims(block)) == []
    assert store.puts == []


# -- a store that fails ---------------------------------------------------------------------------


def test_a_store_that_fails_in_the_middle_leaves_everything_as_it_was() -> None:
    session = [wg.UserMessage([_image(DATA + bytes([n]))]) for n in range(3)]
    before = wg.msgpack.encode(session)
    store = Full()
    with pytest.raises(OSError, match="no space left"):
        check_in(session, store)
    assert wg.msgpack.encode(session) == before
    assert len(store.puts) == 1


class Narrow(Shelf):
    """A store that takes no large object."""

    def put(self, sha256: str, data: memoryview) -> None:
        raise wg.queue.TooLargeError("object too large", size=len(data), limit=5, wire="shelf")


def test_an_error_of_the_store_is_raised_as_it_is() -> None:
    with pytest.raises(wg.queue.TooLargeError, match="shelf: object too large") as caught:
        check_in([wg.UserMessage([_image()])], Narrow())
    assert (caught.value.size, caught.value.limit) == (76_808, 5)


def test_one_object_that_is_missing_leaves_every_claim_as_it_was() -> None:
    session = [wg.UserMessage([_image(DATA + bytes([n]))]) for n in range(3)]
    store = Shelf()
    light = check_in(session, store)
    before = wg.msgpack.encode(light)
    del store.objects[store.puts[1]]
    with pytest.raises(wg.queue.ClaimError) as caught:
        check_out(light, store)
    assert str(caught.value) == (
        f"queue: object `{store.puts[1]}` is missing from the store - at `$[1].content[0]`"
    )
    assert isinstance(caught.value.__cause__, wg.queue.ClaimError)
    assert isinstance(caught.value.__cause__.__cause__, FileNotFoundError)
    assert wg.msgpack.encode(light) == before


@pytest.mark.parametrize(
    "stored",
    [b"", b"hell", b"hellO", b"hello!", b"hello" * 1000],
    ids=["empty", "cut off", "altered", "longer", "much longer"],
)
def test_an_object_that_is_not_what_was_checked_in_is_a_claim_error(stored: bytes) -> None:
    block = wg.DataBlock(url=f"claim:sha256:{HELLO}?size=5")
    store = Shelf({HELLO: stored})
    words = f"object `{HELLO}` has changed, expected what was checked in"
    with pytest.raises(wg.queue.ClaimError, match=words):
        check_out(block, store)
    assert store.gets == [(HELLO, 6)]  # never more than one byte too many
    lazy = check_out(block, store, lazy=True)
    assert lazy.data is not None
    for _ in range(2):
        with pytest.raises(wg.queue.ClaimError, match=words):
            lazy.data.view()


# -- when it is first used ------------------------------------------------------------------------


def test_lazy_media_are_fetched_when_they_are_first_used_and_only_once() -> None:
    store = Shelf({SHA256: DATA})
    block = check_out(wg.ImageBlock(url=URL), store, lazy=True)
    assert block.data is not None
    assert not block.data.is_empty
    assert block.data.mime_type == "image/png"
    assert "loader" in repr(block)
    assert store.gets == []
    assert block.data.to_bytes() == DATA
    assert block.data.sha256 == SHA256
    assert block == _image() or block.data == _image().data
    assert store.gets == [(SHA256, 76_809)]


def test_lazy_media_that_are_missing_are_an_error_of_the_encoder_too() -> None:
    lazy = check_out([wg.UserMessage([wg.ImageBlock(url=URL)])], Shelf(), lazy=True)
    for format in ("msgpack", "json"):
        with pytest.raises(wg.EncodeError, match=f"object `{SHA256}` is missing"):
            queue.encode(lazy, format=format)
    assert lazy != [wg.UserMessage([_image()])]


def test_lazy_media_are_whole_for_whoever_looks_while_they_arrive() -> None:
    seen: list[bytes] = []

    class Watched(wg.Media):
        """Media at which somebody else looks as soon as the bytes are there."""

        __slots__ = ()

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "_body" and type(value) is memoryview:
                seen.append(bytes(self.view()))

    assert Watched.from_loader(lambda: DATA).to_bytes() == DATA
    assert seen == [DATA]


# -- claims that nobody sane writes ---------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "claim:",
        "claim:sha256",
        f"claim:{HELLO}?size=5",
        f"claim:sha256:{HELLO}",
        f"claim:sha256:{HELLO}?size=",
        f"claim:sha256:{HELLO}?size=-5",
        f"claim:sha256:{HELLO}?size=5.0",
        f"claim:sha256:{HELLO}?size=\u0665",
        f"claim:sha256:{HELLO}?size=5\n",
        f"claim:sha256:{HELLO}?size=1000000000000000",
        f"claim:sha256:{HELLO}?size=5&type=",
        f"claim:sha256:{HELLO}?size=5&type=a b",
        f"claim:sha256:{HELLO}?size=5#x",
        f"claim:sha256:{HELLO.upper()}?size=5",
        f"claim:sha256:{HELLO[:-1]}?size=5",
        f"claim:sha256:{HELLO}0?size=5",
        f"claim:sha512:{HELLO}?size=5",
        "claim:md5:5d41402abc4b2a76b9719d911017c592?size=5",
        "claim:sha256:../../../../etc/passwd?size=5",
        f"claim:sha256:{'../' * 20}etc?size=5",
        f"claim:sha256:%2e%2e/{HELLO[7:]}?size=5",
        "claim:" + "a" * 100_000,
    ],
)
def test_half_a_claim_is_a_claim_error_and_no_store_is_asked(url: str) -> None:
    session = [wg.UserMessage([wg.DataBlock(url=url)])]
    store = Shelf({HELLO: b"hello"})
    for lazy in (False, True):
        with pytest.raises(wg.queue.ClaimError, match="and a hash") as caught:
            check_out(session, store, lazy=lazy)
        assert caught.value.path == "$[0].content[0]"
        assert len(str(caught.value)) < 300
    with pytest.raises(wg.queue.ClaimError):
        claims(session)
    assert store.gets == []


def test_a_claim_of_an_enormous_size_is_not_what_was_checked_in(tmp_path: Path) -> None:
    for store in (Shelf(), queue.FileStore(str(tmp_path)), queue.FileStore("memory://enormous")):
        store.put(HELLO, memoryview(b"hello"))
        with pytest.raises(wg.queue.ClaimError, match="expected what was checked in"):
            check_out(wg.DataBlock(url=f"claim:sha256:{HELLO}?size=999999999999999"), store)


def test_many_claims_of_one_object_under_many_types_cost_it_once() -> None:
    store = Shelf({HELLO: b"hello"})
    blocks: list[wg.Content] = [
        wg.DataBlock(url=f"claim:sha256:{HELLO}?size=5&type=a/{n}") for n in range(100)
    ]
    message = check_out(wg.UserMessage(blocks), store)
    assert [block.data.mime_type for block in message.content] == [f"a/{n}" for n in range(100)]  # type: ignore[union-attr]
    assert len(store.gets) == 1


def test_every_depth_of_tool_results_is_walked_or_is_an_error_of_ours() -> None:
    walked = 0
    for depth in (1, 100, *range(150, 460, 50)):
        [message] = session = wg.json.decode(
            b'[{"role":"user","content":['
            + b'{"type":"toolResult","toolCallId":"","content":[' * depth
            + b'{"type":"data","data":"aGVsbG8="}'
            + b"]}" * depth
            + b"]}]"
        )
        store = Shelf()
        try:
            light = check_in(session, store, over=0)
        except wg.EncodeError:
            continue
        assert list(claims(light)) == [Claim(HELLO, 5)]
        assert check_out(light, store)[0] == message
        walked += 1
    assert walked >= 2


def test_a_value_that_has_itself_in_it_is_an_error_of_ours() -> None:
    endless = wg.ToolResultBlock("c")
    endless.content.append(endless)
    try:
        with pytest.raises(wg.EncodeError, match="nested too deeply"):
            check_in(endless, Shelf())
        for read in (claims, lambda value: check_out(value, Shelf())):
            with pytest.raises(wg.LimitError, match="nested too deeply"):
                read(endless)
    finally:
        endless.content.clear()


# -- providers ------------------------------------------------------------------------------------

_KINDS = {
    "image": (wg.ImageBlock, "image/png"),
    "audio": (wg.AudioBlock, "audio/wav"),
    "video": (wg.VideoBlock, "video/mp4"),
    "document": (wg.DocumentBlock, "application/pdf"),
    "data": (wg.DataBlock, "x/y"),
}


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("provider", wg.PROVIDERS)
def test_a_claim_reaches_no_provider(provider: str, kind: str) -> None:
    block, mime_type = _KINDS[kind]
    held = block.from_bytes(DATA, mime_type)
    result = wg.ToolResultBlock("c", "f", content=[wg.TextBlock("Look"), held])
    alone: list[wg.Message] = [wg.UserMessage([wg.TextBlock("Look"), held])]
    in_a_result: list[wg.Message] = [
        wg.UserMessage.from_text("Call f"),
        wg.AssistantMessage([wg.ToolCallBlock("c", "f", {})]),  # type: ignore[arg-type]
        wg.ToolMessage([result]),
    ]
    for messages in (alone, in_a_result):
        light = check_in(wg.Request(messages, model="m", max_tokens=5), Shelf())
        with pytest.raises(wg.LossError):
            wg.PROVIDERS[provider].encode_request(light)
        losses: list[wg.Loss] = []
        body = wg.PROVIDERS[provider].encode_request(light, losses=losses)
        assert losses
        assert b"claim:" not in body
        assert SHA256.encode() not in body


def test_what_is_missing_is_not_checked_in_again() -> None:
    shelf = Shelf()
    lazy = queue.check_out(queue.check_in(_image(), shelf, over=0), shelf, lazy=True)
    shelf.objects.clear()
    with pytest.raises(wg.queue.ClaimError, match="is missing"):
        queue.check_in(lazy, shelf, over=0)
