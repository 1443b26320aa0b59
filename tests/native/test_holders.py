"""Sessions inside types of the caller: what `decode` makes of each, and what it refuses."""

import dataclasses
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, NotRequired, TypeVar

import attrs
import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType, field
from typing_extensions import TypedDict

import wireglot as wg

T = TypeVar("T")
Wire = Any

HI = '{"role":"user","content":[{"type":"text","text":"Hi"}]}'
PLACED = '{"role":"user","content":[],"turnId":{"loopId":"l","turnIndex":2}}'
NOTE = '{"role":"custom","customType":"n","content":[]}'
hi = wg.LlmMessage(wg.UserMessage([wg.TextBlock("Hi")]))
placed = wg.LlmMessage(wg.UserMessage([]), wg.model.TurnId("l", 2))
note = wg.CustomMessage("n")
user, there = hi.flat(), placed.flat()


class Job(Struct):
    session: list[wg.AgentMessage]
    priority: int = 1


class Strict(Struct, forbid_unknown_fields=True, rename="camel", tag_field="t", tag="job"):
    the_session: list[wg.LlmMessage]


class Note(Struct, tag_field="t", tag="note"):
    text: str


class Inherited(Job, kw_only=True):
    last: wg.AgentMessage | None = None
    maybe: list[wg.AgentMessage] | UnsetType = UNSET


class Row(Struct, array_like=True, frozen=True):
    id: int
    message: wg.LlmMessage


class Box(Struct, Generic[T]):
    held: T
    others: list[T] = field(default_factory=list)


class Tree(Struct):
    message: wg.LlmMessage
    children: list["Tree"] = []


class Checked(Struct):
    session: list[wg.LlmMessage]

    def __post_init__(self) -> None:
        if not self.session[0].message.content:
            raise ValueError("an empty first message")


@dataclasses.dataclass
class Data(Generic[T]):
    session: list[wg.AgentMessage]
    held: T | None = None
    seen: int = dataclasses.field(default=0, init=False)


@attrs.define
class Attrs:
    session: list[wg.AgentMessage]
    _n: int = 3


class Dict(TypedDict):
    session: list[wg.AgentMessage]
    last: NotRequired[wg.LlmMessage]


class Tuple(NamedTuple):
    id: int
    session: list[wg.LlmMessage]
    rest: list[wg.LlmMessage] | None = None


Session = NewType("Session", list[wg.AgentMessage])

