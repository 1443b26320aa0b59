"""First bytes of a file -> its MIME type; names, extensions and declared types are ignored.

The MPEG audio frame is checked last, because two bytes are weak evidence.
"""

from __future__ import annotations

__all__ = ["HEAD", "sniff"]

HEAD = 64
"""How many leading bytes `sniff` needs."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"ADIF", "audio/aac"),
    (b"%PDF-", "application/pdf"),
)
# BMP: many texts begin with its two letters, so the size of its header is checked too.
_BMP_HEADERS = {size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124)}
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
# ISO base media (`ftyp` at offset 4), by major brand.
_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"hevx": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
}


def sniff(head: bytes) -> str | None:
    """Return the MIME type that the first `HEAD` bytes show, or None if they show none."""
    for magic, mime_type in _MAGIC:
        if head.startswith(magic):
            return mime_type
    if head[:2] == b"BM" and head[14:18] in _BMP_HEADERS:
        return "image/bmp"
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    if head[:4] == b"OggS":
        return "audio/opus" if b"OpusHead" in head else "audio/ogg"
    if head[:4] == b"\x1aE\xdf\xa3":  # EBML: the document type is near the start
        return "video/webm" if b"webm" in head else "video/x-matroska"
    return _mpeg_audio(head)


def _mpeg_audio(head: bytes) -> str | None:
    """Recognise an MPEG audio frame by its eleven set bits; in AAC's header the layer bits are 0.

    Layer I, which nobody uses, is left out: a UTF-16 byte order mark looks like it.
    """
    if len(head) < 2 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    if head[1] & 0xF6 == 0xF0:
        return "audio/aac"
    return "audio/mpeg" if head[1] & 0x06 in (0x02, 0x04) and head[1] & 0x18 != 0x08 else None
