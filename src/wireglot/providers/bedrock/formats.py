"""Names of media formats: Bedrock writes bare extensions where others write MIME types.

A file of its own, since it is a table that both directions, and streams, look names up in.
"""

from __future__ import annotations

import re
from typing import Final

IMAGES: Final = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/gif": "gif",
    "image/webp": "webp",
}
DOCUMENTS: Final = {
    "application/pdf": "pdf",
    "text/csv": "csv",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "text/html": "html",
    "text/plain": "txt",
    "text/markdown": "md",
}
PAGED: Final = frozenset({"pdf", "doc", "docx", "xls", "xlsx"})
"""The formats of documents that are more than text."""
VIDEO: Final = {
    "video/x-matroska": "mkv",
    "video/quicktime": "mov",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "video/x-flv": "flv",
    "video/mpeg": "mpeg",
    "video/mpg": "mpg",
    "video/x-ms-wmv": "wmv",
    "video/3gpp": "three_gp",
}
AUDIO: Final = {
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
    "audio/opus": "opus",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/aac": "aac",
    "audio/flac": "flac",
    "audio/mp4": "mp4",
    "audio/ogg": "ogg",
    "audio/x-matroska": "mka",
    "audio/x-aac": "x-aac",
    "audio/x-m4a": "m4a",
    "audio/pcm": "pcm",
    "audio/webm": "webm",
}
MIME_TYPES: Final = {
    kind: {name: mime for mime, name in reversed(table.items())}
    for kind, table in (
        ("image", IMAGES),
        ("document", DOCUMENTS),
        ("video", VIDEO),
        ("audio", AUDIO),
    )
}
"""Kind -> Bedrock's name -> MIME type: the tables above, inverted."""

_is_s3_uri: Final = re.compile(r"s3://[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9](/.*)?", re.S).fullmatch


def is_s3(url: str) -> bool:
    """Whether a URL names an object in S3 in the form that Bedrock takes."""
    return len(url) <= 1024 and _is_s3_uri(url) is not None
