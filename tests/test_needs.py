"""What needs a library that is not installed says how to install it."""

import json
import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import wireglot as wg

ROOT = Path(__file__).parents[1]
# Code -> the library that is blocked, and the error.
ERRORS = [
    (
        "import wireglot.testing",
        "hypothesis",
        "wireglot.testing needs hypothesis: pip install 'wireglot[testing]'",
    ),
    *(
        (
            "import wireglot.gateway",
            library,
            f"wireglot.gateway needs {library}: pip install 'wireglot[gateway]'",
        )
        for library in ("aiohttp", "httptools", "prometheus_client", "starlette", "uvicorn")
    ),
    (
        "import wireglot.arrow",
        "pyarrow",
        "wireglot.arrow needs pyarrow: pip install 'wireglot[arrow]'",
    ),
    (
        "from wireglot import queue; queue.FileStore('memory://')",
        "fsspec",
        "wireglot.queue.FileStore needs fsspec: pip install 'wireglot[queue]'",
    ),
    *(
        (
            f"from wireglot import queue; queue.{module}",
            library,
            f"wireglot.queue.{module} needs {library}: pip install {install}",
        )
        for module, library, install in (
            ("aio_pika", "aio_pika", "aio-pika"),
            ("celery", "celery", "celery"),
            ("dramatiq", "dramatiq", "dramatiq"),
            ("faststream", "faststream", "faststream"),
            ("kombu", "kombu", "kombu"),
            ("nats", "nats", "nats-py"),
            ("redis", "redis", "redis"),
            ("taskiq", "taskiq", "taskiq"),
        )
    ),
    *(
        (
            f"import wireglot.adapters.{module}",
            library,
            f"wireglot.adapters.{module} needs {library}: pip install {install}",
        )
        for module, library, install in (
            ("litestar", "litestar", "litestar"),
            ("psycopg", "psycopg", "'psycopg[binary]'"),
            ("pydantic", "pydantic_core", "pydantic"),
            ("sqlalchemy", "sqlalchemy", "sqlalchemy"),
        )
    ),
]
# A command -> the library that is blocked, and what it says instead of doing its work.
COMMANDS = [
    ("--help", "click", "the command needs click: pip install 'wireglot[cli]'"),
    ("show -", "rich", "wireglot show needs rich: pip install 'wireglot[cli]'"),
    (
        "show - --html",
        "markdown_it",
        "Markdown on a page needs markdown_it: pip install 'wireglot[cli]'",
    ),
    (
        "convert - --to native -o OUTPUT.parquet",
        "pyarrow",
        "a Parquet file needs pyarrow: pip install 'wireglot[arrow]'",
    ),
    (
        "check memory://a",
        "fsspec",
        "memory://a: memory:// needs fsspec: pip install 'wireglot[arrow]'",
    ),
    ("stats -", "rich", "wireglot stats needs rich: pip install 'wireglot[cli]'"),
    (
        "stats - --plot OUTPUT",
        "matplotlib",
        "--plot needs matplotlib: pip install 'wireglot[plot]'",
    ),
    (
        "serve --config OUTPUT",
        "starlette",
        "wireglot.gateway needs starlette: pip install 'wireglot[gateway]'",
    ),
]
SESSION = (
    b'[{"role":"user","content":[{"type":"text","text":"Hello"}]},{"role":"assistant",'
    b'"content":[{"type":"text","text":"Hi"}],"model":"claude-sonnet-4-5",'
    b'"usage":{"input":10,"output":5},"stopReason":"stop"}]'
)
# Without them the same is done more slowly, or a number is not known.
DONE_WITHOUT = {"genai_prices", "uvloop", "zlib_ng"}


def _without(library: str, code: str) -> subprocess.CompletedProcess[bytes]:
    if library not in sys.modules and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    path = [str(Path(wg.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    env.pop("WIREGLOT_PRICES", None)
    code = f"import sys; sys.modules[{library!r}] = None\n{code}"
    return subprocess.run(
        [sys.executable, "-c", code], env=env, input=SESSION, capture_output=True, check=False
    )


def _command_without(library: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    pytest.importorskip("click")
    code = f"sys.argv[1:] = {list(arguments)!r}\nfrom wireglot.cli import main; main()"
    return _without(library, code)


@pytest.mark.parametrize(("code", "library", "said"), ERRORS)
def test_what_needs_a_library_says_how_to_install_it(code: str, library: str, said: str) -> None:
    code = f"try: {code}\nexcept ImportError as error: print(type(error), error)"
    done = _without(library, code)
    assert (done.stdout.decode(), done.stderr) == (f"<class 'ImportError'> {said}\n", b"")


def test_a_body_that_cannot_be_compressed_says_what_to_install() -> None:
    code = "import wireglot as wg\ntry: wg.queue.encode([], zstd_over=0)\n"
    code += "except wg.EncodeError as error: print(error)"
    said = "queue: Zstandard needs zstandard: pip install 'wireglot[queue]' - at `$`\n"
    done = _without("zstandard", code)
    assert (done.stdout.decode(), done.stderr) == (said, b"")


@pytest.mark.parametrize(("line", "library", "said"), COMMANDS)
def test_a_command_says_how_to_install_what_it_needs(
    line: str, library: str, said: str, tmp_path: Path
) -> None:
    output = tmp_path / "plot.png"
    done = _command_without(library, *line.replace("OUTPUT", str(output)).split())
    assert (done.returncode, done.stderr.decode()) == (1, f"wireglot: {said}\n")
    assert not output.exists()


def test_a_file_in_zstandard_says_how_to_install_what_it_needs(tmp_path: Path) -> None:
    if sys.version_info >= (3, 14):
        pytest.skip("Python has it from 3.14 on")
    file = tmp_path / "a.zst"
    file.write_bytes(b"\x28\xb5\x2f\xfd")
    done = _command_without("backports", "stats", str(file))
    said = "wireglot: a file in Zstandard needs backports: pip install 'wireglot[cli]'\n"
    assert (done.returncode, done.stderr.decode()) == (1, said)


def test_without_prices_a_sum_is_not_known_and_a_line_says_what_to_install() -> None:
    said = "wireglot: the cost of an answer needs genai_prices: pip install 'wireglot[prices]'\n"
    done = _command_without("genai_prices", "stats", "-")
    assert (done.returncode, done.stderr.decode()) == (0, said)
    done = _command_without("genai_prices", "stats", "-", "--json")
    assert (json.loads(done.stdout)["total"]["cost"], done.stderr.decode()) == (None, said)


def test_every_library_of_an_extra_was_blocked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert extras.pop("all") == [f"wireglot[{','.join(extras)}]"]
    names = [line.partition(">=")[0] for rows in extras.values() for line in rows]
    libraries = [name.removesuffix("-py").replace("-", "_") for name in names]
    blocked = {library for _, library, _ in [*ERRORS, *COMMANDS]} | {"backports.zstd", "zstandard"}
    assert {*libraries} <= blocked | DONE_WITHOUT
