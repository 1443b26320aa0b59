"""JSON text by text: what the native decoder takes, what it refuses, and what is ours to choose.

Each text stands alone, where the decoder parses it, and where it is carried as a slice.
"""

from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg

_MESSAGE = b'[{"role":"user","content":[%s]%s}]'
_CALL = b'{"type":"toolCall","id":"c","name":"n","arguments":{"v":%s}}'
_IMAGE = b'{"type":"image","data":"' + b"iVBORw0KGgoA" * 20_000 + b'"},'

# Where a text stands: the document around it, and what is decoded of it.
PARSED: dict[str, tuple[bytes, Any, Callable[[Any], Any]]] = {
    "alone": (b"%s", Any, lambda value: value),
    "in an extension": (
        b'[{"role":"x","kind":"k","data":{"v":%s}}]',
        list[wg.AgentMessage],
        lambda session: session[0].data["v"],
    ),
    "in metadata": (
        _MESSAGE % (b"", b',"metadata":{"v":%s}'),
        list[wg.AgentMessage],
        lambda session: session[0].metadata["v"],
    ),
    "in metadata, after a key that nobody knows": (
        _MESSAGE % (b"", b',"x":1,"metadata":{"v":%s}'),
        list[wg.AgentMessage],
        lambda session: session[0].metadata["v"],
    ),
}
CARRIED: dict[str, tuple[bytes, Any, Callable[[Any], wg.RawJson]]] = {
    "in tool arguments": (
        _MESSAGE % (_CALL, b""),
        list[wg.AgentMessage],
        lambda session: session[0].content[0].arguments,
    ),
    "in tool arguments, behind a large image": (
        _MESSAGE % (_IMAGE + _CALL, b""),
        list[wg.AgentMessage],
        lambda session: session[0].content[1].arguments,
    ),
    "in an unknown key of a message": (
        _MESSAGE % (b"", b',"v":%s'),
        list[wg.AgentMessage],
        lambda session: session[0].extras["wireglot"].keys,
    ),
    "in an unknown key of a block": (
        _MESSAGE % (b'{"type":"text","text":"","v":%s}', b""),
        list[wg.AgentMessage],
        lambda session: session[0].content[0].extras["wireglot"].keys,
    ),
    "in an opaque block": (
        _MESSAGE % (b'{"type":"opaque","api":"a","raw":{"v":%s}}', b""),
        list[wg.AgentMessage],
        lambda session: session[0].content[0].raw,
    ),
    "in keys of an API": (
        _MESSAGE % (b"", b',"extras":{"a":{"keys":{"v":%s}}}'),
        list[wg.AgentMessage],
        lambda session: session[0].extras["a"].keys,
    ),
}
PLACES = {**PARSED, **CARRIED}
every_place = pytest.mark.parametrize("place", PLACES)


def _found(place: str, text: bytes) -> Any:
    """Decode a text in its place; from a carried one, what it is when somebody looks."""
    around, kind, find = PLACES[place]
    found = find(wg.json.decode(around.replace(b"%s", text), kind))
    return found.value["v"] if place in CARRIED else found


