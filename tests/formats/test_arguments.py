"""The arguments of a call as a dict, in the types of systems in which they are one."""

from __future__ import annotations

import copy
import dataclasses
import gc
import json
import pickle
import sys
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

import wireglot as wg
from wireglot.formats import operator_use as ou
from wireglot.formats import ravi


class System(NamedTuple):
    """How a system has a call with the arguments `%s`, and where the arguments are."""

    document: str
    read: Callable[[bytes], Any]
    write: Callable[[Any], bytes]
    arguments: Callable[[Any], Any]
    canonical: Callable[[Any], wg.ToolCallBlock]


def _call_in(messages: list[Any]) -> wg.ToolCallBlock:
    (call,) = wg.llm_messages(messages)[0].content
    assert isinstance(call, wg.ToolCallBlock)
    return call


SYSTEMS = {
    "Ravi": System(
        '{"role":"tool_call","type":"ToolCallMessage","id":"c","name":"f","arguments":%s}',
        lambda data: ravi.decode(data, ravi.AgentMessage),
        ravi.encode,
        lambda call: call.arguments,
        lambda call: _call_in(ravi.to_canonical([call])),
    ),
    "Operator-Use": System(
        '{"type":"tool_call","id":"c","name":"f","args":%s}',
        lambda data: ou.decode(data, ou.ToolCallContent),
        ou.encode,
        lambda call: call.args,
        lambda call: _call_in(ou.to_canonical([ou.AssistantMessage([call])])),
    ),
}
every_system = pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
TEXT = '{"b": 1e2, "a":[1.50], "c":{"d":"\\u0041"}}'


def _bytes(system: System, arguments: str) -> bytes:
    return (system.document % arguments).encode()


@every_system
def test_they_are_a_dict(system: System) -> None:
    arguments = system.arguments(system.read(_bytes(system, TEXT)))
    assert isinstance(arguments, dict)
    assert json.dumps(arguments) == '{"b": 100.0, "a": [1.5], "c": {"d": "A"}}'
    assert arguments == {"a": [1.5], "b": 100, "c": {"d": "A"}} == {**arguments}
    assert arguments.text == TEXT.encode()
    assert arguments.value is arguments


@every_system
def test_a_look_at_them_changes_no_byte(system: System) -> None:
    call = system.read(_bytes(system, TEXT))
    assert [*system.arguments(call)] == ["b", "a", "c"]
    assert system.write(call) == _bytes(system, TEXT)
    assert call == system.read(_bytes(system, TEXT))
    assert system.canonical(call).arguments.text == TEXT.encode()


CHANGES: dict[str, Callable[[Any], Any]] = {
    "an item": lambda arguments: arguments.__setitem__("a", 2),
    "a new one": lambda arguments: arguments.update(z=1),
    "none any more": lambda arguments: arguments.pop("c"),
    "all of it": lambda arguments: arguments.clear(),
    "a list inside": lambda arguments: arguments["a"].append(7),
    "an object inside": lambda arguments: arguments["c"].clear(),
}
CHANGED = {
    "an item": rb'{"b":1e2,"a":2,"c":{"d":"\u0041"}}',
    "a new one": rb'{"b":1e2,"a":[1.50],"c":{"d":"\u0041"},"z":1}',
    "none any more": b'{"b":1e2,"a":[1.50]}',
    "all of it": b"{}",
    "a list inside": rb'{"b":1e2,"a":[1.50,7],"c":{"d":"\u0041"}}',
    "an object inside": b'{"b":1e2,"a":[1.50],"c":{}}',
}


@pytest.mark.parametrize("change", CHANGES)
@every_system
def test_what_a_program_changes_is_written(system: System, change: str) -> None:
    call = system.read(_bytes(system, TEXT))
    CHANGES[change](system.arguments(call))
    assert system.write(call) == _bytes(system, CHANGED[change].decode())
    assert system.canonical(call).arguments.text == CHANGED[change]
    assert call != system.read(_bytes(system, TEXT))
    assert call == system.read(_bytes(system, CHANGED[change].decode()))


@every_system
def test_a_copy_has_arguments_of_its_own(system: System) -> None:
    call = system.read(_bytes(system, TEXT))
    system.arguments(call)["z"] = 1
    written = system.write(call)
    for made in (copy.deepcopy(call), pickle.loads(pickle.dumps(call))):
        assert system.write(made) == written
        system.arguments(made)["y"] = 2
        assert system.write(call) == written
    assert copy.deepcopy(system.arguments(call)) == system.arguments(call)
    assert type(pickle.loads(pickle.dumps(system.arguments(call)))) is dict


