"""What a notebook shows of values: safe, bounded, nothing fetched; and a notebook that is run."""

import io
import os
import random
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image

import wireglot as wg
from wireglot import testing
from wireglot.adapters.notebook import MOST, html

_PNG = wg.Media.from_base64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_HOSTILE = '"></style></div><script>alert(1)</script><img src=x onerror=alert(1)>'
_STYLE = 4_000  # about the length of the style sheet


class _Tags(HTMLParser):
    """The tags, their attributes and the text of a fragment, which has to be well formed."""

    def __init__(self, fragment: str | None) -> None:
        super().__init__()
        assert fragment is not None
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(fragment)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "img":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self.text += data


def _shown(value: Any) -> _Tags:
    return _Tags(value._repr_html_())


# -- what is shown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        pytest.param(wg.TextBlock("Hello"), ["Hello"], id="a text"),
        pytest.param(wg.ToolCallBlock("1", "f", {"n": 1}), ["f", '{"n":1}'], id="a call"),
        pytest.param(wg.UserMessage([wg.TextBlock("Hi")]), ["user", "Hi"], id="a message"),
        pytest.param(
            wg.AssistantMessage([wg.TextBlock("Hi")], model="m"),
            ["assistant", "m", "Hi"],
            id="an entry of a session",
        ),
        pytest.param(
            wg.CompactionSummaryMessage("so far"),
            ["compactionSummary", "so far"],
            id="a session-only message",
        ),
        pytest.param(
            wg.Request([wg.UserMessage([wg.TextBlock("Hi")])], model="m", temperature=0.0),
            ["m · 1 entry", "temperature: 0.0", "Hi"],
            id="a request",
        ),
        pytest.param(
            wg.Response(
                wg.AssistantMessage([wg.TextBlock("Hi")], error_message="broke", usage=wg.Usage(3))
            ),
            ["3 in, 0 out", "Hi", "broke"],
            id="an answer",
        ),
    ],
)
def test_a_value_shows_what_a_person_wants_to_read(value: Any, texts: list[str]) -> None:
    shown = _shown(value)
    for text in texts:
        assert text in shown.text


def test_the_model_that_a_request_asks_is_shown_beside_those_that_have_answered() -> None:
    answer = wg.AssistantMessage([wg.TextBlock("Ho")], model="gpt-4o")
    shown = html(wg.Request([answer], "claude-sonnet-4-5"))
    assert "claude-sonnet-4-5, gpt-4o · 1 entry" in _Tags(shown).text


def test_a_call_and_its_result_are_shown_together_in_a_list() -> None:
    call = wg.AssistantMessage([wg.ToolCallBlock("1", "weather", {})])
    result = wg.ToolMessage([wg.ToolResultBlock("1", "weather", [wg.TextBlock("sunny")])])
    shown = _Tags(html([call, result]))
    assert shown.tags.count("article") == 1
    assert shown.text.index("weather") < shown.text.index("sunny")


def test_the_data_of_an_extension_are_json_over_several_lines() -> None:
    shown = html(wg.ExtensionMessage("note", {"a": ["*b*"]}))
    assert shown is not None
    assert shown.endswith(
        """\
<article class="extension">
<h2>extension</h2>
<p class="note">note</p>
<pre>{
  &quot;a&quot;: [
    &quot;*b*&quot;
  ]
}</pre>
</article>
</div>
"""
    )


def test_a_text_is_shown_as_markdown() -> None:
    shown = html(wg.TextBlock("## Plan\n\n- *look*\n- mend"))
    assert shown is not None
    assert shown.endswith(
        """\
<div class="markdown"><h2>Plan</h2>
<ul>
<li><em>look</em></li>
<li>mend</li>
</ul>
</div>
</div>
"""
    )


def test_a_text_is_shown_as_it_is_without_the_reader_of_markdown() -> None:
    hidden = (
        "import sys; sys.modules['markdown_it'] = None; import wireglot as wg; "
        "print(wg.TextBlock('*look*')._repr_html_())"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith('<div class="text">*look*</div>\n</div>\n\n')


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(wg.Usage(), id="another value of the model"),
        pytest.param(wg.model.TurnId("l", 1), id="an id"),
        pytest.param(wg.UserMessage("Hello"), id="a message that is not valid"),  # type: ignore[arg-type]
    ],
)
def test_other_values_are_shown_as_text(value: Any) -> None:
    assert value._repr_html_() is None


@pytest.mark.parametrize("value", [[], [1], [wg.TextBlock("Hi"), 1], "Hi"], ids=repr)
def test_other_lists_are_shown_as_text(value: Any) -> None:
    assert html(value) is None


# -- safety ----------------------------------------------------------------------------------------


