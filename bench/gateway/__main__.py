"""`python -m bench.gateway`: print a table; write it to `bench/results.json`.

Needs `wrk`, and LiteLLM's environment (`python -m bench.peers install litellm`). Each server is one
process on a core of its own, if there are two; the provider and wrk share the other. All servers
run at once and are loaded in turn, a few times; the figures are medians. A server whose answer is
wrong has no figure.

`--beside TREE` measures the gateway of another checkout in the same run, for a comparison of two
versions; nothing is written then.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path

import wireglot as wg

from .. import results
from ..peers.environments import python
from ..session import session
from .provider import CALL, DELTAS, TEXT

_ROOT = Path(__file__).parents[2]
_LUA = Path(__file__).with_name("load.lua")
_JOBS = {
    "short": ("claude", False, 0),
    "short, passed": ("same", False, 0),
    "passed": ("same", False, 20),
    "translated": ("claude", False, 20),
    "streamed": ("claude", True, 20),
    "growing": ("claude", False, 300),
}
"""Model, whether the answer is a stream, and messages of the session before; 0 is one question."""
_LOADS = {"alone": 1, "loaded": 32}  # connections
_SERVERS = ("provider", "bare", "wireglot", "LiteLLM")
_OTHER = "beside"

_GATEWAY = """
client_key = "BENCH_KEY"

[[routes]]
model = "same"
provider = "openai_chat"
url = "{provider}"
key = "BENCH_KEY"

[[routes]]
model = "claude"
provider = "anthropic"
url = "{provider}"
key = "BENCH_KEY"
"""
_LITELLM = """
model_list:
  - model_name: same
    litellm_params: {{model: openai/same, api_base: "{provider}/v1", api_key: sk-x}}
  - model_name: claude
    litellm_params: {{model: anthropic/claude, api_base: "{provider}", api_key: sk-x}}
litellm_settings:
  drop_params: true
  telemetry: false
  request_timeout: 600
"""


def main() -> None:
    """Measure all servers, print the table, and save it."""
    parser = argparse.ArgumentParser(prog="python -m bench.gateway", description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="of each load")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", type=Path, metavar="TREE", help="another checkout")
    parser.add_argument("--only", choices=_JOBS, action="append", metavar="JOB")
    given = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("no `wrk` here")
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        servers = _servers(held, folder, given.beside)
        jobs = given.only or [*_JOBS]
        measured = _measured(servers, jobs, folder, given.seconds, given.rounds)
    for job, sides in measured.items():
        for name, found in sides.items():
            print(f"{job:14}{name:12}", *(f"{what} {value:,.5g}" for what, value in found.items()))
        if _OTHER in sides:
            print(f"{job:14}ours is", *_ratios(sides))
    if given.beside or given.only:
        return
    if any(len(sides) < len(_SERVERS) for sides in measured.values()):
        raise SystemExit("not written: a row would be missing")
    gateway = {"machine": results.described(), "jobs": measured, "versions": _versions()}
    results.save(results.load() | {"gateway": gateway})


def _ratios(sides: dict[str, dict[str, float]]) -> Iterator[str]:
    """Yield what this tree's gateway adds to the provider's time, in parts of what another adds."""
    provider, ours, other = sides["provider"], sides["wireglot"], sides[_OTHER]
    for what in ours:
        own = 0.0 if what.endswith("rate") else provider[what]
        yield f"{what} {(ours[what] - own) / (other[what] - own):.2f} x"


def _servers(held: ExitStack, folder: Path, other: Path | None) -> dict[str, str]:
    """Start the servers, and return the address of each."""
    ports = {name: _free() for name in (*_SERVERS, _OTHER)}
    provider = f"http://127.0.0.1:{ports['provider']}"
    here = [sys.executable, "-m"]
    ours, theirs = folder / "gateway.toml", folder / "litellm.yaml"
    ours.write_text(_GATEWAY.format(provider=provider))
    theirs.write_text(_LITELLM.format(provider=provider))
    proxy = python("litellm").with_name("litellm")
    serve = [*here, "wireglot", "serve", f"--config={ours}"]
    commands = {
        "provider": [*here, "bench.gateway.provider", str(ports["provider"])],
        "bare": [*here, "bench.gateway.bare", str(ports["bare"]), provider],
        "wireglot": [*serve, f"--port={ports['wireglot']}"],
        "LiteLLM": [str(proxy), f"--config={theirs}", f"--port={ports['LiteLLM']}"],
    }
    commands["LiteLLM"].append("--host=127.0.0.1")
    if not proxy.exists():
        print("no LiteLLM: `python -m bench.peers install litellm`")
        del commands["LiteLLM"]
    if other is not None:
        commands[_OTHER] = [*serve, f"--port={ports[_OTHER]}"]
    for name, command in commands.items():
        tree = other.resolve() if other is not None and name == _OTHER else _ROOT
        held.enter_context(_running(command, tree, core=1 if name == "provider" else 0))
    for name in commands:
        _wait(ports[name], name)
    return {name: f"http://127.0.0.1:{port}" for name, port in ports.items() if name in commands}


@contextmanager
def _running(command: list[str], tree: Path, core: int) -> Iterator[None]:
    paths = os.pathsep.join((str(tree / "src"), str(tree)))
    known = {
        "PYTHONPATH": paths,
        "BENCH_KEY": "sk-bench-0123456789",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_LOG": "ERROR",
        "LITELLM_MASTER_KEY": "sk-bench-0123456789",
        "PATH": os.pathsep.join((str(Path(command[0]).parent), os.environ["PATH"])),
    }
    with subprocess.Popen(
        command,
        env={**os.environ, **known},
        cwd=tree,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _pin(process.pid, core)
        try:
            yield
        finally:
            process.terminate()


def _pin(process: int, core: int) -> None:
    """Keep a process on one core, if the system supports that and there are two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(process, {core})