# One row: what it shows, the type, the JSON, the value.
CASES: list[tuple[str, Any, str, Any]] = [
    ("a Struct", Job, f'{{"session":[{HI},{NOTE}],"priority":2}}', Job([user, note], 2)),
    ("a Struct with a default", Job, f'{{"session":[{PLACED}],"x":1}}', Job([there])),
    ("a tag, and other names", Strict, f'{{"t":"job","theSession":[{HI}]}}', Strict([hi])),
    (
        "an inherited field, and optional ones",
        Inherited,
        f'{{"session":[],"last":{NOTE},"maybe":[{HI}]}}',
        Inherited(session=[], last=note, maybe=[user]),
    ),
    (
        "optional fields that are not there",
        Inherited,
        '{"session":[],"last":null}',
        Inherited(session=[]),
    ),
    ("an array", Row, f"[3,{HI}]", Row(3, hi)),
    ("a generic Struct of a message", Box[wg.LlmMessage], f'{{"held":{HI}}}', Box(hi)),
    (
        "a generic Struct of a Struct",
        Box[Job],
        f'{{"held":{{"session":[{HI}]}},"others":[{{"session":[]}}]}}',
        Box(Job([user]), [Job([])]),
    ),
    (
        "a Struct that holds itself",
        Tree,
        f'{{"message":{HI},"children":[{{"message":{PLACED}}}]}}',
        Tree(hi, [Tree(placed)]),
    ),
    ("a Struct with checks of its own", Checked, f'{{"session":[{HI}]}}', Checked([hi])),
    (
        "a generic dataclass",
        Data[wg.LlmMessage],
        f'{{"session":[{NOTE}],"held":{HI},"x":1}}',
        Data([note], hi),
    ),
    ("an attrs class", Attrs, f'{{"session":[{HI}]}}', Attrs([user])),
    ("a TypedDict", Dict, f'{{"session":[{HI}],"last":{HI}}}', {"session": [user], "last": hi}),
    ("a TypedDict without a key", Dict, f'{{"session":[{NOTE}]}}', {"session": [note]}),
    ("a NamedTuple", Tuple, f"[1,[{HI}]]", Tuple(1, [hi])),
    ("a NamedTuple with all fields", Tuple, f"[1,[],[{HI}]]", Tuple(1, [], [hi])),
    ("a list of lists", list[list[wg.AgentMessage]], f"[[{HI}],[],[{NOTE}]]", [[user], [], [note]]),
    ("a list of Structs", list[Job], f'[{{"session":[{HI}]}}]', [Job([user])]),
    ("a dict", dict[str, list[wg.LlmMessage]], f'{{"a":[{HI}],"b":[]}}', {"a": [hi], "b": []}),
    ("a Mapping", Mapping[str, wg.AgentMessage], f'{{"a":{NOTE}}}', {"a": note}),
    ("a Sequence", Sequence[wg.AgentMessage], f"[{HI},{NOTE}]", [user, note]),
    ("a pair", tuple[int, list[wg.AgentMessage]], f"[1,[{HI}]]", (1, [user])),
    ("a tuple of any length", tuple[wg.LlmMessage, ...], f"[{HI},{PLACED}]", (hi, placed)),
    ("an optional session", list[wg.AgentMessage] | None, f"[{HI}]", [user]),
    ("no session", list[wg.AgentMessage] | None, "null", None),
    ("an optional message", wg.AgentMessage | None, NOTE, note),
    ("optional messages", list[wg.LlmMessage | None], f"[{HI},null]", [hi, None]),
    ("one or many: one", wg.LlmMessage | list[wg.LlmMessage], HI, hi),
    ("one or many: many", wg.LlmMessage | list[wg.LlmMessage], f" [{HI}]", [hi]),
    ("a number or a message: a number", int | wg.LlmMessage, "32", 32),
    ("a union by tag", list[Strict | Note], '[{"t":"note","text":"a"}]', [Note("a")]),
    ("a session by tag", Strict | Note, f'{{"t":"job","theSession":[{HI}]}}', Strict([hi])),
    ("some kinds of entry", list[wg.LlmMessage | wg.CustomMessage], f"[{HI}]", [hi]),
    ("an annotation", Annotated[list[wg.AgentMessage], "all of it"], f"[{HI}]", [user]),
    ("a length", Annotated[list[wg.AgentMessage], Meta(max_length=1)], f"[{HI}]", [user]),
    ("a new type", dict[str, Session], f'{{"a":[{HI}]}}', {"a": [user]}),
    ("messages", Box[list[wg.Message]], f'{{"held":[{HI},{PLACED}]}}', Box([user, there])),
    (
        "a request",
        tuple[str, wg.Request],
        f'["a",{{"messages":[{HI}]}}]',
        ("a", wg.Request([hi.message])),
    ),
    ("events", Box[wg.StreamEvent], '{"held":{"type":"textDelta","index":0,"text":"a"}}',
     Box(wg.TextDelta(0, "a"))),
]  # fmt: skip
IDS = [name for name, *_ in CASES]


def _packed(text: str) -> bytes:
    return msgspec.msgpack.encode(msgspec.json.decode(text))


@pytest.mark.parametrize(("kind", "text", "value"), [case[1:] for case in CASES], ids=IDS)
def test_a_type_that_holds_messages_is_decoded_with_public_types(
    kind: Any, text: str, value: Any
) -> None:
    for made in (wg.json.decode(text, kind), wg.msgpack.decode(_packed(text), kind)):
        assert made == value
        assert repr(made) == repr(value)
        assert type(made) is type(value)
    assert wg.json.decode(wg.json.encode(value), kind) == value
    assert wg.msgpack.decode(wg.msgpack.encode(value), kind) == value