@every_system
def test_a_dict_that_json_cannot_express_is_refused_when_it_is_written(system: System) -> None:
    call = system.read(_bytes(system, TEXT))
    for odd in (float("nan"), object()):
        system.arguments(call)["a"] = odd
        with pytest.raises(wg.EncodeError):
            system.write(call)


ODD: dict[str, Callable[[], Any]] = {
    "an object": object,
    "not a number": lambda: float("nan"),
    "a lone surrogate": lambda: "\ud800",
    "a number too long": lambda: 10**5000,
}


@pytest.mark.parametrize("odd", ODD)
@every_system
def test_a_dict_that_json_cannot_express_is_compared_and_shown(system: System, odd: str) -> None:
    call, other = system.read(_bytes(system, TEXT)), system.read(_bytes(system, TEXT))
    system.arguments(call)["a"] = ODD[odd]()
    assert call != other
    assert other != call
    assert repr(call).startswith(f"{type(call).__name__}(")
    with pytest.raises(wg.EncodeError):
        _ = system.arguments(call).text
    with pytest.raises(wg.EncodeError):
        copy.deepcopy(call)


@every_system
def test_what_a_program_does_not_change_keeps_its_spelling(system: System) -> None:
    text = '{"n":null,"d":0.12345678901234567890,"l":[1.10,{"x":2.50,"y":1}, -0.0],"big":1E2,"e":1}'
    call = system.read(_bytes(system, text))
    arguments = system.arguments(call)
    arguments["e"] = True
    arguments["l"][1]["y"] = 1.0
    arguments["l"][2] = 0.0
    assert system.write(call) == _bytes(
        system,
        '{"n":null,"d":0.12345678901234567890,"l":[1.10,{"x":2.50,"y":1.0},0.0],"big":1E2,"e":true}',
    )
    arguments["n"] = float("nan")
    with pytest.raises(wg.EncodeError):
        system.write(call)


@every_system
def test_a_null_that_became_no_number_is_refused(system: System) -> None:
    call = system.read(_bytes(system, '{"n":null}'))
    system.arguments(call)["n"] = float("nan")
    with pytest.raises(wg.EncodeError, match="nan"):
        system.write(call)


class _Kept:
    pass


@every_system
def test_a_call_whose_dict_was_seen_needs_no_collector(system: System) -> None:
    gc.collect()
    gc.disable()
    try:
        call = system.read(_bytes(system, TEXT))
        system.arguments(call)["z"] = _Kept()
        kept = weakref.ref(system.arguments(call)["z"])
        assert kept() is not None
        del call
        assert kept() is None
    finally:
        gc.enable()


@every_system
def test_threads_that_look_at_once_have_the_same_dict(system: System) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(300):
                call = system.read(_bytes(system, TEXT))
                barrier = threading.Barrier(4)

                def look(call: Any = call, barrier: Any = barrier) -> Any:
                    barrier.wait()
                    return system.arguments(call)

                first, *others = (each.result() for each in [pool.submit(look) for _ in range(4)])
                assert all(other is first for other in others)
    finally:
        sys.setswitchinterval(interval)


@every_system
def test_text_that_python_cannot_hold_stays_as_it_is(system: System) -> None:
    data = _bytes(system, '{"a":1%s}' % ("0" * 5000))
    call = system.read(data)
    assert type(system.arguments(call)) is wg.Arguments
    assert system.write(call) == data


@pytest.mark.parametrize("given", [{"a": 1}, '{"a": 1}', wg.Arguments('{"a": 1}')])
def test_a_program_gives_them_as_a_dict_or_as_text(given: Any) -> None:
    for arguments in (
        ravi.ToolCallMessage("f", given).arguments,
        ou.ToolCallContent(args=given).args,
    ):
        assert (type(arguments).__name__, arguments) == ("ArgumentsDict", {"a": 1})
    call = ou.ToolCallContent(args={"b": 2})
    call.args = given
    assert call.args == {"a": 1}
    message = ravi.ToolCallMessage("f")
    message.arguments = given
    assert message.arguments == {"a": 1}


@pytest.mark.parametrize("given", [[1], "[1]", 5])
def test_what_is_not_an_object_is_refused_when_it_is_set(given: Any) -> None:
    call = ou.ToolCallContent()
    with pytest.raises(ValueError, match="object"):
        call.args = given
    message = ravi.ToolCallMessage("f")
    with pytest.raises(ValueError, match="object"):
        message.arguments = given


def test_the_functions_for_dataclasses_have_the_dict() -> None:
    call = ou.ToolCallContent("c", "f", args={"a": [1]})
    plain = dataclasses.asdict(call)
    assert json.dumps(plain["args"]) == '{"a": [1]}'
    plain["args"]["a"].append(2)
    assert call.args == {"a": [1]}
    assert dataclasses.replace(call, id="d").args == {"a": [1]}
    assert repr(call) == "ToolCallContent(id='c', name='f', args={'a': [1]})"


