"""What the types of all systems have in common: unknown keys, JSON Lines, text that is none."""

from typing import Any

import msgspec
import pytest

import wireglot as wg
from wireglot.formats._records import Record, read, read_all, unknown, write, write_lines


class Inner(Record, tag_field="type", tag="inner"):
    ALIASES = {"colour": "color"}  # noqa: RUF012 -- as the systems' types have it

    color: str


class AnyKind(Record, tag_field="type", tag="any"):
    ANY_TAG = True

    kind: str


class Outer(Record, omit_defaults=True):
    LENIENT = frozenset({"count"})

    parts: list[Inner | AnyKind]
    count: int | None = None


BODY = '{"parts":[{"type":"inner","color":"red","b":1.0},{"type":"new","kind":"k"}],"a":[{"b":2}]}'


def test_unknown_keys_stay_with_their_object_and_come_last() -> None:
    made = read(Outer, '{"a":[{"b":2}],"parts":[{"b":1.0,"type":"inner","color":"red"}]}', "w")
    assert made.unknown.value == {"a": [{"b": 2}]}
    assert made.parts[0].unknown.value == {"b": 1.0}
    assert write(made, "w") == (b'{"parts":[{"type":"inner","color":"red","b":1.0}],"a":[{"b":2}]}')
    assert write([made, {"k": made.parts}], "w") == (
        b'[{"parts":[{"type":"inner","color":"red","b":1.0}],"a":[{"b":2}]},'
        b'{"k":[{"type":"inner","color":"red","b":1.0}]}]'
    )


def test_a_known_key_wins_over_an_unknown_one_of_its_name() -> None:
    made = Inner("red", unknown=unknown({"color": "blue", "b": 1}))
    assert write(made, "w") == b'{"type":"inner","color":"red","b":1}'


def test_the_tag_is_the_types_own_but_for_the_member_that_takes_all() -> None:
    assert write(Inner("red", unknown=unknown({"type": "x"})), "w") == (
        b'{"type":"inner","color":"red"}'
    )
    assert write(AnyKind("k", unknown=unknown({"type": "x"})), "w") == b'{"type":"x","kind":"k"}'


def test_an_object_of_a_strange_type_is_the_member_that_takes_all() -> None:
    made = read(Outer, BODY, "w")
    assert type(made.parts[1]) is AnyKind
    assert write(made, "w").decode() == BODY


def test_another_spelling_of_a_key_is_read_where_the_key_is_not_there() -> None:
    assert read(Inner, '{"colour":"red"}', "w") == Inner("red")
    both = read(Inner, '{"colour":"red","color":"blue"}', "w")
    assert write(both, "w") == b'{"type":"inner","color":"blue","colour":"red"}'


def test_a_bad_value_of_a_lenient_field_is_an_unknown_key() -> None:
    made = read(Outer, '{"parts":[],"count":"many"}', "w")
    assert made.count is None
    assert write(made, "w") == b'{"parts":[],"count":"many"}'


def test_the_name_of_the_field_for_unknown_keys_is_a_key_like_any_other() -> None:
    body = '{"type":"inner","color":"red","(unknown)":1}'
    assert write(read(Inner, body, "w"), "w").decode() == body


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("[]", 0),
        ('[{"color":"a"},{"color":"b"}]', 2),
        ('{"color":"a"}', 1),
        ('\ufeff {\n"color": "a"\n}\n', 1),
        ('{"color":"a"}\n', 1),
        ('{"color":"a"}\r\n\r\n{"color":"b"}', 2),
        ('\n\n{"color":"a"}\n{"color":"b"}\n', 2),
    ],
)
def test_an_array_one_alone_and_lines_are_read(body: str, count: int) -> None:
    assert read_all(Inner, body, "w") == [Inner("a"), Inner("b")][:count]
    assert read_all(Inner, bytearray(body.encode()), "w") == [Inner("a"), Inner("b")][:count]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ('[{"color":1}]', "w: expected `str`, got `int` - at `$[0].color`"),
        (
            '\n{"color":"a"}\n\n{"color":1}',
            "w: expected `str`, got `int` - at `line 4: $.color`",
        ),
        (
            '{"color":"a"}{"color":"b"}',
            "w: JSON is malformed: trailing characters (byte 14) - at `$`",
        ),
        ('{"type":"outer","color":"a"}', "w: `outer`, expected `inner` - at `$.type`"),
        ("", "w: input data was truncated - at `$`"),
        (
            "\ud83d",
            "w: lone surrogate: half a character is not Unicode text; U+FFFD takes its place;"
            " pass a list as `losses`, and read it - at `$`",
        ),
    ],
)
def test_an_error_says_where(body: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        read_all(Inner, body, "w")
    assert str(caught.value) == error


def test_nesting_has_a_limit() -> None:
    with pytest.raises(wg.LimitError):
        read(Outer, '{"parts":[],"x":' + "[" * 100_000, "w")


def test_half_a_character_is_an_error_or_a_loss_on_the_way_out() -> None:
    with pytest.raises(wg.EncodeError):
        write(Inner("\ud83d"), "w")
    losses: list[wg.Loss] = []
    assert write(Inner("\ud83d"), "w", losses) == '{"type":"inner","color":"\ufffd"}'.encode()
    assert [loss.path for loss in losses] == ["$.color"]


def test_a_line_has_no_line_end_inside() -> None:
    pretty: Any = Inner("red", unknown=unknown({"a": msgspec.Raw(b'{\n "b": "\\n"\r\n}')}))
    assert write_lines([pretty, Inner("x")], "w") == (
        b'{"type":"inner","color":"red","a":{  "b": "\\n"  }}\n{"type":"inner","color":"x"}\n'
    )


def test_a_foreign_value_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError):
        write(Inner(object()), "w")  # type: ignore[arg-type]
