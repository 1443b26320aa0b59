"""Media in every form it may be held in, and the blocks that hold it."""

import contextlib
import copy
import io
import os
import pickle
import socket
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from PIL import Image, ImageChops, JpegImagePlugin

import wireglot as wg
from wireglot import Media

# The standard and the URL-safe alphabet write these bytes differently, and they need padding.
DATA = b"\xfb\xff\xbf\x01"
SHA256 = "d971d95dee8a4e15f6e767d5f99bc04e38031504da3b98f50c7eb99c03fb3a01"
PNG_TEXT = (  # one pixel: (0, 255, 0, 127)
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_HEADER = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_DATA = b"\0\0\0\1IDAT_"


def _json(text: str | bytes) -> Media:
    text = text.encode() if isinstance(text, str) else text
    return wg.json.decode(b'{"type":"image","data":"' + text + b'"}', wg.ImageBlock).data


def _msgpack(data: bytes | str) -> Media:
    packed = msgspec.msgpack.encode({"type": "image", "data": data})
    return wg.msgpack.decode(packed, wg.ImageBlock).data


# form, the media, its base64, and whether MessagePack has it as binary
FORMS: dict[str, tuple[Callable[[], Media], str, bool]] = {
    "a slice of JSON": (lambda: _json("+/+/AQ=="), "+/+/AQ==", True),
    "a slice with escaped slashes": (lambda: _json(r"+\/+\/AQ=="), "+/+/AQ==", True),
    "a slice with escaped letters": (lambda: _json(r"\u002b/+/AQ=="), "+/+/AQ==", True),
    "a slice with a line break": (lambda: _json(r"+/+/\nAQ=="), "+/+/\nAQ==", False),
    "a URL-safe slice": (lambda: _json("-_-_AQ"), "-_-_AQ", False),
    "a slice of MessagePack, binary": (lambda: _msgpack(DATA), "+/+/AQ==", True),
    "a slice of MessagePack, text": (lambda: _msgpack("-_-_AQ"), "-_-_AQ", False),
    "bytes": (lambda: Media.from_bytes(DATA), "+/+/AQ==", True),
    "a bytearray": (lambda: Media.from_bytes(bytearray(DATA)), "+/+/AQ==", True),
    "a memoryview": (lambda: Media.from_bytes(memoryview(b"_" + DATA)[1:]), "+/+/AQ==", True),
    "base64 text": (lambda: Media.from_base64("+/+/AQ=="), "+/+/AQ==", True),
    "base64 text in bytes": (lambda: Media.from_base64(b"+/+/AQ=="), "+/+/AQ==", True),
    "base64 text, URL-safe": (lambda: Media.from_base64("-_-_AQ=="), "-_-_AQ==", False),
    "base64 text, unpadded": (lambda: Media.from_base64("+/+/AQ"), "+/+/AQ", False),
    "base64 text in lines": (lambda: Media.from_base64("+/+/\r\nAQ==\n"), "+/+/\r\nAQ==\n", False),
    "base64 text with stray bits": (lambda: Media.from_base64("+/+/AR=="), "+/+/AR==", False),
    "a data URL": (lambda: Media.from_data_url("data:;base64,+/+/AQ=="), "+/+/AQ==", True),
    "an escaped data URL": (lambda: Media.of("data:,%FB%ff%bF%01"), "+/+/AQ==", True),
}
ASKS: dict[str, Callable[[Media], Any]] = {
    "its bytes": Media.to_bytes,
    "its base64": Media.to_base64,
    "its JSON": Media.json,
    "its size": lambda media: media.size,
    "its digest": lambda media: media.sha256,
    "its type": lambda media: media.mime_type,
    "its image": Media.to_pil,
}
COPIES: dict[str, Callable[[Media], Media]] = {
    "a copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "a pickle": lambda media: pickle.loads(pickle.dumps(media)),
    "it, detached": Media.detach,
}
EVERY_FORM = pytest.mark.parametrize("form", FORMS)


@EVERY_FORM
def test_every_form_gives_the_same_bytes_size_and_digest(form: str) -> None:
    media = FORMS[form][0]()
    assert media.to_bytes() == DATA
    assert (media.size, media.sha256) == (4, SHA256)
    assert media.view().readonly
    assert media == Media.from_bytes(DATA)
    assert media != Media.from_bytes(b"\xfb\xff\xbf\x02")


@EVERY_FORM
def test_base64_is_the_held_text_where_there_is_one_else_standard_and_padded(form: str) -> None:
    make, text, _ = FORMS[form]
    assert make().to_base64() == text
    assert make().data_url("image/x") == f"data:image/x;base64,{text}"


@EVERY_FORM
def test_messagepack_gets_binary_unless_the_text_would_not_come_back(form: str) -> None:
    make, text, binary = FORMS[form]
    made = make().msgpack()
    assert made == text if not binary else isinstance(made, memoryview)
    assert made == DATA if binary else isinstance(made, str)


@EVERY_FORM
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_holds_the_same(form: str, how: str) -> None:
    make, text, _ = FORMS[form]
    made = COPIES[how](make())
    assert (made.to_bytes(), made.to_base64()) == (DATA, text)
    assert bytes(made.json()) == bytes(make().json())
    assert repr(made) == repr(make())


@pytest.mark.parametrize("text", ["+/+/AQ==", r"+\/\u002b/\nAQ", "-_-_AQ", "", "???"])
def test_a_slice_of_json_goes_out_as_it_came_in(text: str) -> None:
    assert bytes(_json(text).json()) == b'"%b"' % text.encode()


def test_other_forms_go_into_json_as_base64() -> None:
    assert bytes(Media.from_bytes(DATA).json()) == b'"+/+/AQ=="'
    assert bytes(Media.from_base64("+/\nA").json()) == rb'"+/\nA"'


@pytest.mark.parametrize("text", ["????", "a", "aGk=aGk=", "aG k!", "é", "file:/etc/passwd"])
@pytest.mark.parametrize("make", [_json, _msgpack, Media.from_base64])
def test_bad_base64_is_a_decode_error_once_bytes_are_asked_for(
    text: str, make: Callable[[str], Media]
) -> None:
    media = make(text)
    assert media.to_base64() == text
    for asked in ("its bytes", "its size", "its digest", "its image"):
        with pytest.raises(wg.DecodeError, match="not base64"):
            ASKS[asked](media)
    assert media == Media.from_base64(text)
    assert media != Media.from_base64("aGk=")
    assert media.mime_type is None


@pytest.mark.parametrize("text", [b"\xff", b"\\n\xff"], ids=["alone", "after an escape"])
def test_base64_that_is_no_utf8_is_refused_with_its_body(text: bytes) -> None:
    with pytest.raises(wg.DecodeError, match=r"^json: text is not UTF-8 - at `\$`"):
        _json(text)


@pytest.mark.parametrize("end", [b"\xff", b"\\n\xff"], ids=["alone", "after an escape"])
def test_large_base64_that_is_no_utf8_is_a_decode_error_and_shows_no_type(end: bytes) -> None:
    media = _json(b"A" * 65_536 + end)
    with pytest.raises(wg.DecodeError, match="not UTF-8"):
        media.to_bytes()
    assert media.mime_type is None
    assert repr(media).startswith("<Media json unknown type, about ")


@pytest.mark.parametrize(
    ("url", "mime_type", "data"),
    [
        ("data:image/png;base64,aGk=", "image/png", b"hi"),
        ("DATA:image/png;charset=x;BASE64,aGk=", "image/png", b"hi"),
        ("data:;base64,aGk=", None, b"hi"),
        ("data:,a%20b", "text/plain", b"a b"),
        ("data:image/svg+xml,<svg/>", "image/svg+xml", b"<svg/>"),
        ("data:text/x,a,b;base64", "text/x", b"a,b;base64"),
        ("data:;base64,aGk%3D", None, b"hi"),  # RFC 2397: what is no urlchar is escaped
    ],
)
def test_a_data_url_is_inline_data(url: str, mime_type: str | None, data: bytes) -> None:
    for made in (Media.from_data_url(url), Media.of(url), wg.ImageBlock.from_url(url).data):
        assert (made.mime_type, made.to_bytes()) == (mime_type, data)
    kept = wg.ImageBlock(url=url).inline()
    assert kept is not None
    assert kept.to_bytes() == data


@pytest.mark.parametrize("url", ["data:image/png;base64", "http://x/,", "", "data:,\ud83d"])
def test_what_is_no_data_url_is_refused(url: str) -> None:
    with pytest.raises((wg.DecodeError, wg.EncodeError)):
        Media.from_data_url(url)


def test_a_writable_buffer_is_copied() -> None:
    buffer = bytearray(DATA)
    copied = Media.from_bytes(buffer)
    also_copied = Media.from_bytes(memoryview(buffer))
    buffer[0] = 0
    assert (copied.to_bytes(), also_copied.to_bytes()) == (DATA, DATA)


@pytest.mark.parametrize(
    "view",
    [
        memoryview(b"\xfb_\xff_\xbf_\x01_")[::2],
        memoryview(DATA).cast("B", (2, 2)),
        memoryview(DATA).cast("H"),
        memoryview(DATA).cast("b"),
        memoryview(DATA).cast("c"),
    ],
    ids=["every other byte", "two by two", "by sixteen bits", "signed", "characters"],
)
def test_a_view_of_any_shape_is_taken(view: memoryview) -> None:
    media = Media.from_bytes(view)
    assert (media.to_bytes(), media.size, media.to_base64()) == (DATA, 4, "+/+/AQ==")
    assert media == Media.from_bytes(DATA)


@pytest.mark.parametrize(
    "pack",
    [b'{"type":"image","data":"aGk="}', b"\x82\xa4type\xa5image\xa4data\xc4\x02hi"],
    ids=["json", "msgpack"],
)
def test_a_slice_keeps_its_input_alive_until_it_is_detached(pack: bytes) -> None:
    body = bytes(bytearray(pack))  # no other test holds these
    before = sys.getrefcount(body)
    decode = wg.json.decode if pack[:1] == b"{" else wg.msgpack.decode
    block = decode(memoryview(body), wg.ImageBlock)
    assert sys.getrefcount(body) > before
    assert block.data.detach() is block.data
    assert sys.getrefcount(body) == before
    assert block.data.to_bytes() == b"hi"


@pytest.mark.parametrize(
    ("media", "shown"),
    [
        (Media.from_base64(PNG_TEXT), "<Media base64 image/png, about 72 bytes>"),
        (_json(PNG_TEXT), "<Media json image/png, about 72 bytes>"),
        (_json("????"), "<Media json unknown type, about 3 bytes>"),
        (Media.from_bytes(b"secret" * 1000), "<Media binary unknown type, about 6,000 bytes>"),
        (Media.from_bytes(b"secret", "text/x"), "<Media binary text/x, about 6 bytes>"),
        (Media.from_file("/no/such"), "<Media file '/no/such'>"),
        (Media.of("file:///no/such"), "<Media file '/no/such'>"),
        (Media.of("file://localhost/no/such"), "<Media file '/no/such'>"),
    ],
)
def test_repr_shows_form_type_and_size(media: Media, shown: str) -> None:
    assert repr(media) == shown
    assert repr(wg.ImageBlock(data=media)) == f"ImageBlock(data={shown})"


# -- files and URLs ---------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [wg.json, wg.msgpack], ids=["json", "msgpack"])
def test_a_file_string_that_came_off_a_wire_opens_no_file(
    pack: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "x.png"
    secret.write_bytes(b"\x89PNG\r\n\x1a\n")
    name = f"file:{secret}"
    sent = [wg.ImageBlock(data=Media.from_base64(name)), wg.ImageBlock(url=name)]
    wire = pack.encode(sent)
    monkeypatch.setattr("builtins.open", lambda *_: pytest.fail("opened a file"))
    inline, linked = pack.decode(wire, list[wg.ImageBlock])
    inline = pickle.loads(pickle.dumps(copy.deepcopy(inline)))
    assert inline.data.to_base64() == name
    assert inline.known_mime_type() == linked.known_mime_type() == "image/png"  # the default
    assert (inline.data.mime_type, linked.inline()) == (None, None)
    assert "file" not in repr(inline.data)
    assert pack.encode([inline, linked]) == wire
    for ask in (inline.data.to_bytes, inline.to_pil, lambda: inline.data.size):
        with pytest.raises(wg.DecodeError):
            ask()
    with pytest.raises(wg.EncodeError, match="without inline data"):
        linked.to_pil()


@pytest.mark.parametrize("form", ["file:{}", "file://{}"])
def test_a_file_of_ones_own_is_read_when_bytes_are_asked_for(form: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    media = Media.of(form.format(path))
    path.write_bytes(DATA)
    assert (media.to_bytes(), media.size, media.sha256) == (DATA, 4, SHA256)
    assert (media.to_base64(), bytes(media.json())) == ("+/+/AQ==", b'"+/+/AQ=="')
    path.write_bytes(b"%PDF-1.7")
    assert (media.to_bytes(), media.mime_type) == (b"%PDF-1.7", "application/pdf")


@pytest.mark.parametrize("name", ["a b", "a#1.png", "a?b.png", "100%.png", "a%20b", "é", "a\tb"])
def test_a_file_string_names_its_file_as_a_path_or_as_a_url(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(DATA)
    for named in (path, str(path), f"file:{path}", path.as_uri()):
        assert Media.from_file(named).to_bytes() == DATA
        assert wg.DataBlock.from_file(named).filename == name


@pytest.mark.parametrize("asked", ASKS)
@pytest.mark.parametrize("path", ["/no/such/file", "a\0b", "file://[x"])
def test_a_file_that_cannot_be_read_is_an_encode_error(path: str, asked: str) -> None:
    with pytest.raises(wg.EncodeError, match="cannot read"):
        ASKS[asked](Media.from_file(path))


@pytest.mark.parametrize("asked", ASKS)
def test_a_file_that_can_be_read_only_once_is_refused(asked: str, tmp_path: Path) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    source, sink = os.pipe()
    os.write(sink, DATA)
    try:
        for name in (path, f"/dev/fd/{source}"):
            with pytest.raises(wg.EncodeError) as caught:
                ASKS[asked](Media.from_file(name))
            assert caught.value.reason == (
                f"cannot read `{name}`: not a regular file; pass what reads it to `from_loader`"
            )
        with pytest.raises(wg.EncodeError, match="`from_loader`"):
            wg.DataBlock.from_file(path)
        assert os.read(source, 100) == DATA  # nothing is lost
    finally:
        os.close(source)
        os.close(sink)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(wg.EncodeError, match=r"cannot read .*: Is a directory"):
        Media.from_file(tmp_path).to_bytes()


def test_no_url_is_ever_fetched() -> None:
    patience = socket.getdefaulttimeout()
    socket.setdefaulttimeout(5)  # whoever does fetch waits no longer for an answer
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            url = f"http://127.0.0.1:{server.getsockname()[1]}/x.png"
            image = wg.ImageBlock.from_url(url)
            assert (image.url, image.inline(), image.known_mime_type()) == (url, None, "image/png")
            assert wg.json.decode(wg.json.encode(image), wg.ImageBlock) == image
            with pytest.raises(
                wg.EncodeError, match="without inline data, expected some; fetch its URL first"
            ):
                image.to_pil()
            with pytest.raises(BlockingIOError):  # nobody has called
                server.accept()
    finally:
        socket.setdefaulttimeout(patience)


# -- PIL --------------------------------------------------------------------------------------


def test_an_image_opens_with_pillow() -> None:
    for block in (wg.ImageBlock.from_base64(PNG_TEXT), wg.ImageBlock(data=_json(PNG_TEXT))):
        image = block.to_pil()
        assert (image.format, image.size) == ("PNG", (1, 1))
        assert image.getpixel((0, 0)) == (0, 255, 0, 127)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "AVIF", "MPO"])
def test_an_image_of_every_usual_format_opens_with_pillow(form: str) -> None:
    Image.init()
    if form not in Image.SAVE:
        pytest.skip(f"this Pillow has no {form}")
    out = io.BytesIO()
    second = {"save_all": True, "append_images": [Image.new("RGB", (2, 2))]}
    Image.new("RGB", (4, 2)).save(out, form, **(second if form == "MPO" else {}))
    image = Media.from_bytes(out.getvalue()).to_pil()
    assert (image.format, image.size) == (form, (4, 2))


def test_a_pil_image_is_encoded_when_bytes_are_asked_for() -> None:
    image = Image.new("RGB", (2, 2))
    block = wg.ImageBlock.from_pil(image)
    image.putpixel((0, 0), (1, 2, 3))
    assert (block.to_pil(), block.mime_type) == (image, "image/png")
    assert block.data.to_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert Media.from_bytes(block.data.to_bytes()).to_pil().getpixel((0, 0)) == (1, 2, 3)
    assert Media.of(image) == block.data
    assert repr(block.data).startswith("<Media image <PIL.Image.Image image mode=RGB size=2x2 ")


@pytest.mark.parametrize(
    ("form", "written", "magic"),
    [
        ("JPEG", "image/jpeg", b"\xff\xd8\xff"),
        ("GIF", "image/gif", b"GIF8"),
        ("WEBP", "image/webp", b"RIFF"),
        ("PNG", "image/png", b"\x89PNG"),
        ("BMP", "image/png", b"\x89PNG"),
        ("TIFF", "image/png", b"\x89PNG"),
    ],
)
def test_an_image_that_came_from_a_file_keeps_a_format_that_providers_take(
    form: str, written: str, magic: bytes, tmp_path: Path
) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "x", form)
    with Image.open(tmp_path / "x") as image:
        media = copy.deepcopy(Media.from_pil(image))
        assert (media.mime_type, media.to_bytes()[: len(magic)]) == (written, magic)


def _animation(form: str) -> bytes:
    frames = [Image.effect_noise((4, 4), 50) for _ in range(3)]
    out = io.BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:])
    return out.getvalue()


