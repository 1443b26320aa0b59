"""Images and documents -> Anthropic's wire, from every source that it takes."""

from pathlib import Path

import pytest

import wireglot as wg
from tests.providers.anthropic.wire import body, check_request, said
from tests.providers.conversation import request, user

PNG = b"\x89PNG\r\n\x1a\n"
MARK = wg.CacheMark()

MEDIA = {
    "an image in binary": (
        wg.ImageBlock.from_bytes(PNG),
        '{"type":"image","source":'
        '{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}',
    ),
    "a JPEG whose type its bytes tell": (
        wg.ImageBlock(data=b"\xff\xd8\xff"),
        '{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/"}}',
    ),
    "a GIF": (
        wg.ImageBlock.from_bytes(b"GIF89a"),
        '{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}}',
    ),
    "a WEBP": (
        wg.ImageBlock.from_bytes(b"RIFF\0\0\0\0WEBP"),
        '{"type":"image","source":'
        '{"type":"base64","media_type":"image/webp","data":"UklGRgAAAABXRUJQ"}}',
    ),
    "an image of a declared type, whatever its bytes tell": (
        wg.ImageBlock.from_base64("AAAA", "image/gif"),
        '{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"AAAA"}}',
    ),
    "an image whose type nothing tells is PNG": (
        wg.ImageBlock.from_base64("AAAA"),
        '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}',
    ),
    "an image by URL": (
        wg.ImageBlock.from_url("http://x.org/a.png?b=c"),
        '{"type":"image","source":{"type":"url","url":"http://x.org/a.png?b=c"}}',
    ),
    "an image by file id": (
        wg.ImageBlock.from_file_id("file_1"),
        '{"type":"image","source":{"type":"file","file_id":"file_1"}}',
    ),
    "an image in a data URL": (
        wg.ImageBlock(url="DATA:image/gif;base64,R0lGODlh"),
        '{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}}',
    ),
    "an image in a data URL without base64": (
        wg.ImageBlock(url="data:image/gif,GIF89a"),
        '{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}}',
    ),
    "descriptions of an image are not sent": (
        wg.ImageBlock(
            file_id="file_1",
            mime_type="image/png",
            filename="a.png",
            size=8,
            sha256="00",
            width=1,
            height=2,
            alt_text="a",
            bbox=[0, 0, 1, 1],
        ),
        '{"type":"image","source":{"type":"file","file_id":"file_1"}}',
    ),
    "a PDF": (
        wg.DocumentBlock.from_bytes(b"%PDF-"),
        '{"type":"document","source":'
        '{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}',
    ),
    "a document of text": (
        wg.DocumentBlock.from_text("a\n", "t"),
        '{"type":"document","source":{"type":"text","data":"a\\n","media_type":"text/plain"},'
        '"title":"t"}',
    ),
    "a document of text in bytes, of any text type": (
        wg.DocumentBlock.from_bytes("é".encode(), "text/markdown; charset=utf-8"),
        '{"type":"document","source":{"type":"text","data":"é","media_type":"text/plain"}}',
    ),
    "a document of text in a data URL": (
        wg.DocumentBlock.from_url("data:,a%20b"),
        '{"type":"document","source":{"type":"text","data":"a b","media_type":"text/plain"}}',
    ),
    "a document by URL": (
        wg.DocumentBlock.from_url("https://x.org/a.pdf"),
        '{"type":"document","source":{"type":"url","url":"https://x.org/a.pdf"}}',
    ),
    "a document by file id": (
        wg.DocumentBlock.from_file_id("file_2"),
        '{"type":"document","source":{"type":"file","file_id":"file_2"}}',
    ),
    "a document with title, context, citations and a mark": (
        wg.DocumentBlock(
            file_id="d",
            title="t",
            filename="a.pdf",
            context="c",
            citations=True,
            cache=MARK,
            pages=[1],
        ),
        '{"type":"document","source":{"type":"file","file_id":"d"},"title":"t","context":"c",'
        '"citations":{"enabled":true},"cache_control":{"type":"ephemeral"}}',
    ),
    "a document that is called by its file's name, citations off": (
        wg.DocumentBlock(file_id="d", filename="a.pdf", citations=False),
        '{"type":"document","source":{"type":"file","file_id":"d"},"title":"a.pdf",'
        '"citations":{"enabled":false}}',
    ),
}


@pytest.mark.parametrize(("block", "expected"), MEDIA.values(), ids=MEDIA)
def test_media(block: wg.MediaBlock, expected: str) -> None:
    encoded = wg.providers.anthropic.encode_request(request(user(block)))
    check_request(encoded)
    assert encoded == body(said(expected))


def test_a_file_that_the_caller_names(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-")
    block = wg.DocumentBlock.from_file(tmp_path / "a.pdf")
    encoded = wg.providers.anthropic.encode_request(request(user(block)))
    assert encoded == body(
        said(
            '{"type":"document","source":{"type":"base64","media_type":"application/pdf",'
            '"data":"JVBERi0="},"title":"a.pdf"}'
        )
    )


def test_media_and_arguments_of_a_document_are_spliced_in_with_their_escapes() -> None:
    document = (
        rb'{"model":"m","maxTokens":8,"messages":[{"role":"user","content":[{"type":"image",'
        rb'"mimeType":"image/jpeg","data":"\/9j\/"}]},{"role":"assistant","content":['
        rb'{"type":"toolCall","id":"a","name":"f","arguments":{"x" : "\u0041"}}]},'
        rb'{"role":"toolResult","toolCallId":"a","content":[],"isError":false}]}'
    )
    encoded = wg.providers.anthropic.encode_request(wg.json.decode(document, type=wg.Request))
    check_request(encoded)
    assert encoded == (
        rb'{"model":"m","max_tokens":8,"messages":[{"role":"user","content":[{"type":"image",'
        rb'"source":{"type":"base64","media_type":"image/jpeg","data":"\/9j\/"}}]},'
        rb'{"role":"assistant","content":['
        rb'{"type":"tool_use","id":"a","name":"f","input":{"x" : "\u0041"}}]},'
        rb'{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}'
    )