def test_hostile_content_is_text() -> None:
    content: list[wg.Content] = [
        wg.TextBlock(_HOSTILE),
        wg.ThinkingBlock(_HOSTILE),
        wg.ToolCallBlock(_HOSTILE, _HOSTILE, wg.Arguments(_HOSTILE)),
        wg.ImageBlock(url="javascript:alert(1)", alt_text=_HOSTILE),
        wg.ImageBlock(data=_PNG, alt_text=_HOSTILE, filename=_HOSTILE),
        wg.ErrorBlock(_HOSTILE),
        wg.OpaqueBlock(_HOSTILE, wg.RawJson.of(_HOSTILE)),
    ]
    message = wg.AssistantMessage(content, model=_HOSTILE, error_message=_HOSTILE)
    shown = _Tags(html([message, wg.ExtensionMessage(_HOSTILE, _HOSTILE)]))
    assert "script" not in shown.tags
    assert not [name for name, _ in shown.attributes if name.startswith("on")]
    sources = [value for name, value in shown.attributes if name == "src"]
    assert len(sources) == 1
    assert str(sources[0]).startswith("data:image/png;base64,")


@given(testing.sessions())
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
def test_any_session_is_well_formed(session: list[wg.AgentMessage]) -> None:
    if session:
        assert {"script", "iframe", "link"}.isdisjoint(_Tags(html(session)).tags)


def test_nothing_is_fetched_and_no_file_is_read(tmp_path: Path) -> None:
    def load() -> bytes:
        raise AssertionError("a store was asked")

    missing = wg.Media.from_file(tmp_path / "missing.png", "image/png")
    blocks: list[wg.Content] = [
        wg.ImageBlock(data=wg.Media.from_loader(load), mime_type="image/png"),
        wg.ImageBlock(data=missing, mime_type="image/png"),
        wg.ImageBlock(url="http://example.com/a.png"),
    ]
    shown = _Tags(html(wg.UserMessage(blocks)))
    assert "img" not in shown.tags
    assert shown.text.count("not read: it is in a file or in a store") == 2
    assert "http://example.com/a.png" in shown.text


# -- size ------------------------------------------------------------------------------------------


def test_a_long_text_is_cut() -> None:
    shown = _shown(wg.TextBlock("x" * 10_000))
    assert shown.text.strip() == "x" * 4_000 + "… and 6,000 more characters"


@pytest.mark.parametrize(
    ("value", "note"),
    [
        pytest.param(
            [wg.UserMessage([wg.TextBlock('"' * 4_000)])] * 1_000,
            "the rest is left out here",
            id="many messages",
        ),
        pytest.param(
            wg.UserMessage([wg.TextBlock('"' * 4_000)] * 1_000),
            "995 more of 1,000 blocks",
            id="many blocks",
        ),
        pytest.param(
            wg.UserMessage([wg.ToolCallBlock("1", "f" * 10**6, {})]),
            "1 more of 1 blocks",
            id="a tool with a name of a million characters",
        ),
        pytest.param(
            wg.AssistantMessage([], model="m" * 10**6),
            "the rest is left out here",
            id="a model with a name of a million characters",
        ),
    ],
)
def test_no_value_becomes_more_than_so_much(value: Any, note: str) -> None:
    made = html(value)
    assert made is not None
    assert len(made) < MOST + _STYLE
    assert note in _Tags(made).text


def test_a_large_picture_is_reduced() -> None:
    noise = random.Random(1).randbytes(1_000 * 1_000 * 3)
    stream = io.BytesIO()
    Image.frombytes("RGB", (1_000, 1_000), noise).save(stream, "JPEG", quality=95)
    block = wg.ImageBlock.from_bytes(stream.getvalue(), "image/jpeg")
    made = html(block)
    assert made is not None
    assert len(made) < MOST + _STYLE


# -- a notebook ------------------------------------------------------------------------------------


def test_the_example_shows_html_for_each_of_its_values(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "examples" / "adapters"
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--stdout"]
    homes = {"IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    done = subprocess.run(
        [*command, "session.ipynb"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **homes},
        capture_output=True,
        timeout=300,
        check=True,
    )
    notebook = nbformat.reads(done.stdout.decode(), as_version=4)
    shown = [
        _Tags(output["data"]["text/html"])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]
    assert len(shown) == 4
    assert "claude" in shown[0].text
    assert shown[0].tags.count("article") > 5
    assert all("script" not in each.tags for each in shown)
    assert "<script>alert('Hello')</script>" in shown[3].text


def test_what_cannot_be_shown_raises_nothing() -> None:
    nested = wg.ToolResultBlock("1")
    for _ in range(1_000):
        nested = wg.ToolResultBlock("1", content=[nested])
    assert html(nested) is None
    assert "expected a `data:` URL" in str(html(wg.ImageBlock(url="data:x")))
    for data, kind in (("\ud800", "str"), (object(), "object")):
        assert f"a `{kind}` that is not JSON" in str(html(wg.ExtensionMessage("k", data)))
