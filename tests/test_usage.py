"""Tokens and money, ids and times, and the closed vocabularies."""

import re
import time
from typing import Any

import pytest

import wireglot as wg
from wireglot import Cost, Usage
from wireglot.model import CostConfig

MILLION = 1_000_000
PRICES = CostConfig(3.0, 15.0, cache_read_per_million=0.5, cache_write_per_million=3.75)


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(), 0.0),
        (Usage(input=MILLION), 3.0),
        (Usage(output=MILLION), 15.0),
        (Usage(cache_read=MILLION), 0.5),
        (Usage(cache_write=MILLION), 3.75),
        (Usage(reasoning=MILLION, total_tokens=MILLION), 0.0),
        (Usage(image_tokens=MILLION, audio_tokens=MILLION, cost=Cost(total=9.0)), 0.0),
        (Usage(input=500_000, output=200_000, cache_read=MILLION, cache_write=400_000), 6.5),
        (Usage(input=1), 0.000003),
    ],
    ids=repr,
)
def test_a_cost_is_four_counts_at_their_prices_per_million(usage: Usage, cost: float) -> None:
    assert usage.estimated_cost(PRICES) == cost


def test_cached_tokens_are_free_unless_priced() -> None:
    usage = Usage(input=MILLION, output=MILLION, cache_read=MILLION, cache_write=MILLION)
    assert usage.estimated_cost(CostConfig(1.0, 2.0)) == 3.0


@pytest.mark.parametrize(
    ("usage", "rate"),
    [
        (Usage(), 0.0),
        (Usage(output=5, total_tokens=5), 0.0),
        (Usage(input=5), 0.0),
        (Usage(cache_write=5), 0.0),
        (Usage(cache_read=5), 1.0),
        (Usage(input=1, cache_read=1), 0.5),
        (Usage(input=1, cache_read=1, cache_write=2), 0.25),
        (Usage(input=1, cache_read=1, output=9, reasoning=9, total_tokens=9), 0.5),
    ],
    ids=repr,
)
def test_the_hit_rate_is_cached_reads_over_all_input_and_writes(usage: Usage, rate: float) -> None:
    assert usage.cache_hit_rate() == rate


def test_usages_combine_count_by_count() -> None:
    one = Usage(1, 2, 3, 4, 5, 6, 7, 8, Cost(1.0, 2.0, 3.0, 4.0, 5.0))
    other = Usage(10, 20, 30, 40, 50, 60, 70, 80, Cost(10.0, 20.0, 30.0, 40.0, 50.0))
    both = Usage(11, 22, 33, 44, 55, 66, 77, 88, Cost(11.0, 22.0, 33.0, 44.0, 55.0))
    assert one.combine(other) == other.combine(one) == both
    assert one == Usage(1, 2, 3, 4, 5, 6, 7, 8, Cost(1.0, 2.0, 3.0, 4.0, 5.0))


def test_what_only_one_usage_reports_is_taken_from_it() -> None:
    reported = Usage(image_tokens=0, audio_tokens=8, cost=Cost(total=5.0))
    silent = Usage(input=1)
    both = Usage(input=1, total_tokens=1, image_tokens=0, audio_tokens=8, cost=Cost(total=5.0))
    assert reported.combine(silent) == silent.combine(reported) == both
    assert silent.combine(silent) == Usage(input=2, total_tokens=2)
    for sum_of_both in (reported.combine(silent), silent.combine(reported)):
        sum_of_both.cost.total += 1.0
    assert reported.cost == Cost(total=5.0)


def test_the_counts_of_a_usage_are_always_written() -> None:
    assert wg.json.encode(Usage()) == (
        b'{"input":0,"output":0,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0}'
    )
    assert wg.json.encode(Usage(image_tokens=0, cost=Cost(total=0.5))) == (
        b'{"input":0,"output":0,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0,'
        b'"image_tokens":0,"cost":'
        b'{"input":0.0,"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.5}}'
    )
    assert wg.json.decode(b'{"input":1}', Usage) == Usage(input=1)


# -- ids and times ----------------------------------------------------------------------------

UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@pytest.mark.parametrize(
    ("kind", "default", "expected"),
    [
        ("string", "mine", "mine"),
        ("int", 7, 7),
        ("int", -7, -7),
        ("bigint", 2**63, 2**63),
        (lambda: "made", "mine", "made"),
        (lambda: 5, None, 5),
        (lambda: "", "mine", "mine"),
        (lambda: 0, "mine", "mine"),
        (lambda: None, "mine", "mine"),
    ],
    ids=["a text", "a number", "a number below zero", "a big number", "a callable that made a text",
         "a callable that made a number", "a callable that made no text",
         "a callable that made zero", "a callable that made nothing"],
)  # fmt: skip
def test_an_id_that_is_set_is_taken(kind: Any, default: Any, expected: str | int) -> None:
    assert wg.model.generate_id(kind, default) == expected


@pytest.mark.parametrize("default", [None, "", 0, 7])
@pytest.mark.parametrize("kind", ["string", lambda: "", lambda: 0], ids=["a", "no text", "zero"])
def test_else_a_string_id_is_a_new_uuid4(kind: Any, default: Any) -> None:
    made = [wg.model.generate_id(kind, default) for _ in range(8)]
    assert len(set(made)) == 8
    assert all(type(each) is str and UUID4.fullmatch(each) for each in made)


@pytest.mark.parametrize("default", [None, 0, "", "7"])
@pytest.mark.parametrize(("kind", "bits"), [("int", 32), ("bigint", 64)])
def test_else_an_integer_id_is_the_top_bits_of_one(kind: Any, bits: int, default: Any) -> None:
    made = [wg.model.generate_id(kind, default) for _ in range(64)]
    assert len(set(made)) == 64
    assert all(type(each) is int and 0 <= each < 1 << bits for each in made)
    assert max(made) >= 1 << (bits - 4)  # by chance not so once in 10**77 runs
    # Bits 48 to 51 from the top are the version; 32 bits do not reach that far.
    assert (kind == "int") != all(each >> 12 & 15 == 4 for each in made)


def test_the_kind_of_an_id_is_string_unless_said() -> None:
    assert UUID4.fullmatch(str(wg.model.generate_id()))


def test_now_is_in_milliseconds() -> None:
    before = time.time() * 1000
    now = wg.model.now_ms()
    assert type(now) is int
    assert before - 1 <= now <= time.time() * 1000


# -- vocabularies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vocabulary", "words"),
    [
        (
            wg.StopReason,
            "stop length toolUse error aborted maxTurns userStop handoff guardRail "
            "contextCompacted paused",
        ),
        (wg.ThinkingLevel, "off minimal low medium high xhigh max ultra"),
        (wg.model.ToolKind, "read edit write execute web cron agent workflow plan unknown"),
    ],
)
def test_a_vocabulary_has_these_words_and_each_is_a_text(vocabulary: Any, words: str) -> None:
    assert [*vocabulary] == words.split()
    assert [str(word) for word in vocabulary] == words.split()
    assert all(isinstance(word, str) for word in vocabulary)
    with pytest.raises(ValueError, match="is not a valid"):
        vocabulary("Stop")


@pytest.mark.parametrize("reason", wg.StopReason)
def test_a_stop_reason_is_its_word_on_the_wire(reason: wg.StopReason) -> None:
    wire = b'{"role":"assistant","content":[],"stopReason":"%b"}' % reason.value.encode()
    message = wg.json.decode(wire, wg.AssistantMessage)
    assert message.stop_reason is reason
    assert wg.json.encode(message) == wire


def test_an_unknown_stop_reason_is_refused() -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(b'[{"role":"assistant","content":[],"stopReason":"tool_use"}]')
    assert caught.value.path == "$[0].stopReason"


def test_an_unknown_kind_of_id_is_refused() -> None:
    kind: Any = "abc"
    with pytest.raises(
        wg.EncodeError,
        match="unknown kind of id `abc`, expected one of `string`, `int`, `bigint`, or",
    ):
        wg.model.generate_id(kind)
