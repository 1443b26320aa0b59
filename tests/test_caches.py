"""Which caches the package has, by what their keys are, and what bounds each of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wireglot as wg
from wireglot._display.prices import prices_in
from wireglot.providers._across import ids

ROOT = Path(wg.__file__).parent

# Keys that a program has, or that the code names: no input makes more of them.
BY_CODE = {
    "_body/decode.py: _decoder": "a type of ours",
    "_body/decode.py: _has_aside": "a type of ours",
    "_body/decode.py: _plan": "a type of ours",
    "_body/decode.py: _shape": "a type of ours",
    "_body/decode.py: with_objects": "a type of ours",
    "_display/markdown.py: _reader": "nothing",
    "_documents/detection.py: _LOOKS[]": "a type of ours",
    "_registry.py: _loaded": "a name that an installed package registers",
    "_registry.py: _names": "a group of entry points",
    "_registry.py: _scanned": "a group of entry points",
    "_body/sdk.py: _beside": "nothing",
    "_body/sdk.py: _parsed": "nothing",
    "_body/sdk.py: _sdks": "nothing",
    "_registry.py: _looked_for[]": "a name that an installed package registers",
    "_registry.py: _registered.append": "one table",
    "_body/fields.py: struct_fields": "a type of the program",
    "_native/caller_types.py: _tag_reader": "the tag field of a type of the program",
    "_native/caller_types.py: caller_type": "a type of the program",
    "_native/caller_types.py: kinds_inside": "a type of the program",
    "_body/objects.py: _fields": "a type of the program",
    "_native/reader.py: _parts": "a type of the program",
    "_native/reader.py: _shape": "a type of the program",
    "_body/field_types.py: _plan": "a type of the program",
    "adapters/_definitions.py: definitions": "nothing",
    "adapters/notebook.py: _style": "nothing",
    "cli/names.py: aliases": "nothing",
    "formats/_set_aside.py: _carried": "a type of ours",
    "formats/_set_aside.py: _hints": "a type of ours",
    "formats/_set_aside.py: _optional": "a type of ours",
    "formats/_as_it_came.py: _names": "a type of ours",
    "formats/_mapping.py: _checks": "a type of ours",
    "formats/_records.py: _is_of": "a type of the program",
    "formats/_records.py: _to_look_at": "a type of ours",
    "formats/operator_use/base.py: _twin": "a type of ours",
    "formats/operator_use/codec.py: _decoder": "a type of ours",
    "formats/operator_use/printing.py: _in_order": "a type of ours",
    "formats/operator_use/printing.py: _with_nulls": "a type of ours",
    "formats/pyagenity/base.py: _checked": "a type of ours",
    "formats/pyagenity/base.py: _fields": "a type of ours",
    "formats/ravi/results.py: _decoder": "a type of ours",
    "gateway/telemetry.py: cache(kind(f'wireglot_{name}', words, labels.split(), registry=own, "
    "**more).labels)": "words of ours, statuses, patterns of routes",
    "providers/_state/decoding.py: _keys_of": "a type of ours, names of its fields",
    "providers/_codecs/requests.py: _in_order": "names of parameters",
    "providers/_state/facts.py: _KNOWN.setdefault": "an API of ours",
    "providers/_state/facts.py: _names": "a system that the code names",
    "providers/_state/signatures.py: _apis_of_signers": "nothing",
    "testing/_once.py: cache(make)": "nothing",
}

# Keys that come with the input: of each of these, so many are held, and none is longer.
BY_INPUT = {
    "translate/kept.py: Recent": "number, bytes and age that the program sets",
    "_display/prices.py: prices_of": "1,024 names of models, of 300 characters",
    "arrow/kernels.py: _prices": "16 tables of prices, which a program gives",
    "capabilities.py: _row": "1,024 names of models, cut after 300 characters",
    "cli/urls.py: _system": "one archive: the last one",
    "gateway/doors.py: _doors": "the last list of providers",
    "framing/eventstream.py: _known": "64 heads of messages, of 512 bytes",
    "framing/eventstream.py: _lengths": "1,024 preludes, of 12 bytes",
    "providers/bedrock/makers.py: of_model": "1,024 names of models, cut after 300 characters",
    "providers/bedrock/stream.py: _before": "1,024 sizes",
    "providers/openai_chat/dialects.py: _variant": "256 names of models, cut after 300 characters",
    "providers/_across/ids.py: lru_cache(maxsize=4096)(_nine_letters)": "4,096 ids of calls, "
    "of 100 characters",
    "queue/aio_pika.py: _sending.setdefault": "the messages that are being sent, by channel",
    "queue/envelope.py: _content_type": "256 content types, of 255 characters",
    "translate/conversation.py: Recent": "number, bytes and age that the program sets",
}


def _is_cache(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else node
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("cache", "lru_cache", "cached_property")


def _tables(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module to which it binds something that can grow."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.Dict | ast.Set | ast.List | ast.Call | ast.DictComp
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _caches(tree: ast.Module) -> Iterator[str]:
    tables = {*_tables(tree)}
    decorators = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found = [each for each in node.decorator_list if _is_cache(each)]
            decorators.update(found)
            yield from (node.name for _ in found)
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Call):
            value = node.value
            if _is_cache(value) and isinstance(node, ast.AnnAssign):
                yield ast.unparse(node.target)
                decorators.add(value)
        if not isinstance(node, ast.Call) or node in decorators:
            continue
        inner = node.func if isinstance(node.func, ast.Call) else node
        if _is_cache(inner) and node not in called:
            yield ast.unparse(node)
        elif isinstance(node.func, ast.Name) and node.func.id == "Recent":
            yield "Recent"
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        local = {each.arg for each in function.args.args}
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                grown, how = node.value, "[]"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                grown, how = node.func.value, f".{node.func.attr}"
            else:
                continue
            if how in ("[]", ".setdefault", ".add", ".update", ".append", ".extend"):
                name = getattr(grown, "id", None)
                if name in tables - local:
                    yield f"{name}{how}"


def test_every_cache_of_the_package_is_listed_with_what_bounds_it() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()}: {place}"
        for path in ROOT.rglob("*.py")
        for place in _caches(ast.parse(path.read_text()))
    }
    assert found == BY_CODE.keys() | BY_INPUT.keys()


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f(x): ...",
        "@functools.lru_cache(maxsize=None)\ndef f(x): ...",
        "f = lru_cache(9)(g)",
        "f: Any = cache(g)",
        "def f(self):\n    self.seen = Recent(1, 2, 3)",
        "SEEN = {}\ndef f(x):\n    SEEN[x] = 1",
        "SEEN: Final[dict[str, int]] = {}\ndef f(x):\n    SEEN.setdefault(x, 1)",
        "SEEN = set()\ndef f(x):\n    SEEN.add(x)",
    ],
)
def test_a_cache_of_any_form_is_found(source: str) -> None:
    assert len([*_caches(ast.parse(source))]) == 1


def _mistral(length: int) -> None:
    call = wg.ToolCallBlock("i" * length, "f", "{}")
    result = wg.ToolResultMessage.from_text("i" * length, "done")
    messages = [wg.UserMessage.from_text("hi"), wg.AssistantMessage([call]), result]
    wg.providers.mistral.encode_request(wg.Request(messages, "mistral-large-latest"), losses=[])


def test_a_long_id_of_a_call_is_not_kept() -> None:
    ids._known_letters.cache_clear()
    _mistral(100)
    assert ids._known_letters.cache_info().currsize == 1
    _mistral(101)
    assert ids._known_letters.cache_info().currsize == 1


@pytest.mark.parametrize(("length", "cost"), [(300, 2.0), (301, None)])
def test_a_name_that_is_too_long_for_a_model_has_no_price(length: int, cost: float | None) -> None:
    table = b'[models."m*"]\ninput_per_million = 2.0\noutput_per_million = 1.0\n'
    usage = wg.Usage(input=1_000_000)
    answer = wg.AssistantMessage([], model="m" * length, usage=usage)
    assert prices_in(table).cost(answer) == cost
