"""Batches through the kernels: what is made, what is lost, what fails."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wireglot as wg
from wireglot import arrow

CHAT = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":1}'
CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)
OLLAMA = (
    '{"model":"m","stream":false,"options":{"num_predict":8192},'
    '"messages":[{"role":"user","content":"Hi"}]}'
)
SEED = {
    "path": "$",
    "what": "seed",
    "why": "there is no such parameter; left out",
    "severe": False,
}
TABLE = pa.table({"id": [1, 2, 3, 4], "body": [CHAT, '{"messages":5}', None, CHAT]})
FAULT = {
    "kind": "DecodeError",
    "wire": "openai_chat",
    "reason": "expected `array`, got `int`",
    "path": "$.messages",
}
ANSWER = (
    '{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":['
    '{"type":"text","text":"I look."},'
    '{"type":"tool_use","id":"t1","name":"weather","input":{"city": "Oslo"}}],'
    '"stop_reason":"tool_use","stop_sequence":null,'
    '"usage":{"input_tokens":50,"cache_read_input_tokens":7,"output_tokens":6}}'
)


def test_a_bad_row_has_its_fault_and_the_others_are_translated() -> None:
    made = arrow.translate("openai_chat", "anthropic", column="body")(TABLE)
    assert made.column_names == ["id", "body", "translated", "losses", "error"]
    assert made["translated"].to_pylist() == [CLAUDE, None, None, CLAUDE]
    assert made["losses"].to_pylist() == [[SEED], [], [], [SEED]]
    assert made["error"].to_pylist() == [None, FAULT, None, None]
    assert made["id"].to_pylist() == [1, 2, 3, 4]


def test_the_metadata_of_the_schema_and_of_the_other_columns_is_kept() -> None:
    number = pa.field("id", pa.int64(), metadata={"unit": "none"})
    schema = pa.schema([number, ("body", pa.string())], metadata={"mine": "1"})
    made = arrow.check("openai_chat", column="body")(TABLE.cast(schema))
    assert made.schema.metadata == {b"mine": b"1"}
    assert made.schema.field("id").metadata == {b"unit": b"none"}


def test_a_kernel_keeps_the_losses_and_errors_of_the_one_before() -> None:
    first = arrow.translate("openai_chat", "anthropic", column="body")(TABLE)
    made = arrow.translate("anthropic", "ollama", column="translated", into="last")(first)
    assert made.column_names == ["id", "body", "translated", "losses", "error", "last"]
    assert made["error"].to_pylist() == [None, FAULT, None, None]
    assert made["losses"].to_pylist()[0][0] == SEED
    assert made["last"].to_pylist() == [OLLAMA, None, None, OLLAMA]


def test_the_first_error_of_a_row_stays() -> None:
    table = pa.table({"a": ["x"], "b": ['{"messages":5}']})
    first = arrow.check("openai_chat", column="b")(table)
    second = arrow.check("openai_chat", column="a")(first)
    assert second["error"].to_pylist() == [FAULT]


def test_errors_are_kept_if_an_engine_has_changed_the_type_of_their_texts() -> None:
    first = arrow.check("openai_chat", column="body")(TABLE)
    texts = pa.struct([(name, pa.large_string()) for name in ("kind", "wire", "reason", "path")])
    first = first.set_column(3, "error", first["error"].cast(texts))
    second = arrow.check(None, column="body")(first)
    assert second["error"].to_pylist() == [None, FAULT, None, None]


def test_a_column_with_the_name_of_a_kernels_is_not_overwritten() -> None:
    table = TABLE.append_column("error", pa.array(["mine"] * 4))
    with pytest.raises(wg.EncodeError) as caught:
        arrow.check("openai_chat", column="body")(table)
    assert caught.value.reason == (
        "column of type string with the name of a kernel's, expected another name"
    )


def test_two_columns_of_one_name_are_refused() -> None:
    table = pa.Table.from_arrays([pa.array([CHAT]), pa.array([1]), pa.array([2])], ["d", "a", "a"])
    with pytest.raises(wg.EncodeError) as caught:
        arrow.check("openai_chat", column="d")(table)
    assert caught.value.reason == "two columns `a`, expected one"


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize(
    "column",
    [
        pa.array([{"kind": "mine", "extra": "kept"}]),
        pa.array([[{"path": "1", "note": "x"}]]),
        pa.array(["mine"]),
    ],
    ids=["struct", "list", "text"],
)
@pytest.mark.parametrize("name", ["error", "losses"])
def test_a_column_of_the_users_own_is_refused_whatever_is_in_it(
    name: str, column: Any, rows: int
) -> None:
    table = pa.record_batch({"body": pa.array([CHAT]), name: column}).slice(0, rows)
    with pytest.raises(wg.EncodeError, match="with the name of a kernel's, expected another name"):
        arrow.check("openai_chat", column="body")(table)


def test_earlier_columns_of_nulls_alone_may_have_lost_their_types() -> None:
    table = pa.table(
        {"body": [CHAT], "error": pa.nulls(1), "losses": pa.array([[]], pa.list_(pa.null()))}
    )
    made = arrow.check("openai_chat", column="body")(table)
    assert (made["error"].to_pylist(), made["losses"].to_pylist()) == ([None], [[]])
    assert made.schema.field("error").type == arrow.ERROR


def test_a_row_that_failed_is_read_again_by_the_next_kernel() -> None:
    table = pa.table({"a": [CHAT], "b": ['{"messages":5}']})
    made = arrow.check("openai_chat", column="b")(table)
    made = arrow.translate("openai_chat", "anthropic", column="a")(made)
    assert made["translated"].to_pylist() == [CLAUDE]
    assert made["error"].to_pylist() == [FAULT]


HALF = '{"messages":[{"role":"user","content":"\\ud800"},{"role":"user","content":5}]}'


@pytest.mark.parametrize(
    "kernel",
    [
        arrow.decode("openai_chat", column="body"),
        arrow.check("openai_chat", column="body"),
        arrow.check("openai_chat", to="anthropic", column="body"),
        arrow.stats("openai_chat", column="body"),
        arrow.convert("langchain", wire="openai_chat", column="body"),
        arrow.translate("openai_chat", "anthropic", column="body"),
    ],
    ids=["decode", "check", "check to", "stats", "convert", "translate"],
)
def test_a_row_that_fails_keeps_what_was_lost_before(kernel: arrow.Kernel) -> None:
    made = kernel(pa.table({"body": [HALF]}))
    assert made["error"].to_pylist()[0]["path"] == "$.messages[1].content"
    assert [loss["what"] for loss in made["losses"].to_pylist()[0]] == ["lone surrogate"]


def test_what_a_decoder_loses_is_told_once() -> None:
    stored = r'[{"role":"user","content":[{"type":"text","text":"\ud83d"}]}]'
    made = arrow.convert("ravi", column="s")(pa.table({"s": [stored]}))
    assert [loss["what"] for loss in made["losses"].to_pylist()[0]] == ["lone surrogate"]


def test_a_stream_of_bedrock_has_no_place_in_a_column_of_text() -> None:
    stream = (
        'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}\n\n'
        "data: [DONE]\n\n"
    )
    table = pa.table({"s": [stream]})
    made = arrow.convert("bedrock", wire="openai_chat", kind="stream", column="s")(table)
    (error,) = made["error"].to_pylist()
    assert error["reason"] == "binary stream in a column of text, expected JSON; use `translate`"
    binary = arrow.translate("openai_chat", "bedrock", kind="stream", column="s")(table)
    assert binary["translated"].type == pa.binary()
    assert binary["error"].to_pylist() == [None]


def test_a_batch_stays_a_batch_and_a_kernel_can_be_pickled() -> None:
    kernel = pickle.loads(pickle.dumps(arrow.check("openai_chat", column="body")))
    (batch,) = TABLE.to_batches()
    made = kernel(batch)
    assert isinstance(made, pa.RecordBatch)
    assert made.schema == kernel.schema(batch.schema)
    assert made.column("error").to_pylist() == [None, FAULT, None, None]


def test_a_reader_makes_each_batch_when_it_is_asked_for() -> None:
    asked: list[int] = []

    def batches() -> Iterator[pa.RecordBatch]:
        for number, batch in enumerate(TABLE.to_batches(max_chunksize=1)):
            asked.append(number)
            yield batch

    rows = pa.RecordBatchReader.from_batches(TABLE.schema, batches())
    made = arrow.translate("openai_chat", "anthropic", column="body").reader(rows)
    assert made.schema.names == ["id", "body", "translated", "losses", "error"]
    assert made.read_next_batch().column("translated").to_pylist() == [CLAUDE]
    assert asked == [0]
    assert made.read_all()["translated"].to_pylist() == [None, None, CLAUDE]
    with pytest.raises(wg.EncodeError, match="unknown column `no`"):
        arrow.check(column="no").reader(TABLE)


def test_a_reader_cuts_large_batches() -> None:
    rows = pa.table({"body": pa.repeat(CHAT, 2500)})
    made = arrow.check("openai_chat", column="body").reader(rows)
    assert [batch.num_rows for batch in made] == [1000, 1000, 500]


def test_an_empty_table_has_the_columns() -> None:
    kernel = arrow.decode("openai_chat", column="body")
    for empty in (
        TABLE.slice(0, 0),
        TABLE.schema.empty_table(),
        pa.table(TABLE.schema.empty_table()),
    ):
        assert kernel(empty).schema.names == [
            "id",
            "body",
            "messages",
            "document",
            "losses",
            "error",
        ]
        assert kernel(empty).num_rows == 0


def test_decode_makes_messages_to_query_and_the_whole_document() -> None:
    (row,) = arrow.decode("anthropic", kind="response", column="a")(
        pa.table({"a": [ANSWER]})
    ).to_pylist()
    (message,) = row["messages"]
    assert message == {
        "role": "assistant",
        "text": "I look.",
        "thinking": None,
        "calls": [{"id": "t1", "name": "weather", "arguments": '{"city": "Oslo"}'}],
        "results": [],
        "media": [],
        "model": "claude-sonnet-4-5",
        "api": "anthropic-messages",
        "stop_reason": "toolUse",
        "timestamp": None,
        "usage": {
            "input": 50,
            "output": 6,
            "reasoning": 0,
            "cache_read": 7,
            "cache_write": 0,
            "total_tokens": 63,
            "cost": None,
        },
    }
    answer = wg.json.decode(row["document"], wg.Response)
    assert wg.providers.anthropic.encode_response(answer) == ANSWER.encode()


def test_what_decode_makes_is_read_without_its_kind() -> None:
    table = pa.table({"asked": [CHAT], "answered": [ANSWER]})
    asked = arrow.decode("openai_chat", kind="request", column="asked")(table)
    answered = arrow.decode("anthropic", kind="response", column="answered")(table)
    (row,) = arrow.convert("anthropic")(asked).to_pylist()
    assert (row["error"], row["converted"][:12]) == (None, '{"model":"m"')
    (row,) = arrow.convert("openai_chat")(answered).to_pylist()
    assert (row["error"], '"content":"I look."' in row["converted"]) == (None, True)
    (row,) = arrow.stats()(answered).to_pylist()
    assert (row["error"], row["stats"]["answers"]) == (None, 1)


@pytest.mark.parametrize("format", ["json", "msgpack"])
def test_a_native_column_may_hold_several_kinds(format: Any) -> None:
    hello = wg.UserMessage([wg.TextBlock("Hi")])
    values = [[hello], wg.Request([hello], "m"), wg.Response(wg.AssistantMessage([])), []]
    made = arrow.decode()(arrow.to_table(values, format=format))
    assert made["error"].to_pylist() == [None] * 4
    roles = [[message["role"] for message in row] for row in made["messages"].to_pylist()]
    assert roles == [["user"], ["user"], ["assistant"], []]


def test_an_answer_where_a_request_is_the_default_says_how_to_read_it() -> None:
    (row,) = arrow.decode("anthropic", column="a")(pa.table({"a": [ANSWER]})).to_pylist()
    assert row["error"]["reason"] == (
        "object missing required field `messages`; pass `kind` for what is not a request"
    )


def test_requests_and_answers_of_a_row_have_columns_each() -> None:
    table = pa.table({"request": [CHAT], "answer": [ANSWER]})
    asked = arrow.decode("openai_chat", column="request", prefix="asked_")
    answered = arrow.decode("anthropic", kind="response", column="answer", prefix="answered_")
    made = answered(asked(table))
    assert made.column_names == [
        *("request", "answer", "asked_messages", "asked_document", "losses", "error"),
        *("answered_messages", "answered_document"),
    ]
    (row,) = made.to_pylist()
    assert [message["text"] for message in row["asked_messages"]] == ["Hi"]
    assert [message["text"] for message in row["answered_messages"]] == ["I look."]


def test_the_error_of_a_provider_says_its_kind_and_status() -> None:
    body = (
        '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},'
        '"request_id":"r1"}'
    )
    made = arrow.decode("anthropic", kind="response")(pa.table({"document": [body]}))
    (error,) = made["error"].to_pylist()
    assert (error["kind"], error["reason"]) == ("ProviderError", "overloaded: Overloaded")


def test_stats_count_tokens_and_calls_of_a_document() -> None:
    made = arrow.stats("anthropic", kind="response", column="a")(pa.table({"a": [ANSWER, None]}))
    first, second = made["stats"].to_pylist()
    assert second is None
    del first["cost"], first["priced"]  # by the prices that are installed
    assert first == {
        "model": "claude-sonnet-4-5",
        "timestamp": None,
        "answers": 1,
        "input": 50,
        "output": 6,
        "reasoning": 0,
        "cache_read": 7,
        "cache_write": 0,
        "calls": 1,
        "failed": 0,
    }


def test_stats_take_a_file_of_prices_which_a_worker_need_not_have(tmp_path: Any) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[models."claude-*"]\ninput_per_million = 2.0\noutput_per_million = 5.0\n')
    kernel = arrow.stats("anthropic", kind="response", column="a", prices=str(prices))
    sent = pickle.dumps(kernel)
    prices.unlink()
    (row,) = pickle.loads(sent)(pa.table({"a": [ANSWER]}))["stats"].to_pylist()
    assert row["cost"] == pytest.approx((50 * 2 + 6 * 5) / 1e6)


def test_stats_say_how_many_answers_have_a_price(tmp_path: Any) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[models."claude-*"]\ninput_per_million = 2.0\noutput_per_million = 5.0\n')
    turn = '{"role":"assistant","content":[],"model":"%s","usage":{"input":1000000,"output":0}}'
    session = f"[{turn % 'claude-9'},{turn % 'another'}]"
    made = arrow.stats(prices=str(prices))(pa.table({"document": [session]}))
    (row,) = made["stats"].to_pylist()
    assert (row["answers"], row["priced"], row["cost"]) == (2, 1, 2.0)


def test_convert_writes_another_systems_format() -> None:
    stored = '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]'
    made = arrow.convert("ravi", column="s")(pa.table({"s": [stored]}))
    assert made["converted"].to_pylist() == [
        '[{"role":"user","content":[{"type":"input_text","text":"Hi"}],"type":"UserMessage"}]'
    ]
    packed = arrow.convert("msgpack", column="s")(pa.table({"s": [stored]}))["converted"]
    assert packed.type == pa.binary()
    assert wg.msgpack.decode(packed[0].as_py()) == wg.json.decode(stored)


def test_check_tells_what_another_wire_would_lose_or_refuse() -> None:
    made = arrow.check("openai_chat", to="anthropic", column="body")(TABLE)
    assert made.column_names == ["id", "body", "losses", "error"]
    assert made["losses"].to_pylist() == [[SEED], [], [], [SEED]]
    assert made["error"].to_pylist() == [None, FAULT, None, None]
    made = arrow.check("openai_chat", to="anthropic")(pa.table({"document": ['{"messages":[]}']}))
    assert made["error"].to_pylist()[0]["wire"] == "anthropic"


def test_a_stream_is_translated_whole() -> None:
    stream = (
        'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}\n\n'
        "data: [DONE]\n\n"
    )
    table = pa.table({"s": [stream, stream[:20]]})
    made = arrow.translate("openai_chat", "ollama", kind="stream", column="s")(table)
    first, second = made["translated"].to_pylist()
    assert '"content":"Hi"' in first
    assert second is None
    assert made["error"].to_pylist()[1]["kind"] == "StreamError"


EVENTS = (
    'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n'
    'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    "data: [DONE]\n\n"
)
OVERLOADED = (
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n'
)


@pytest.mark.parametrize(
    "make",
    [
        lambda wire: arrow.translate(wire, "ollama", kind="stream"),
        lambda wire: arrow.decode(wire, kind="stream"),
    ],
    ids=["translate", "decode"],
)
def test_a_stream_with_a_second_answer_or_an_error_is_a_fault(make: Any) -> None:
    made = make("openai_chat")(pa.table({"document": [EVENTS, EVENTS * 2]}))
    first, second = made["error"].to_pylist()
    assert first is None
    assert second["reason"] == "text after the end of the answer, expected none"
    made = make("anthropic")(pa.table({"document": [OVERLOADED]}))
    (error,) = made["error"].to_pylist()
    assert (error["kind"], error["reason"]) == ("ProviderError", "overloaded: Busy")


def test_a_document_that_is_not_detected_has_a_step_for_a_caller() -> None:
    made = arrow.check(None)(pa.table({"document": ["Hello", "\ufeff[]", " " * 5000 + CHAT]}))
    unknown, marked, spaced = made["error"].to_pylist()
    assert unknown["wire"] == "arrow"
    assert "--" not in unknown["reason"]
    assert marked["reason"] == "text with a byte order mark, expected UTF-8 without one"
    assert spaced is None


def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Any) -> None:
    pq.write_table(pa.table({"a": [CHAT], "zAzz": [1]}), tmp_path / "a", store_schema=False)
    data = (tmp_path / "a").read_bytes().replace(b"zAzz", b"z\xffzz")
    table = pq.read_table(pa.BufferReader(data))
    for use in (arrow.check("openai_chat", column="a"), lambda it: [*arrow.from_table(it)]):
        with pytest.raises(wg.EncodeError, match="name of a column is not UTF-8"):
            use(table)


def test_documents_of_any_wire_are_detected() -> None:
    table = pa.table({"d": [CHAT, CLAUDE, ANSWER, "x"]})
    made = arrow.convert("anthropic", column="d", wire=None)(table)
    assert made["converted"].to_pylist() == [CLAUDE, CLAUDE, ANSWER, None]
    assert [error and error["kind"] for error in made["error"].to_pylist()] == [
        *(None, None, None, "DecodeError")
    ]


def test_structs_as_datasets_pads_them_are_messages() -> None:
    messages = [
        [{"role": "user", "content": "Hi"}],
        [
            {"role": "assistant", "tool_calls": [{"id": "c", "type": "function",
             "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": "1"},
        ],
    ]  # fmt: skip
    table = pa.table({"messages": messages})
    assert table["messages"].to_pylist()[0][0]["tool_calls"] is None
    made = arrow.translate("openai_chat", "ollama", model="m", column="messages")(table)
    assert made["error"].to_pylist() == [None, None]
    assert made["losses"].to_pylist() == [[], []]
    assert made["translated"].to_pylist() == [
        '{"model":"m","stream":false,"messages":[{"role":"user","content":"Hi"}]}',
        '{"model":"m","stream":false,"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"c",'
        '"function":{"name":"f","arguments":{}}}]},{"role":"tool","content":"1",'
        '"tool_name":"f","tool_call_id":"c"}]}',
    ]


def test_a_column_is_made_into_structs_for_engines_that_call_by_column() -> None:
    kernel = arrow.translate("openai_chat", "anthropic")
    made = kernel.array(TABLE["body"].chunk(0))
    assert [field.name for field in made.type] == ["translated", "losses", "error"]
    assert made.type == kernel.type
    assert made.field("translated").to_pylist() == [CLAUDE, None, None, CLAUDE]
    assert kernel.array(TABLE["body"]).to_pylist() == made.to_pylist()


NAMES = ", ".join(f"`{name}`" for name in wg.PROVIDERS)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (
            lambda: arrow.decode("openai"),
            "unknown wire `openai`, expected one of `anthropic`, `openai_chat`, ",
        ),
        (
            lambda: arrow.decode("anthropic:aws"),
            "unknown dialect of `anthropic` `aws`, expected one of `anthropic`, `vertex`, ",
        ),
        (
            lambda: arrow.translate("native", "anthropic"),
            f"unknown wire `native`, expected one of {NAMES}",
        ),
        (
            lambda: arrow.translate("ollama", "anthropic", kind="session"),  # type: ignore[arg-type]
            "unknown kind `session`, expected one of `request`, `response`, `stream`",
        ),
        (
            lambda: arrow.decode("langchain", kind="request"),
            "unknown kind of `langchain` `request`, expected one of `session`",
        ),
        (
            lambda: arrow.stats("openai_chat", kind="session"),
            "unknown kind of `openai_chat` `session`, expected one of `request`, `response`, ",
        ),
        (
            lambda: arrow.check(column="no")(TABLE),
            "unknown column `no`, expected one of `id`, `body`",
        ),
        (
            lambda: arrow.decode("anthropic:"),
            "unknown dialect of `anthropic` ``, expected one of `anthropic`, `vertex`, ",
        ),
        (
            lambda: arrow.decode("native:x"),
            "dialect of `native`, which has none",
        ),
        (
            lambda: arrow.decode(None, kind="request"),
            "kind without a wire, expected both or neither",
        ),
        (
            lambda: arrow.convert("langchain", into="error"),
            "column `error` of every kernel, expected another name",
        ),
    ],
)
def test_what_is_unknown_is_the_callers_fault(make: Any, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        make()
    assert caught.value.reason.startswith(reason)


# -- text that is not UTF-8 ------------------------------------------------------------------------

_PNG = (
    b'{"role":"user","content":[{"type":"image","source":'
    b'{"type":"base64","media_type":"image/png","data":"%b"}}]}'
)
_SMALL = b'{"model":"c","max_tokens":9,"messages":[%b]}' % (_PNG % b"iVBO\xffRw0KGgo=")
_LARGE = _SMALL.replace(b"iVBO\xff", b"iVBORw0KGgo" + b"A" * 70_000 + b"\xff")
_GOOD = b'{"model":"c","max_tokens":9,"messages":[%b]}' % (_PNG % b"iVBORw0KGgo=")


def _bad_row(kernel: Any) -> Any:
    table = pa.table({"document": pa.array([_GOOD, _SMALL, _LARGE, None, _GOOD], pa.binary())})
    made = kernel(table)
    made.validate(full=True)
    errors = made["error"].to_pylist()
    assert [error and (error["kind"], error["reason"]) for error in errors] == [
        None,
        ("DecodeError", "text is not UTF-8"),
        ("EncodeError", "text is not UTF-8"),
        None,
        None,
    ]
    return made


def test_a_row_with_base64_that_is_not_utf_8_is_a_fault_of_a_translation() -> None:
    made = _bad_row(arrow.translate("anthropic", "openai_chat"))
    good = (
        '{"model":"c","max_completion_tokens":9,"messages":[{"role":"user","content":'
        '[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}'
    )
    assert made["translated"].to_pylist() == [good, None, None, None, good]


def test_a_row_with_base64_that_is_not_utf_8_is_a_fault_of_a_conversion() -> None:
    made = _bad_row(arrow.convert("phi_core", wire="anthropic"))
    assert [row is None for row in made["converted"].to_pylist()] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_a_row_with_base64_that_is_not_utf_8_has_no_messages_either() -> None:
    made = _bad_row(arrow.decode("anthropic", prefix="a_"))
    for name in ("a_document", "a_messages"):
        rows = made[name].to_pylist()
        assert [row is None for row in rows] == [False, True, True, True, False]
    assert [message["media"] for message in made["a_messages"].to_pylist()[4]] == [["image"]]