@pytest.mark.parametrize(("form", "frame"), [("GIF", 0), ("GIF", 1), ("WEBP", 1), ("PNG", 0)])
def test_an_animation_keeps_its_frames_and_stays_where_it_is(form: str, frame: int) -> None:
    image = Image.open(io.BytesIO(_animation(form)))
    image.seek(frame)
    written = Media.from_pil(image).to_bytes()
    assert Media.from_bytes(written).to_pil().n_frames == 3
    assert image.tell() == frame


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_an_animation_keeps_its_frames(how: str) -> None:
    image = Image.open(io.BytesIO(_animation("GIF")))
    made = COPIES[how](Media.from_pil(image))
    assert made.mime_type == "image/gif"
    assert Media.from_bytes(made.to_bytes()).to_pil().n_frames == 3


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
@pytest.mark.filterwarnings("ignore:Invalid APNG")
def test_an_image_cut_anywhere_is_saved_or_is_an_encode_error(form: str) -> None:
    data = _animation(form)
    for end in range(len(data)):
        try:
            image = Image.open(io.BytesIO(data[:end]))
        except (OSError, SyntaxError):
            continue  # Pillow's own caller has seen to that
        with contextlib.suppress(wg.EncodeError):
            assert Media.from_pil(image).to_bytes()


