"""The command-line agents: how each is set up, which of its tools read and write, and its runs."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.provider import Cell
from tests.agents.running import quiet
from tests.agents.script import FILES, Answer, Asked, Item, RefusalError

__all__ = ["AGENTS", "PAGE", "Agent", "Run", "answers", "run"]

SUM = "sum.txt"
TOTAL = "3 rivers.\n"


@dataclass(frozen=True)
class Agent:
    """An agent. `reads` and `writes` are calls of its own tools, by the path of a file."""

    title: str
    package: str
    wire: str
    command: Callable[[Path, str, str], list[str]]
    setup: Callable[[Path, str, str], dict[str, str]]
    reads: Callable[[Path], tuple[str, dict[str, Any]]]
    writes: Callable[[Path, str, list[str]], tuple[str, dict[str, Any]]]
    """Given the tools that it offers, too: these differ by the model."""


PAGE = (Path(__file__).parents[2] / "docs/gateway.md").read_text()
_ADDRESS, _MODEL = "http://127.0.0.1:8000", "claude-opus-4-8"
_FENCED = re.compile(r"^```([a-z]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _documented(language: str, mark: str, address: str, model: str) -> str:
    """Return the block of the page that has a text, for another address and model."""
    [block] = [code for kind, code in _FENCED.findall(PAGE) if kind == language and mark in code]
    return str(block).replace(_ADDRESS, address).replace(_MODEL, model)


def _codex(packages: Path, model: str, prompt: str) -> list[str]:
    return [
        str(packages / "node_modules/.bin/codex"),
        *("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        prompt,
    ]


_CODEX_QUIET = """
[analytics]
enabled = false