def test_the_dict_of_another_call_keeps_the_models_own_text() -> None:
    text = b'{"x":1.10,"y":12345678901234567890.5}'
    one = SYSTEMS["Ravi"].read((SYSTEMS["Ravi"].document % text.decode()).encode())
    other = SYSTEMS["Ravi"].read((SYSTEMS["Ravi"].document % "{}").encode())
    other.arguments = one.arguments
    assert text in ravi.encode(other)


LISTS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "an item before": ("[0.12345678901234567890]", lambda ids: ids.insert(0, 7), "[7,%s]"),
    "an item behind": ("[0.12345678901234567890]", lambda ids: ids.append(7), "[%s,7]"),
    "none before": ("[1,0.12345678901234567890]", lambda ids: ids.pop(0), "[%s]"),
    "one between": (
        "[0.12345678901234567890,0.12345678901234567890]",
        lambda ids: ids.insert(1, 7),
        "[%s,7,%s]",
    ),
    "one between and one changed": (
        '[0.12345678901234567890,{"a":0.12345678901234567890,"b":1},2]',
        lambda ids: (ids[1].update(b=2), ids.append(2)),
        '[%s,{"a":%s,"b":2},2,2]',
    ),
    "no more": ("[0.12345678901234567890,2]", lambda ids: ids.clear(), "[]"),
    "one less of equal ones": ("[1.50,1.50,1.50]", lambda ids: ids.pop(), "[1.50,1.50]"),
}


@pytest.mark.parametrize("case", LISTS)
@every_system
def test_what_moves_in_a_list_keeps_its_spelling(system: System, case: str) -> None:
    text, change, expected = LISTS[case]
    call = system.read(_bytes(system, f'{{"ids":{text}}}'))
    change(system.arguments(call)["ids"])
    expected = expected.replace("%s", "0.12345678901234567890")
    assert system.write(call) == _bytes(system, f'{{"ids":{expected}}}')


def _nested(levels: int, inside: str, beside: str = "") -> str:
    return '{"z":1.10,"a":' + '{"k":' * levels + inside + "}" * levels + beside + "}"


@every_system
def test_arguments_that_are_nested_deeply_are_written_after_a_change(system: System) -> None:
    call = system.read(_bytes(system, _nested(900, "1")))
    system.arguments(call)["b"] = 2
    assert system.write(call) == _bytes(system, _nested(900, "1", ',"b":2'))


@every_system
def test_what_is_changed_far_inside_of_much_leaves_numbers_as_they_are(system: System) -> None:
    much = ",".join(["0.12345678901234567890"] * 20_000)
    call = system.read(_bytes(system, _nested(60, f'[{{"x":1}},{much}]')))
    inner = system.arguments(call)["a"]
    for _ in range(60):
        inner = inner["k"]
    inner[0]["x"] = 2
    assert system.write(call) == _bytes(system, _nested(60, f'[{{"x":2}},{much}]'))


def _itself(arguments: Any) -> Any:
    return arguments


def _deep(_: Any) -> Any:
    made: Any = 1
    for _ in range(200_000):
        made = [made]
    return made


@pytest.mark.parametrize("odd", [_itself, _deep], ids=["themselves", "200,000 levels"])
@every_system
def test_arguments_that_hold_too_much_are_compared_and_shown(
    system: System, odd: Callable[[Any], Any]
) -> None:
    call, other = system.read(_bytes(system, TEXT)), system.read(_bytes(system, TEXT))
    for each in (call, other):
        system.arguments(each)["a"] = odd(system.arguments(each))
    assert call != other
    assert call != system.read(_bytes(system, TEXT))
    assert repr(call).startswith(f"{type(call).__name__}(")
    assert repr(system.arguments(call)).startswith(("{", "Arguments("))
    assert system.arguments(call) != system.arguments(other)
    with pytest.raises(wg.EncodeError, match="nested too deeply"):
        system.write(call)


@every_system
def test_what_is_changed_again_is_written_again(system: System) -> None:
    call = system.read(_bytes(system, '{"a":1.50,"b":1}'))
    arguments = system.arguments(call)
    for value in (2, 2, 3):
        arguments["b"] = value
        assert (
            arguments.text == system.canonical(call).arguments.text == b'{"a":1.50,"b":%d}' % value
        )
    arguments["b"] = 1
    assert arguments.text == b'{"a":1.50,"b":1}'
    arguments["b"] = None
    assert arguments.text == b'{"a":1.50,"b":null}'
    arguments["b"] = float("nan")
    with pytest.raises(wg.EncodeError, match="nan"):
        _ = arguments.text