def test_a_photo_with_a_second_picture_inside_does_not_become_an_animation() -> None:
    out = io.BytesIO()
    Image.new("RGB", (4, 4)).save(out, "MPO", save_all=True, append_images=[Image.new("L", (2, 2))])
    written = Media.from_pil(Image.open(out)).to_bytes()
    assert getattr(Media.from_bytes(written).to_pil(), "n_frames", 1) == 1


def _opened(image: Image.Image, form: str, **options: Any) -> Any:
    out = io.BytesIO()
    image.save(out, form, **options)
    return Image.open(out)


def _differences(one: Any, other: Any) -> list[int]:
    """Return the largest difference of a pixel, for each channel."""
    found = ImageChops.difference(one.convert("RGBA"), other.convert("RGBA")).getextrema()
    return [most for _, most in found]  # type: ignore[misc]


def _again(image: Image.Image) -> Any:
    return Media.from_bytes(Media.from_pil(image).to_bytes()).to_pil()


NOISE = Image.frombytes("RGBA", (16, 16), bytes(i * i * 37 % 251 for i in range(1024)))


@pytest.mark.parametrize("options", [{"lossless": True, "exact": True}, {"quality": 50}])
def test_a_webp_keeps_every_pixel(options: dict[str, Any]) -> None:
    image = _opened(NOISE, "WEBP", **options)
    written = _again(image)
    assert (written.format, _differences(image, written)) == ("WEBP", [0, 0, 0, 0])


