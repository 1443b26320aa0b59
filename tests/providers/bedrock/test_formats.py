"""MIME types of media -> the bare names that Bedrock has for them, and back."""

from typing import Any

import pytest

import wireglot as wg

bedrock = wg.providers.bedrock
OFFICE = "application/vnd.openxmlformats-officedocument"
# What goes out, its name, and what that is read as: some formats have two MIME types.
FORMATS: dict[type[Any], list[tuple[str, str, str]]] = {
    wg.ImageBlock: [
        ("image/png", "png", "image/png"),
        ("image/jpeg", "jpeg", "image/jpeg"),
        ("image/gif", "gif", "image/gif"),
        ("image/webp", "webp", "image/webp"),
    ],
    wg.DocumentBlock: [
        ("application/pdf", "pdf", "application/pdf"),
        ("text/csv", "csv", "text/csv"),
        ("application/msword", "doc", "application/msword"),
        (f"{OFFICE}.wordprocessingml.document", "docx", f"{OFFICE}.wordprocessingml.document"),
        ("application/vnd.ms-excel", "xls", "application/vnd.ms-excel"),
        (f"{OFFICE}.spreadsheetml.sheet", "xlsx", f"{OFFICE}.spreadsheetml.sheet"),
        ("text/html", "html", "text/html"),
        ("text/plain", "txt", "text/plain"),
        ("text/markdown", "md", "text/markdown"),
    ],
    wg.VideoBlock: [
        ("video/x-matroska", "mkv", "video/x-matroska"),
        ("video/quicktime", "mov", "video/quicktime"),
        ("video/mp4", "mp4", "video/mp4"),
        ("video/webm", "webm", "video/webm"),
        ("video/x-flv", "flv", "video/x-flv"),
        ("video/mpeg", "mpeg", "video/mpeg"),
        ("video/mpg", "mpg", "video/mpg"),
        ("video/x-ms-wmv", "wmv", "video/x-ms-wmv"),
        ("video/3gpp", "three_gp", "video/3gpp"),
    ],
    wg.AudioBlock: [
        ("audio/mpeg", "mp3", "audio/mpeg"),
        ("audio/mp3", "mp3", "audio/mpeg"),
        ("audio/opus", "opus", "audio/opus"),
        ("audio/wav", "wav", "audio/wav"),
        ("audio/x-wav", "wav", "audio/wav"),
        ("audio/aac", "aac", "audio/aac"),
        ("audio/flac", "flac", "audio/flac"),
        ("audio/mp4", "mp4", "audio/mp4"),
        ("audio/ogg", "ogg", "audio/ogg"),
        ("audio/x-matroska", "mka", "audio/x-matroska"),
        ("audio/x-aac", "x-aac", "audio/x-aac"),
        ("audio/x-m4a", "m4a", "audio/x-m4a"),
        ("audio/pcm", "pcm", "audio/pcm"),
        ("audio/webm", "webm", "audio/webm"),
    ],
}


@pytest.mark.parametrize(
    ("kind", "mime_type", "name", "read_as"),
    [(kind, *row) for kind, rows in FORMATS.items() for row in rows],
)
def test_a_type_has_a_name_and_is_read_back(
    kind: Any, mime_type: str, name: str, read_as: str
) -> None:
    block = kind(data=wg.Media.from_bytes(b"\xfb\xff", mime_type))
    request = wg.Request([wg.UserMessage([wg.TextBlock("a"), block])], model="m")
    losses: list[wg.Loss] = []
    made = bedrock.encode_request(request, losses=losses)
    assert losses == []
    assert f'"format":"{name}"'.encode() in made
    back = bedrock.decode_request(made, "/model/m/converse").messages[0].content[1]
    assert (type(back), back.mime_type or back.data.mime_type) == (kind, read_as)
