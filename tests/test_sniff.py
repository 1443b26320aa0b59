"""First bytes -> MIME type, and the media blocks, which tell their types by them."""

import base64
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot.model.sniff import HEAD, sniff

KNOWN = [
    ("JPEG, JFIF", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
    ("JPEG, Exif", b"\xff\xd8\xff\xe1\0\x10Exif\0", "image/jpeg"),
    ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
    ("GIF, old", b"GIF87a\1\0\1\0", "image/gif"),
    ("GIF", b"GIF89a\1\0\1\0", "image/gif"),
    ("WebP", b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
    ("BMP", b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "image/bmp"),
    ("TIFF, little end first", b"II*\0\x08\0\0\0", "image/tiff"),
    ("TIFF, big end first", b"MM\0*\0\0\0\x08", "image/tiff"),
    ("AVIF", b"\0\0\0\x20ftypavif\0\0\0\0", "image/avif"),
    ("AVIF, a sequence", b"\0\0\0\x20ftypavis\0\0\0\0", "image/avif"),
    ("HEIC", b"\0\0\0\x18ftypheic\0\0\0\0", "image/heic"),
    ("HEIC, ten bits", b"\0\0\0\x18ftypheix\0\0\0\0", "image/heic"),
    ("HEIC, a sequence", b"\0\0\0\x18ftyphevc\0\0\0\0", "image/heic"),
    ("HEIC, a sequence of ten bits", b"\0\0\0\x18ftyphevx\0\0\0\0", "image/heic"),
    ("HEIC, views", b"\0\0\0\x18ftypheim\0\0\0\0", "image/heic"),
    ("HEIC, layers", b"\0\0\0\x18ftypheis\0\0\0\0", "image/heic"),
    ("HEIF", b"\0\0\0\x18ftypmif1\0\0\0\0", "image/heif"),
    ("HEIF, a sequence", b"\0\0\0\x18ftypmsf1\0\0\0\0", "image/heif"),
    ("MP3 with ID3", b"ID3\4\0\0\0\0\0\0", "audio/mpeg"),
    ("MP3, MPEG 1", b"\xff\xfb\x90\x64", "audio/mpeg"),
    ("MP3, MPEG 1, with a checksum", b"\xff\xfa\x90\x64", "audio/mpeg"),
    ("MP3, MPEG 2", b"\xff\xf3\x40\xc4", "audio/mpeg"),
    ("MP3, MPEG 2, with a checksum", b"\xff\xf2\x40\xc4", "audio/mpeg"),
    ("MP3, MPEG 2.5", b"\xff\xe3\x18\xc4", "audio/mpeg"),
    ("MPEG 1, layer 2", b"\xff\xfd\x80\x04", "audio/mpeg"),
    ("Ogg, Vorbis", b"OggS\0\2" + bytes(20) + b"\1\x1e\1vorbis", "audio/ogg"),
    ("Opus", b"OggS\0\2" + bytes(20) + b"\1\x13OpusHead\1", "audio/opus"),
    ("FLAC", b"fLaC\0\0\0\x22", "audio/flac"),
    ("WAV", b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
    ("AAC, ADTS, MPEG 4", b"\xff\xf1\x50\x80", "audio/aac"),
    ("AAC, ADTS, MPEG 4, with a checksum", b"\xff\xf0\x50\x80", "audio/aac"),
    ("AAC, ADTS, MPEG 2", b"\xff\xf9\x50\x80", "audio/aac"),
    ("AAC, ADTS, MPEG 2, with a checksum", b"\xff\xf8\x50\x80", "audio/aac"),
    ("AAC, ADIF", b"ADIF\0\0\0\0", "audio/aac"),
    ("M4A", b"\0\0\0\x20ftypM4A \0\0\2\0", "audio/mp4"),
    ("M4B", b"\0\0\0\x20ftypM4B \0\0\2\0", "audio/mp4"),
    ("WebM", b"\x1aE\xdf\xa3\x9fB\x86\x81\1B\xf7\x81\1\x42\x82\x84webm", "video/webm"),
    (
        "Matroska",
        b"\x1aE\xdf\xa3\xa3B\x86\x81\1B\xf7\x81\1\x42\x82\x88matroska",
        "video/x-matroska",
    ),
    ("MP4, isom", b"\0\0\0\x20ftypisom\0\0\2\0", "video/mp4"),
    ("MP4, mp42", b"\0\0\0\x18ftypmp42\0\0\0\0", "video/mp4"),
    ("MP4, M4V", b"\0\0\0\x20ftypM4V \0\0\0\1", "video/mp4"),
    ("QuickTime", b"\0\0\0\x14ftypqt  \0\0\2\0", "video/quicktime"),
    ("AVI", b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
    ("PDF", b"%PDF-1.7\n%\xe2\xe3", "application/pdf"),
]
EVERY_TYPE = pytest.mark.parametrize(
    ("data", "mime_type"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN]
)


@EVERY_TYPE
def test_the_first_bytes_tell_the_type(data: bytes, mime_type: str) -> None:
    assert sniff(data) == mime_type
    assert sniff((data + bytes(HEAD))[:HEAD]) == mime_type


@EVERY_TYPE
@pytest.mark.parametrize("form", ["bytes", "base64", "json", "msgpack", "file", "lines", "escaped"])
def test_the_type_is_told_in_every_form(
    data: bytes, mime_type: str, form: str, tmp_path: Path
) -> None:
    data += bytes(200)
    text = base64.b64encode(data).decode()
    if form == "bytes":
        media = wg.Media.from_bytes(data)
    elif form == "file":
        (tmp_path / "x").write_bytes(data)
        media = wg.Media.from_file(tmp_path / "x")
    elif form in ("base64", "lines"):
        media = wg.Media.from_base64(text if form == "base64" else f"\n {text[:30]}\r\n{text[30:]}")
    else:
        wire = b'{"type":"data","data":"%b"}' % text.encode()
        if form == "escaped":
            wire = wire.replace(b"/", rb"\/").replace(b"+", rb"\u002b").replace(b"A", rb"\u0041")
        media = wg.json.decode(wire, wg.DataBlock).data
        if form == "msgpack":
            media = wg.msgpack.decode(
                wg.msgpack.encode(wg.DataBlock(data=media)), wg.DataBlock
            ).data
    assert media.sniffed == media.mime_type == mime_type


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"\xff\xd8",
        b"\x89PNG",
        b"GIF90a",
        b"Hello, world",
        b'{"a":1}',
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"PK\3\4\x14\0",
        b"RIFF\x24\0\0\0ACON",
        b"RIFF",
        b"II+\0",
        b"\xff\xeb\x90\x64",  # the version that is reserved
        b"\xff\xe0\x90\x64",  # the layer that is reserved
        b"\xfe\xfb\x90\x64",
        b"\xff\x1b\x90\x64",
        b"BMW, a yearly report",
        "Hello".encode("utf-16"),  # its byte order mark is FF FE
        b"\xff\xff\xff\xff",
    ],
)
def test_of_anything_else_there_is_no_guess(data: bytes) -> None:
    assert sniff(data) is None
    assert wg.Media.from_bytes(data).mime_type is None
    assert wg.DataBlock.from_bytes(data).mime_type is None
    assert wg.DataBlock.from_base64(base64.b64encode(data)).mime_type is None


@pytest.mark.parametrize("space", ["", "\n", "\r\n", "\n  ", "\n    ", " " * 7, "\t" * 11])
def test_white_space_before_base64_hides_no_type(space: str) -> None:
    text = space + base64.b64encode(b"%PDF-1.7" + bytes(100)).decode()
    assert wg.Media.from_base64(text).mime_type == "application/pdf"


def test_what_was_declared_stands_and_the_first_bytes_are_still_told() -> None:
    media = wg.Media.from_bytes(b"GIF89a", "image/png")
    assert (media.mime_type, media.sniffed) == ("image/png", "image/gif")


# -- blocks -----------------------------------------------------------------------------------

BLOCKS = [
    (wg.ImageBlock, b"GIF89a", "R0lGODlh", "image/gif", "image/png"),
    (wg.AudioBlock, b"fLaC\0\0", "ZkxhQwAA", "audio/flac", "audio/wav"),
    (wg.VideoBlock, b"\x1aE\xdf\xa3__", "GkXfo19f", "video/x-matroska", "video/mp4"),
    (wg.DocumentBlock, b"%PDF-2", "JVBERi0y", "application/pdf", "application/pdf"),
    (wg.DataBlock, b"OggS__", "T2dnU19f", "audio/ogg", "application/octet-stream"),
]
EVERY_BLOCK = pytest.mark.parametrize(("kind", "data", "text", "mime_type", "default"), BLOCKS)


@EVERY_BLOCK
def test_a_block_with_inline_data_tells_its_type(
    kind: Any, data: bytes, text: str, mime_type: str, default: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.dat"
    path.write_bytes(data)
    for made in (
        kind.from_bytes(data),
        kind.from_bytes(bytearray(data)),
        kind.from_base64(text),
        kind.from_base64(text.encode()),
        kind.from_url(f"data:;base64,{text}"),
    ):
        assert made == kind(data=data, mime_type=mime_type)
    for named in (path, str(path), f"file:{path}"):
        assert kind.from_file(named) == kind(data=data, mime_type=mime_type, filename="x.dat")
    assert kind(data=text).known_mime_type() == mime_type
    assert kind(data=b"?").known_mime_type() == default
    assert kind.from_bytes(b"?") == kind(data=b"?")


@EVERY_BLOCK
def test_a_declared_type_is_kept(
    kind: Any, data: bytes, text: str, mime_type: str, default: str, tmp_path: Path
) -> None:
    for made in (
        kind.from_bytes(data, "x/y"),
        kind.from_base64(text, "x/y"),
        kind.from_url(f"data:{mime_type};base64,{text}", "x/y"),
        kind.from_file(tmp_path / "not there yet", "x/y"),
        kind.from_url("http://x", "x/y"),
        kind.from_file_id("f", "x/y"),
    ):
        assert made.mime_type == made.known_mime_type() == "x/y"


@EVERY_BLOCK
def test_a_block_may_refer_to_its_data(
    kind: Any, data: bytes, text: str, mime_type: str, default: str
) -> None:
    url = kind.from_url("http://x")
    assert (url.url, url.data, url.file_id, url.mime_type) == ("http://x", None, None, None)
    file = kind.from_file_id("f")
    assert (file.file_id, file.data, file.url, file.mime_type) == ("f", None, None, None)
    assert url.known_mime_type() == file.known_mime_type() == default
    assert url.inline() is file.inline() is None


def test_a_document_may_be_plain_text() -> None:
    made = wg.DocumentBlock.from_text("Hi", "T")
    assert made == wg.DocumentBlock(text="Hi", title="T", mime_type="text/plain")
    assert made.known_mime_type() == "text/plain"