if sys.version_info >= (3, 12):

    def test_an_alias_made_by_a_type_statement_is_seen_through() -> None:
        names: dict[str, Any] = {"wg": wg}
        exec("type Session = list[wg.AgentMessage]", names)
        assert wg.json.decode(f"[{HI}]", names["Session"]) == [user]
        assert wg.json.decode(f'{{"held":[{HI}]}}', Box[names["Session"]]) == Box([user])


UNKNOWN: list[tuple[str, Any, str]] = [
    ("a Struct", Job, '{"session":[%s],"priority":3}'),
    ("a dataclass", Data, '{"session":[%s],"held":null,"seen":7}'),
    ("an attrs class", Attrs, '{"session":[%s]}'),
    ("a TypedDict", Dict, '{"session":[%s]}'),
    ("a NamedTuple", Tuple, "[1,[%s],null]"),
    ("a tuple", tuple[int, wg.AgentMessage], "[1,%s]"),
    ("a dict", dict[str, wg.AgentMessage], '{"a":%s}'),
    ("a Struct of messages", Box[list[wg.Message]], '{"held":[%s],"others":[]}'),
]


@pytest.mark.parametrize(
    ("kind", "text"), [case[1:] for case in UNKNOWN], ids=[case[0] for case in UNKNOWN]
)
def test_unknown_keys_of_messages_are_kept_inside_any_type(kind: Any, text: str) -> None:
    text %= '{"role":"user","content":[{"type":"text","text":"Hi","b":2}],"a":1e2}'
    value = wg.json.decode(text, kind)
    assert wg.json.encode(value).decode() == text
    assert wg.msgpack.decode(wg.msgpack.encode(value), kind) == value


def test_a_lone_surrogate_is_mended_inside_a_dataclass() -> None:
    losses: list[wg.Loss] = []
    value = Data([wg.LlmMessage(wg.UserMessage([wg.TextBlock("\ud83d")]))])
    text = wg.json.encode(value, losses=losses).decode()
    assert text == (
        '{"session":[{"role":"user","content":[{"type":"text","text":"\ufffd"}]}],'
        '"held":null,"seen":0}'
    )
    assert [loss.path for loss in losses] == ["$.session[0].content[0].text"]


def test_an_integer_beyond_64_bits_is_kept_inside_a_dataclass() -> None:
    value = Data([wg.CustomMessage("n", details=2**70)])
    assert wg.msgpack.decode(wg.msgpack.encode(value), Data) == value


