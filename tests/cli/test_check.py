"""`wireglot check`: every fault with its path, and what another wire would lose."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.clients.turn import STREAMS

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent-session.jsonl"
CHAT = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}],"seed":7}'
FAULTY = """{"model":"gpt-5","messages":[
 {"role":"system","content":"x"},
 {"role":"user","content":5},
 {"role":"user","content":"fine"},
 {"role":"assistant","content":"a","tool_calls":[
  {"id":"c","type":"function","function":{"name":3,"arguments":"{}"}}]},
 {"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"fine"},{"type":"text"}]},
 {"role":"nobody","content":"x"}],
 "temperature":"hot","logit_bias":{"1":2}}"""


def test_a_sound_body() -> None:
    assert run("check", stdin=CHAT) == (0, "stdin: openai_chat request, no faults\n", "")


@pytest.mark.parametrize("options", [[], ["--from", "openai_chat"]])
def test_all_faults_are_found_each_where_it_stood(options: list[str]) -> None:
    done = run("check", *options, stdin=FAULTY)
    assert (done.code, done.said) == (1, "")
    assert done.out.splitlines() == [
        "stdin: openai_chat: expected `float | null`, got `str` - at `$.temperature`",
        "stdin: openai_chat: expected `str | array`, got `int` - at `$.messages[1].content`",
        "stdin: openai_chat: expected `str`, got `int`"
        " - at `$.messages[3].tool_calls[0].function.name`",
        "stdin: openai_chat: object missing required field `text` - at `$.messages[4].content[1]`",
        "stdin: openai_chat: unknown role `nobody`, expected one of `system`, `developer`, `user`,"
        " `assistant`, `tool`, `function` - at `$.messages[5].role`",
    ]


def test_all_faults_are_found_beside_half_a_character() -> None:
    done = run("check", stdin=FAULTY.replace("fine", r"\ud83d"))
    assert done == run("check", stdin=FAULTY)


def test_places_are_those_of_the_whole_when_parts_were_set_aside() -> None:
    bad = {"role": "user", "content": [{"type": "nope"}]}
    good = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    given = json.dumps([bad, good, bad, good, good, bad])
    done = run("check", "--from", "native", stdin=given)
    assert done.code == 1
    assert [line.rpartition(" - at ")[2] for line in done.out.splitlines()] == [
        "`$[0].content[0].type`",
        "`$[2].content[0].type`",
        "`$[5].content[0].type`",
    ]


def test_half_a_character_in_a_chunk_is_a_loss() -> None:
    lines = [
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
        rf'"content":"{text}"}},"done":{done}}}'
        for text, done in ((r"a \ud83d", "false"), (r"\ude00 b", "false"), ("", "true"))
    ]
    given = "\n".join(lines)
    assert run("check", "--from", "ollama", stdin=given).out == (
        "stdin: ollama stream, no faults\n"
        "lost: 2 x lone surrogate: half a character is not Unicode text; U+FFFD takes its place"
        " - first at `byte 92`\n"
    )


def test_lines_of_a_session_are_named() -> None:
    good = '{"role":"user","content":[{"type":"text","text":"Hi"}]}'
    bad = '{"role":"user","content":5}'
    done = run("check", stdin=f"{good}\n{bad}\n\n{good}\n{bad}\n")
    assert done.out.splitlines() == [
        "stdin: json: expected `array`, got `int` - at `line 2: $.content`",
        "stdin: json: expected `array`, got `int` - at `line 5: $.content`",
    ]


def test_a_document_on_each_line() -> None:
    bad = '{"model":"gpt-5","messages":[{"role":"user","content":5}]}'
    done = run("check", "--to", "anthropic", stdin=f"{CHAT}\n{bad}\n{CHAT}\n")
    assert done.code == 1
    assert done.out.splitlines() == [
        "stdin:2: openai_chat: expected `str | array`, got `int` - at `$.messages[0].content`",
        "lost: 2 x seed: there is no such parameter; left out - first at `stdin:1: $`",
        "3 documents, 1 with faults",
    ]


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_what_another_wire_would_lose(options: list[str], code: int) -> None:
    done = run("check", "--to", "cohere", *options, stdin=EXAMPLE.read_bytes())
    assert (done.code, done.said) == (code, "")
    assert done.out.splitlines() == [
        "stdin: native session, no faults",
        "lost: error flag: results have no error flag; their text says it, or nothing does"
        " - at `$.messages[13]`",
    ]


CUT = (
    '{"type":"session","version":3,"id":"s","timestamp":1.5,"cwd":"."}\n'
    '{"id":"1","timestamp":1.5,"type":"message","message":{"role":"user","id":"u",'
    '"timestamp":1.5,"contents":[{"type":"text","content":"Hi"}]}}\n'
    '{"id":"2","timesta\n'
)
LOST = "lost: line: input data was truncated; skipped - at"


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
@pytest.mark.parametrize("target", [[], ["--to", "native"]])
def test_what_the_decoder_lost(options: list[str], code: int, target: list[str]) -> None:
    assert run("check", *target, *options, stdin=CUT) == (
        code,
        f"stdin: operator_use session, no faults\n{LOST} `line 3: $`\n",
        "",
    )


@pytest.mark.parametrize("options", [["show"], ["show", "--html"], ["stats"], ["stats", "--json"]])
def test_what_the_decoder_lost_is_said_beside_the_output(options: list[str]) -> None:
    done = run(*options, stdin=CUT)
    assert (done.code, done.said) == (0, f"{LOST} `stdin: line 3: $`\n")


def test_what_another_wire_would_refuse() -> None:
    given = '[{"role":"toolResult","toolCallId":"c9","toolName":"f","content":[]}]'
    done = run("check", "--to", "anthropic:vertex", stdin=given)
    assert done.code == 1
    assert done.out.splitlines() == [
        "stdin: native session, no faults",
        (
            "stdin: anthropic: tool result `c9` has no call before it;"
            " add one, or pass repair=True - at `$.messages[0]`"
        ),
    ]


def test_a_request_without_a_model_may_get_one_later() -> None:
    given = '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
    assert run("check", "--to", "anthropic", stdin=given).code == 0


def test_keys_without_a_field_are_listed_when_asked() -> None:
    given = '{"model":"gpt-5","max_token":5,"messages":[{"role":"user","content":"Hi","mood":1}]}'
    done = run("check", "-v", stdin=given)
    assert done.out.splitlines() == [
        "stdin: openai_chat request, no faults",
        "stdin: no field here, kept for its own API: `$.max_token`",
        "stdin: no field here, kept for its own API: `$.messages[0].mood`",
    ]


@pytest.mark.parametrize("wire", STREAMS)
def test_a_stream_that_was_cut(wire: str) -> None:
    assert run("check", "--from", wire, stdin=STREAMS[wire]).code == 0
    done = run("check", "--from", wire, stdin=STREAMS[wire][: len(STREAMS[wire]) // 2])
    assert done.code == 1
    framed = {"bedrock": "event stream"}.get(wire, wire)
    assert done.out.startswith(f"stdin: {framed}: ")


@pytest.mark.parametrize("options", [[], ["--from", "anthropic"]])
def test_a_stream_that_another_follows_has_one_fault(options: list[str]) -> None:
    assert run("check", *options, stdin=STREAMS["anthropic"] * 3) == (
        1,
        "stdin: cli: text after the end of the answer, expected none - at `line 38: $`\n",
        "",
    )


@pytest.mark.parametrize("given", ["", "{", "[1", "\x00", "nothing", '{"a":', "[" * 5000])
def test_what_is_nothing_at_all(given: str) -> None:
    done = run("check", stdin=given)
    assert done.code == 1
    assert done.out.startswith("stdin: ")


def test_faults_without_end_take_no_time_without_end() -> None:
    bad = '{"role":"user","content":5}'
    given = '{"model":"gpt-5","messages":[' + ",".join([bad] * 20_000) + "]}"
    start = time.process_time()
    done = run("check", "--from", "openai_chat", stdin=given)
    assert done.code == 1
    assert len(done.out.splitlines()) == 100
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            '{"error":{"message":"Not today.","type":"invalid_request_error"}}',
            "openai_chat: invalid_request: Not today.",
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"\\udcff"}]}',
            "cli: text is not UTF-8 - at `byte 51`",
        ),
        ("oops", "cli: unknown document, expected one of a known wire; pass --from - at `$`"),
        (
            '{"a":1}\r{"a":1}',
            "json: JSON is malformed: trailing characters (byte 9) - at `line 1: $`",
        ),
    ],
)
def test_what_was_understood_has_one_fault(given: str, said: str) -> None:
    done = run("check", stdin=given.replace("\\udcff", "\udcff").encode(errors="surrogateescape"))
    assert done == (1, f"stdin: {said}\n", "")


def test_an_error_among_answers_is_named_with_its_line() -> None:
    answer = (
        '{"id":"c","object":"chat.completion","created":1,"model":"gpt-5","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}\n'
    )
    error = '{"error":{"message":"Not today.","type":"invalid_request_error"}}\n'
    assert run("check", stdin=answer * 2 + error).out.splitlines() == [
        "stdin:3: openai_chat: invalid_request: Not today.",
        "3 documents, 1 with faults",
    ]
    for command in ("stats", "show"):
        done = run(command, stdin=answer * 2 + error)
        assert done.code == 1
        assert done.said == "wireglot: stdin: openai_chat: Not today. - at `line 3: $`\n"


def test_lines_that_are_all_bad_have_no_fault_beside() -> None:
    bad = '{"role":"user","content":5}\n'
    assert run("check", stdin=bad * 2).out.splitlines() == [
        "stdin: json: expected `array`, got `int` - at `line 1: $.content`",
        "stdin: json: expected `array`, got `int` - at `line 2: $.content`",
    ]


MISSING = "json: object missing required field `role` - at"


@pytest.mark.parametrize("line", ["{}", '{"a":[1,2]}'])
def test_lines_without_any_key_of_a_wire_are_an_unknown_document(line: str) -> None:
    given = f"{line}\n" * 400_000
    fault = "stdin: cli: unknown document, expected one of a known wire; pass --from - at `$`\n"
    more = "stdin: the first 16 lines are not of a known wire; the rest is not read\n"
    assert run("check", stdin=given) == (1, fault + more, "")
    for command in (["stats"], ["show"], ["convert", "--to", "anthropic"]):
        assert run(*command, stdin=given) == (1, "", f"wireglot: {fault}")


@pytest.mark.parametrize("line", ['{"messages":[]}'])
def test_lines_of_no_wire_are_refused_by_the_first_of_them(line: str) -> None:
    start = time.process_time()
    given = f"\n{line}\n" * 400_000
    assert run("check", stdin=given) == (
        1,
        "".join(f"stdin: {MISSING} `line {number}: $`\n" for number in range(2, 33, 2))
        + "stdin: the first 32 lines are not of a known wire; the rest is not read\n",
        "",
    )
    for command in (["stats"], ["show"], ["convert", "--to", "anthropic"]):
        done = run(*command, stdin=given)
        assert done == (1, "", f"wireglot: stdin: {MISSING} `line 2: $`\n")
    assert time.process_time() - start < 20


def test_a_fault_on_each_line_after_good_ones_costs_a_look_at_the_line() -> None:
    good = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}\n'
    start = time.process_time()
    lines = run("check", stdin=good * 16 + "{}\n" * 30_000).out.splitlines()
    assert time.process_time() - start < 30
    assert lines[:1] == ["stdin:17: openai_chat: object missing required field `messages` - at `$`"]
    assert lines[999:] == [
        "stdin:1016: openai_chat: object missing required field `messages` - at `$`",
        "29,000 documents more with faults, which are not listed",
        "30,016 documents, 30,000 with faults",
    ]
    done = run("stats", "--keep-going", stdin=good * 16 + "{}\n" * 30_000)
    assert done.out.startswith("16 documents, 16 messages")
    assert done.said.endswith("wireglot: 30,000 documents or lines could not be read\n")


def test_faults_at_the_end_of_a_long_session_take_one_look_at_each_line() -> None:
    good = '{"role":"user","content":[{"type":"text","text":"Hi"}]}\n'
    bad = '{"role":"user","content":5}\n'
    start = time.process_time()
    lines = run("check", stdin=good * 30_000 + bad * 200).out.splitlines()
    assert time.process_time() - start < 20
    assert [lines[0], *lines[99:]] == [
        "stdin: json: expected `array`, got `int` - at `line 30001: $.content`",
        "stdin: json: expected `array`, got `int` - at `line 30100: $.content`",
    ]


def test_a_large_document_has_fewer_faults_listed() -> None:
    bad = '{"role":"user","content":5}'
    given = '{"model":"gpt-5","messages":[' + ",".join([bad] * 100_000) + "]}"
    done = run("check", "--from", "openai_chat", stdin=given)
    assert len(done.out.splitlines()) == 23  # of 2.8 MB, 64 MiB are read


def test_many_faults_of_a_wire_that_nobody_named_take_no_time_without_end() -> None:
    good, bad = (f'{{"role":"user","content":{text}}}' for text in ('"x"', "5"))
    given = '{"model":"gpt-5","messages":[' + ",".join([bad, good, good] * 2_000) + "]}"
    start = time.process_time()
    done = run("check", stdin=given)
    assert time.process_time() - start < 20
    lines = done.out.splitlines()
    assert len(lines) == 100
    assert lines[99] == (
        "stdin: openai_chat: expected `str | array`, got `int` - at `$.messages[297].content`"
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            '{"model":"gpt-5","messages":"x"}',
            "openai_chat: expected `array`, got `str` - at `$.messages`",
        ),
        (
            '{"input":5}',
            "openai_responses: expected `str | array | null`, got `int` - at `$.input`",
        ),
        ('{"model":"gpt-5","messages":[]}', "cli: no message, expected at least one - at `$`"),
    ],
)
def test_a_request_that_says_nothing_is_no_bad_session(given: str, said: str) -> None:
    assert run("check", stdin=given) == (1, f"stdin: {said}\n", "")


CLAUDE = (
    '{"model":"claude-sonnet-4-5","max_tokens":9,"system":[{"type":"text","text":"x"}],'
    '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)
COMMAND = (
    '{"model":"command-a","temperature":0.5,"p":0.5,'
    '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            CLAUDE.replace("9", '"9"'),
            "anthropic: expected `int | null`, got `str` - at `$.max_tokens`",
        ),
        (
            CLAUDE.replace('text":"x"', 'text":5'),
            "anthropic: expected `str`, got `int` - at `$.system[0].text`",
        ),
        (
            COMMAND.replace('"temperature":0.5', '"temperature":"hot"'),
            "cohere: expected `float | null`, got `str` - at `$.temperature`",
        ),
        (
            CHAT.replace("}]", '}],"stream":true,"stream_options":5'),
            "openai_chat: expected `object | null`, got `int` - at `$.stream_options`",
        ),
    ],
)
def test_a_body_with_a_fault_is_no_sound_one_of_another_wire(given: str, said: str) -> None:
    assert run("check", stdin=given) == (1, f"stdin: {said}\n", "")
    for command in (["convert", "--to", "native"], ["stats"], ["show"]):
        assert run(*command, stdin=given) == (1, "", f"wireglot: stdin: {said}\n")


def test_keys_that_are_new_make_no_fault() -> None:
    given = CLAUDE.replace('"max', '"new":1,"newer":{},"max')
    assert run("check", stdin=given) == (0, "stdin: anthropic request, no faults\n", "")


@pytest.mark.parametrize("options", [[], ["--from", "anthropic"]])
def test_all_lines_may_have_the_same_fault(options: list[str]) -> None:
    bad = CLAUDE.replace("9", '"9"') + "\n"
    fault = "anthropic: expected `int | null`, got `str` - at `$.max_tokens`"
    done = run("check", *options, stdin=bad * 2)
    assert done == (
        1,
        f"stdin:1: {fault}\nstdin:2: {fault}\n2 documents, 2 with faults\n",
        "",
    )


def test_a_line_with_a_fault_is_no_sound_one_of_another_wire() -> None:
    done = run("check", stdin=f"{CLAUDE}\n{CLAUDE}\n" + CLAUDE.replace("9", '"9"'))
    assert done.out.splitlines() == [
        "stdin:3: anthropic: expected `int | null`, got `str` - at `$.max_tokens`",
        "3 documents, 1 with faults",
    ]


def test_places_are_in_the_words_of_the_body() -> None:
    given = (
        '{"contents":[{"role":"user","parts":[{"text":"x"},{"inline_data":{"mime_type":5,"data":"AA"}}]}],'
        '"generation_config":{"max_output_tokens":"x","top_p":"y"}}'
    )
    assert run("check", stdin=given).out.splitlines() == [
        "stdin: gemini: expected `int | null`, got `str`"
        " - at `$.generation_config.max_output_tokens`",
        "stdin: gemini: expected `float | null`, got `str` - at `$.generation_config.top_p`",
        "stdin: gemini: expected `str | null`, got `int`"
        " - at `$.contents[0].parts[1].inline_data.mime_type`",
    ]


def test_what_cannot_be_read_does_not_end_it(tmp_path: Path) -> None:
    path, gone = tmp_path / "x.json", tmp_path / "gone.json"
    path.write_text(CHAT)
    assert run("check", str(gone), str(path)) == (
        1,
        f"{path}: openai_chat request, no faults\n2 documents, 1 with faults\n",
        f"wireglot: {gone}: No such file or directory\n",
    )
    assert run("check", str(gone)) == (1, "", f"wireglot: {gone}: No such file or directory\n")
