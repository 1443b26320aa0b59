"""`wireglot show`: what a person sees, in a terminal, in a file and in a browser."""

from __future__ import annotations

import base64
import io
import json
import time
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.console import Console

import wireglot as wg
from tests.cli.running import run
from tests.clients.turn import RESPONSES, STREAMS, TEXT
from wireglot._display.characters import visible
from wireglot._display.conversation import conversation
from wireglot._display.prices import Prices
from wireglot._documents.detection import Found
from wireglot.cli.terminal import Terminal

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "agent-session.jsonl"
NOBODY = Prices("USD", lambda model, usage, when: None)


@pytest.fixture(autouse=True)
def _prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices that stay as they are, whatever the published ones become."""
    prices = ROOT / "tests" / "golden" / "cli" / "prices.toml"
    monkeypatch.setenv("WIREGLOT_PRICES", str(prices))
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("columns", ["80", "200"])
def test_a_session_as_text(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = run("show", "examples/agent-session.jsonl")
    assert (done.code, done.said) == (0, "")
    assert done.out == (ROOT / "tests" / "golden" / "cli" / f"show-{columns}.txt").read_text()


def test_full_unfolds_thinking_and_long_results() -> None:
    text = "\n".join(f"line {i}" for i in range(30))
    session = [
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Hm.\nWell."},
            {"type": "toolCall", "id": "c", "name": "f", "arguments": {}}]},
        {"role": "toolResult", "toolCallId": "c", "toolName": "f",
         "content": [{"type": "text", "text": text}]},
    ]  # fmt: skip
    folded = run("show", stdin=json.dumps(session)).out
    assert "  ▸ thinking, 9 characters: Hm. Well.\n" in folded
    assert "    line 11\n    … 18 more lines\n" in folded
    full = run("show", "--full", stdin=json.dumps(session)).out
    assert "  ▾ thinking\n  Hm.\n  Well.\n" in full
    assert "    line 29\n" in full


@pytest.mark.parametrize("wire", RESPONSES)
def test_an_answer_of_any_wire(wire: str) -> None:
    done = run("show", "--from", wire, stdin=RESPONSES[wire])
    assert done.code == 0
    assert f"  {TEXT}\n" in done.out
    assert '⚙ weather {"city": "Łódź", "days": 2}' in done.out
    assert "20 in, 9 out" in done.out


@pytest.mark.parametrize("wire", STREAMS)
def test_a_stream_of_any_wire(wire: str) -> None:
    done = run("show", "--from", wire, stdin=STREAMS[wire])
    assert f"  {TEXT}\n" in done.out


def test_a_request_shows_what_it_asks_for() -> None:
    body = {
        "model": "gpt-5",
        "messages": [{"role": "user", "content": "Hi"}],
        "temperature": 0.5,
        "tools": [{"type": "function", "function": {"name": "grep", "parameters": {}}}],
        "response_format": {"type": "json_object"},
    }
    lines = run("show", stdin=json.dumps(body)).out.splitlines()
    assert lines[:6] == [
        "stdin   openai_chat request",
        "gpt-5 · 1 entry",
        "tools: grep",
        "temperature: 0.5",
        'responseFormat: {"kind":"json"}',
        "─" * 80,
    ]


def test_the_model_that_a_request_asks_stands_before_those_that_have_answered() -> None:
    request = wg.Request(
        [
            wg.UserMessage([wg.TextBlock("Hi")]),
            wg.AssistantMessage([wg.TextBlock("Ho")], model="gpt-4o"),
            wg.AssistantMessage([wg.TextBlock("Hm")], model="gpt-5"),
        ],
        "claude-sonnet-4-5",
    )
    lines = run("show", stdin=wg.json.encode(request)).out.splitlines()
    assert lines[1] == "claude-sonnet-4-5, gpt-4o, gpt-5 · 3 entries"
    request.model = "gpt-5"
    lines = run("show", stdin=wg.json.encode(request)).out.splitlines()
    assert lines[1] == "gpt-5, gpt-4o · 3 entries"


def test_every_block_is_shown() -> None:
    message = {
        "role": "user",
        "content": [
            {"type": "text", "text": "Hello"},
            {"type": "image", "url": "https://a.example/x.png", "width": 5, "height": 6},
            {"type": "audio", "data": "SUQz", "mimeType": "audio/mpeg", "transcript": "Heard"},
            {"type": "video", "fileId": "file-1"},
            {"type": "document", "text": "Written", "title": "Paper"},
            {"type": "data", "data": "AAAA", "mimeType": "x/y", "filename": "f.bin"},
            {"type": "thinking", "thinking": "", "signature": "x", "redacted": True},
            {"type": "toolCall", "id": "c1", "name": "broken", "arguments": "{"},
            {"type": "toolResult", "toolCallId": "c9", "toolName": "lone", "isError": True,
             "content": [{"type": "text", "text": "No."}]},
            {"type": "annotation", "kind": "citation", "refs": [{"url": "https://b.example"}]},
            {"type": "error", "message": "Overloaded"},
            {"type": "opaque", "api": "some-api", "raw": {"k": 1}},
        ],
    }  # fmt: skip
    others = [
        {"role": "custom", "customType": "t", "content": [{"type": "text", "text": "Shown"}]},
        {"role": "branchSummary", "summary": "Left"},
        {"role": "extension", "kind": "note", "data": {"a": [1]}},
        {"role": "assistant", "content": [], "error_message": "Cut", "timestamp": 10**30},
    ]
    out = run("show", "--from", "native", stdin=json.dumps([message, *others])).out
    for seen in (
        "  Hello\n",
        "  [image, image/png, 5 x 6, https://a.example/x.png]\n",
        "  [audio, audio/mpeg, 3 bytes]\n  Heard\n",
        "  [video, video/mp4, file-1]\n",
        "  [document, Paper, application/pdf]\n  Written\n",
        "  [data, x/y, 3 bytes, f.bin]\n",
        "  ▸ thinking, encrypted\n",
        "  ⚙ broken {\n",
        "  ⚙ lone c9\n    ✗ failed\n    No.\n",
        "  [citation: https://b.example]\n",
        "  error: Overloaded\n",
        '  [some-api] {\n    "k": 1\n  }\n',
        "custom\n  Shown\n",
        "branchSummary\n  Left\n",
        'extension\n  note\n  {\n    "a": [\n      1\n    ]\n  }\n',
        f"assistant  {10**30}\n  error: Cut\n",
    ):
        assert seen in out, out


# -- what a hostile session may not do ----------------------------------------------------------

_ESCAPE = "\x1b]0;owned\x07\x1b[31m\x9b2J\r\x00"


def test_no_text_steers_the_terminal() -> None:
    session = [
        {"role": "user", "name": _ESCAPE, "content": [
            {"type": "text", "text": _ESCAPE},
            {"type": "thinking", "thinking": _ESCAPE},
            {"type": "toolCall", "id": "c", "name": _ESCAPE, "arguments": {"k": _ESCAPE}},
            {"type": "toolCall", "id": "d", "name": "x" * 90, "arguments": {"k": _ESCAPE}},
            {"type": "toolResult", "toolCallId": _ESCAPE, "toolName": _ESCAPE,
             "content": [{"type": "text", "text": _ESCAPE}]},
            {"type": "image", "url": _ESCAPE, "filename": _ESCAPE, "mimeType": _ESCAPE},
            {"type": "annotation", "kind": _ESCAPE, "refs": [{"url": _ESCAPE}]},
            {"type": "error", "message": _ESCAPE},
            {"type": "opaque", "api": _ESCAPE, "raw": {_ESCAPE: _ESCAPE}}]},
        {"role": "assistant", "model": _ESCAPE, "content": [], "error_message": _ESCAPE},
        {"role": "extension", "kind": _ESCAPE, "data": {_ESCAPE: _ESCAPE}},
    ]  # fmt: skip
    for html in ([], ["--html"]):
        for full in ([], ["--full"]):
            done = run("show", "--from", "native", *html, *full, stdin=json.dumps(session))
            assert done.code == 0
            assert {c for c in done.out if ord(c) < 32 or 127 <= ord(c) < 160} == {"\n"}
            assert "␛" in done.out


@pytest.mark.parametrize("end", ["\n", "\u2028", "\u2029"])
def test_no_text_makes_an_entry_of_its_own(end: str) -> None:
    forged = f"x{end}{end}user  08:00:00{end}Delete it."
    session = [
        {"role": "user", "name": forged, "content": [{"type": "text", "text": forged}]},
        {"role": "assistant", "model": forged, "content": [
            {"type": "toolCall", "id": "c", "name": forged, "arguments": {"k": forged}},
            {"type": "toolResult", "toolCallId": forged, "toolName": forged, "content": []}]},
        {"role": forged, "kind": forged, "data": forged},
    ]  # fmt: skip
    lines = run("show", "--from", "native", stdin=json.dumps(session)).out.splitlines()
    shown = forged.replace(end, "␊")
    assert [line for line in lines if line[:1] not in ("", " ", "─")] == [
        "stdin   native session",
        f"{shown} · 3 entries",
        f"user  {shown}",
        f"assistant  {shown}",
        shown,
    ]


def test_no_long_line_wraps_to_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    blank, gap = chr(0x2800) * 36, chr(0xA0)  # the first is shown
    fake = f"m {blank} user{gap}08:55:33 Yes."
    answer = {"role": "assistant", "model": fake, "content": [{"type": "text", "text": "Hi"}]}
    given = {"model": fake, "stop": [fake], "messages": [answer]}
    out = run("show", "--from", "native", stdin=json.dumps(given)).out
    assert (
        out.replace("\ufffd" * 36, "(shown)").replace(gap, " ")
        == f"""\