[feedback]
enabled = false
"""


def _codex_setup(home: Path, address: str, model: str) -> dict[str, str]:
    folder = home / ".codex"
    folder.mkdir()
    config = _documented("toml", "[model_providers.wireglot]", address, model)
    unasked = "check_for_update_on_startup = false\n"
    (folder / "config.toml").write_text(unasked + config + _CODEX_QUIET)
    return {"GATEWAY_KEY": "none"}


def _gemini(packages: Path, model: str, prompt: str) -> list[str]:
    _, (name, *options) = _typed("", model)
    command = str(packages / "node_modules/.bin" / name)
    return [command, *options, "--yolo", "--skip-trust", "--prompt", prompt]


def _typed(address: str, model: str) -> tuple[dict[str, str], list[str]]:
    """Return the environment and the command that are typed for Gemini CLI."""
    words = shlex.split(_documented("sh", "GOOGLE_GEMINI_BASE_URL", address, model))
    named = [word.split("=", 1) for word in words if "=" in word]
    return dict(named), words[len(named) :]


def _gemini_setup(home: Path, address: str, model: str) -> dict[str, str]:
    folder = home / ".gemini"
    folder.mkdir()
    settings = {
        "general": {"disableAutoUpdate": True, "disableUpdateNag": True, "enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "telemetry": {"enabled": False},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    environment, _ = _typed(address, model)
    # Else a child of its own does not get our signal.
    return {**environment, "GEMINI_CLI_NO_RELAUNCH": "1"}


def _opencode(packages: Path, model: str, prompt: str) -> list[str]:
    # Its launcher needs a script at installation; this is what it would launch.
    *_, binary = sorted(packages.glob("node_modules/opencode-*/bin/opencode"))
    return [str(binary), "run", "--model", f"wireglot/{model}", prompt]


def _opencode_setup(home: Path, address: str, model: str) -> dict[str, str]:
    config = {
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"},
        **json.loads(_documented("json", "@ai-sdk/openai-compatible", address, model)),
    }
    path = home / "opencode.json"
    path.write_text(json.dumps(config))
    return {
        "OPENCODE_CONFIG": str(path),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }


def _pi(packages: Path, model: str, prompt: str) -> list[str]:
    [typed] = re.findall(r"`(pi --provider [^`]+)`", PAGE)
    name, *options = typed.replace(_MODEL, model).split()
    return [str(packages / "node_modules/.bin" / name), *options, "--print", prompt]


def _pi_setup(home: Path, address: str, model: str) -> dict[str, str]:
    folder = home / ".pi/agent"
    folder.mkdir(parents=True)
    (folder / "models.json").write_text(_documented("json", '"baseUrl"', address, model))
    return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}


def _command(path: Path, text: str) -> str:
    return f"printf '{text.strip()}\\n' > {path}"


def _opencode_write(path: Path, text: str, tools: list[str]) -> tuple[str, dict[str, Any]]:
    if "write" in tools:
        return "write", {"filePath": str(path), "content": text}
    return "bash", {"command": _command(path, text), "description": "Write the sum"}


AGENTS = {
    "codex": Agent(
        "Codex",
        "@openai/codex",
        "openai_responses",
        _codex,
        _codex_setup,
        lambda path: ("exec_command", {"cmd": f"cat {path}"}),
        lambda path, text, tools: ("exec_command", {"cmd": _command(path, text)}),
    ),
    "gemini_cli": Agent(
        "Gemini CLI",
        "@google/gemini-cli",
        "gemini",
        _gemini,
        _gemini_setup,
        lambda path: ("read_file", {"file_path": str(path)}),
        lambda path, text, tools: ("write_file", {"file_path": str(path), "content": text}),
    ),
    "opencode": Agent(
        "opencode",
        "opencode-ai",
        "openai_chat",
        _opencode,
        _opencode_setup,
        lambda path: ("read", {"filePath": str(path)}),
        _opencode_write,
    ),
    "pi": Agent(
        "pi",
        "@mariozechner/pi-coding-agent",
        "openai_responses",
        _pi,
        _pi_setup,
        lambda path: ("read", {"path": str(path)}),
        lambda path, text, tools: ("write", {"path": str(path), "content": text}),
    ),
}


@dataclass
class Run:
    """What an agent said at its end, and the file that it wrote."""

    code: int
    said: str
    log: str
    written: str | None


def answers(agent: Agent, folder: Path) -> Callable[[Asked, list[Item]], Answer]:
    """Return the script of a run: read two files at once, write a third, and say so.

    An agent may keep the calls of an answer that broke off, and what came of them.
    """

    def answer(asked: Asked, items: list[Item]) -> Answer:
        calls = [json.dumps(item.data) for item in items if item.kind == "call"]
        results = [item.text for item in items if item.kind == "result"]
        for call, result in zip(calls, results, strict=True):
            for name, text in FILES.items():
                if name in call and text not in result:
                    raise RefusalError(f"script: {text} is not in {result}")
        said = " ".join(calls)
        if SUM in said:
            return Answer(DONE)
        unread = tuple(agent.reads(folder / name) for name in FILES if name not in said)
        if unread:
            return Answer("Let me read both: Łódź, Gdańsk.", calls=unread)
        return Answer(calls=(agent.writes(folder / SUM, TOTAL, asked.tools),))

    return answer


DONE = "There are 3 rivers in all."


def run(
    agent: Agent, packages: Path, address: str, model: str, prompt: str, home: Path, cell: Cell
) -> Run:
    """Run an agent in a folder of its own, until it has done what it was asked.

    It is interrupted as soon as it has half an answer that does not go on.
    """
    folder = home / "work"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    more = agent.setup(home, address, model)
    with subprocess.Popen(
        agent.command(packages, model, prompt),
        cwd=folder,
        env={**quiet(home), **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        stopping = threading.Thread(target=_interrupt, args=[process, cell], daemon=True)
        stopping.start()
        try:
            said, log = process.communicate(timeout=60)
        finally:
            process.kill()
    written = folder / SUM
    return Run(process.returncode, said, log, written.read_text() if written.exists() else None)


def _interrupt(process: subprocess.Popen[str], cell: Cell) -> None:
    cell.begun.wait()
    process.send_signal(signal.SIGINT)
