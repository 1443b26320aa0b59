"""Requests and answers of many parts take time in proportion, on every wire and both ways."""

import time
from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg

FEW, MANY = 500, 4000
# Time in proportion is 8, the square of it 64; machines are busy at times.
MOST = 20

_TEXT = wg.TextBlock("x")
_PNG = wg.ImageBlock.from_bytes(b"\x89PNG\r\n\x1a\n")


def _user(*content: Any) -> wg.UserMessage:
    return wg.UserMessage(list(content) or [_TEXT])


def _call(i: int) -> wg.ToolCallBlock:
    return wg.ToolCallBlock(f"call{i:05}", "f", '{"a":1}')


def _result(i: int) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(f"call{i:05}", "f", [_TEXT])


def _say(*content: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(list(content))


# What is made of a number, by what there are many of.
SHAPES: dict[str, Callable[[int], list[Any]]] = {
    "texts": lambda n: [_user(*[_TEXT] * n)],
    "images": lambda n: [_user(*[_TEXT, _PNG] * n)],
    "turns": lambda n: [_user(), *[_say(_TEXT), _user()] * n],
    "messages of a user": lambda n: [_user() for _ in range(n)],
    "answers in a row": lambda n: [_user(), *(_say(_TEXT) for _ in range(n)), _user()],
    "system messages": lambda n: [_user(), *(wg.SystemMessage([_TEXT]) for _ in range(n))],
    "calls": lambda n: [
        _user(),
        _say(*map(_call, range(n))),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "results in another order": lambda n: [
        _user(),
        _say(*map(_call, range(n))),
        wg.ToolMessage([*map(_result, reversed(range(n)))]),
    ],
    "calls in answers of their own": lambda n: [
        _user(),
        *(_say(_call(i)) for i in range(n)),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "calls in answers with unknown keys": lambda n: [
        _user(),
        *(wg.AssistantMessage([_call(i)], extras={f"{i}": wg.Extra({"k": i})}) for i in range(n)),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "calls of one id": lambda n: [
        _user(),
        _say(*[_call(0)] * n),
        wg.ToolMessage([_result(0)] * n),
    ],
    "calls without results": lambda n: [_user(), _say(*map(_call, range(n)))],
    "results without calls": lambda n: [wg.ToolMessage([_result(i)]) for i in range(n)],
    "losses": lambda n: [_user(_TEXT, *[wg.DataBlock.from_bytes(b"x") for _ in range(n)])],
}


def _growth(work: Callable[[int], Any]) -> float:
    """Return how many times as long `MANY` takes as `FEW`, at the best of some attempts."""
    best = {FEW: float("inf"), MANY: float("inf")}
    for _ in range(10):
        for n in best:
            start = time.process_time()
            work(n)
            best[n] = min(best[n], time.process_time() - start)
        if best[MANY] < MOST * best[FEW]:
            break
    return best[MANY] / best[FEW]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_request_takes_time_in_proportion_to_its_parts(name: str, shape: str) -> None:
    provider = wg.PROVIDERS[name]
    requests = {n: wg.Request(SHAPES[shape](n), "m", max_tokens=9) for n in (FEW, MANY)}

    def body(n: int) -> bytes:
        return provider.encode_request(requests[n], [], repair=True)

    bodies = {n: body(n) for n in requests}
    assert _growth(body) < MOST
    assert _growth(lambda n: provider.decode_request(bodies[n])) < MOST


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_request_takes_time_in_proportion_to_its_tools(name: str) -> None:
    provider = wg.PROVIDERS[name]
    schema = {"type": "object"}
    requests = {
        n: wg.Request([_user()], "m", [wg.Tool(f"f{i}", "d", schema) for i in range(n)])
        for n in (FEW, MANY)
    }
    bodies = {n: provider.encode_request(request, []) for n, request in requests.items()}
    assert _growth(lambda n: provider.encode_request(requests[n], [])) < MOST
    assert _growth(lambda n: provider.decode_request(bodies[n])) < MOST


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
@pytest.mark.parametrize("content", ["texts and thoughts", "calls"])
def test_an_answer_and_its_stream_take_time_in_proportion_to_their_blocks(
    name: str, content: str
) -> None:
    provider = wg.PROVIDERS[name]

    def response(n: int) -> wg.Response:
        blocks: list[Any] = [wg.ThinkingBlock("x"), _TEXT] * n
        if content == "calls":
            blocks = [*map(_call, range(n))]
        return wg.Response(wg.AssistantMessage(blocks, wg.StopReason.STOP, "m"), "id", 1)

    def stream(n: int) -> bytes:
        encoder = provider.StreamEncoder([])
        return b"".join(map(encoder.encode, _events(responses[n]))) + encoder.close()

    def read(n: int) -> wg.Response:
        decoder = provider.StreamDecoder()
        decoder.feed(streams[n])
        return decoder.close()

    responses = {n: response(n) for n in (FEW, MANY)}
    bodies = {n: provider.encode_response(responses[n], []) for n in responses}
    streams = {n: stream(n) for n in responses}
    assert _growth(lambda n: provider.encode_response(responses[n], [])) < MOST
    assert _growth(lambda n: provider.decode_response(bodies[n])) < MOST
    assert _growth(stream) < MOST
    assert _growth(read) < MOST


def _events(response: wg.Response) -> Any:
    yield wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), "id", 1))
    for i, block in enumerate(response.message.content):
        if isinstance(block, wg.TextBlock):
            yield from (wg.BlockStart(i, wg.TextBlock("")), wg.TextDelta(i, block.text))
        elif isinstance(block, wg.ThinkingBlock):
            begun = wg.ThinkingBlock("")
            yield from (wg.BlockStart(i, begun), wg.ThinkingDelta(i, block.thinking))
        elif isinstance(block, wg.ToolCallBlock):
            begun_call = wg.ToolCallBlock(block.id, block.name, "")
            yield from (wg.BlockStart(i, begun_call), wg.ArgumentsDelta(i, '{"a":1}'))
        yield wg.BlockEnd(i, block)
    yield wg.StreamEnd(response)
