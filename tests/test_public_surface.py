"""What `import wireglot` gives and what it costs, and which module may import which."""

import ast
import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct

import wireglot
from tests.structure import circles, imports, namers
from wireglot._registry import APIS
from wireglot.providers import _interface

ROOT = Path(wireglot.__file__).parent

NAMES = """
    ERROR_KINDS FORMATS PROVIDERS Accumulator AgentMessage AnnotationBlock AnnotationRef
    Arguments ArgumentsDelta AssistantMessage AudioBlock BlockEnd BlockStart
    BranchSummaryMessage CacheConfig CacheMark CitationDelta CompactionSummaryMessage Content
    Cost CustomMessage DataBlock DecodeError DocumentBlock EncodeError ErrorBlock
    ExtensionMessage Extra Extras IdSource ImageBlock LimitError Limits LlmMessage Loss
    LossError LossList Losses Media MediaBlock Message OpaqueBlock OpaqueEvent ProviderError RawJson
    Request RequestTranslator Response ResponseFormat Route SessionOnly StopReason StreamEnd
    StreamError StreamEvent StreamFailure StreamStart StreamTranslator SystemMessage TextBlock
    TextDelta Thinking ThinkingBlock ThinkingDelta ThinkingLevel Tool ToolCallBlock ToolChoice
    ToolMessage ToolName ToolNames ToolResultBlock ToolResultMessage Usage UsageUpdate
    UserMessage VideoBlock WireglotError __version__ capabilities formats from_builtins json
    llm_messages msgpack providers to_builtins translate_request translate_response
"""


