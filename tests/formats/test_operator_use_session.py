"""Operator-Use's session files: entries both ways, the tree that they form, and what it leaves."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats import operator_use as ou

SHARED = Path(__file__).parents[3] / "shared" / "formats" / "operator_use.jsonl"
API = "operator-use"
HEADER = '{"type":"session","version":3,"id":"s1","timestamp":1700000000.0,"cwd":"/p"}'
HELLO = '{"role":"user","contents":[{"type":"text","content":"hello"}],"id":"u1","timestamp":2.0}'


def _entry(number: int, rest: str, parent: int | None = -1) -> str:
    """Return a line: entry `number`, the child of `parent`, by default of the one before."""
    at = number - 1 if parent == -1 else parent
    follows = f'"parent_id":"aa{at:06x}",' if at else ""
    return f'{{"id":"aa{number:06x}","timestamp":{number}.5,{follows}{rest}}}'


def _said(text: str) -> str:
    said = f'{{"type":"text","content":"{text}"}}'
    return f'"type":"message","message":{{"role":"user","contents":[{said}],"id":"{text}"}}'


def _answered(text: str) -> str:
    cost = '"cost":{"input":0.0,"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.0}'
    return (
        f'"type":"message","message":{{"role":"assistant","contents":'
        f'[{{"type":"text","content":"{text}"}}],"id":"{text}","usage":{{"input_tokens":0,'
        f'"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,{cost}}},'
        '"stop_reason":"stop","error":""}'
    )


def _file(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in (HEADER, *lines)).encode()


def _extras(keys: Any = None, **spelling: Any) -> wg.Extras:
    return {API: wg.Extra(keys or {}, spelling or None)}


def _place(**place: Any) -> wg.Extras:
    return _extras(**{"(entry)": place})


FIRST = {"id": "aa000001", "timestamp": 1.5}
ENTRIES = {
    "a message": (
        _entry(1, f'"type":"message","message":{HELLO}'),
        wg.UserMessage([wg.TextBlock("hello")], 2000, "u1", extras=_place(**FIRST)),
    ),
    "a message that a channel says something of": (
        _entry(
            1,
            f'"type":"message","message":{HELLO},"meta":{{"reply_to":"t_42","attachments":'
            '[{"path":"/a.png","mime_type":"image/png"}],"x":1},"y":2',
        ),
        wg.UserMessage(
            [wg.TextBlock("hello")],
            2000,
            "u1",
            extras=_extras(
                {
                    "(entry)": {
                        "meta": {
                            "reply_to": "t_42",
                            "attachments": [{"path": "/a.png", "mime_type": "image/png"}],
                            "x": 1,
                        },
                        "y": 2,
                    }
                },
                **{"(entry)": FIRST},
            ),
        ),
    ),
    "another thinking level": (
        _entry(1, '"type":"thinking_level_change","thinking_level":"medium"'),
        wg.ExtensionMessage("thinking_level_change", {"thinking_level": "medium"}, _place(**FIRST)),
    ),
    "another model": (
        _entry(1, '"type":"model_change","model_id":"claude","provider_id":"anthropic"'),
        wg.ExtensionMessage(
            "model_change", {"model_id": "claude", "provider_id": "anthropic"}, _place(**FIRST)
        ),
    ),
    "a compaction": (
        _entry(
            1,
            '"type":"compaction","summary":"said","first_kept_entry_id":"aa000009",'
            '"tokens_before":1000,"from_hook":false',
        ),
        wg.CompactionSummaryMessage(
            "said",
            1000,
            "aa000009",
            timestamp=1500,
            id="aa000001",
            extras=_place(loose="aa000009"),
        ),
    ),
    "a compaction by a hook, with details": (
        _entry(
            1,
            '"type":"compaction","summary":"said","first_kept_entry_id":"",'
            '"tokens_before":0,"details":[1],"from_hook":true,"x":null',
        ),
        wg.CompactionSummaryMessage(
            "said",
            0,
            details=[1],
            timestamp=1500,
            id="aa000001",
            extras=_extras({"from_hook": True, "x": None}, **{"(entry)": {}}),
        ),
    ),
    "a branch": (
        _entry(1, '"type":"branch_summary","from_id":"b","summary":"tried","from_hook":false'),
        wg.BranchSummaryMessage("tried", "b", timestamp=1500, id="aa000001", extras=_place()),
    ),
    "a branch from the root": (
        _entry(1, '"type":"branch_summary","from_id":"root","summary":"t","from_hook":true'),
        wg.BranchSummaryMessage(
            "t",
            timestamp=1500,
            id="aa000001",
            extras=_extras({"from_hook": True}, **{"(entry)": {}}),
        ),
    ),
    "a label": (
        _entry(1, '"type":"label","label":"start","target_id":"aa000001"'),
        wg.ExtensionMessage("label", {"label": "start", "target_id": "aa000001"}, _place(**FIRST)),
    ),
    "a label that is taken away": (
        _entry(1, '"type":"label","target_id":"aa000001"'),
        wg.ExtensionMessage("label", {"target_id": "aa000001"}, _place(**FIRST)),
    ),
    "a leaf": (
        _entry(1, '"type":"leaf","target_id":"aa000001"'),
        wg.ExtensionMessage("leaf", {"target_id": "aa000001"}, _place(**FIRST)),
    ),
    "data of an extension": (
        _entry(1, '"type":"custom","custom_type":"todo","data":{"done":1,"n":null}'),
        wg.ExtensionMessage("todo", {"done": 1, "n": None}, _place(type="custom", **FIRST)),
    ),
    "data of an extension that is called as an entry is": (
        _entry(1, '"type":"custom","custom_type":"leaf","data":{"target_id":"x"},"(entry)":1'),
        wg.ExtensionMessage(
            "leaf",
            {"target_id": "x"},
            _extras({"(entry)(entry)": 1}, **{"(entry)": {"type": "custom", **FIRST}}),
        ),
    ),
    "a message that has a key of ours": (
        _entry(
            1,
            '"type":"message","message":{"role":"user","contents":[],"(entry)":{"meta":7},'
            '"(entry)(entry)x":2},"meta":{"reply_to":"m"}',
        ),
        wg.UserMessage(
            [],
            extras=_extras(
                {
                    "(entry)": {"meta": {"reply_to": "m"}},
                    "(entry)(entry)": {"meta": 7},
                    "(entry)(entry)(entry)x": 2,
                },
                **{"(entry)": FIRST},
            ),
        ),
    ),
    "a message of an extension": (
        _entry(
            1,
            '"type":"custom_message","custom_type":"note","content":'
            '[{"type":"text","content":"seen"},{"type":"image","images":["https://x"]}],'
            '"display":false,"details":{"k":"v"}',
        ),
        wg.CustomMessage(
            "note",
            [wg.TextBlock("seen"), wg.ImageBlock(url="https://x")],
            False,
            {"k": "v"},
            1500,
            "aa000001",
            _place(),
        ),
    ),
    "a message of an extension that is a plain text": (
        _entry(1, '"type":"custom_message","custom_type":"note","content":"seen","display":true'),
        wg.CustomMessage(
            "note",
            [wg.TextBlock("seen")],
            timestamp=1500,
            id="aa000001",
            extras=_extras(content="text", **{"(entry)": {}}),
        ),
    ),
    "the session's name": (
        _entry(1, '"type":"session_info","name":"Mine"'),
        wg.ExtensionMessage("session_info", {"name": "Mine"}, _place(**FIRST)),
    ),
    "a channel": (
        _entry(1, '"type":"channel","name":"telegram","chat_id":"1","x":[]'),
        wg.ExtensionMessage(
            "channel", {"name": "telegram", "chat_id": "1", "x": []}, _place(**FIRST)
        ),
    ),
    "a summary as a message of its own, as later versions write it": (
        _entry(
            1,
            '"type":"message","message":{"role":"compaction_summary","summary":"said",'
            '"tokens_before":5,"timestamp":2.0}',
        ),
        wg.CompactionSummaryMessage(
            "said", 5, timestamp=2000, extras=_place(type="message", **FIRST)
        ),
    ),
    "a command that the user ran": (
        _entry(
            1,
            '"type":"message","message":{"role":"terminal_execution","command":"ls",'
            '"output":"","cancelled":false,"exclude":true},"x":1',
        ),
        wg.ExtensionMessage(
            "terminal_execution",
            {"command": "ls", "output": "", "cancelled": False, "exclude": True},
            _extras(
                {"(entry)": {"x": 1}},
                role="terminal_execution",
                **{"(entry)": {"type": "message", **FIRST}},
            ),
        ),
    ),
    "an entry whose parent is not there": (
        _entry(1, '"type":"leaf"', 7),
        wg.ExtensionMessage("leaf", {}, _place(**FIRST, parent_id="aa000007", cut=True)),
    ),
    "an entry without id and time": (
        '{"type":"session_info","name":"Mine"}',
        wg.ExtensionMessage("session_info", {"name": "Mine"}, _place()),
    ),
}
every_entry = pytest.mark.parametrize(("line", "message"), ENTRIES.values(), ids=ENTRIES.keys())
FIRST_MESSAGE = wg.ExtensionMessage(
    "session", {"version": 3, "cwd": "/p"}, _place(id="s1", timestamp=1700000000.0)
)


@every_entry
def test_own_entries_come_back_as_they_were(line: str, message: wg.AgentMessage) -> None:
    entries = ou.decode(_file(line), list[ou.SessionFileEntry])
    assert json.loads(ou.encode(entries).splitlines()[1]) == json.loads(line)
    if line.startswith('{"id"'):
        assert ou.encode(entries) == _file(line)
        assert ou.encode(entries[1]) == line.encode()


@every_entry
def test_an_entry_is_read(line: str, message: wg.AgentMessage) -> None:
    assert ou.decode(_file(line)) == [FIRST_MESSAGE, message]
    assert ou.decode(line) == [message]


@every_entry
def test_an_entry_is_written(line: str, message: wg.AgentMessage) -> None:
    written = ou.encode([FIRST_MESSAGE, message])
    assert [json.loads(part) for part in written.splitlines()] == [
        json.loads(HEADER),
        json.loads(line),
    ]
    if line.startswith('{"id"'):
        assert written == _file(line)
        assert ou.encode([message], header=False) == f"{line}\n".encode()


# The examples of the format that come back with their keys in another order.
REORDERED = {22: "later versions write the role last"}


def test_every_example_of_the_format_comes_back() -> None:
    if not SHARED.exists():
        pytest.skip("the examples are not here")
    for number, line in enumerate(SHARED.read_bytes().splitlines(), 1):
        keys = json.loads(line)
        if "role" in keys:
            kind, form = ou.AgentMessage, "messages"
        else:
            kind = ou.SessionFileEntry if "timestamp" in keys else ou.Event
            form = "session"
        own = ou.decode(line, kind)
        if number in REORDERED:
            assert json.loads(ou.encode(own)) == keys
        else:
            assert ou.encode(own) == line
        if kind is ou.Event:
            continue
        (message,) = ou.decode(line)
        again = json.loads(ou.encode([message], form=form, header=False))
        assert again == ([keys] if form == "messages" else keys)


def test_the_examples_of_a_session_come_back_byte_for_byte() -> None:
    if not SHARED.exists():
        pytest.skip("the examples are not here")
    file = b"".join(SHARED.read_bytes().splitlines(keepends=True)[:18])
    assert ou.encode(ou.decode(file)) == file
    assert ou.encode(ou.decode(file, list[ou.SessionFileEntry])) == file


def test_nulls_of_a_forked_session_are_left_out() -> None:
    forked = _file('{"id":"a","timestamp":1.5,"parent_id":null,"type":"leaf","target_id":null}')
    assert ou.encode(ou.decode(forked)) == _file('{"id":"a","timestamp":1.5,"type":"leaf"}')


def test_line_ends_inside_a_text_are_escaped_which_the_system_would_split_at() -> None:
    message = wg.UserMessage([wg.TextBlock("a\u2028b\u2029c\x85d\n")])
    call = wg.AssistantMessage([wg.ToolCallBlock("c", "f", '{\n "a": "\u2028"\n}')])
    body = ou.encode([message, call])
    assert rb'"content":"a\u2028b\u2029c\u0085d\n"' in body
    assert len(body.decode().splitlines()) == 3
    read = ou.decode(body)
    assert read[1].text() == message.text()
    assert read[2].tool_calls()[0].arguments.value == {"a": "\u2028"}


# -- messages of another origin -------------------------------------------------------------------

USAGE = (
    '"usage":{"input_tokens":0,"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,'
    '"cost":{"input":0.0,"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.0}}'
)


def test_messages_of_another_origin_become_a_session() -> None:
    session = [
        wg.UserMessage([wg.TextBlock("hi")], 1700000000250, "m1"),
        wg.AssistantMessage(
            [wg.TextBlock("yes")], wg.StopReason.STOP, "gpt", "openai", timestamp=1700000001000
        ),
        wg.ExtensionMessage("todo", {"done": 1}),
        wg.CustomMessage("note", [wg.TextBlock("x")], id="n1"),
        wg.CompactionSummaryMessage("said", 7, first_kept_id="m1", timestamp=1700000002000),
        wg.BranchSummaryMessage("tried", "m1"),
        wg.UserMessage([]),
    ]
    header, *lines = ou.encode(session).decode().splitlines()
    assert json.loads(header) == {
        "type": "session",
        "version": 3,
        "id": "44a031c8-059a-50cf-8a45-0b4790252c9e",
        "timestamp": 1700000000.25,
        "cwd": ".",
    }
    assert lines == [
        '{"id":"00000001","timestamp":1700000000.25,"type":"message","message":{"role":"user",'
        '"contents":[{"type":"text","content":"hi"}],"id":"m1","timestamp":1700000000.25}}',
        '{"id":"00000002","timestamp":1700000001.0,"parent_id":"00000001","type":"model_change",'
        '"model_id":"gpt","provider_id":"openai"}',
        '{"id":"00000003","timestamp":1700000001.0,"parent_id":"00000002","type":"message",'
        '"message":{"role":"assistant","contents":[{"type":"text","content":"yes"}],'
        f'"timestamp":1700000001.0,{USAGE},"stop_reason":"stop","error":""}}}}',
        '{"id":"00000004","timestamp":1700000001.0,"parent_id":"00000003","type":"custom",'
        '"custom_type":"todo","data":{"done":1}}',
        '{"id":"n1","timestamp":1700000001.0,"parent_id":"00000004","type":"custom_message",'
        '"custom_type":"note","content":[{"type":"text","content":"x"}],"display":true}',
        '{"id":"00000006","timestamp":1700000002.0,"parent_id":"n1","type":"compaction",'
        '"summary":"said","first_kept_entry_id":"00000001","tokens_before":7,"from_hook":false}',
        '{"id":"00000007","timestamp":1700000002.0,"parent_id":"00000006",'
        '"type":"branch_summary","from_id":"00000001","summary":"tried","from_hook":false}',
        '{"id":"00000008","timestamp":1700000002.0,"parent_id":"00000007","type":"message",'
        '"message":{"role":"user","contents":[]}}',
    ]


def test_an_answer_tells_its_model_only_where_it_changes() -> None:
    def answer(model: str | None, provider: str | None = None) -> wg.AssistantMessage:
        return wg.AssistantMessage([], model=model, provider=provider)

    said = [answer("a"), answer("a"), answer(None), answer("a", "p"), answer(None, "q")]
    read = ou.decode(ou.encode(said))
    changes = [m.data for m in read if isinstance(m, wg.ExtensionMessage)][1:]
    assert changes == [
        {"model_id": "a", "provider_id": ""},
        {"model_id": "", "provider_id": ""},
        {"model_id": "a", "provider_id": "p"},
        {"model_id": "", "provider_id": "q"},
    ]
    answers = [m for m in read if isinstance(m, wg.Message)]
    assert [(m.model, m.provider) for m in answers] == [
        ("a", None),
        ("a", None),
        (None, None),
        ("a", "p"),
        (None, "q"),
    ]


def test_no_messages_are_no_file() -> None:
    assert ou.encode([]) == b""
    assert ou.encode([], form="messages") == b"[]"


def test_one_canonical_message_alone_is_a_session_too() -> None:
    message = wg.UserMessage([wg.TextBlock("hi")])
    assert ou.encode(message) == ou.encode([message])


def test_the_caller_may_give_the_header_or_ask_for_none() -> None:
    given = ou.SessionHeader(id="mine", timestamp=None, cwd="/work")
    lines = ou.encode([wg.UserMessage([])], header=given).splitlines()
    assert lines[0] == b'{"type":"session","version":3,"id":"mine","cwd":"/work"}'
    assert ou.encode([wg.UserMessage([])], header=False) == lines[1] + b"\n"
    replaced = ou.encode(ou.decode(_file(_entry(1, _said("a")))), header=given)
    assert replaced.splitlines()[0] == lines[0]
    assert len(replaced.splitlines()) == 2


def test_own_values_may_stand_among_canonical_ones() -> None:
    mixed = [
        ou.SessionHeader(id="s1", timestamp=1700000000.0, cwd="/p"),
        ou.SessionInfoEntry(id="aa000001", timestamp=1.5, name="Mine"),
        wg.UserMessage([], 2000),
        ou.UserMessage([], "u1", 3.0),
    ]
    assert ou.encode(mixed) == _file(
        '{"id":"aa000001","timestamp":1.5,"type":"session_info","name":"Mine"}',
        '{"id":"00000002","timestamp":2.0,"parent_id":"aa000001","type":"message","message":'
        '{"role":"user","contents":[],"timestamp":2.0}}',
        '{"id":"00000003","timestamp":3.0,"parent_id":"00000002","type":"message","message":'
        '{"role":"user","contents":[],"id":"u1","timestamp":3.0}}',
    )
    with pytest.raises(
        wg.EncodeError,
        match=r"`SessionInfoEntry`, expected a message; pass `form=.session.` - at `\$\[1\]`",
    ):
        ou.encode([wg.UserMessage([]), mixed[1]], form="messages")


# -- a session that goes on -----------------------------------------------------------------------

FILE = _file(
    _entry(1, _said("one")),
    _entry(2, _answered("two")),
    _entry(3, _said("three")),
)


def test_a_message_that_is_appended_follows_the_last_entry() -> None:
    session = [*ou.decode(FILE), wg.UserMessage([wg.TextBlock("four")])]
    assert ou.encode(session) == FILE + (
        b'{"id":"00000004","timestamp":3.5,"parent_id":"aa000003","type":"message","message":'
        b'{"role":"user","contents":[{"type":"text","content":"four"}]}}\n'
    )


def test_a_message_that_is_appended_after_a_leaf_follows_its_target() -> None:
    file = FILE + _entry(4, '"type":"leaf","target_id":"aa000001"').encode()
    session = [*ou.decode(file), wg.UserMessage([wg.TextBlock("new")])]
    assert json.loads(ou.encode(session).splitlines()[-1])["parent_id"] == "aa000001"
    assert _texts(session) == ["one", "new"]


def _texts(session: Any) -> list[str]:
    return [m.text() for m in ou.context(session).messages]


def test_a_message_that_is_put_between_two_stands_between_them() -> None:
    session = ou.decode(FILE)
    for position in (1, 2, 3, 4):
        more = [*session]
        more.insert(position, wg.UserMessage([wg.TextBlock("new")]))
        words = ["one", "two", "three"]
        words.insert(position - 1, "new")
        assert _texts(ou.decode(ou.encode(more))) == words
        assert _texts(more) == words


def test_what_followed_a_message_that_is_left_out_follows_the_one_before() -> None:
    session = ou.decode(FILE)
    for position in (1, 2, 3):
        less = [*session]
        del less[position]
        words = ["one", "two", "three"]
        del words[position - 1]
        assert _texts(ou.decode(ou.encode(less))) == words


def test_a_new_entry_never_gets_an_id_that_another_has() -> None:
    later = _entry(1, _said("old")).replace("aa000001", "00000002")
    session = [wg.UserMessage([]), wg.UserMessage([]), *ou.decode(_file(later))[1:]]
    ids = [json.loads(line)["id"] for line in ou.encode(session).splitlines()[1:]]
    assert ids == ["00000001", "00000003", "00000002"]


def test_an_answer_whose_model_is_changed_gets_an_entry_that_says_so() -> None:
    session = ou.decode(FILE)
    session[2].model = "gpt"
    lines = [json.loads(line) for line in ou.encode(session).splitlines()]
    assert [line.get("parent_id") for line in lines[2:]] == ["aa000001", "00000002", "aa000002"]
    assert lines[2]["model_id"] == "gpt"
    assert _texts(session) == ["one", "two", "three"]


def test_an_answer_knows_the_model_that_its_branch_names() -> None:
    file = _file(
        _entry(1, '"type":"model_change","model_id":"claude","provider_id":"anthropic"'),
        _entry(2, _answered("a")),
        _entry(3, '"type":"model_change","model_id":"gpt","provider_id":"openai"'),
        _entry(4, _answered("b")),
        _entry(5, _answered("c"), 2),
        _entry(6, _answered("d"), None),
    )
    session = ou.decode(file)
    answers = [m for m in session if isinstance(m, wg.Message)]
    assert [(m.text(), m.model, m.provider) for m in answers] == [
        ("a", "claude", "anthropic"),
        ("b", "gpt", "openai"),
        ("c", "claude", "anthropic"),
        ("d", None, None),
    ]
    assert ou.encode(session) == file


def test_signed_thinking_reaches_anthropic_from_a_session_that_names_it() -> None:
    answer = _answered("yes").replace(
        '[{"type"', '[{"type":"thinking","content":"hm","signature":"c2ln"},{"type"', 1
    )
    file = _file(
        _entry(1, '"type":"model_change","model_id":"claude","provider_id":"anthropic"'),
        _entry(2, _said("ready?")),
        _entry(3, answer),
        _entry(4, _said("go")),
    )
    request = wg.Request(wg.llm_messages(ou.context(ou.decode(file)).messages), model="claude")
    assert b'"signature":"c2ln"' in wg.PROVIDERS["anthropic"].encode_request(request)


def test_the_data_of_an_entry_may_be_changed() -> None:
    session = ou.decode(_file(_entry(1, '"type":"session_info","name":"Mine"')))
    session[1].data["name"] = "Yours"
    session[1].data["more"] = 1
    assert ou.encode(session) == _file(
        '{"id":"aa000001","timestamp":1.5,"type":"session_info","name":"Yours","more":1}'
    )
    session[1].data["name"] = 7
    with pytest.raises(wg.EncodeError, match=r"expected `str .*got `int` - at `\$\[1\].data.name`"):
        ou.encode(session)
    session[1].data = ["name"]
    with pytest.raises(wg.EncodeError, match=r"expected `object`, got `list` - at `\$\[1\].data`"):
        ou.encode(session)


# -- entries that are moved, doubled or left out --------------------------------------------------


def _lines(session: Any, losses: Any = None) -> list[dict[str, Any]]:
    """Return what a session is written as, but for its header; no two entries share an id."""
    lines = [json.loads(line) for line in ou.encode(session, losses=losses).splitlines()][1:]
    assert len({line["id"] for line in lines}) == len(lines)
    return lines


def test_two_sessions_in_one_list_are_one_session_whose_second_header_is_a_loss() -> None:
    losses: list[wg.Loss] = []
    lines = _lines(ou.decode(FILE) + ou.decode(FILE), losses)
    assert [(loss.path, loss.what) for loss in losses] == [("$[4]", "session")]
    assert [(line["id"], line.get("parent_id")) for line in lines[3:]] == [
        ("00000004", "aa000003"),
        ("00000005", "00000004"),
        ("00000006", "00000005"),
    ]
    both = ou.decode(FILE) + ou.decode(FILE)
    assert _texts(both) == ["one", "two", "three"] * 2
    assert _texts(ou.decode(ou.encode(both, losses=[]))) == ["one", "two", "three"] * 2
    with pytest.raises(wg.LossError, match="header"):
        ou.encode(both)


def test_a_header_of_our_own_that_is_not_first_is_a_loss_too() -> None:
    losses: list[wg.Loss] = []
    (line,) = _lines([wg.UserMessage([]), ou.SessionHeader(id="s2")], losses)
    assert (line["id"], losses[0].what, losses[0].path) == ("00000001", "session", "$[1]")


def test_what_a_fork_has_of_its_own_follows_its_own_copy() -> None:
    fork = _file(_entry(1, _said("one")), _entry(2, _answered("two")), _entry(9, _said("new"), 2))
    both = ou.decode(FILE) + ou.decode(fork)[1:]
    assert _texts(both) == ["one", "two", "three", "one", "two", "new"]
    assert _lines(both)[-1]["id"] == "aa000009"


def test_two_sessions_never_make_a_circle_of_what_was_none() -> None:
    cut = ou.decode(_file(_entry(1, _said("one"), 2)))
    whole = ou.decode(_file(_entry(3, _said("two"), 0), _entry(2, _said("three"), 3)))
    assert _texts(cut + whole[1:]) == ["one", "two", "three"]
    assert [line["id"] for line in _lines(cut + whole[1:])] == ["aa000001", "aa000003", "00000003"]
    other = ou.decode(_file(_entry(4, '"type":"leaf"', 0), _entry(2, _said("two"), 1)))
    assert _texts(ou.decode(ou.encode([*cut, other[2]]))) == ["one", "two"]
    leaf = ou.decode(_entry(4, '"type":"leaf","target_id":"aa000003"', 0))
    assert _texts(ou.decode(ou.encode([*leaf, *whole[1:]]))) == ["two", "three"]
    losses: list[wg.Loss] = []
    lines = _lines([*cut, wg.CustomMessage("x", [], id="aa000002")], losses)
    assert (lines[1]["id"], losses[0].what) == ("00000002", "id")


def test_the_same_entry_twice_is_two_entries() -> None:
    session = ou.decode(FILE)
    session.insert(2, session[1])
    assert [line["id"] for line in _lines(session)] == [
        "aa000001",
        "00000002",
        "aa000002",
        "aa000003",
    ]
    assert _texts(session) == ["one", "one", "two", "three"]
    assert _texts(ou.decode(ou.encode(session))) == ["one", "one", "two", "three"]


def test_a_summary_twice_is_two_entries_and_its_id_a_loss() -> None:
    file = _file(
        _entry(1, _said("one")),
        _entry(2, '"type":"branch_summary","from_id":"aa000001","summary":"s","from_hook":false'),
        _entry(3, '"type":"custom_message","custom_type":"x","content":"y","display":true'),
    )
    session = ou.decode(file)
    losses: list[wg.Loss] = []
    lines = _lines([*session, *session[1:]], losses)
    assert [line["id"] for line in lines[3:]] == ["00000004", "00000005", "00000006"]
    assert lines[4]["from_id"] == "00000004"
    assert [(loss.path, loss.what) for loss in losses] == [("$[5].id", "id"), ("$[6].id", "id")]


def _compacted(first: int) -> bytes:
    return _file(
        *(_entry(n, _said(word)) for n, word in enumerate(("one", "two", "three"), 1)),
        _entry(
            4,
            f'"type":"compaction","summary":"s","first_kept_entry_id":"aa{first:06x}",'
            '"tokens_before":9,"from_hook":false',
        ),
    )


def test_a_compaction_whose_first_kept_entry_is_left_out_names_the_next() -> None:
    session = ou.decode(_compacted(2))
    del session[2]
    assert _lines(session)[-1]["first_kept_entry_id"] == "aa000003"
    assert _sent(ou.context(session)) == ["<context-summary>\ns\n</context-summary>", "three"]


def test_a_compaction_of_which_all_that_was_kept_is_left_out_keeps_nothing() -> None:
    session = ou.decode(_compacted(3))
    del session[3]
    assert _lines(session)[-1]["first_kept_entry_id"] == ""


def test_a_compaction_of_which_nobody_knows_what_it_kept_is_a_loss() -> None:
    session = ou.decode(_compacted(1))
    del session[1:3]
    losses: list[wg.Loss] = []
    assert _lines(session, losses)[-1]["first_kept_entry_id"] == ""
    assert [(loss.path, loss.what) for loss in losses] == [("$[2].firstKeptId", "firstKeptId")]
    losses = []
    (line,) = _lines([wg.CompactionSummaryMessage("s", first_kept_id="gone")], losses)
    assert (line["first_kept_entry_id"], losses[0].what) == ("", "firstKeptId")


def test_a_compaction_of_a_copy_names_the_copy() -> None:
    session = ou.decode(_compacted(2))
    lines = _lines(session + session[1:], [])
    assert lines[-1]["first_kept_entry_id"] == lines[5]["id"] == "00000006"


def _pointed(rest: str) -> Any:
    return ou.decode(
        _file(*(_entry(n, _said(w)) for n, w in ((1, "one"), (2, "two"), (3, "three"))))
        + _entry(4, rest).encode()
    )


def test_a_leaf_goes_back_to_what_stood_before_an_entry_that_is_left_out() -> None:
    leaf = '"type":"leaf","target_id":"aa00000%d"'
    session = _pointed(leaf % 2)
    del session[2]
    assert _lines(session)[-1]["target_id"] == "aa000001"
    session = _pointed(leaf % 3)
    del session[3]
    assert _lines(session)[-1]["target_id"] == "aa000002"
    session = _pointed(leaf % 1)
    del session[1]
    assert "target_id" not in _lines(session)[-1]


def test_a_label_stands_at_the_entry_after_one_that_is_left_out() -> None:
    label = '"type":"label","label":"here","target_id":"aa00000%d"'
    session = _pointed(label % 2)
    del session[2]
    assert _lines(session)[-1]["target_id"] == "aa000003"
    session = _pointed(label % 3)
    del session[3]
    assert _lines(session)[-1]["target_id"] == "aa000002"


@pytest.mark.parametrize("kind", ["leaf", "label"])
def test_a_leaf_or_label_of_which_nobody_knows_where_it_stood_is_a_loss(kind: str) -> None:
    session = _pointed(f'"type":"{kind}","target_id":"aa000001"')
    del session[1:3]
    losses: list[wg.Loss] = []
    assert [line["id"] for line in _lines(session, losses)] == ["aa000003"]
    assert [(loss.path, loss.what) for loss in losses] == [("$[2].data.target_id", "targetId")]
    assert _texts(session) == ["three"]


def test_a_label_of_itself_goes_along_when_it_is_doubled() -> None:
    (label,) = ou.decode(_entry(1, '"type":"label","target_id":"aa000001"'))
    assert [line["target_id"] for line in _lines([label, label])] == ["aa000001", "00000002"]


def test_what_named_no_entry_where_it_came_from_stays_as_it_was() -> None:
    file = _file(
        _entry(1, '"type":"label","target_id":"gone"'),
        _entry(2, '"type":"leaf","target_id":"aa000003"'),
        _entry(3, _said("later")),
    )
    assert ou.encode(ou.decode(file)) == file


def _spent_on(many: int) -> float:
    """Write so many new entries among as many old ones, and return the processor seconds."""
    new: Any = [wg.UserMessage([]) for _ in range(many)]
    taken = (f'{{"id":"{n:08x}","timestamp":1.5,"type":"leaf"}}' for n in range(1, many))
    start = time.process_time()
    lines = _lines([*new, *ou.decode(_file(*taken))[1:]])
    assert [line["id"] for line in lines[:2]] == [f"{many:08x}", f"{many + 1:08x}"]
    children = (_entry(n, _said("x"), min(n - 1, 1)) for n in range(1, many))
    first, *rest = ou.decode(_file(*children))[1:]
    lines = _lines([first, *new, *rest])
    assert {line["parent_id"] for line in lines[many + 1 :]} == {lines[many]["id"]}
    return time.process_time() - start


def test_many_new_entries_among_many_old_ones_take_no_square_of_their_number() -> None:
    few, many = (min(_spent_on(number) for _ in range(2)) for number in (1000, 8000))
    assert many < 24 * few  # a square would be 64


def test_data_of_an_extension_comes_back_from_a_session() -> None:
    body = b'[{"role":"extension","kind":"status_update","data":{"done":1}}]'
    message: Any = ou.decode(ou.encode(wg.formats.phi_core.decode(body)))[1]
    assert (message.kind, message.data) == ("status_update", {"done": 1})
    assert json.loads(wg.formats.phi_core.encode([message])) == json.loads(body)


@pytest.mark.parametrize("kind", sorted({*ou.ENTRY_TYPES, "user", "terminal_execution"}))
def test_an_extension_that_is_called_as_an_entry_is_stays_one(kind: str) -> None:
    (line,) = _lines([wg.ExtensionMessage(kind, {"name": "x"})])
    assert (line["type"], line["custom_type"]) == ("custom", kind)
    again: Any = ou.decode(json.dumps(line))[0]
    assert (again.kind, again.data) == (kind, {"name": "x"})
    assert _lines([again]) == [line]


@pytest.mark.parametrize(
    "kind", ["message", "custom_message", "branch_summary", "compaction", "custom"]
)
def test_a_notice_that_is_called_as_an_entry_of_a_message_from_now_on_is_none(kind: str) -> None:
    notice = ou.decode(_file(_entry(1, '"type":"session_info","name":"x"')))[1]
    notice.kind = kind
    (line,) = _lines([notice])
    assert (line["type"], line["custom_type"], line["data"]) == ("custom", kind, {"name": "x"})


@pytest.mark.parametrize(
    "message",
    [
        wg.CustomMessage("x", [], id="00000001"),
        wg.BranchSummaryMessage("x", id="00000001"),
        wg.CompactionSummaryMessage("x", 5, id="00000001"),
    ],
)
def test_a_new_id_is_none_that_a_message_after_it_brings_along(message: wg.AgentMessage) -> None:
    lines = _lines([wg.UserMessage([]), message])
    assert [line["id"] for line in lines] == ["00000002", "00000001"]


def test_an_answer_without_a_model_gets_none_after_one_that_has() -> None:
    said = [wg.AssistantMessage([], model="m"), wg.AssistantMessage([])]
    read = [m for m in ou.decode(ou.encode(said)) if isinstance(m, wg.Message)]
    assert [m.model for m in read] == ["m", None]
    assert ou.context(ou.decode(ou.encode(said))).model_id is None
    assert [line["type"] for line in _lines([wg.AssistantMessage([])])] == ["message"]
    assert ou.encode(ou.decode(ou.encode(said))) == ou.encode(said)


def test_an_entry_alone_is_one_line_that_nobody_splits() -> None:
    line = _entry(
        1,
        '"type":"message","message":{"role":"assistant","contents":[{"type":"tool_call",'
        '"id":"c","name":"f","args":{\n"a":"\u2028"\r\n}}]}',
    )
    entry = ou.decode(line, ou.SessionFileEntry)
    body = ou.encode(entry)
    assert body.decode().splitlines() == [body.decode()]
    assert rb"\u2028" in body
    assert ou.encode([entry]) == body + b"\n"


def test_an_entry_that_has_a_role_is_an_entry() -> None:
    line = '{"id":"a","timestamp":1.5,"type":"session_info","name":"x","role":"user"}'
    (message,) = ou.decode(line)
    assert message.kind == "session_info"
    assert ou.encode([message], header=False) == f"{line}\n".encode()
    message = ou.decode('{"role":"user","contents":[],"type":"odd"}')[0]
    assert isinstance(message, wg.Message)


# -- the context ----------------------------------------------------------------------------------

TREE = _file(
    _entry(1, '"type":"model_change","model_id":"claude","provider_id":"anthropic"'),
    _entry(2, '"type":"thinking_level_change","thinking_level":"high"'),
    _entry(3, _said("one")),
    _entry(4, _answered("two")),
    _entry(5, _said("three")),
    _entry(
        6,
        '"type":"compaction","summary":"one and two","first_kept_entry_id":"aa000005",'
        '"tokens_before":9,"from_hook":false',
    ),
    _entry(7, '"type":"model_change","model_id":"gpt","provider_id":"openai"'),
    _entry(8, _answered("four")),
    _entry(9, '"type":"leaf","target_id":"aa000004"'),
    _entry(
        10, '"type":"branch_summary","from_id":"aa000004","summary":"left","from_hook":false', 4
    ),
    _entry(
        11,
        '"type":"custom_message","custom_type":"note","content":"seen","display":true,"details":1',
    ),
    _entry(12, '"type":"custom","custom_type":"todo"'),
)


def _shown(context: ou.SessionContext) -> list[Any]:
    return [
        m.text() if isinstance(m, wg.Message) else getattr(m, "summary", m.role)
        for m in context.messages
    ]


def test_the_context_is_the_path_to_where_the_session_stands() -> None:
    session = ou.decode(TREE)
    context = ou.context(session, summaries=False)
    assert _shown(context) == ["one", "two", "left", "custom"]
    assert (context.model_id, context.provider_id) == ("claude", "anthropic")
    assert context.thinking_level == wg.ThinkingLevel.HIGH
    assert context.messages[1].provider == "anthropic"
    for message, i in zip(context.messages, (3, 4, 10, 11), strict=True):
        assert message is session[i]


def _sent(context: ou.SessionContext) -> list[str]:
    return [message.text() for message in wg.llm_messages(context.messages)]


def test_the_model_reads_the_summary_of_the_last_compaction_first() -> None:
    context = ou.context(ou.decode(TREE), leaf="aa000008")
    assert (context.model_id, context.provider_id) == ("gpt", "openai")
    assert context.messages[0] == wg.UserMessage(
        [wg.TextBlock("<context-summary>\none and two\n</context-summary>")], 6500
    )
    assert _sent(context) == [
        "<context-summary>\none and two\n</context-summary>",
        "three",
        "four",
    ]
    request = wg.Request(wg.llm_messages(context.messages), model="m")
    assert wg.providers.openai_chat.encode_request(request) == (
        b'{"model":"m","messages":['
        b'{"role":"user","content":"<context-summary>\\none and two\\n</context-summary>"},'
        b'{"role":"user","content":"three"},{"role":"assistant","content":"four"}]}'
    )


def test_the_model_reads_the_summary_of_a_branch_in_its_place() -> None:
    context = ou.context(ou.decode(TREE))
    assert _sent(context) == ["one", "two", "left"]
    assert context.messages[2] == wg.UserMessage([wg.TextBlock("left")], 10500)


def test_summaries_stay_session_only_where_that_is_asked_for() -> None:
    session = ou.decode(TREE)
    context = ou.context(session, leaf="aa000008", summaries=False)
    assert context.messages[0] is session[6]
    assert context.messages[0].first_kept_id == "aa000005"
    assert _sent(context) == ["three", "four"]


def test_summaries_that_rpc_prints_as_messages_reach_the_model() -> None:
    printed = ou.decode(
        '[{"role":"compaction_summary","summary":"all","tokens_before":5,"timestamp":2.0},'
        '{"role":"branch_summary","summary":"left","from_id":"b","timestamp":3.0},'
        '{"role":"user","contents":[{"type":"text","content":"go"}],"id":"u","timestamp":4.0}]'
    )
    assert _sent(ou.context(printed)) == [
        "<context-summary>\nall\n</context-summary>",
        "left",
        "go",
    ]


def test_the_context_of_own_entries_is_the_same() -> None:
    own = ou.decode(TREE, list[ou.SessionFileEntry])
    assert ou.context(own) == ou.context(ou.decode(TREE))
    assert [entry.id[-1] for entry in ou.branch(own)] == ["1", "2", "3", "4", "a", "b", "c"]
    assert [entry.id[-1] for entry in ou.branch(own, "aa000003")] == ["1", "2", "3"]


def test_messages_of_another_origin_are_in_the_context_as_they_are() -> None:
    answer = wg.AssistantMessage([wg.TextBlock("new")], model="m", api="a", raw_stop_reason="r")
    session = [*ou.decode(FILE), answer, wg.ExtensionMessage("model_change", {})]
    session.append(ou.UserMessage.text("own"))
    context = ou.context(session)
    assert _shown(context) == ["one", "two", "three", "new", "own"]
    assert context.messages[3] is answer
    assert context.model_id == "m"


def test_where_nothing_is_kept_the_summary_stands_alone() -> None:
    file = _file(
        _entry(1, _said("one")),
        _entry(
            2,
            '"type":"compaction","summary":"all","first_kept_entry_id":"gone",'
            '"tokens_before":9,"from_hook":false',
        ),
        _entry(3, _said("two")),
    )
    assert _sent(ou.context(ou.decode(file))) == [
        "<context-summary>\nall\n</context-summary>",
        "two",
    ]


def test_a_second_compaction_replaces_the_first() -> None:
    def compaction(summary: str, first: int) -> str:
        return (
            f'"type":"compaction","summary":"{summary}","first_kept_entry_id":"aa{first:06x}",'
            '"tokens_before":9,"from_hook":false'
        )

    file = _file(
        _entry(1, _said("one")),
        _entry(2, compaction("first", 1)),
        _entry(3, _said("two")),
        _entry(4, compaction("second", 1)),
    )
    assert _sent(ou.context(ou.decode(file))) == [
        "<context-summary>\nsecond\n</context-summary>",
        "one",
        "two",
    ]


def test_a_path_ends_at_a_parent_that_is_not_there() -> None:
    file = _file(_entry(1, _said("one")), _entry(2, _said("two"), 9), _entry(3, _said("three")))
    assert _shown(ou.context(ou.decode(file))) == ["two", "three"]


def test_a_leaf_without_a_target_begins_anew() -> None:
    file = _file(_entry(1, _said("one")), _entry(2, '"type":"leaf"'))
    assert ou.context(ou.decode(file)) == ou.SessionContext([])


def test_an_empty_session_has_an_empty_context() -> None:
    assert ou.context([]) == ou.SessionContext([])
    assert ou.context(ou.decode(HEADER)) == ou.SessionContext([])


def test_a_leaf_that_is_no_entry_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError, match="unknown entry `aa000099`"):
        ou.context(ou.decode(TREE), leaf="aa000099")


def test_parents_in_a_circle_are_an_error_with_a_path() -> None:
    file = _file(_entry(1, _said("one"), 3), _entry(2, _said("two")), _entry(3, _said("three")))
    with pytest.raises(
        wg.DecodeError,
        match=(
            r"entry among its own parents, expected a tree"
            r" - at `\$\[1\].parent_id`"
        ),
    ):
        ou.context(ou.decode(file, list[ou.SessionFileEntry]))
    alone = _file(_entry(1, _said("one"), 1))
    with pytest.raises(wg.DecodeError, match="entry among its own parents, expected a tree"):
        ou.context(ou.decode(alone))


# -- broken lines ---------------------------------------------------------------------------------

BROKEN = (
    _file(_entry(1, _said("one")), '{"id":"x","type":"message"', _entry(3, '"type":"odd"', 1), "[]")
    + _entry(4, _said("four"), 1).encode()
)


def test_a_broken_line_is_an_error_that_names_it() -> None:
    with pytest.raises(wg.DecodeError, match=r"operator_use: .* - at `line 3: \$`") as caught:
        ou.decode(BROKEN)
    assert caught.value.path == "line 3: $"
    with pytest.raises(wg.DecodeError, match="line 3"):
        ou.decode(BROKEN, list[ou.SessionFileEntry])


def test_with_a_list_of_losses_a_broken_line_is_skipped() -> None:
    losses: list[wg.Loss] = []
    session = ou.decode(BROKEN, losses=losses)
    assert [m.text() for m in session[1:]] == ["one", "four"]
    assert [(loss.path, loss.what) for loss in losses] == [
        ("line 3: $", "line"),
        ("line 4: $.type", "line"),
        ("line 5: $", "line"),
    ]
    assert losses[1].why == (
        "unknown type `odd`,"
        " expected one of `session`, `message`, `thinking_level_change`,"
        " `model_change`, `compaction`, `branch_summary`, `label`, `leaf`,"
        " `custom`, `custom_message`, `session_info`, `channel`; skipped"
    )
    own = ou.decode(BROKEN, list[ou.SessionFileEntry], losses=[])
    assert len(own) == 3


def test_two_documents_on_one_line_are_an_error() -> None:
    line = _entry(1, _said("one"))
    with pytest.raises(wg.DecodeError, match="line 2"):
        ou.decode(_file(f"{line} {line}", line))


def test_a_broken_first_line_is_an_error_too() -> None:
    with pytest.raises(wg.DecodeError, match="line 1"):
        ou.decode(b'{"type":"session"\n' + _entry(1, _said("one")).encode())


def test_half_a_character_is_an_error_or_a_loss_but_no_lost_line() -> None:
    file = _file(_entry(1, _said(r"a\ud83d")))
    with pytest.raises(wg.DecodeError, match="line 2"):
        ou.decode(file)
    losses: list[wg.Loss] = []
    assert ou.decode(file, losses=losses)[1].text() == "a\ufffd"
    assert [(loss.what, loss.path[:12]) for loss in losses] == [
        ("lone surrogate", "line 2: byte")
    ] * 2


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_matter() -> None:
    file = FILE.replace(b"\n", b"\r\n")
    assert ou.decode(b"\xef\xbb\xbf" + file) == ou.decode(FILE)
    assert ou.decode(b"\n\n" + file + b"\n") == ou.decode(FILE)
    assert ou.decode(memoryview(file)) == ou.decode(file.decode())


def test_an_id_of_a_later_entry_is_not_given_to_an_earlier_one() -> None:
    one = wg.UserMessage([wg.TextBlock("one")], 1000)
    note = wg.CustomMessage("note", [wg.TextBlock("n")], id="00000001")
    assert _ids([one]) == ["00000001"]
    assert _ids([one, note]) == ["00000002", "00000001"]


def _ids(session: list[wg.AgentMessage]) -> list[str]:
    return [json.loads(line)["id"] for line in ou.encode(session, header=False).splitlines()]