ACCEPTED: dict[str, tuple[bytes, Any]] = {
    # structure
    "an empty array": (b"[]", []),
    "an empty object": (b"{}", {}),
    "an array in an array": (b"[[[]],[]]", [[[]], []]),
    "an object in an object": (b'{"a":{"b":[{}]}}', {"a": {"b": [{}]}}),
    "an array of everything": (b'[1,"a",null,true,{},[]]', [1, "a", None, True, {}, []]),
    "an empty key": (b'{"":0}', {"": 0}),
    "a key with escapes": (rb'{"\u0061\n":0}', {"a\n": 0}),
    "a key beyond ASCII": ('{"ключ":0}'.encode(), {"ключ": 0}),
    "all four kinds of white space": (b" \t\r\n[ \t1\r,\n2 ] \t\r\n", [1, 2]),
    "white space around a colon": (b'{ "a" \n:\t1 }', {"a": 1}),
    "nesting": (b"[" * 20 + b"]" * 20, [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]),
    # words
    "true": (b"true", True),
    "false": (b"false", False),
    "null": (b"null", None),
    # numbers
    "zero": (b"0", 0),
    "a negative integer": (b"-17", -17),
    "the largest integer of 64 bits": (b"18446744073709551615", 18446744073709551615),
    "the smallest integer of 64 bits": (b"-9223372036854775808", -9223372036854775808),
    "a fraction": (b"0.25", 0.25),
    "a negative fraction": (b"-1.5", -1.5),
    "an exponent": (b"1e2", 100.0),
    "an exponent with a plus, in upper case": (b"1E+2", 100.0),
    "an exponent with a minus": (b"15e-1", 1.5),
    "an exponent with zeros in front": (b"1e0002", 100.0),
    "zero with an exponent": (b"0e+1", 0.0),
    "the largest double": (b"1.7976931348623157e308", 1.7976931348623157e308),
    "the smallest double": (b"5e-324", 5e-324),
    # strings
    "an empty string": (b'""', ""),
    "every short escape": (rb'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
    "an escaped letter": (rb'"\u00e9\u00E9"', "éé"),
    "an escaped NUL": (rb'"a\u0000b"', "a\0b"),
    "an escaped pair": (rb'"\ud83d\ude00"', "😀"),
    "an escaped pair in upper case": (rb'"\uD83D\uDE00"', "😀"),
    "the characters of two, three and four bytes": ('"é€😀"'.encode(), "é€😀"),
    "the first and last character of each length": (
        '"\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff"'.encode(),
        "\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff",
    ),
    "the characters around the surrogates": ('"\ud7ff\ue000"'.encode(), "\ud7ff\ue000"),
    "line ends of Unicode": ('"\u2028\u2029\x85"'.encode(), "\u2028\u2029\x85"),
    "a byte order mark inside a string": ('"\ufeff"'.encode(), "\ufeff"),
    "something like a comment in a string": (b'"/* // # */"', "/* // # */"),
    "something like JSON in a string": (rb'"{\"role\":[}"', '{"role":[}'),
    "a reverse solidus before the end": (rb'"a\\"', "a\\"),
}

REFUSED: dict[str, bytes] = {
    # structure
    "nothing": b"",
    "nothing but white space": b" \n",
    "a comma at the end of an array": b"[1,]",
    "a comma at the start of an array": b"[,1]",
    "a comma alone": b"[,]",
    "two commas": b"[1,,2]",
    "no comma": b"[1 2]",
    "an array that does not end": b"[1",
    "an array that does not begin": b"1]",
    "an array that ends as an object": b"[1}",
    "an object that ends as an array": b'{"a":1]',
    "an object that does not end": b'{"a":1',
    "a key without a colon": b'{"a"}',
    "a key without a value": b'{"a":}',
    "a value without a key": b"{:1}",
    "two colons": b'{"a"::1}',
    "a comma in the place of a colon": b'{"a",1}',
    "a comma at the end of an object": b'{"a":1,}',
    "no comma between keys": b'{"a":1 "b":2}',
    "a number for a key": b"{1:1}",
    "a word for a key": b"{null:1}",
    "a key without quotes": b"{a:1}",
    "a key in single quotes": b"{'a':1}",
    "a bracket too many": b"[]]",
    "a brace too many": b"{}}",
    "two values": b"1 2",
    "a comment of two slashes": b"1 // one\n",
    "a comment of a slash and a star": b"/* one */ 1",
    "a comment of a hash": b"1 # one\n",
    # white space
    "a vertical tab": b"\x0b1",
    "a form feed": b"\x0c1",
    "a NUL before a value": b"\x001",
    "a NUL after a value": b"1\x00",
    "a no-break space": b"\xc2\xa01",
    "a line separator": b"\xe2\x80\xa81",
    # words
    "a word in upper case": b"True",
    "a word cut short": b"tru",
    "a word too long": b"nulll",
    "a word of JavaScript": b"undefined",
    "text without quotes": b"abc",
    # numbers
    "a zero in front": b"01",
    "a zero in front, negative": b"-01",
    "a plus": b"+1",
    "a minus alone": b"-",
    "two minuses": b"--1",
    "a space after the minus": b"- 1",
    "no digit after the point": b"1.",
    "no digit between point and exponent": b"1.e1",
    "no digit before the point": b".5",
    "two points": b"1.2.3",
    "no digit in the exponent": b"1e",
    "a sign alone in the exponent": b"1e+",
    "two exponents": b"1e2e3",
    "a fraction in the exponent": b"1e2.5",
    "hexadecimal": b"0x1F",
    "an underscore": b"1_000",
    "a comma for a point": b"1,5",
    "a quotient": b"1/2",
    "NaN": b"NaN",
    "infinity": b"Infinity",
    "negative infinity": b"-Infinity",
    "infinity in short": b"inf",
    "a full-width digit": "１".encode(),
    # strings
    "a string that does not end": b'"abc',
    "a string whose end is escaped": rb'"abc\"',
    "a string that ends in an escape": b'"abc\\',
    "a string in single quotes": b"'abc'",
    "a line feed in a string": b'"a\nb"',
    "a tab in a string": b'"a\tb"',
    "a NUL in a string": b'"a\0b"',
    "the last of the control characters in a string": b'"\x1f"',
    "an escape of C": rb'"\x41"',
    "an escape that nobody knows": rb'"\a"',
    "an escaped single quote": rb'"\'"',
    "an escaped line feed": b'"a\\\nb"',
    "an escape of three digits": rb'"\u00e"',
    "an escape with a letter too many": rb'"\u00g0"',
    "an escape of eight digits": rb'"\U0001f600"',
    "an escape with a sign": rb'"\u+041"',
    "an escape with a space": rb'"\u 041"',
    # UTF-8
    "a byte that is never UTF-8": b'"\xff"',
    "a continuation alone": b'"\x80"',
    "two bytes, cut after one": b'"\xc3"',
    "three bytes, cut after two": b'"\xe2\x82"',
    "four bytes, cut after three": b'"\xf0\x9f\x98"',
    "a slash in two bytes": b'"\xc0\xaf"',
    "a NUL in two bytes": b'"\xc0\x80"',
    "a slash in three bytes": b'"\xe0\x80\xaf"',
    "a slash in four bytes": b'"\xf0\x80\x80\xaf"',
    "a surrogate in three bytes": b'"\xed\xa0\x80"',
    "a pair of surrogates in six bytes": b'"\xed\xa0\xbd\xed\xb8\x80"',
    "a character beyond the last": b'"\xf4\x90\x80\x80"',
    "a character of five bytes": b'"\xf8\x88\x80\x80\x80"',
    "Latin-1": b'"caf\xe9"',
    "a key that is not UTF-8": b'{"\xff":1}',
    "UTF-16": '"é"'.encode("utf-16"),
    "UTF-16 without a mark": '{"a":1}'.encode("utf-16-le"),
    "UTF-32": b"1\0\0\0",
}


@every_place
@pytest.mark.parametrize("case", ACCEPTED)
def test_what_is_json_is_taken(case: str, place: str) -> None:
    text, value = ACCEPTED[case]
    found = _found(place, text)
    assert found == value
    assert type(found) is type(value)


@every_place
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_json_is_refused(case: str, place: str) -> None:
    around, kind, _ = PLACES[place]
    document = around.replace(b"%s", REFUSED[case])
    for data in (document, bytearray(document), memoryview(document)):
        with pytest.raises(wg.DecodeError) as caught:
            wg.json.decode(data, kind)
        assert caught.value.wire == "json"
        assert caught.value.path.startswith("$")
        assert caught.value.reason


@pytest.mark.parametrize("case", ACCEPTED)
@pytest.mark.parametrize("place", CARRIED)
def test_what_is_carried_comes_back_as_its_text(case: str, place: str) -> None:
    text, _ = ACCEPTED[case]
    around, kind, _ = PLACES[place]
    document = around.replace(b"%s", text.strip())
    assert wg.json.encode(wg.json.decode(document, kind)) == document


@pytest.mark.parametrize("case", ACCEPTED)
@pytest.mark.parametrize("place", PARSED)
def test_what_is_parsed_means_the_same_after_both_wires(case: str, place: str) -> None:
    text, value = ACCEPTED[case]
    around, kind, find = PLACES[place]
    decoded = wg.json.decode(around.replace(b"%s", text), kind)
    assert find(wg.json.decode(wg.json.encode(decoded), kind)) == value
    assert find(wg.msgpack.decode(wg.msgpack.encode(decoded), kind)) == value


# What RFC 8259 leaves to us. Where a text is carried, nobody looks until its value is asked for.

OURS: dict[str, tuple[bytes, Any]] = {
    "an integer beyond 64 bits is exact": (b"18446744073709551616", 18446744073709551616),
    "so is a negative one": (b"-9223372036854775809", -9223372036854775809),
    "an integer may have 4,300 digits": (b"9" * 4300, 10**4300 - 1),
    "a number too close to zero is zero": (b"1e-999", 0.0),
    "a fraction has the digits of a double": (b"0.1000000000000000055511151231257827", 0.1),
    "minus zero is an integer": (b"-0", 0),
    "of a key that is there twice the last wins": (b'{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
    "though it be spelled otherwise": (rb'{"a":1,"\u0061":3}', {"a": 3}),
    "no character is forbidden for being none": ('"\uffff\ufdd0"'.encode(), "\uffff\ufdd0"),
    "nor when it is escaped": (rb'"\uffff\ufdd0"', "\uffff\ufdd0"),
}


@every_place
@pytest.mark.parametrize("case", OURS)
def test_what_is_ours_to_take(case: str, place: str) -> None:
    text, value = OURS[case]
    found = _found(place, text)
    assert found == value
    assert type(found) is type(value)


BEYOND = {
    "a number beyond a double": b"1e999",
    "a negative number beyond a double": b"-1e999",
    "an integer of 4,301 digits": b"1" * 4301,
}


@pytest.mark.parametrize("case", BEYOND)
@pytest.mark.parametrize("place", PARSED)
def test_a_number_that_python_cannot_hold_is_refused_where_it_is_parsed(
    case: str, place: str
) -> None:
    with pytest.raises(wg.DecodeError, match="out of range - at `"):
        _found(place, BEYOND[case])


@pytest.mark.parametrize("case", BEYOND)
@pytest.mark.parametrize("place", CARRIED)
def test_a_number_that_python_cannot_hold_is_carried_elsewhere(case: str, place: str) -> None:
    around, kind, find = PLACES[place]
    document = around.replace(b"%s", BEYOND[case])
    decoded = wg.json.decode(document, kind)
    assert wg.json.encode(decoded) == document
    with pytest.raises(wg.DecodeError, match="out of range"):
        _ = find(decoded).value


@pytest.mark.parametrize("opened", [b"[", b'{"a":', b'[{"a":'])
@every_place
def test_nesting_without_an_end_is_a_limit(opened: bytes, place: str) -> None:
    around, kind, _ = PLACES[place]
    for text in (opened * 100_000, opened * 100_000 + b"0"):
        with pytest.raises(wg.LimitError, match="json: nested too deeply - at `\\$"):
            wg.json.decode(around.replace(b"%s", text), kind)


@every_place
def test_nesting_is_bounded_where_the_caller_says(place: str) -> None:
    around, kind, _ = PLACES[place]
    depth = around.partition(b"%s")[0]
    own = depth.count(b"[") + depth.count(b"{") - depth.count(b"]") - depth.count(b"}")
    document = around.replace(b"%s", b"[" * 40 + b"]" * 40)
    wg.json.decode(document, kind, limits=wg.Limits(depth=own + 40))
    with pytest.raises(
        wg.LimitError,
        match=f"json: nested deeper than {own + 39}; increase `Limits.depth` - at `\\$`",
    ):
        wg.json.decode(document, kind, limits=wg.Limits(depth=own + 39))


HALVES: dict[str, tuple[bytes, str]] = {
    "the first half of a pair": (rb'"a\ud83d"', "a\ufffd"),
    "the second half of a pair": (rb'"\ude00b"', "\ufffdb"),
    "a pair the wrong way round": (rb'"\ude00\ud83d"', "\ufffd\ufffd"),
    "a first half before a pair": (rb'"\ud83d\ud83d\ude00"', "\ufffd😀"),
    "a first half before an escaped letter": (rb'"\ud83d\u0041"', "\ufffdA"),
}


@every_place
@pytest.mark.parametrize("case", HALVES)
def test_half_a_character_is_refused(case: str, place: str) -> None:
    around, kind, _ = PLACES[place]
    document = around.replace(b"%s", HALVES[case][0])
    with pytest.raises(wg.DecodeError, match="half a character is not Unicode text") as caught:
        wg.json.decode(document, kind)
    at = int(caught.value.path.removeprefix("byte "))
    assert document[at : at + 3] in (rb"\ud", rb"\uD")


@every_place
@pytest.mark.parametrize("case", HALVES)
def test_half_a_character_is_replaced_where_there_is_a_list_of_losses(
    case: str, place: str
) -> None:
    text, value = HALVES[case]
    around, kind, find = PLACES[place]
    losses: list[wg.Loss] = []
    found = find(wg.json.decode(around.replace(b"%s", text), kind, losses=losses))
    assert (found.value["v"] if place in CARRIED else found) == value
    assert len(losses) == value.count("\ufffd")


# Whole documents of a session.

_USER = b'{"role":"user","content":[{"type":"text","text":"Hi"}]}'
_HI = [wg.UserMessage([wg.TextBlock("Hi")])]

DOCUMENTS: dict[str, tuple[bytes, list[wg.AgentMessage]]] = {
    "an empty one": (b"[]", []),
    "one message": (b"[" + _USER + b"]", _HI),
    "white space on all sides": (b"\r\n\t [ " + _USER + b" \n] \r\n", _HI),
    "a byte order mark": (b"\xef\xbb\xbf[" + _USER + b"]", _HI),
    "a byte order mark and white space": (b"\xef\xbb\xbf \n[]\n", []),
    "keys in another order": (b'[{"content":[{"text":"Hi","type":"text"}],"role":"user"}]', _HI),
    "keys with escapes": (
        rb'[{"r\u006fle":"us\u0065r","content":[{"t\u0079pe":"t\u0065xt","text":"Hi"}]}]',
        _HI,
    ),
    "a content that is there twice": (b'[{"role":"user","content":[],' + _USER[15:] + b"]", _HI),
    "a text that is there twice": (
        b'[{"role":"user","content":[{"type":"text","text":"no","text":"Hi"}]}]',
        _HI,
    ),
    "a role that is there twice": (b'[{"role":"system",' + _USER[1:] + b"]", _HI),
    "a type that is there twice": (
        b'[{"role":"user","content":[{"type":"thinking","type":"text","text":"Hi"}]}]',
        _HI,
    ),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_a_document_is_taken(case: str) -> None:
    document, session = DOCUMENTS[case]
    for data in (document, bytearray(document), memoryview(document), document.decode()):
        assert wg.json.decode(data) == session


def test_an_unknown_key_that_is_there_twice_is_kept_once() -> None:
    [entry] = wg.json.decode(b'[{"role":"user","x":1,"content":[],"x":2}]')
    assert wg.json.encode([entry]) == b'[{"role":"user","content":[],"x":2}]'


NO_DOCUMENTS: dict[str, bytes] = {
    "nothing": b"",
    "white space": b" \r\n",
    "a byte order mark alone": b"\xef\xbb\xbf",
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf[]",
    "a byte order mark after white space": b" \xef\xbb\xbf[]",
    "a byte order mark at the end": b"[]\xef\xbb\xbf",
    "half a byte order mark": b"\xef\xbb[]",
    "a byte order mark of UTF-16": b"\xff\xfe[\0]\0",
    "a comma after it": b"[],",
    "a bracket after it": b"[]]",
    "a second one": b"[][]",
    "a second one on a line of its own": b"[]\n[]\n",
    "JSON Lines": _USER + b"\n" + _USER + b"\n",
    "a NUL after it": b"[]\0",
    "a word after it": b"[] x",
    "a message alone": _USER,
    "null": b"null",
    "text": b'"[]"',
    "an array of arrays": b"[[]]",
    "an array of nulls": b"[null]",
}


@pytest.mark.parametrize("case", NO_DOCUMENTS)
def test_what_is_no_document_is_refused(case: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(NO_DOCUMENTS[case])
    assert caught.value.wire == "json"
    assert caught.value.path.startswith("$")


@pytest.mark.parametrize("place", PLACES)
def test_a_document_that_was_cut_is_refused_wherever_the_cut_is(place: str) -> None:
    around, kind, _ = PLACES[place]
    document = around.replace(b"%s", '{"a":[1e2,"é\\n",true]}'.encode()).strip()
    cuts = range(len(document)) if len(document) < 1000 else range(0, len(document), 999)
    for end in cuts:
        with pytest.raises(wg.DecodeError, match=r"json: .* - at `\$"):
            wg.json.decode(document[:end], kind)