def _free() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _wait(port: int, name: str) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"{name} does not listen")


def _measured(
    servers: dict[str, str], jobs: list[str], folder: Path, seconds: int, rounds: int
) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for job in jobs:
        model, is_stream, turns = _JOBS[job]
        body = folder / job
        sizes = _sizes(turns) if job == "growing" else [turns]
        bodies = [_body(model, is_stream, size) for size in sizes]
        body.write_bytes(b"\n".join(bodies))
        asked = bodies[-1]
        names = [name for name, address in servers.items() if _is_right(address, asked, is_stream)]
        for name in servers.keys() - names:
            print(f"{job}: the answer of {name} is wrong")
        sides = found[job] = {name: {} for name in names}
        for turn in range(rounds + 1):
            for name in names:
                for load, connections in _LOADS.items():
                    said = _loaded(servers[name], body, connections, seconds if turn else 1)
                    if turn == 0:  # to warm up
                        continue
                    assert not said["failed"], (job, name, said)
                    sides[name].setdefault(f"{load} p50", []).append(said["p50"])
                    sides[name].setdefault(f"{load} p99", []).append(said["p99"])
                    rate = said["requests"] / said["seconds"]
                    sides[name].setdefault(f"{load} rate", []).append(rate)
    return {
        job: {
            name: {what: statistics.median(values) for what, values in figures.items()}
            for name, figures in sides.items()
        }
        for job, sides in found.items()
    }


def _sizes(most: int) -> list[int]:
    """Return after how many messages of the session the model is asked, each time that it is."""
    messages = wg.llm_messages(wg.json.decode(json.dumps(session(most)).encode()))
    return [i for i, message in enumerate(messages) if type(message) is wg.AssistantMessage]


def _body(model: str, is_stream: bool, turns: int) -> bytes:
    """Return a request in OpenAI's wire: that of an agent, with a tool, or one question."""
    if not turns:
        question = wg.UserMessage([wg.TextBlock("Which sections does the file have?")])
        return wg.providers.openai_chat.encode_request(wg.Request([question], model), losses=[])
    messages = wg.llm_messages(wg.json.decode(json.dumps(session(turns)).encode()))
    messages.insert(0, wg.SystemMessage.from_text("Conversation ROUND"))
    tool = wg.Tool("read_file", "Read a file", {"type": "object", "properties": {}})
    request = wg.Request(messages, model, tools=[tool], max_tokens=1000, stream=is_stream)
    return wg.providers.openai_chat.encode_request(request, losses=[])


def _is_right(address: str, body: bytes, is_stream: bool) -> bool:
    asked = urllib.request.Request(
        f"{address}/v1/chat/completions",
        body,
        {"content-type": "application/json", "authorization": "Bearer sk-bench-0123456789"},
    )
    chat = wg.providers.openai_chat
    try:
        with urllib.request.urlopen(asked) as http:
            said = http.read()
        if is_stream:
            decoder = chat.StreamDecoder(losses=[])
            decoder.feed(said)
            text: str = decoder.close().message.text()
            return text == "word " * DELTAS
        message = chat.decode_response(said, losses=[]).message
    except (OSError, wg.WireglotError):  # refused, broken off, or not in this wire
        return False
    calls = [call.arguments.value for call in message.tool_calls()]
    return (message.text(), calls) == (TEXT, [json.loads(CALL)])


def _loaded(address: str, body: Path, connections: int, seconds: int) -> dict[str, float]:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--timeout=30", f"-s{_LUA}"]
    done = subprocess.run(
        [*command, f"{address}/v1/chat/completions"],
        env={**os.environ, "BENCH_BODY": str(body)},
        capture_output=True,
        check=True,
        text=True,
        preexec_fn=lambda: _pin(0, 1),
    )
    said: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return said


def _versions() -> dict[str, str]:
    code = "from importlib.metadata import version; print(version('litellm'))"
    run = [str(python("litellm")), "-c", code]
    theirs = subprocess.run(run, capture_output=True, text=True).stdout.strip()
    ours = {name: version(name) for name in ("aiohttp", "starlette", "uvicorn")}
    return {"LiteLLM": theirs, **ours} if theirs else ours


if __name__ == "__main__":
    main()