@pytest.mark.parametrize("quality", [30, 98])
def test_a_jpeg_is_compressed_as_strongly_as_it_was(quality: int) -> None:
    image = _opened(NOISE.convert("RGB"), "JPEG", quality=quality, subsampling=0)
    written = _again(image)
    assert written.quantization == image.quantization
    assert JpegImagePlugin.get_sampling(written) == 0


def test_a_jpeg_that_was_never_a_file_has_a_high_quality() -> None:
    image = NOISE.convert("RGB")
    image.format = "JPEG"
    written = _again(image)
    assert written.quantization == _opened(image, "JPEG", quality=95).quantization


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "MPO"])
def test_an_image_keeps_its_orientation_and_its_colors(form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    image = _opened(NOISE.convert("RGB"), form, exif=exif, icc_profile=b"profile")
    written = _again(image)
    assert written.getexif() == {0x0112: 6}
    assert written.info["icc_profile"] == b"profile"


@pytest.mark.parametrize("form", ["GIF", "WEBP"])
def test_an_animation_keeps_its_times(form: str) -> None:
    frames = [Image.new("RGB", (4, 4), (i * 90, 0, 0)) for i in range(3)]
    times = {"duration": [100, 200, 300], "loop": 2}
    image = _opened(frames[0], form, save_all=True, append_images=frames[1:], **times)
    written = _again(image)
    found = []
    for i in range(3):
        written.seek(i)
        written.load()
        found.append(written.info["duration"])
    assert (found, written.info["loop"], image.tell()) == ([100, 200, 300], 2, 0)


def test_an_image_that_pillow_cannot_save_is_an_encode_error() -> None:
    with pytest.raises(wg.EncodeError, match="cannot save"):
        Media.from_pil(Image.new("CMYK", (1, 1))).to_bytes()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (_HEADER + b"\0\0N \0\0N \x08\x02\0\0\0l\x12\xd1n" + _DATA, wg.LimitError),
        (_HEADER + b"\0\0'\x10\0\0'\x10\x08\x02\0\0\x005,\xf5p" + _DATA, wg.LimitError),
        (b"not an image", wg.DecodeError),
        (b"", wg.DecodeError),
        (b"DDS |\0\0\0" + bytes(120), wg.DecodeError),
    ],
    ids=[
        "a bomb, 20,000 squared",
        "a small bomb, 10,000 squared",
        "text",
        "nothing",
        "a header that Pillow has no code for",
    ],
)
def test_hostile_images_are_a_decode_error(data: bytes, error: type[wg.DecodeError]) -> None:
    with pytest.raises(error) as caught:
        Media.from_bytes(data).to_pil()
    assert type(caught.value) is error


