"""`wireglot stats`: sums by hand, and the prices that they are reckoned with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import wireglot as wg
from tests.cli.running import run
from wireglot._display.prices import read_prices

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent-session.jsonl"
DAY = 86_400_000
START = 1_760_000_400_000  # 2025-10-09 09:00 UTC
PRICES = """
currency = "EUR"
[models."big-*"]
input_per_million = 2.0
output_per_million = 10.0
cache_read_per_million = 0.5
cache_write_per_million = 4.0
[models."*-small"]
input_per_million = 1.0
output_per_million = 1.0
"""


def _answer(model: str | None, time: int | None, **usage: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": [], "timestamp": time}
    if model is not None:
        message["model"] = model
    if usage:
        message["usage"] = {"input": 0, "output": 0, "reasoning": 0, "cache_read": 0,
                            "cache_write": 0, "total_tokens": 0, **usage}  # fmt: skip
    return message


SESSION = [
    {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
    {
        **_answer("big-1", START, input=100, output=1000, cache_read=600, cache_write=200),
        "content": [
            {"type": "toolCall", "id": "a", "name": "grep", "arguments": {}},
            {"type": "toolCall", "id": "b", "name": "read", "arguments": {}},
            {"type": "toolCall", "id": "c", "name": "grep", "arguments": {}},
        ],
    },
    {"role": "toolResult", "toolCallId": "a", "toolName": "grep", "isError": True, "content": []},
    {"role": "tool", "content": [
        {"type": "toolResult", "toolCallId": "b", "content": []},
        {"type": "toolResult", "toolCallId": "c", "isError": True, "content": []},
        {"type": "toolResult", "toolCallId": "no call", "isError": True, "content": []}]},
    _answer("big-2-small", START + 3_600_000, input=1_000_000, output=500_000),
    _answer("nobody", START + 3_600_001, input=5, output=5, cost={
        "input": 0, "output": 0, "cache_read": 0, "cache_write": 0, "total": 0.25}),
    _answer("nobody", None, input=5, output=5),
    _answer(None, 10**20),
]  # fmt: skip


@pytest.fixture
def prices(tmp_path: Path) -> str:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    return str(path)


def test_the_sums(prices: str) -> None:
    done = run("stats", "--json", "--prices", prices, stdin=json.dumps(SESSION))
    assert (done.code, done.said) == (0, "")
    big = {
        "answers": 1, "input": 100, "cache_read": 600, "cache_write": 200, "output": 1000,
        "reasoning": 0, "cache_hit_rate": 0.6667, "cost": 0.0113, "priced": 1,
        "calls": 3,
    }  # fmt: skip
    small = {
        "answers": 1, "input": 1_000_000, "cache_read": 0, "cache_write": 0, "output": 500_000,
        "reasoning": 0, "cache_hit_rate": 0.0, "cost": 7.0, "priced": 1, "calls": 0,
    }  # fmt: skip
    nobody = {
        "answers": 2, "input": 10, "cache_read": 0, "cache_write": 0, "output": 10,
        "reasoning": 0, "cache_hit_rate": 0.0, "cost": 0.25, "priced": 1, "calls": 0,
    }  # fmt: skip
    unknown = {
        "answers": 1, "input": 0, "cache_read": 0, "cache_write": 0, "output": 0,
        "reasoning": 0, "cache_hit_rate": 0.0, "cost": None, "priced": 0, "calls": 0,
    }  # fmt: skip
    assert json.loads(done.out) == {
        "documents": 1,
        "messages": 8,
        "currency": "EUR",
        "total": {
            "answers": 5, "input": 1_000_110, "cache_read": 600, "cache_write": 200,
            "output": 501_010, "reasoning": 0, "cache_hit_rate": 0.0006, "cost": 7.2613,
            "priced": 3, "calls": 3,
        },
        "models": {"nobody": nobody, "big-1": big, "big-2-small": small, "unknown": unknown},
        "tools": {
            "grep": {"calls": 2, "failed": 2, "models": {"big-1": 2}},
            "read": {"calls": 1, "failed": 0, "models": {"big-1": 1}},
        },
        "by_hour": {
            "2025-10-09T09:00Z": big,
            "2025-10-09T10:00Z": {
                "answers": 2, "input": 1_000_005, "cache_read": 0, "cache_write": 0,
                "output": 500_005, "reasoning": 0, "cache_hit_rate": 0.0, "cost": 7.25,
                "priced": 2, "calls": 0,
            },
        },
    }  # fmt: skip


def test_the_sums_as_csv(prices: str) -> None:
    done = run("stats", "--csv", "--prices", prices, stdin=json.dumps(SESSION))
    assert (done.code, done.said) == (0, "")
    assert done.out == (
        "by,name,answers,input,cache_read,cache_write,output,reasoning,cache_hit_rate,cost,"
        "currency,priced,calls,failed\n"
        "total,,5,1000110,600,200,501010,0,0.0006,7.2613,EUR,3,3,\n"
        "model,nobody,2,10,0,0,10,0,0.0,0.25,EUR,1,0,\n"
        "model,big-1,1,100,600,200,1000,0,0.6667,0.0113,EUR,1,3,\n"
        "model,big-2-small,1,1000000,0,0,500000,0,0.0,7.0,EUR,1,0,\n"
        "model,unknown,1,0,0,0,0,0,0.0,,EUR,0,0,\n"
        "tool,grep,,,,,,,,,,,2,2\n"
        "tool,read,,,,,,,,,,,1,0\n"
        "hour,2025-10-09T09:00Z,1,100,600,200,1000,0,0.6667,0.0113,EUR,1,3,\n"
        "hour,2025-10-09T10:00Z,2,1000005,0,0,500005,0,0.0,7.25,EUR,2,0,\n"
    )


@pytest.mark.parametrize(
    ("model", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@cf/meta/llama-3", "'@cf/meta/llama-3"),
        ('a,"b"\n=1', '"a,""b""␊=1"'),
        ("\x1b]0;owned\x07\r", "␛]0;owned␇␍"),
        ("\t=1", "'\t'=1"),
        ("x;=1+1", "x;'=1+1"),
        ("x\t=1+1", "x\t'=1+1"),
        ("x|@a", "x|'@a"),
        ("x; -1", "x;' -1"),
        (" =1+1", "' =1+1"),
        ("\xa0=1", "'\xa0=1"),
        ("\u200c \u200d =1+1", "'\u200c \u200d =1+1"),
        ("gpt-5; a+b=c", "gpt-5; a+b=c"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20x", "'\uff20x"),
    ],
)
def test_no_name_is_a_formula_or_a_row_of_its_own(model: str, cell: str) -> None:
    out = run("stats", "--csv", stdin=json.dumps([_answer(model, None, input=1)])).out
    assert out.splitlines()[2] == f"model,{cell},1,1,0,0,0,0,0.0,,USD,0,0,"


def test_json_and_csv_are_two_outputs() -> None:
    done = run("stats", "--csv", "--json", stdin=json.dumps(SESSION))
    assert (done.code, done.out) == (2, "")
    assert "Error: both --json and --csv, expected one\n" in done.said


def test_the_tables(prices: str) -> None:
    out = run("stats", "--prices", prices, stdin=json.dumps(SESSION)).out
    rows = [line.split() for line in out.splitlines()]
    assert "1 document, 8 messages; 1 answer without token counts" in out
    assert "Models (cost in EUR)" in out
    assert ["nobody", "2", "10", "0%", "10", "0", "0.2500+"] in rows
    assert ["big-1", "1", "900", "67%", "1,000", "3", "0.0113"] in rows
    assert ["unknown", "1", "0", "0%", "0", "0", "-"] in rows
    assert ["all", "5", "1,000,910", "0%", "501,010", "3", "7.2613+"] in rows
    assert ["tool", "calls", "failed", "big-1"] in rows
    assert ["grep", "2", "2", "2"] in rows
    assert ["2025-10-09", "09:00", "1", "900", "67%", "1,000", "3", "0.0113"] in rows


def test_days_where_hours_would_be_too_many() -> None:
    session = [_answer("m", START + i * DAY, input=1, output=1) for i in range(5)]
    out = json.loads(run("stats", "--json", stdin=json.dumps(session)).out)
    assert [*out["by_day"]] == [f"2025-10-{day:02}T00:00Z" for day in range(9, 14)]


def test_many_documents_add_up(tmp_path: Path) -> None:
    answer = (
        '{"id":"c","object":"chat.completion","created":1760000400,"model":"gpt-5","choices":'
        '[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}],'
        '"usage":{"prompt_tokens":10,"completion_tokens":4,"total_tokens":14,'
        '"prompt_tokens_details":{"cached_tokens":6}}}\n'
    )
    path = tmp_path / "x.jsonl"
    path.write_text(answer * 300)
    out = json.loads(run("stats", "--json", str(path), str(path)).out)
    assert out["documents"] == 600
    sums = out["models"]["gpt-5"]
    assert (sums["answers"], sums["input"], sums["cache_read"], sums["output"]) == (
        600,
        2400,
        3600,
        2400,
    )
    assert out["by_hour"]["2025-10-09T09:00Z"]["answers"] == 600


def test_an_answer_is_of_the_time_when_it_was_made() -> None:
    done = run("stats", "--json", stdin='{"model":"m","messages":[]}')
    assert done.code == 1  # nothing is said in it


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    good = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}]}\n'
    done = run("stats", stdin=good + '{"model":"gpt-5","messages":[{"role":1}]}\n')
    assert done.code == 1
    assert done.said.startswith("wireglot: stdin: openai_chat: ")
    assert done.said.endswith("at `line 2: $.messages[0].role`\n")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_is_drawn(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"usage.{ending}"
    session = json.dumps(SESSION).replace("grep", "$x^{ grep").replace("big-1", "文" * 60)
    assert run("stats", "--plot", str(path), stdin=session).code == 0
    if ending == "png":
        with Image.open(path) as image:
            image.load()
            assert image.width == 9 * 144
            colors = {color for _, color in image.convert("RGB").getcolors(1 << 20) or ()}
        assert {(0x1F, 0x5F, 0x99), (0xE0, 0x8A, 0x2E), (0xC8, 0x55, 0x3D)} <= colors
    else:
        assert path.read_bytes().startswith({"svg": b"<?xml", "pdf": b"%PDF"}[ending])


@pytest.mark.parametrize(
    ("name", "session", "why"),
    [
        ("x.nope", SESSION, "nope"),
        ("x.png", [SESSION[0]], "nothing to draw, expected at least one message"),
        ("no/such/folder/x.png", SESSION, "No such file or directory"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_said(
    tmp_path: Path, name: str, session: Any, why: str
) -> None:
    done = run("stats", "--plot", str(tmp_path / name), stdin=json.dumps(session))
    assert (done.code, done.out) == (1, "")
    assert why in done.said


def test_a_picture_that_cannot_be_drawn_leaves_an_older_one(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "x.png"
    path.write_text("before")
    session = [_answer("m", START, input=10**30, output=1)]
    done = run("stats", "--plot", str(path), stdin=json.dumps(session))
    said = f"wireglot: {path}: plot: numbers too large to draw, expected smaller ones - at `$`\n"
    assert done == (1, "", said)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x.png", "before")]


def test_alternatives_are_one_answer() -> None:
    answer = {
        "id": "c", "object": "chat.completion", "created": 1760000400, "model": "big-1",
        "choices": [{"index": i, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": None, "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}
            for i in range(3)],
        "usage": {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11},
    }  # fmt: skip
    out = json.loads(run("stats", "--json", stdin=json.dumps(answer)).out)
    assert (out["documents"], out["messages"]) == (1, 3)
    assert (out["total"]["answers"], out["total"]["input"], out["total"]["output"]) == (1, 5, 6)
    assert out["tools"]["f"]["calls"] == 3
    assert run("stats", stdin=json.dumps(answer)).out.startswith("1 document, 3 messages\n")


def test_a_call_fails_once() -> None:
    call = {"type": "toolCall", "id": "a", "name": "grep", "arguments": {}}
    results = [
        {"type": "toolResult", "toolCallId": "a", "isError": is_error, "content": []}
        for is_error in (True, True)
    ]
    session = [
        {**_answer("m", START), "content": [call]},
        {"role": "user", "content": results},
        {**_answer("m", START), "content": [call]},
        {"role": "tool", "content": [{**results[0], "isError": False}, results[1]]},
    ]
    out = json.loads(run("stats", "--json", stdin=json.dumps(session)).out)
    assert out["tools"]["grep"] == {"calls": 2, "failed": 1, "models": {"m": 2}}


def test_a_narrow_terminal_cuts_off_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    session = [_answer("a-model", START, input=1_234_567, output=7_654_321)]
    out = run("stats", stdin=json.dumps(session)).out
    assert "…" not in out
    assert [len(line) for line in out.splitlines() if len(line) > 40] == []


def test_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    names = ["a\x1b]0;x\x07[/b]", "b[red]\n"]
    session = [
        {**_answer(name, START), "content": [
            {"type": "toolCall", "id": name, "name": "grep[/x]", "arguments": {}}]}
        for name in names
    ]  # fmt: skip
    path = tmp_path / "prices.toml"
    path.write_text(f"currency = '[/x]'\n{PRICES.partition('EUR')[2][1:]}")
    done = run("stats", "--prices", str(path), stdin=json.dumps(session))
    assert (done.code, done.said) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    assert "Models (cost in [/x])" in done.out
    assert ["tool", "calls", "failed", "a␛]0;x␇[/b]", "b[red]␊"] in lines
    assert ["grep[/x]", "2", "0", "1", "1"] in lines
    assert ["b[red]␊", "1", "0", "0%", "0", "1", "-"] in lines


def test_json_escapes_what_would_control_a_terminal() -> None:
    name = (
        "é\x7f\x85\x9b31m\u2028\u202e\u2066\u200e\u200f\u061c\ufeff\u200b\ufff9\xad\U000e0041\u200d"
    )
    session = [{**_answer(name, None), "content": [
        {"type": "toolCall", "id": "c", "name": name, "arguments": {}}]}]  # fmt: skip
    out = run("stats", "--json", stdin=json.dumps(session)).out
    escaped = (
        r'"é\u007f\u0085\u009b31m\u2028\u202e\u2066\u200e\u200f\u061c\ufeff\u200b\ufff9\u00ad\udb40\udc41'
        '\u200d"'
    )
    assert f'    {escaped}: {{\n      "answers": 1,\n' in out
    assert f'    {escaped}: {{\n      "calls": 1,\n' in out
    made = json.loads(out)
    assert ([*made["models"]], [*made["tools"]]) == ([name], [name])


# -- prices ---------------------------------------------------------------------------------------


def _message(model: str, **usage: int) -> wg.AssistantMessage:
    return wg.AssistantMessage([], model=model, usage=wg.Usage(**usage), timestamp=START)


def test_the_table_that_litellm_publishes(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(
        '{"sample_spec": {"mode": "one of: chat, embedding"}, "gpt-x": {"input_cost_per_token": '
        '2e-06, "output_cost_per_token": 8e-06, "cache_read_input_token_cost": 5e-07, '
        '"max_tokens": 100, "litellm_provider": "openai"}, '
        '"dall": {"input_cost_per_pixel": 1e-9}}'
    )
    prices = read_prices(str(path))
    message = _message("gpt-x", input=1000, output=500, cache_read=4000, cache_write=1000)
    assert prices.cost(message) == pytest.approx(0.002 + 0.004 + 0.002 + 0.002)
    assert prices.cost(_message("dall", input=1)) is None
    assert prices.currency == "USD"


def test_the_published_prices_are_used_where_they_are_installed() -> None:
    import genai_prices

    message = _message("claude-sonnet-4-5", input=100, output=50, cache_read=700, cache_write=200)
    theirs = genai_prices.calc_price(
        genai_prices.Usage(
            input_tokens=1000, cache_read_tokens=700, cache_write_tokens=200, output_tokens=50
        ),
        "claude-sonnet-4-5",
    )
    assert read_prices(None).cost(message) == pytest.approx(float(theirs.total_price))
    assert read_prices(None).cost(_message("nobody-knows-it", input=1)) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[models.x]\n", "missing required field `input_per_million`"),
        ("[models.x]\ninput_per_million = 1.0\noutput_per_million = 'x'\n", "$.models[...].output"),
        ("= 5", "not a table of prices"),
        ('{"m":' * 100_000, "recursion"),
        ('{"m": {"input_cost_per_token": "x"}}', "$[...].input_cost_per_token"),
        ("\xff", "not a table of prices"),
    ],
)
def test_a_bad_table_is_said(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode("latin-1"))
    for command in ("stats", "show"):
        done = run(command, str(EXAMPLE), "--prices", str(path))
        assert (done.code, done.out) == (1, "")
        assert done.said.startswith(f"wireglot: {path}: prices: not a table of prices: ")
        assert why in done.said


def test_a_table_that_is_not_there_is_said() -> None:
    done = run("stats", str(EXAMPLE), "--prices", "no-such.toml")
    assert (done.code, done.said) == (1, "wireglot: no-such.toml: No such file or directory\n")


def test_counts_that_cannot_be_have_no_price(prices: str) -> None:
    assert read_prices(prices).cost(_message("big-1", input=10**400)) is None
    cost = f'"cost":{10**400}'
    given = (
        '{"object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
        '{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,'
        f'"completion_tokens":2,"total_tokens":3,{cost}}}}}'
    )
    assert "\nm · 1 entry · 1 in, 2 out\n" in run("show", stdin=given).out
    assert json.loads(run("stats", "--json", stdin=given).out)["total"]["cost"] is None
    pytest.importorskip("genai_prices")
    assert read_prices(None).cost(_message("claude-sonnet-4-5", output=-3)) is None


LONG = "9" * 4300
"""As many digits as a number may have in JSON; a sum of two has one more."""


def _counts(usage: str, answers: int = 1) -> str:
    answer = '{"role":"assistant","content":[],"model":"m","usage":{%s}}'
    return "[" + ",".join([answer % usage] * answers) + "]"


def test_sums_of_too_many_digits_are_said_to_be_so() -> None:
    given = _counts(f'"input":{LONG},"output":1', answers=2)
    done = run("stats", stdin=given)
    assert done.code == 0
    assert " ".join(done.out.splitlines()[5].split()) == "m 2 too long a number 0% 2 0 -"
    said = "wireglot: a sum is too long a number to write\n"
    assert run("stats", "--json", stdin=given) == (1, "", said)
    assert run("stats", "--csv", stdin=given) == (1, "", said)
    assert run("show", stdin=given).out.splitlines()[1] == (
        "m · 2 entries · too long a number in, 2 out"
    )
    assert "too long a number in, 2 out" in run("show", "--html", stdin=given).out


def test_counts_that_cannot_be_have_no_share_of_the_cache() -> None:
    given = _counts(f'"input":-{"9" * 400},"output":1,"cache_read":1{"0" * 400}')
    assert json.loads(run("stats", "--json", stdin=given).out)["total"]["cache_hit_rate"] == 0
    assert run("show", stdin=given).out.splitlines()[1] == "m · 1 entry · 1 in (0% cached), 1 out"
