"""Markdown on the page of `wireglot show`: what it becomes, and what hostile text cannot do."""

from __future__ import annotations

import json
import time

import pytest

from tests.cli.running import run
from wireglot._display.markdown import markdown_html

PROSE = {
    "a paragraph, whose lines stay": (
        "One\ntwo *three* **four** ~~five~~ `a<b`\n\nsix",
        "<p>One<br />\ntwo <em>three</em> <strong>four</strong> <s>five</s> "
        "<code>a&lt;b</code></p>\n"
        "<p>six</p>\n",
    ),
    "headings and quotes": ("## A\n\n> b", "<h2>A</h2>\n<blockquote>\n<p>b</p>\n</blockquote>\n"),
    "lists, whose numbers stay": (
        "- a\n\n2. b\n7. c",
        '<ul>\n<li>a</li>\n</ul>\n<ol start="2">\n'
        '<li value="2">b</li>\n<li value="7">c</li>\n</ol>\n',
    ),
    "code, with all that its fence says": (
        '```py title="x"\nif a < b:\n```\n\n    indented',
        '<p class="note">py title=&quot;x&quot;</p>\n<pre>if a &lt; b:\n</pre>\n'
        "<pre>indented\n</pre>\n",
    ),
    "a table": (
        "|a|b|\n|-|-|\n|1|2|",
        "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
        "<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n",
    ),
    "links": (
        '[a](https://a.example/ü "t") [b](HTTP://b.example) [c](mailto:c@d.example)',
        '<p><a href="https://a.example/ü" title="t">a</a> <a href="HTTP://b.example">b</a> '
        '<a href="mailto:c@d.example">c</a></p>\n',
    ),
}


@pytest.mark.parametrize(("text", "html"), PROSE.values(), ids=PROSE)
def test_markdown_becomes_html(text: str, html: str) -> None:
    assert markdown_html(text) == html


HOSTILE = {
    "a script": (
        "<script>alert(1)</script>",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
    ),
    "an image of HTML": (
        'a <img src=x onerror="alert(1)"> b',
        "<p>a &lt;img src=x onerror=&quot;alert(1)&quot;&gt; b</p>\n",
    ),
    "an end of the page": ("</div></body>", "<p>&lt;/div&gt;&lt;/body&gt;</p>\n"),
    "an image is not fetched": (
        "![a](https://spy.example/x.png)",
        '<p>!<a href="https://spy.example/x.png">a</a></p>\n',
    ),
    "a link to a script": ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
    "a link to a script, in capitals": (
        "[a](JavaScript:alert(1))",
        "<p>[a](JavaScript:alert(1))</p>\n",
    ),
    "a link to a script, in entities": (
        "[a](&#106;avascript:alert(1))",
        "<p>[a](&amp;#106;avascript:alert(1))</p>\n",
    ),
    "a link to a script behind a space": (
        "[a](<\x01javascript:alert(1)>)",
        "<p>[a](&lt;␁javascript:alert(1)&gt;)</p>\n",
    ),
    "a link to data": ("[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>\n"),
    "a link to a file": ("[a](file:///etc/passwd)", "<p>[a](file:///etc/passwd)</p>\n"),
    "a link to this page": ("[a](#b) [c](d)", "<p>[a](#b) [c](d)</p>\n"),
    "a link that ends its attribute": (
        '[a](<https://x"onclick="alert(1)> \'"onclick="y\')',
        '<p><a href="https://x&quot;onclick=&quot;alert(1)" title="&quot;onclick=&quot;y">a</a>'
        "</p>\n",
    ),
    "a fence that ends its element": (
        '``` "><script>\nx\n```',
        '<p class="note">&quot;&gt;&lt;script&gt;</p>\n<pre>x\n</pre>\n',
    ),
    "an address in brackets": (
        "<javascript:alert(1)>",
        "<p>&lt;javascript:alert(1)&gt;</p>\n",
    ),
    "an entity of what turns text around": ("a&#x202e;b", "<p>a&amp;#x202e;b</p>\n"),
    "what turns text around": ("a\u202eb [c](https://d/\u202e)", '<p>a�b <a href="https://d/�">c</a></p>\n'),
    "a definition, in which text hides": (
        "[//]: # (hidden)",
        "<p>[//]: # (hidden)</p>\n",
    ),
    "a comment": ("<!-- hidden -->", "<p>&lt;!-- hidden --&gt;</p>\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "html"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_text(text: str, html: str) -> None:
    assert markdown_html(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "|a|b|\n|-|-|\n|1|2|hidden|",
        "> " * 30 + "hidden",
        "- " * 60 + "hidden",
        "a" * 50_001,
        "|a" * 20 + "\n" + "|-" * 20 + "\n" + "b\n" * 100,
    ],
    ids=["a cell too many", "a quote too deep", "a list too deep", "too long", "mostly no cells"],
)
def test_what_markdown_would_leave_out_or_add_is_shown_as_it_is(text: str) -> None:
    assert markdown_html(text) is None
    session = [{"role": "assistant", "content": [{"type": "text", "text": text}]}]
    out = run("show", "--html", stdin=json.dumps(session)).out
    assert f'<div class="text">{text.replace(">", "&gt;")}</div>\n' in out


def test_texts_of_messages_are_markdown_and_results_are_not() -> None:
    session = [
        {"role": "user", "content": [{"type": "text", "text": "*a*"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "*b*"},
            {"type": "toolCall", "id": "c", "name": "f", "arguments": {"x": "*c*"}}]},
        {"role": "toolResult", "toolCallId": "c", "toolName": "f",
         "content": [{"type": "text", "text": "*d*"}]},
    ]  # fmt: skip
    out = run("show", "--html", stdin=json.dumps(session)).out
    assert '<div class="markdown"><p><em>a</em></p>\n</div>\n' in out
    assert '<div class="text">*b*</div>' in out
    assert "<span>{&quot;x&quot;: &quot;*c*&quot;}</span>" in out
    assert '<div class="result"><pre>*d*</pre></div>' in out
    assert out.count("<em>") == 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "a](" * 16_000,
        "*_" * 25_000,
        "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + "|x\n" * 9_000,
    ],
    ids=["brackets", "ends of links", "emphasis", "rows that lack cells"],
)  # fmt: skip
def test_hostile_text_takes_no_time_without_end(text: str) -> None:
    start = time.process_time()
    markdown_html(text)
    # At most a second on a fast machine, and six times that with coverage on a slow one. The
    # square of these lengths is minutes.
    assert time.process_time() - start < 20