def _python(code: str, *flags: str, **more: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": path, **more}
    return subprocess.run(
        [sys.executable, *flags, "-c", code], env=env, capture_output=True, text=True, check=True
    )


def test_the_public_names_are_these() -> None:
    assert wireglot.__all__ == NAMES.split()


ASKED_FOR = {"arrow", "builtins", "framing", "gateway", "model", "queue", "schema", "testing"}


def test_every_public_name_is_there_and_no_other() -> None:
    names = _python(
        "from wireglot import *\nprint(*sorted(n for n in globals() if n[:2] != '__'), __version__)"
    ).stdout.split()
    expected = sorted(name for name in NAMES.split() if name != "__version__")
    assert names == [*expected, wireglot.__version__]
    with pytest.raises(AttributeError, match="module 'wireglot' has no attribute 'utils'"):
        _ = wireglot.utils  # type: ignore[attr-defined]


def test_the_names_that_are_loaded_late_are_the_modules_themselves() -> None:
    names = ("capabilities", "json", "msgpack", "providers", "formats")
    for name in (*names, *ASKED_FOR):
        import_module(f"wireglot.{name}")  # the test is skipped here if a library is missing
        code = f"import sys, wireglot as w; print(w.{name} is sys.modules['wireglot.{name}'])"
        assert _python(code).stdout == "True\n"
    assert wireglot.PROVIDERS is wireglot.providers.PROVIDERS
    assert wireglot.Route is wireglot.providers.Route
    assert wireglot.translate_request.__module__ == "wireglot.translate.one"


def test_what_is_loaded_late_is_listed_before() -> None:
    for name in ("wireglot", "wireglot.providers"):
        code = f"import {name} as module; print({{*module.__all__}} - {{*dir(module)}})"
        assert _python(code).stdout == "set()\n"


def test_what_needs_an_extra_is_an_attribute_too_but_no_star_loads_it() -> None:
    assert ASKED_FOR.isdisjoint(wireglot.__all__)
    assert {*dir(wireglot)} > ASKED_FOR
    code = "import sys; sys.modules['hypothesis'] = None\nfrom wireglot import *"
    assert _python(code).stderr == ""


def test_import_loads_the_model_and_no_codec() -> None:
    loaded = _python(
        "import sys, msgspec; before = {*sys.modules}; import wireglot; "
        "print(*({*sys.modules} - before))"
    ).stdout.split()
    ours = {name for name in loaded if name.split(".")[0] == "wireglot"}
    assert {name for name in ours if not name.startswith("wireglot.model")} == {
        "wireglot",
        "wireglot._runtime",
        "wireglot._runtime.lazy",
        "wireglot._runtime.locks",
        "wireglot._version",
        "wireglot.errors",
        "wireglot.limits",
        "wireglot.losses",
    }
    tops = {name.split(".")[0] for name in loaded}
    assert tops - sys.stdlib_module_names == {"wireglot"}  # hence no Pillow, no pybase64
    assert not tops & {"uuid", "hashlib", "base64", "urllib", "json"}


def test_import_takes_at_most_twice_as_long_as_that_of_msgspec(tmp_path: Path) -> None:
    written = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    best: dict[str, float] = {"msgspec": float("inf"), "wireglot": float("inf")}
    for run in range(40):  # in turns, so that a busy machine is busy for both
        for name in best:
            lines = _python(f"import {name}", "-X", "importtime", **written).stderr.splitlines()
            for line in lines:
                _, microseconds, module = line.split("|") if line.count("|") == 2 else ("", "", "")
                if module.strip() == name:
                    best[name] = min(best[name], int(microseconds))
        if run >= 4 and best["wireglot"] <= 2 * best["msgspec"]:
            break
    assert best["wireglot"] <= 2 * best["msgspec"] < float("inf"), best


# -- imports point one way --------------------------------------------------------------------

# A room imports from those before it, never from its own layer; inside of functions and for type
# checkers, too.
LAYERS = [
    {"errors", "_version", "_runtime"},
    {"model", "framing", "_registry"},
    {"limits", "losses", "capabilities"},
    {"_body"},
    {"_native"},
    {"json", "msgpack"},
    {"providers"},
    {"formats", "translate"},
    {"schema", "_display"},
    {"_documents", "builtins"},
    {"arrow"},
    {"queue", "gateway", "testing"},
    {"cli", "adapters"},
    {"__main__"},
]
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer}
# The storeys of what the providers share, each of which uses those before it.
STOREYS = ["losses", "_interface", "_state", "_across", "_codecs"]
# The wire of OpenAI's chat API may serve other APIs that are documented as compatible with it.
SHARED_WIRES = {"providers.openai_chat.wire"}
# What the model may import beside the standard library, and where.
MODEL_ANYWHERE = {"msgspec", "wireglot.model", "wireglot.errors", "wireglot._runtime"}
MODEL_IN_FUNCTIONS = {"pybase64", "PIL"}
SOURCES = sorted({*ROOT.rglob("*.py")} - {ROOT / "__init__.py"})  # which re-exports it all
PROVIDERS = ROOT / "providers"


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Name what a file imports, `a.b` or `a.b.name`, and whether it runs with the module."""
    package = _module(path).split(".")[: None if path.name == "__init__.py" else -1]

    def walk(node: ast.AST, at_once: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((f"{stem}.{alias.name}", at_once) for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in node.body:
                yield from walk(child, False)
            for child in node.orelse:
                yield from walk(child, at_once)
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for child in ast.iter_child_nodes(node):
                yield from walk(child, at_once and not inside)

    return walk(ast.parse(path.read_text("utf-8")), True)


def _ours(path: Path) -> Iterator[str]:
    for name, _ in _imports(path):
        if name.split(".")[0] == "wireglot":
            yield name.removeprefix("wireglot").removeprefix(".")


def test_the_walk_sees_the_imports() -> None:
    assert len(SOURCES) >= 25
    seen = set(_imports(ROOT / "model" / "media.py"))
    assert ("msgspec.Raw", True) in seen
    assert ("wireglot.errors.DecodeError", True) in seen
    assert ("wireglot.model.sniff.sniff", True) in seen
    assert ("PIL.Image.Image", False) in seen
    assert ("pybase64", False) in seen


@pytest.mark.parametrize("path", SOURCES, ids=_module)
def test_a_room_imports_only_from_those_before_it(path: Path) -> None:
    room = _module(path).split(".")[1]
    for name in _ours(path):
        assert name, "a module imports the package itself"
        other = name.split(".")[0]
        assert other == room or LAYER[other] < LAYER[room], f"{_module(path)} imports {name}"


@pytest.mark.parametrize("path", sorted(PROVIDERS.rglob("_*/*.py")), ids=_module)
def test_a_storey_of_the_providers_uses_those_below(path: Path) -> None:
    own = STOREYS.index(path.parent.name)
    for name in _ours(path):
        room, other, *_ = [*name.split("."), ""]
        assert room != "providers" or other in STOREYS[: own + 1], f"{_module(path)} imports {name}"


@pytest.mark.parametrize("path", SOURCES, ids=_module)
def test_no_module_asks_a_package_for_a_late_name_while_it_is_imported(path: Path) -> None:
    # It would wait for the lock of first uses, and hold the one of its own import.
    tree = ast.parse(path.read_text("utf-8"))
    inside = _module(path).split(".")[: None if path.name == "__init__.py" else -1]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = inside[: len(inside) - node.level + 1]
            package = ".".join([*base, *filter(None, [node.module])])
            if not ROOT.parent.joinpath(*package.split("."), "__init__.py").exists():
                continue
            late = {alias.name for alias in node.names} & _late(package)
            assert not late, f"import {package}.NAME as NAME, for {late}"


@cache
def _late(package: str) -> set[str]:
    """Return the names that a package has, but does not bind when it is imported."""
    code = f"import {package} as module; print(*{{*dir(module)}} - {{*vars(module)}})"
    return {*_python(code).stdout.split()}


def test_no_files_import_each_other_in_a_circle() -> None:
    assert [circle for circle in circles(imports()) if len(circle) > 1] == []


# The applications import public modules, and could be distributions of their own; and these
# private ones. All use `_runtime.extras`, which says how to install what is missing.
APPLICATIONS = {
    "adapters": {
        "_body.field_types": "a notebook shows a broken value, and says what is wrong with it",
        "_display": "would go with the command",
        "_native.caller_types": "Litestar asks which of its types hold types of the model",
    },
    "arrow": {"_display": "would go with the command", "_documents": "likewise"},
    "cli": {
        "_body.surrogates": "half a character in a line is mended before the line is looked at",
        "_display": "would go with the command",
        "_documents": "likewise",
        "_registry": "our own wires are listed before those of others",
        "_version": "a number",
    },
    "gateway": {
        "_body.faults": "an error in a configuration file has its place",
        "_registry": "the likeliest wire, for a client that does not tell its own",
    },
    "queue": {
        "_body.fields": "media in a value of the caller's own type is replaced",
        "_body.refuse": "what no reader would accept is not sent",
    },
    "testing": {"_registry": "the ids of our APIs, as keys of `extras`"},
}


@pytest.mark.parametrize("room", APPLICATIONS)
def test_an_application_imports_public_modules(room: str) -> None:
    used = {
        module
        for path in (ROOT / room).rglob("*.py")
        for name in _ours(path)
        for module in [_private(name)]
        if module is not None and name.split(".")[0] != room
    }
    assert used - {"_runtime.extras"} == APPLICATIONS[room].keys()


def _private(name: str) -> str | None:
    """Return the private module in a name, of `_display` and `_documents` the folder."""
    room, _, rest = name.partition(".")
    if not room.startswith("_"):
        return None
    whole = room in ("_display", "_documents", "_registry", "_version")
    return room if whole else f"{room}.{rest.partition('.')[0]}"


def test_errors_import_nothing_of_ours() -> None:
    assert [*_ours(ROOT / "errors.py")] == []


@pytest.mark.parametrize("path", sorted((ROOT / "framing").glob("*.py")), ids=_module)
def test_framing_knows_errors_and_the_standard_library(path: Path) -> None:
    assert {name.split(".")[0] for name in _ours(path)} <= {"errors", "framing"}
    assert {name.split(".")[0] for name, _ in _imports(path)} <= sys.stdlib_module_names | {
        "wireglot"
    }


@pytest.mark.parametrize("path", sorted((ROOT / "model").glob("*.py")), ids=_module)
def test_the_model_imports_msgspec_and_the_standard_library(path: Path) -> None:
    for name, at_once in _imports(path):
        top = name.split(".")[0]
        allowed = MODEL_ANYWHERE if at_once else MODEL_ANYWHERE | MODEL_IN_FUNCTIONS
        assert (
            top in sys.stdlib_module_names
            or top in allowed
            or any(name.startswith(f"{each}.") for each in allowed)
        ), f"{_module(path)} imports {name}"


FOLDERS = {
    path.name for path in PROVIDERS.iterdir() if path.is_dir() and not path.name.startswith("_")
}
SHARED = [path for path in PROVIDERS.rglob("*.py") if path.parent.name not in FOLDERS]


@pytest.mark.parametrize("path", sorted({*PROVIDERS.rglob("*.py")} - {*SHARED}), ids=_module)
def test_no_provider_imports_another(path: Path) -> None:
    others = FOLDERS - {path.parent.name}
    for name in _ours(path):
        if not any(f"{name}.".startswith(f"{wire}.") for wire in SHARED_WIRES):
            assert name.split(".")[:2] not in [["providers", other] for other in others], name


@pytest.mark.parametrize("path", sorted(SHARED), ids=_module)
def test_what_providers_share_knows_none_of_them(path: Path) -> None:
    if path != PROVIDERS / "__init__.py":  # the table of them all
        assert not [name for name in _ours(path) if {*name.split(".")[1:2]} & FOLDERS]


PROVIDER_NAMES = [
    "API",
    "DIALECTS",
    "FACTS",
    "StreamDecoder",
    "StreamEncoder",
    "Transcript",
    "decode_error",
    "decode_request",
    "decode_response",
    "encode_error",
    "encode_request",
    "encode_response",
    "route",
]


@pytest.mark.parametrize("name", list(wireglot.PROVIDERS))
def test_every_provider_has_exactly_these_names(name: str) -> None:
    module = wireglot.PROVIDERS[name]
    assert module.__all__ == PROVIDER_NAMES  # type: ignore[attr-defined]
    files = {path.name for path in (PROVIDERS / name).glob("*.py")}
    assert files >= {
        *("__init__.py", "blocks.py", "endpoint.py", "errors.py", "facts.py", "losses.py"),
        *("request.py", "response.py", "stream.py", "wire.py"),
    }


def test_what_is_known_of_an_api_is_in_the_folder_of_its_provider() -> None:
    assert namers() == {}


@pytest.mark.parametrize("name", wireglot.PROVIDERS)
def test_the_registry_and_the_facts_agree(name: str) -> None:
    facts = wireglot.providers.facts_named(name)
    assert facts.api == wireglot.PROVIDERS[name].API
    assert APIS[facts.api] == name
    assert wireglot.providers.facts_of(facts.api) is facts


def test_no_two_providers_have_one_api() -> None:
    apis = [provider.API for provider in wireglot.PROVIDERS.values()]
    assert len(set(apis)) == len(apis)


@pytest.mark.parametrize("path", sorted(PROVIDERS.glob("*/*.py")), ids=_module)
def test_no_class_of_a_provider_inherits_from_more_than_one_of_ours(path: Path) -> None:
    kinds = [
        kind
        for kind in vars(import_module(_module(path))).values()
        if isinstance(kind, type) and kind.__module__ == _module(path)
        if not issubclass(kind, Struct)  # which is data
    ]
    for kind in kinds:
        ours = [base for base in kind.__mro__[1:] if base.__module__.startswith("wireglot.")]
        assert len(ours) <= 1, (kind, ours)


@pytest.mark.parametrize("name", wireglot.PROVIDERS)
@pytest.mark.parametrize(
    "function", ["encode_request", "decode_request", "encode_response", "decode_response"]
)
def test_an_editor_shows_what_a_provider_has(function: str, name: str) -> None:
    shown = getattr(_interface, function)
    own = getattr(wireglot.PROVIDERS[name], function)
    first, *declared = inspect.signature(
        getattr(wireglot.providers.Provider, function)
    ).parameters.values()
    assert first.name == "self"
    assert inspect.signature(own) == inspect.signature(shown)
    assert declared == [*inspect.signature(shown).parameters.values()]
    assert inspect.getdoc(own) == inspect.getdoc(shown)
