"""The table of routes: what TOML says, which route is taken, what is refused."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

import wireglot as wg
from wireglot.gateway import Config, ModelRoute, create_app, read_config

TOML = """
client_key = "GATEWAY_KEY"
largest = 1000

[[routes]]
model = "claude-*"
provider = "anthropic"
url = "https://api.anthropic.com"
key = "ANTHROPIC_API_KEY"

[[routes]]
model = "fast"
provider = "openai_chat"
dialect = "groq"
url = "https://api.groq.com"
name = "llama-3.3-70b"
headers = { x-team = "a" }
"""


def test_a_configuration_is_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "gateway.toml"
    path.write_text(TOML)
    config = read_config(path)
    claude = ModelRoute(
        "claude-*", "anthropic", "https://api.anthropic.com", key="ANTHROPIC_API_KEY"
    )
    fast = ModelRoute(
        "fast",
        "openai_chat",
        "https://api.groq.com",
        name="llama-3.3-70b",
        dialect="groq",
        headers={"x-team": "a"},
    )
    assert config == Config([claude, fast], largest=1000, client_key="GATEWAY_KEY")
    assert config.route("claude-sonnet-4-5") == claude
    assert config.route("fast") == fast
    assert config.route("Fast") is None
    assert config.route(None) is None


EXAMPLE = Path(__file__).parents[2] / "examples" / "gateway.toml"


def test_the_example_needs_one_key_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    config = read_config(EXAMPLE)
    assert [route.model for route in config.routes] == ["claude-*"]
    create_app(config)


def test_the_example_asks_each_provider_at_its_own_address(tmp_path: Path) -> None:
    path = tmp_path / "gateway.toml"
    path.write_text(re.sub(r"^#(?! )", "", EXAMPLE.read_text(), flags=re.MULTILINE))
    config = read_config(path)
    addresses = {}
    for route in config.routes:
        provider = wg.PROVIDERS[route.provider]
        request = wg.Request([], route.name or "m", max_tokens=1)
        dialect = route.dialect or provider.DIALECTS[0]
        addresses[route.model] = route.url + provider.route(request, dialect=dialect).path
    assert addresses == {
        "claude-*": "https://api.anthropic.com/v1/messages",
        "gpt-*": "https://api.openai.com/v1/responses",
        "gemini-*": "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
        "fast": "https://api.groq.com/openai/v1/chat/completions",
        "*": "http://127.0.0.1:11434/api/chat",
    }


def test_the_first_route_that_matches_is_taken() -> None:
    routes = [ModelRoute(model, "ollama", "http://x.org") for model in ("ab", "a*", "*")]
    config = Config(routes)
    assert [config.route(model) for model in ("ab", "ac", None)] == routes


TAKEN = [
    ("claude", "claude", True),
    ("claude", "claude-3", False),
    ("claude", "Claude", False),
    ("claude-*", "claude-", True),
    ("claude-*", "claude-opus-5", True),
    ("claude-*", "anthropic/claude-opus-5", False),
    ("*", "", True),
    ("*", "a\nb", True),
    ("**", "ab", True),
    ("*/claude-*", "anthropic/claude-opus-5", True),
    ("*/claude-*", "claude-opus-5", False),
    ("a*a", "a", False),
    ("a*a", "aa", True),
    ("*ab*ba*", "aba", False),
    ("*ab*ba*", "abba", True),
    ("*ab*b", "ab", False),
    ("*ab*b", "abab", True),
    ("a*b*c", "abbc", True),
    ("a*b*c", "acb", False),
    ("*", "é" * 512, True),
    ("*", "é" * 513, False),
]


@pytest.mark.parametrize(("pattern", "model", "is_taken"), TAKEN)
def test_a_pattern_matches_whole_names(pattern: str, model: str, is_taken: bool) -> None:
    assert ModelRoute(pattern, "ollama", "http://x.org").takes(model) is is_taken


def test_a_pattern_matches_as_a_regular_expression_would() -> None:
    chance = random.Random(1)
    for _ in range(20_000):
        pattern = "".join(chance.choices("ab**", k=chance.randrange(1, 7)))
        model = "".join(chance.choices("ab", k=chance.randrange(9)))
        expected = re.fullmatch(pattern.replace("*", ".*"), model) is not None
        route = ModelRoute(pattern, "ollama", "http://x.org")
        assert (pattern, model, route.takes(model)) == (pattern, model, expected)


def test_many_wildcards_take_no_longer_than_few() -> None:
    route = ModelRoute("*-*-*-*-*:free", "ollama", "http://x.org")
    began = time.process_time()
    assert not route.takes("-" * 512)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("routes = 5", "expected `array`, got `int` - at `$.routes`"),
        ("[[routes]]\nmodel = 'm'", "missing required field `provider` - at `$.routes[0]`"),
        ("routes = []\nlargset = 5", "unknown field `largset`"),
        ("routes = []", "no routes, expected at least one - at `$.routes`"),
        ("retries = -1\n" + TOML, "retries -1, expected 0 or more - at `$`"),
        ("kept = -1\n" + TOML, "kept -1, expected 0 or more - at `$`"),
        (TOML.replace("fast", "gpt-[45]?"), ":11: model `gpt-[45]?` has `?`, expected `*` as the"),
        (
            TOML.replace('"fast', '"claude-3*'),
            ":11: model `claude-3*`, expected it before `claude-*`, which matches",
        ),
        (
            TOML + "fallback = 'x'",
            ":11: fallback `x` without a route, expected another route - at `$.",
        ),
        (
            TOML + "fallback = 'fast'",
            ":11: fallback `fast` with a route tried before, expected another route - at `$.",
        ),
        ("[[", "invalid initial character"),
        ("x = " + "[" * 100_000, "values in each other, expected fewer levels"),
        (
            TOML.replace('client_key = "GATEWAY_KEY"', "client_key = []"),
            "client_key without a variable, expected the name of one - at `$.client_key`",
        ),
        (
            TOML.replace("fast", "f" * 513),
            ":11: model of 513 characters, expected at most 512 - at `$.routes[1]`",
        ),
        (TOML.replace("https://api.a", "api.a"), "expected http or https"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "gateway.toml"
    path.write_text(text)
    with pytest.raises(wg.DecodeError) as caught:
        read_config(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_a_configuration_says_what_is_wrong_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(wg.EncodeError, match="provider `claude`, expected one of `anthropic`"):
        ModelRoute("m", "claude", "https://x.org")
    with pytest.raises(
        wg.EncodeError, match="dialect `aws`, expected one of `anthropic`, `vertex`"
    ):
        ModelRoute("m", "anthropic", "https://x.org", dialect="aws")
    with pytest.raises(wg.EncodeError, match=r"url `x\.org`, expected http or https"):
        ModelRoute("m", "anthropic", "x.org")
    with pytest.raises(wg.EncodeError, match="like `acme`, expected the name of a known model"):
        ModelRoute("m", "openai_chat", "https://x.org", like="acme")
    with pytest.raises(wg.EncodeError, match="severe loss `seed`, expected one of `context`"):
        ModelRoute("m", "openai_chat", "https://x.org", allow=("seed",))
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(wg.EncodeError, match="no value of `NO_SUCH_KEY` in the environment"):
        create_app(Config([ModelRoute("m", "anthropic", "https://x.org", key="NO_SUCH_KEY")]))


@pytest.mark.parametrize(
    ("provider", "dialect", "url"),
    [
        ("openai_chat", None, "https://api.openai.com/v1"),
        ("openai_chat", "groq", "https://api.groq.com/openai/v1/"),
        ("anthropic", None, "https://api.anthropic.com/v1/messages"),
        ("ollama", None, "http://127.0.0.1:11434/api"),
        ("gemini", None, "https://generativelanguage.googleapis.com/v1beta"),
    ],
)
def test_a_path_that_would_be_there_twice_is_refused(
    provider: str, dialect: str | None, url: str
) -> None:
    with pytest.raises(wg.EncodeError, match=r"expected the part before `/"):
        ModelRoute("m", provider, url, dialect=dialect)


@pytest.mark.parametrize("key", ["gsk_Ab12", "sk-ant-12"])
def test_a_key_in_place_of_its_name_is_not_shown(key: str) -> None:
    with pytest.raises(wg.EncodeError, match="key") as caught:
        create_app(Config([ModelRoute("m", "openai_chat", "https://x.org", key=key)]))
    assert key not in str(caught.value)


def test_a_dialect_of_clients_that_is_unknown_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="dialect `x`, expected one of `openai`, "):
        Config([], client_dialects={"openai_chat": "x"})
    with pytest.raises(wg.EncodeError, match="unknown wire of `client_dialects` `chat`"):
        Config([], client_dialects={"chat": "openai"})
