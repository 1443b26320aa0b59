"""The encoders, asked one feature at a time -> tables of what each wire carries.

Nothing here is written down by hand: a request with one feature is encoded with a list of losses,
and decoded again. It is a Sphinx extension, which fills in `@@support...@@` on the pages.
"""

import re
from collections.abc import Iterable
from functools import cache

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace
from support_probes import ANSWERS, REQUESTS, Probe

import wireglot as wg

__all__ = ["Verdict", "laid_out", "verdict"]

_WIDTH = 92  # of a line of JSON
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_NAMES = {"openai_chat": "OpenAI Chat", "openai_responses": "OpenAI Responses"}
EXAMPLE = wg.Request(
    [
        wg.SystemMessage.from_text("Be brief."),
        wg.UserMessage([wg.TextBlock("How warm is it in Oslo?")]),
        wg.AssistantMessage([wg.ToolCallBlock("call_1", "weather", '{"city": "Oslo"}')]),
        wg.ToolMessage([wg.ToolResultBlock.from_text("call_1", "21 degrees.")]),
    ],
    model="MODEL",
    tools=[wg.Tool("weather", "Tell the weather.", {"type": "object", "properties": {}})],
    max_tokens=100,
)

_HEAD = ["", *(_NAMES.get(name, name.capitalize()) for name in wg.PROVIDERS)]


class Verdict(Struct, frozen=True):
    """What became of a feature on one wire.

    `word` is `yes` where it goes out and is read again; `other` where it goes out in another form,
    and nothing is lost; `-` where it is a loss, for the reasons in `why`.
    """

    word: str
    why: tuple[str, ...] = ()


@cache
def verdict(probe: Probe, name: str, dialect: str) -> Verdict:
    """Encode the value of a probe on a wire, and look whether it comes back."""
    provider = wg.PROVIDERS[name]
    value = probe.build(provider.API)
    losses: list[wg.Loss] = []
    if type(value) is wg.Request:
        body = provider.encode_request(value, losses=losses, dialect=dialect)
        path = provider.route(value, dialect=dialect).path
        back: object = provider.decode_request(body, path, dialect=dialect)
    else:
        body = provider.encode_response(value, losses=losses, dialect=dialect)
        try:
            back = provider.decode_response(body, dialect=dialect)
        except wg.ProviderError:  # an answer that failed
            back = wg.Response(wg.AssistantMessage([], stop_reason=wg.StopReason.ERROR))
    if losses:
        return Verdict("-", tuple(dict.fromkeys(loss.why for loss in losses)))
    if probe.see(back) == probe.see(value):
        return Verdict("yes")
    return Verdict("other") if probe.other_form else Verdict("-", ("this wire has none",))


def _rows(groups: dict[str, list[Probe]]) -> Iterable[Probe]:
    return (probe for probes in groups.values() for probe in probes)


