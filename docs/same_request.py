"""The request on the landing page -> its body on each API, a tab each, as a Sphinx extension.

The request is what the block of Python above the tabs builds. The tabs are radio buttons and CSS,
so they need no script; without the style sheet all bodies stand below each other.
"""

import re
from html import escape

from msgspec import Raw
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import JsonLexer
from support_table import laid_out

import wireglot as wg

_PLACE = "@@the same request@@"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WIDTH = 72  # of a line of JSON
_HEADS = {
    "anthropic": "Anthropic",
    "openai_chat": "OpenAI Chat",
    "openai_responses": "OpenAI Responses",
    "gemini": "Gemini",
    "bedrock": "Bedrock",
    "mistral": "Mistral",
    "cohere": "Cohere",
    "ollama": "Ollama",
}


def with_tabs(page):
    """Return a page with the tabs in their place."""
    above, place, below = page.partition(_PLACE)
    if not place:
        return page
    names = {}
    exec(_BLOCK.findall(above)[-1], names)  # the page's own code
    tabs = "".join(_tab(name, head, names["request"]) for name, head in _HEADS.items())
    made = f'```{{raw}} html\n<div class="tabs">\n{tabs}</div>\n```'
    return f"{above}{made}{below}"


def _tab(name, head, request):
    """Return a button, its label, and the panel that it shows."""
    provider = wg.PROVIDERS[name]
    body = laid_out(Raw(provider.encode_request(request)), 0, width=_WIDTH)
    route = provider.route(request)
    sent_to = f"{route.method} {escape(route.path)}"
    checked = " checked" if name == next(iter(_HEADS)) else ""
    return (
        f'<input type="radio" name="api" id="api-{name}"{checked}>'
        f'<label for="api-{name}">{head}</label>\n'
        f'<div class="panel"><p><code class="literal">{sent_to}</code></p>\n'
        f"{highlight(body, JsonLexer(), HtmlFormatter())}</div>\n"
    )


def _insert(app, docname, source):
    source[0] = with_tabs(source[0])


def setup(app):
    """Connect the tabs; called by Sphinx."""
    app.connect("source-read", _insert)
    return {"parallel_read_safe": True}