def _pixels(side: int) -> Media:
    out = io.BytesIO()
    Image.new("L", (side, side)).save(out, "PNG")
    return Media.from_bytes(out.getvalue())


@pytest.mark.parametrize("ours", ["ignore", "default", "error"])
@pytest.mark.parametrize("side", [11, 14, 15])
def test_an_image_beyond_pillows_limit_is_refused_whatever_becomes_of_warnings(
    ours: Any, side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter(ours)
        with pytest.raises(wg.LimitError, match="media: image of "):
            _pixels(side).to_pil()
        assert _pixels(10).to_pil().size == (10, 10)


def test_an_image_may_have_any_size_where_pillow_has_no_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    assert _pixels(11).to_pil().size == (11, 11)


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_to_pil_leaves_the_filters_of_warnings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    filters = warnings.filters
    seen = []

    def opened(*args: Any, **options: Any) -> Any:  # as another thread would see them
        seen.append(warnings.filters is filters)
        return real(*args, **options)

    real = Image.open
    monkeypatch.setattr(Image, "open", opened)
    assert _pixels(3).to_pil().size == (3, 3)
    assert seen == [True]


def test_bytes_that_are_no_image_are_an_error_in_words_of_pillow() -> None:
    with pytest.raises(wg.DecodeError, match="not an image that Pillow reads: cannot identify"):
        Media.from_bytes(b"no image").to_pil()


@pytest.mark.parametrize(
    "kind", [wg.ImageBlock, wg.AudioBlock, wg.VideoBlock, wg.DocumentBlock, wg.DataBlock]
)
@pytest.mark.parametrize(
    "sources",
    [{"data": "aGk=", "url": "u"}, {"data": "aGk=", "fileId": "f"}, {"url": "u", "fileId": "f"}],
    ids=" and ".join,
)
def test_two_sources_on_one_block_are_refused(kind: Any, sources: dict[str, str]) -> None:
    with pytest.raises(wg.EncodeError, match="several of `data`, `url` and `fileId`"):
        kind(**{"file_id" if key == "fileId" else key: value for key, value in sources.items()})
    wire = {"type": kind.__struct_config__.tag} | sources
    for decode, pack in ((wg.json.decode, msgspec.json), (wg.msgpack.decode, msgspec.msgpack)):
        with pytest.raises(wg.DecodeError, match="several of `data`, `url` and `fileId`"):
            decode(pack.encode(wire), kind)


@pytest.mark.parametrize("value", [5, None, object(), [b"x"], {"data": "x"}])
def test_media_of_anything_else_is_an_encode_error(value: Any) -> None:
    with pytest.raises(wg.EncodeError, match="expected bytes, text, a path or a PIL image"):
        Media.of(value)


def test_text_that_is_not_base64_is_not_media() -> None:
    for text in ("pics/cat.png", "https://x/a.png"):
        with pytest.raises(wg.EncodeError) as caught:
            wg.ImageBlock(data=text)
        assert str(caught.value) == (
            f"media: `{text}`, expected base64 or a `data:` URL; "
            "pass a URL as `url`, pass a `Path` or use `from_file(path)` for a file - at `$`"
        )
    assert wg.ImageBlock(data="AAEC").data.to_bytes() == b"\0\1\2"


# Data URLs in JSON: the payload is a slice of the string, escapes and all.


def test_a_data_url_in_json_is_held_as_the_slice_that_it_is() -> None:
    made = wg.Media.of_data_url(Raw(b'"data:image/png;base64,iVBORw0K\\/+8="'))
    assert made is not None
    assert made.mime_type == "image/png"
    assert made.to_base64() == "iVBORw0K/+8="
    assert bytes(made.json()) == b'"iVBORw0K\\/+8="'
    assert bytes(made.json_data_url()) == b'"data:image/png;base64,iVBORw0K\\/+8="'
    assert bytes(made.json_data_url("image/x")) == b'"data:image/x;base64,iVBORw0K\\/+8="'
    assert made.to_bytes() == b"\x89PNG\r\n\xff\xef"
    assert made == wg.Media.from_base64("iVBORw0K/+8=")
    assert pickle.loads(pickle.dumps(made)) == made
    assert made.detach() == made


@pytest.mark.parametrize(
    ("text", "mime_type", "data"),
    [
        (b'"data:text/plain,h%20i"', "text/plain", b"h i"),
        (b'"DATA:;base64,aGk="', None, b"hi"),
        (b'"data:text\\/plain;base64,aGk="', "text/plain", b"hi"),
        (b'"data:text/plain;charset=utf-8;base64,aGk="', "text/plain", b"hi"),
    ],
)
def test_data_urls_of_every_form(text: bytes, mime_type: str | None, data: bytes) -> None:
    made = wg.Media.of_data_url(Raw(text))
    assert made is not None
    assert (made._mime_type, made.to_bytes()) == (mime_type, data)


def test_any_other_string_is_no_data_url() -> None:
    assert wg.Media.of_data_url(Raw(b'"https://x.org/data:"')) is None
    assert wg.Media.of_data_url(Raw(b'""')) is None
    assert wg.Media.of_data_url(Raw(b"null")) is None
    with pytest.raises(wg.DecodeError, match="expected a `data:` URL"):
        wg.Media.of_data_url(Raw(b'"data:x"'))


def test_a_data_url_of_an_odd_type_is_written_with_its_escapes() -> None:
    made = wg.Media.from_bytes(b"hi").json_data_url('x"y')
    assert bytes(made) == b'"data:x\\"y;base64,aGk="'


@pytest.mark.parametrize(
    ("made", "empty"),
    [
        (wg.Media.from_bytes(b""), True),
        (wg.Media.from_bytes(b"x"), False),
        (wg.Media.from_base64(""), True),
        (wg.Media.from_base64("aGk="), False),
        (wg.Media.from_file("nowhere"), False),
        (wg.Media.of_data_url(Raw(b'"data:;base64,"')), True),
    ],
)
def test_whether_there_are_data(made: wg.Media, empty: bool) -> None:
    assert made.is_empty is empty


@pytest.mark.parametrize("kind", ["text/plain,x", "image/…", "a\nb", "\ud83d"], ids=ascii)
def test_a_type_that_a_url_cannot_hold_is_an_encode_error(kind: str) -> None:
    media = wg.Media.from_bytes(b"x")
    for written in (media.data_url, media.json_data_url):
        with pytest.raises(wg.EncodeError, match="expected one like `image/png`"):
            written(kind)
    assert media.data_url("audio/L16;rate=8000") == "data:audio/L16;rate=8000;base64,eA=="


def test_media_of_a_read_only_view_do_not_change_with_the_buffer_behind_it() -> None:
    buffer = bytearray(DATA)
    media = Media.from_bytes(memoryview(buffer).toreadonly())
    buffer[:] = b"xxxx"
    assert bytes(media.view()) == b"\xfb\xff\xbf\x01"


def test_media_of_a_view_of_bytes_are_not_copied() -> None:
    assert Media.from_bytes(memoryview(DATA)[1:]).view().obj is DATA


@pytest.mark.parametrize("wire", [wg.json, wg.msgpack], ids=["JSON", "MessagePack"])
def test_a_document_of_a_read_only_view_does_not_change_with_the_buffer_behind_it(
    wire: Any,
) -> None:
    session = [wg.UserMessage([wg.ImageBlock.from_bytes(DATA * 64)])]
    buffer = bytearray(wire.encode(session))
    read = wire.decode(memoryview(buffer).toreadonly())
    buffer[:] = b"}" * len(buffer)
    assert wire.encode(read) == wire.encode(session)


@pytest.mark.parametrize("at", [0, 262_143, 262_144, 524_287, 600_000 - 1])
def test_large_data_is_compared_to_its_last_byte(at: int) -> None:
    data = bytes(range(250)) * 2400
    other = bytearray(data)
    assert wg.Media.from_bytes(data) == wg.Media.from_bytes(bytes(other))
    other[at] ^= 1
    assert wg.Media.from_bytes(data) != wg.Media.from_bytes(bytes(other))
    assert wg.Media.from_bytes(data) != wg.Media.from_bytes(data[:-1])
    assert wg.Media.from_bytes(b"") == wg.Media.from_bytes(b"")


# -- where bytes and base64 are used ---------------------------------------------------------------


@pytest.mark.parametrize(
    "media",
    [Media.from_bytes(DATA), Media.from_base64("+/+/AQ=="), _json("+/+/AQ=="), _msgpack(DATA)],
    ids=["bytes", "base64", "json", "msgpack"],
)
def test_media_are_used_as_bytes_and_as_base64(media: Media) -> None:
    assert bytes(media) == DATA
    assert len(media) == 4
    assert f"data:image/png;base64,{media}" == "data:image/png;base64,+/+/AQ=="
    assert media


def test_media_without_data_are_true() -> None:
    assert Media.from_bytes(b"")
    assert len(Media.from_bytes(b"")) == 0


def test_media_have_a_buffer_where_python_asks_for_one() -> None:
    media: Any = Media.from_base64("+/+/AQ==")
    if sys.version_info < (3, 12):
        with pytest.raises(TypeError):
            memoryview(media)
        return
    assert io.BytesIO(media).read() == DATA
    broken: Any = Media.from_base64("?")
    with pytest.raises(wg.DecodeError):
        memoryview(broken)