def _table(head: list[str], rows: list[list[str]], numbers: str = "---") -> str:
    lines = [head, ["---", *[numbers] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# -- all wires beside each other -----------------------------------------------------------------


def _cell(probe: Probe, name: str) -> str:
    """Return the verdict of the default dialect, or `some` where only others carry it."""
    default, *others = wg.PROVIDERS[name].DIALECTS
    word = verdict(probe, name, default).word
    if word == "-" and any(verdict(probe, name, other).word == "yes" for other in others):
        return "some"
    return word


def _matrix(probes: Iterable[Probe]) -> str:
    """Return a row for each probe that not all wires carry, and name the rest in a sentence."""
    rows = {probe.name: [_cell(probe, name) for name in wg.PROVIDERS] for probe in probes}
    everywhere = [name for name, cells in rows.items() if set(cells) == {"yes"}]
    elsewhere = [[name, *cells] for name, cells in rows.items() if set(cells) != {"yes"}]
    made = _table(_HEAD, elsewhere, ":---:")
    return f"All of them: {', '.join(everywhere)}.\n\n{made}"


def _matrices(groups: dict[str, list[Probe]]) -> str:
    return "\n\n".join(f"### {title}\n\n{_matrix(probes)}" for title, probes in groups.items())


# -- one wire ------------------------------------------------------------------------------------


def _support(name: str) -> str:
    """Return what one wire carries of requests and answers, and why it does not carry the rest."""
    return "\n\n".join(
        f"### {title}\n\n{_one_sided(name, groups)}"
        for title, groups in (("Requests", REQUESTS), ("Answers", ANSWERS))
    )


def _one_sided(name: str, groups: dict[str, list[Probe]]) -> str:
    default, *others = wg.PROVIDERS[name].DIALECTS
    words = {probe: verdict(probe, name, default).word for probe in _rows(groups)}
    carried = [
        [title, *(_names(p for p in probes if words[p] == word) for word in ("yes", "other"))]
        for title, probes in groups.items()
    ]
    has_others = any(row[2] for row in carried)
    head = ["", "carried", *(["in another form, without a loss"] if has_others else [])]
    made = [_table(head, [row[: len(head)] for row in carried])]
    lost: dict[tuple[str, ...], list[Probe]] = {}
    for probe, word in words.items():
        if word == "-":
            lost.setdefault(_reason(probe, name, default, others), []).append(probe)
    rows = [[_names(probes), *reason] for reason, probes in lost.items()]
    head = ["a loss", "why, and what happens instead", *(["carried by"] if others else [])]
    made.append(_table(head, rows))
    fewer: dict[str, list[Probe]] = {}
    for probe, word in words.items():
        if word != "-":
            without = [o for o in others if verdict(probe, name, o).word == "-"]
            fewer.setdefault(_dialects(without, others), []).append(probe)
    fewer.pop("", None)
    if fewer:
        rows = [[_names(probes), dialects] for dialects, probes in fewer.items()]
        made.append(_table([f"`{default}` carries", "a loss in"], rows))
    return "\n\n".join(made)


def _names(probes: Iterable[Probe]) -> str:
    return ", ".join(probe.name for probe in probes)


def _reason(probe: Probe, name: str, default: str, others: list[str]) -> tuple[str, ...]:
    why = "; ".join(verdict(probe, name, default).why)
    carriers = [other for other in others if verdict(probe, name, other).word == "yes"]
    return (why, _dialects(carriers, others)) if others else (why,)


def _dialects(some: list[str], others: list[str]) -> str:
    return "all others" if some == others else ", ".join(f"`{name}`" for name in some)


def _routes(name: str) -> str:
    """Return where the requests of each dialect go, streams apart where that is elsewhere."""
    provider = wg.PROVIDERS[name]
    rows = []
    for dialect in provider.DIALECTS:
        seen = None
        for stream, label in ((False, f"`{dialect}`"), (True, f"`{dialect}`, a stream")):
            request = replace(EXAMPLE, stream=stream)
            route = provider.route(request, dialect=dialect)
            if route != seen:
                headers = ", ".join(f"`{key}: {value}`" for key, value in route.headers.items())
                rows.append([label, f"`{route.method} {route.path}`", headers])
            seen = route
    width = 3 if any(row[2] for row in rows) else 2
    return _table(["dialect", "request", "headers"][:width], [row[:width] for row in rows])


def _example(name: str) -> str:
    """Return the body that the example comes to."""
    body = wg.PROVIDERS[name].encode_request(EXAMPLE)
    return (
        "[The example](index.md) on this wire, with line breaks that are not in the body:\n\n"
        f"```json\n{laid_out(Raw(body), 0)}\n```"
    )


def laid_out(raw: Raw, indent: int, key: str = "", width: int = _WIDTH) -> str:
    """Return JSON as it is where it fits on a line behind its key, else a line for each part."""
    text = bytes(raw).decode()
    if indent + len(key) + len(text) <= width or text[0] not in "{[":
        return text
    if text[0] == "{":
        parts = [(f'"{key}":', value) for key, value in _keys(raw).items()]
    else:
        parts = [("", value) for value in _items(raw)]
    pad = " " * (indent + 2)
    lines = [f"{pad}{key}{laid_out(value, indent + 2, key, width)}" for key, value in parts]
    return f"{text[0]}\n" + ",\n".join(lines) + f"\n{' ' * indent}{text[-1]}"


# -- Sphinx --------------------------------------------------------------------------------------


def _insert(app, docname, source):
    text = source[0]
    text = re.sub(r"@@support:(\w+)@@", lambda found: _support(found[1]), text)
    text = re.sub(r"@@routes:(\w+)@@", lambda found: _routes(found[1]), text)
    text = re.sub(r"@@example:(\w+)@@", lambda found: _example(found[1]), text)
    if "@@support@@" in text:
        text = text.replace("@@support@@", _matrices(REQUESTS))
        text = text.replace("@@support of answers@@", _matrices(ANSWERS))
    source[0] = text


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert)
    return {"parallel_read_safe": True}