stdin   native request
m
    (shown)
    user 08:55:33 Yes. · 1 entry
stop: ["m
    (shown)
    user 08:55:33 Yes."]
{"─" * 40}

assistant  m
    (shown)
    user 08:55:33 Yes.
  Hi
"""
    )


_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
_HIDDEN = "\xad\u180e\u200b\u2060\u2064\u2065\ufeff\ufff9\U0001d173\U000e0001\U000e0041\U000e0fff"


_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u2800\u3164\uffa0"
_SELECTORS = "\ufe00\ufe0e\ufe0f\U000e0100\U000e01ef"


@pytest.mark.parametrize(
    "signs",
    [_TURNS, _HIDDEN, _FILLERS, _SELECTORS, "\u200c\u200d\u200c\u200d"],
    ids=["turns text around", "is invisible", "fills", "selects a shape", "joins nothing"],
)
def test_what_turns_text_around_or_hides_in_it_is_shown(signs: str) -> None:
    named = f"a{signs}b שלום"
    session = [
        {"role": "user", "name": named, "content": [{"type": "text", "text": named}]},
        {"role": "assistant", "model": named, "content": [
            {"type": "toolCall", "id": named, "name": named, "arguments": {named: named}}]},
    ]  # fmt: skip
    shown = "a" + "\ufffd" * len(signs) + "b שלום"
    for options in ([], ["--html"]):
        out = run("show", *options, stdin=json.dumps(session, ensure_ascii=False)).out
        assert out.count(shown) >= 6
        assert not set(signs) & set(out)


@pytest.mark.parametrize(
    "text",
    [
        *("می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "❤\ufe0f", "☎\ufe0e", "\u0600١", "\ue0a0"),
        *("👁\ufe0f\u200d🗨\ufe0f", "1\ufe0f\u20e3", "a 🌡\ufe0f b ©\ufe0f"),
        *("1\ufe0e\u20e3", "→\ufe0f", "葛\U000e0100城市", "漢\ufe00", "می\u200c\u200cخواهم"),
        *("\u1820\u180b\u1828", "\u1820\u180e\u1828", "⠓⠑\u2800⠺⠕", "⡇\u2800\u2800\u2800⡠"),
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    ],
)
def test_what_shapes_a_word_stays(text: str) -> None:
    session = [{"role": "user", "content": [{"type": "text", "text": text}]}]
    for options in ([], ["--html"]):
        assert text in run("show", *options, stdin=json.dumps(session)).out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("😀\ufe0f\ufe01\U000e0101", "😀\ufffd\ufffd\ufffd"),
        ("❤\ufe0f\ufe0f!", "❤\ufffd\ufffd!"),
        ("a\ufe0fb1\ufe0f", "a\ufffdb1\ufffd"),
        ("\ufe0f❤\ufe0f\U000e0041", "\ufffd❤\ufe0f\ufffd"),
        ("辻\U000e0100\U000e0101", "辻\ufffd\ufffd"),
        ("a\U000e0100", "a\ufffd"),
        ("\u1820\u180b\u180c", "\u1820\ufffd\ufffd"),
        ("\u1820\u180e", "\u1820\ufffd"),
        ("a\u2800\u2800b", "a\ufffd\ufffdb"),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴\ufffd\ufffd\ufffd"),
    ],
)
def test_a_selector_that_selects_nothing_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


# Of the property Default_Ignorable_Code_Point; those of categories Cf and Cn are tested below.
_IGNORED = (
    *(0x34F, 0x3164, 0xFFA0, *range(0x115F, 0x1161), *range(0x17B4, 0x17B6)),
    *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)),
    *(0x2065, *range(0xFFF0, 0xFFF9)),
)


def test_no_character_without_a_shape_is_forgotten() -> None:
    assert {visible(chr(code)) for code in _IGNORED} == {"\ufffd"}


# Of category Cf, with a shape of their own, or part of words.
_SHAPED = (
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
    "\U000110bd\U000110cd\u200c\u200d"
)


def test_no_character_of_unicode_that_controls_text_is_forgotten() -> None:
    categories = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    every = [chr(code) for code in range(0x110000)]
    concerned = {char for char in every if unicodedata.category(char) in categories}
    assert {char for char in concerned if visible(char) == char} == {"\t", "\n", *_SHAPED}


def test_markup_is_text() -> None:
    session = [{"role": "user", "content": [{"type": "text", "text": "[bold]x[/bold] :smile:"}]}]
    assert "  [bold]x[/bold] :smile:\n" in run("show", stdin=json.dumps(session)).out


class _Tags(HTMLParser):
    """Collects tags and attributes, and checks that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _page(session: Any) -> _Tags:
    given = session if isinstance(session, str) else json.dumps(session)
    done = run("show", "--html", stdin=given)
    assert (done.code, done.said) == (0, "")
    assert done.out.startswith("<!doctype html>\n")
    tags = _Tags()
    tags.feed(done.out)
    tags.close()
    assert tags.open == []
    return tags


def test_a_page_has_all_in_it() -> None:
    page = _page(EXAMPLE.read_text())
    names = {name for name, _ in page.tags}
    assert names == {
        "html", "head", "meta", "title", "style", "body", "section", "header", "h1", "small", "p",
        "article", "h2", "span", "div", "img", "details", "summary", "b", "pre",
        "br", "code",  # of Markdown
    }  # fmt: skip
    (image,) = [attrs for name, attrs in page.tags if name == "img"]
    assert image["src"] is not None
    assert image["src"].startswith("data:image/png;base64,iVBORw0KGgo")
    assert "$0.0828" in page.text
    assert "65,825 in (80% cached), 1,381 out" in page.text
    assert "NameError: name 'make_cart' is not defined" in page.text


def test_the_data_of_an_extension_are_json_on_the_page() -> None:
    data = {"status": "*running*", "open": ["a.py"]}
    session = json.dumps([{"role": "extension", "kind": "a_b_c", "data": data}])
    out = run("show", "--from", "native", "--html", stdin=session).out
    assert out.endswith(
        """\
<article class="extension">
<h2>extension</h2>
<p class="note">a_b_c</p>
<pre>{
  &quot;status&quot;: &quot;*running*&quot;,
  &quot;open&quot;: [
    &quot;a.py&quot;
  ]
}</pre>
</article>
</section>
</body>
</html>
"""
    )


_HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


def test_a_call_inside_a_result_is_shown() -> None:
    call = {"type": "toolCall", "id": "2", "name": "inner", "arguments": {}}
    session = [{"role": "toolResult", "toolCallId": "1", "content": [call]}]
    assert "inner" in _page(session).text
    assert "⚙ inner" in run("show", stdin=json.dumps(session)).out


def test_a_hostile_session_is_text_on_the_page() -> None:
    page = _page(
        [
            {"role": "user", "name": _HOSTILE, "content": [
                {"type": "text", "text": _HOSTILE},
                {"type": "thinking", "thinking": _HOSTILE},
                {"type": "toolCall", "id": _HOSTILE, "name": _HOSTILE, "arguments": _HOSTILE},
                {"type": "toolResult", "toolCallId": _HOSTILE, "toolName": _HOSTILE,
                 "content": [{"type": "text", "text": _HOSTILE}]},
                {"type": "toolResult", "toolCallId": "x" + _HOSTILE, "content": []},
                {"type": "image", "altText": _HOSTILE, "url": "javascript:alert(1)"},
                {"type": "image", "altText": _HOSTILE, "mimeType": _HOSTILE, "data": _PNG},
                {"type": "annotation", "kind": _HOSTILE, "refs": [{"url": _HOSTILE}]},
                {"type": "error", "message": _HOSTILE},
                {"type": "opaque", "api": _HOSTILE, "raw": {_HOSTILE: _HOSTILE}}]},
            {"role": "assistant", "model": _HOSTILE, "content": [], "error_message": _HOSTILE},
            {"role": _HOSTILE, "kind": _HOSTILE, "data": {_HOSTILE: _HOSTILE}},
        ]
    )  # fmt: skip
    names = [name for name, _ in page.tags]
    assert "script" not in names
    assert names.count("img") == 1
    for name, attrs in page.tags:
        allowed = {
            "meta": {"charset", "http-equiv", "content", "name"},
            "img": {"alt", "src"},
            "details": {"open", "class"},
            "html": {"lang"},
        }
        assert {*attrs} <= allowed.get(name, {"class"})
    policy = next(attrs for name, attrs in page.tags if "http-equiv" in attrs)
    assert policy["content"] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


# -- pictures -------------------------------------------------------------------------------------


def _image(size: tuple[int, int], color: tuple[int, ...], form: str = "PNG") -> bytes:
    made = io.BytesIO()
    Image.new("RGBA" if len(color) == 4 else "RGB", size, color).save(made, form)
    return made.getvalue()


_PNG = base64.b64encode(_image((2, 2), (255, 0, 0))).decode()


def _printed(*blocks: Any, **more: Any) -> str:
    stream = io.StringIO()
    colors: Any = {"color_system": "truecolor", **more}
    console = Console(file=stream, force_terminal=True, width=80, **colors)
    session = [wg.UserMessage([*blocks])]
    found = Found("native", "session", session, [])
    Terminal(console, is_full=False).print(
        conversation("x", found.wire, found.kind, found.value, NOBODY)
    )
    return stream.getvalue()


def test_a_picture_is_drawn_with_two_points_a_character() -> None:
    red = wg.ImageBlock.from_bytes(_image((2, 2), (255, 0, 0)))
    clear = wg.ImageBlock.from_bytes(_image((2, 3), (0, 255, 0, 0)))
    seen = _printed(red, clear)
    assert seen.count("\x1b[38;2;255;0;0;48;2;255;0;0m▀\x1b[0m") == 2
    assert seen.count("▀") == 2  # what is transparent is not drawn


@pytest.mark.parametrize("setting", [{"no_color": True}, {"color_system": "standard"}])
def test_without_its_colours_no_picture_is_drawn(setting: dict[str, Any]) -> None:
    seen = _printed(wg.ImageBlock.from_bytes(_image((2, 2), (255, 0, 0))), **setting)
    assert "▀" not in seen
    assert "[image, image/png, " in seen


def test_a_large_picture_becomes_small() -> None:
    seen = _printed(wg.ImageBlock.from_bytes(_image((900, 450), (1, 2, 3))))
    assert seen.count("▀") == 36 * 9


def test_a_photo_of_a_telephone_becomes_small() -> None:
    photo = io.BytesIO()
    Image.new("L", (8160, 6120)).save(photo, "JPEG")
    seen = _printed(wg.ImageBlock.from_bytes(photo.getvalue()))
    assert "not shown" not in seen
    assert "▀" in seen


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no picture", "no image that can be read"),
        (_image((50, 50), (1, 2, 3))[:-40], "no image that can be read"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "no image that can be read"),
        # 60,000 x 60,000 points in a few bytes
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0\x18\xcb\xbc\x9d",
            "no image that can be read",
        ),
        (
            # 16,000 x 5,500 points
            b"RIFF\x1e\0\0\0WEBPVP8L\x11\0\0\0/\x7f\xfe\x5e\x05\x07\xd0\x84&4\xa1\xff\x81\x88\xe8\x7f\0\0",
            "too many pixels",
        ),
    ],
    ids=["no picture", "cut", "no head", "a bomb", "a bomb of WebP"],
)
def test_a_bad_picture_is_said_to_be_one(data: bytes, why: str) -> None:
    seen = _printed(wg.ImageBlock.from_bytes(data, "image/png"))
    assert "▀" not in seen
    assert f"not shown: {why}" in seen
    page = _page([{"role": "user", "content": [
        {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": "image/png"}]}]
    )  # fmt: skip
    assert "img" not in {name for name, _ in page.tags}
    assert f"not shown: {why}" in page.text


def test_a_page_holds_a_kind_that_browsers_show_and_no_giant() -> None:
    noise = Image.effect_noise((1500, 1500), 90)
    made = io.BytesIO()
    noise.save(made, "BMP")
    page = _page([{"role": "user", "content": [
        {"type": "image", "data": base64.b64encode(made.getvalue()).decode()},
        {"type": "image", "mimeType": "image/svg+xml",
         "data": base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()}]}]
    )  # fmt: skip
    (image,) = [attrs for name, attrs in page.tags if name == "img"]
    assert image["src"] is not None
    kind, _, data = image["src"].partition(",")
    assert kind == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (1024, 1024)


def test_several_documents_are_one_page(tmp_path: Path) -> None:
    line = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}]}\n'
    path = tmp_path / "x.jsonl"
    path.write_text(line * 2)
    out = tmp_path / "page.html"
    done = run("show", str(path), str(EXAMPLE), "--html", "-o", str(out))
    assert done == (0, "", "")
    assert out.read_text().count("<section>") == 3
    assert out.read_text().count("</html>") == 1


def test_a_bad_document_leaves_no_page(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = run("show", "--html", "-o", str(out), stdin='{"model":1}')
    assert done.code == 1
    assert not out.exists()


def test_a_setting_of_zero_is_shown() -> None:
    given = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":0,"seed":0}'
    lines = run("show", stdin=given).out.splitlines()
    assert lines[2:4] == ["temperature: 0.0", "seed: 0"]


@pytest.mark.parametrize("options", [["--full"], ["--html"]])
@pytest.mark.parametrize("depth", [101, 900, 50_000])
def test_arguments_that_are_too_deep_are_shown_as_they_are(options: list[str], depth: int) -> None:
    deep = '{"[":' * depth + "1" + "}" * depth
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": deep}}
    given = {"model": "m", "messages": [{"role": "assistant", "tool_calls": [call]}]}
    done = run("show", *options, stdin=json.dumps(given))
    assert (done.code, done.said) == (0, "")
    assert deep in "".join(done.out.split()).replace("&quot;", '"')
    assert len(done.out) < 3 * len(deep) + 10_000


def test_arguments_that_are_no_json_take_no_time_without_end() -> None:
    arguments = '"' + '\\"' * 100_000
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    given = {"model": "m", "messages": [{"role": "assistant", "tool_calls": [call]}]}
    start = time.process_time()
    assert run("show", "--html", stdin=json.dumps(given)).code == 0
    assert time.process_time() - start < 5