# One row: what it shows, the type, the JSON, the error of JSON after `json: `.
ERRORS: list[tuple[str, Any, str, str]] = [
    (
        "a wrong field of a message",
        Box[Job],
        '{"held":{"session":[%s,{"role":"user","content":3}]}}',
        "expected `array`, got `int` - at `$.held.session[1].content`",
    ),
    (
        "an unknown role",
        dict[str, list[wg.AgentMessage]],
        '{"a":[{"role":"x"}]}',
        "unknown role `x`, expected one of `system`, `user`, `assistant`, `toolResult`, `tool`,"
        " `custom`, `branchSummary`, `compactionSummary`, `extension`; an extension has"
        " `kind` and `data` - at `$.a[0].role`",
    ),
    (
        "a wrong field of the caller's own",
        list[Job],
        '[{"session":[],"priority":"x"}]',
        "expected `int`, got `str` - at `$[0].priority`",
    ),
    (
        "an unknown field where the caller forbids it",
        Strict,
        '{"t":"job","theSession":[],"x":1}',
        "object contains unknown field `x` - at `$`",
    ),
    (
        "a field that is not there",
        Data,
        "{}",
        "object missing required field `session` - at `$`",
    ),
    (
        "an unknown tag",
        list[Strict | Note],
        '[{"t":"x"}]',
        "unknown t `x`, expected one of `job`, `note` - at `$[0].t`",
    ),
    (
        "no tag",
        list[Strict | Note],
        "[{}]",
        "object missing required field `t` - at `$[0]`",
    ),
    (
        "no member of a union",
        dict[str, list[wg.LlmMessage] | wg.LlmMessage],
        '{"a":3}',
        "expected `array` or `object`, got `scalar` - at `$.a`",
    ),
    (
        "a check of the caller's own",
        Box[Checked],
        '{"held":{"session":[{"role":"user","content":[]}]}}',
        "an empty first message - at `$.held`",
    ),
    (
        "too many messages for the caller",
        Box[Annotated[list[wg.AgentMessage], Meta(max_length=1)]],
        '{"held":[%s,%s]}',
        "expected `array` of length <= 1 - at `$.held`",
    ),
    (
        "a wrong place in an array",
        list[Row],
        '[[1,{"role":"user"}]]',
        "object missing required field `content` - at `$[0][1]`",
    ),
    ("too few values", tuple[int, wg.LlmMessage], "[1]", "expected `array` of length 2 - at `$`"),
    ("an input that ends early", Job, '{"session":[', "input data was truncated - at `$`"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text", "error"), [case[1:] for case in ERRORS], ids=[case[0] for case in ERRORS]
)
def test_an_error_inside_any_type_has_the_whole_path(kind: Any, text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(text.replace("%s", HI), kind)
    assert str(caught.value) == f"json: {error}"


def test_deep_nesting_of_the_callers_type_is_a_limit() -> None:
    text = f'{{"message":{HI},"children":[' * 300 + "]}" * 300
    with pytest.raises(wg.LimitError, match="json: nested too deeply - at `"):
        wg.json.decode(text, Tree)


def test_limits_count_what_is_inside_any_type() -> None:
    text = f'{{"held":[{HI}],"others":[[{HI}]]}}'
    kind = Box[list[wg.LlmMessage]]
    assert wg.json.decode(text, kind, limits=wg.Limits(messages=2, blocks=2))
    with pytest.raises(wg.LimitError, match="2 messages, expected at most 1"):
        wg.json.decode(text, kind, limits=wg.Limits(messages=1))
    with pytest.raises(wg.LimitError, match="2 blocks, expected at most 1"):
        wg.msgpack.decode(_packed(text), kind, limits=wg.Limits(blocks=1))
    with pytest.raises(wg.LimitError, match="5 blocks, expected at most 4"):
        wg.json.decode(
            '{"held":[{},{},{},{},{}]}', Box[list[wg.DataBlock]], limits=wg.Limits(blocks=4)
        )


def test_media_are_checked_inside_any_type() -> None:
    text = '{"a":{"session":[{"role":"user","content":[{"type":"image","data":"%s"}]}]}}'
    kind = dict[str, Data]
    assert wg.json.decode(text % "aGk=", kind, check_media=True)
    with pytest.raises(wg.DecodeError, match=r"not base64.*`\$.a.session\[0\].content\[0\].data`"):
        wg.json.decode(text % "?", kind, check_media=True)


def test_a_large_image_inside_any_type_is_a_slice_of_the_input() -> None:
    image = "iVBORw0KGgoA" * 10_000
    text = '{"session":[{"role":"user","content":[{"type":"image","data":"%s"}]}]}'.replace(
        "%s", image
    )
    made = wg.json.decode(text.encode(), Job)
    (block,) = made.session[0].content
    assert block.data.to_base64() == image
    assert wg.json.encode(made) == text.replace("]}]}", ']}],"priority":1}').encode()


class Foreign:
    pass


class Holding(Struct):
    session: list[wg.AgentMessage]
    other: Foreign


@dataclasses.dataclass
class Initial:
    session: list[wg.AgentMessage]
    seed: dataclasses.InitVar[int] = 0


class Lost(Struct):
    session: "list[wg.AgentMessage] | NoSuchName"  # type: ignore[name-defined]  # noqa: F821


REFUSED: list[tuple[str, Any, str]] = [
    (
        "a class without a decoder",
        list[Foreign],
        "no data is decoded as a `Foreign`",
    ),
    (
        "one in a field",
        dict[str, Holding],
        "no data is decoded as a `Foreign`",
    ),
    ("arguments or something else", list[wg.Arguments | int], "may be any of the"),
    ("an `InitVar`", list[Initial], "`Initial` cannot be decoded: it has an `InitVar`"),
    ("a set of messages", set[wg.LlmMessage], "messages and blocks are not hashable"),
    ("two kinds of array", list[wg.LlmMessage] | tuple[wg.LlmMessage, ...], "told apart"),
    ("two Structs without tags", Job | Tree, "its objects need distinct tags"),
    ("blocks and messages", wg.Message | wg.Content, "tag"),
    ("a name that is not defined", Lost, "NoSuchName"),
    ("no type", 3, "`3` cannot be decoded"),
    (
        "a list in place of a type",
        [wg.Message],
        "`[wireglot.model.messages.SystemMessage | wireglot.model.m...`, expected a type",
    ),
]


@pytest.mark.parametrize("decode", [wg.json.decode, wg.msgpack.decode], ids=["json", "msgpack"])
@pytest.mark.parametrize(
    ("kind", "reason"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_type_that_cannot_be_decoded_is_refused_before_the_data_is_read(
    decode: Callable[..., Any], kind: Any, reason: str
) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        decode(b"", kind)
    assert reason in str(caught.value)


def test_plain_msgspec_makes_no_private_types() -> None:
    with pytest.raises(msgspec.ValidationError, match="Expected `LlmMessage`, got `dict`"):
        msgspec.json.decode(f"[{HI}]", type=list[wg.LlmMessage])


def test_lines_are_decoded_as_any_type() -> None:
    lines = f'{{"session":[{HI}]}}\n{{"session":[{{"role":"user"}}]}}\n'
    found = wg.json.decode_lines(lines, Job)
    assert next(found) == Job([user])
    with pytest.raises(wg.DecodeError, match=r"line 2: \$.session\[0\]"):
        next(found)


class Mixed(Struct):
    level: Literal["a", "b"]
    session: list[wg.AgentMessage]
    meta: dict[str, Any] = {}


def test_a_private_field_of_an_attrs_class_is_decoded() -> None:
    assert wg.json.decode('{"session":[],"_n":4}', Attrs) == Attrs([], n=4)


def test_other_fields_are_decoded_as_msgspec_does() -> None:
    made = wg.json.decode(f'{{"level":"b","session":[{HI}],"meta":{{"x":[1.5]}}}}', Mixed)
    assert made == Mixed("b", [user], {"x": [1.5]})


class _Tagged(msgspec.Struct, tag="j", tag_field="role"):
    s: list[wg.AgentMessage]


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_tagged_type_with_a_session_stands_beside_messages(wire: str) -> None:
    codec = getattr(wg, wire)
    tagged, message = _Tagged([wg.UserMessage([])]), wg.UserMessage([], node_id=1)
    for value, kind in (
        (tagged, _Tagged | wg.AgentMessage),
        (message, _Tagged | wg.AgentMessage),
        (tagged, _Tagged | wg.LlmMessage),
        (wg.LlmMessage(message), _Tagged | wg.LlmMessage),
    ):
        assert codec.decode(codec.encode(value), kind) == value


class _Anything(msgspec.Struct):
    what: object
    session: list[wg.LlmMessage]


def test_object_is_any_data() -> None:
    assert wg.json.decode(b'{"a":1}', dict[str, object]) == {"a": 1}
    assert wg.json.decode(b'{"what":[1],"session":[]}', _Anything) == _Anything([1], [])


def test_a_bare_list_of_typing_is_a_list() -> None:
    assert wg.json.decode(b"[1]", getattr(typing, "List")) == [1]  # noqa: B009 -- deprecated
