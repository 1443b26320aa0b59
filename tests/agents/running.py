"""Processes: the installed packages, `wireglot serve`, and the clients in front of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.agents.script import FILES, IMAGE, TOOLS, prompt
from tests.agents.wires import WIRES

__all__ = ["HERE", "RENAMED", "gateway", "installed", "models", "played", "quiet", "worked"]

HERE = Path(__file__).parent


def installed(cache: Path) -> Path:
    """Return a folder with the packages of package-lock.json, installed once for each lock file."""
    lock = (HERE / "package-lock.json").read_bytes()
    folder = cache / f"packages-{sha256(lock).hexdigest()[:12]}"
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / name, folder)
        # `npm ci` refuses a lock file without the binaries of other systems, which a mirror may
        # lack. No script of a package runs: nothing here needs one.
        command = ["npm", "install", "--no-save", "--ignore-scripts", "--loglevel=error"]
        subprocess.run(command, cwd=folder, check=True, timeout=300)
        (folder / "installed").touch()
    scripts = folder / "clients"  # node looks for packages beside the script
    scripts.unlink(missing_ok=True)
    scripts.symlink_to(HERE / "clients")
    return folder


def quiet(home: Path) -> dict[str, str]:
    """Return an environment with a home of its own, in which nothing reports or updates itself."""
    kept = ("LANG", "LC_ALL", "PATH", "TMPDIR")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "AGNO_TELEMETRY": "false",
        "AI_SDK_LOG_WARNINGS": "false",
        "AWS_EC2_METADATA_DISABLED": "true",
        "DO_NOT_TRACK": "1",
        "HOME": str(home),
        "HTTPS_PROXY": "http://127.0.0.1:9",  # nobody listens there
        "NO_PROXY": "127.0.0.1,localhost",
        "NO_COLOR": "1",
        "NO_UPDATE_NOTIFIER": "1",
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
    }


RENAMED = {name: f"our-{name}" for name in WIRES}
"""Names that the gateway gives to the models, so that it writes each answer anew."""


def models(scenario: str, client: str = "") -> dict[str, str]:
    """Return the model of each provider."""
    found = {name: wire.MODEL for name, wire in WIRES.items()}
    if client == "opencode":  # it sends `max_tokens`, which OpenAI's models that think refuse
        found["openai_chat"] = "gpt-4.1"
    if scenario == "image":  # Cohere's models that think do not see
        found["cohere"] = "command-a-vision-07-2025"
    return found


@contextmanager
def gateway(providers: str, folder: Path) -> Iterator[str]:
    """Run `wireglot serve` with a route for each model, and yield its address."""
    kinds = [models(""), models("image"), models("", "opencode")]
    names = {(name, model) for kind in kinds for name, model in kind.items()}
    routes = "".join(
        f'[[routes]]\nmodel = "{model}"\nprovider = "{name}"\nurl = "{providers}/{name}"\n\n'
        for name, model in sorted(names)
    )
    routes += "".join(
        f'[[routes]]\nmodel = "{model}"\nname = "{WIRES[name].MODEL}"\n'
        f'provider = "{name}"\nurl = "{providers}/{name}"\n\n'
        for name, model in RENAMED.items()
    )
    config = folder / "gateway.toml"
    config.write_text(f"retries = 0\n\n{routes}")
    command = [sys.executable, "-m", "wireglot", "serve", "--config", str(config)]
    with subprocess.Popen([*command, "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        log = folder / "gateway.log"
        try:
            said = ""
            while "running on" not in said:
                said += next(lines)
            with log.open("w") as file:
                reader = threading.Thread(target=file.writelines, args=[lines], daemon=True)
                reader.start()
                yield re.findall(r"running on (http://127.0.0.1:\d+)", said)[0]
                process.terminate()
                reader.join()
        finally:
            process.kill()


def played(
    client: str, packages: Path, address: str, cells: Sequence[tuple[int, str, str]], home: Path
) -> dict[int, Any]:
    """Run the cells of a client, each a number, a scenario and a provider.

    Returns what the client saw, by number.
    """
    plan = {
        "address": address,
        "files": FILES,
        "tools": TOOLS,
        "image": IMAGE,
        "cells": [
            {
                "number": number,
                "scenario": scenario,
                "model": models(scenario)[provider],
                "prompt": prompt(scenario, number),
            }
            for number, scenario, provider in cells
        ],
    }
    home.mkdir(parents=True, exist_ok=True)
    path = home / "plan.json"
    path.write_text(json.dumps(plan))
    done = subprocess.run(
        ["node", "--preserve-symlinks-main", "--preserve-symlinks", f"clients/{client}.mjs", path],
        cwd=packages,
        env=quiet(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode:
        raise AssertionError(f"{client}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    seen = map(json.loads, filter(None, done.stdout.splitlines()))
    return {one["number"]: one for one in seen}


def worked(
    module: str, address: str, cells: Sequence[tuple[int, str, str]], home: Path
) -> dict[int, Any]:
    """Run the cells of a framework, each a number, one of its clients and a provider.

    Returns what came of each, by number.
    """
    plan = {
        "address": address,
        "cells": [
            {
                "number": number,
                "client": client,
                "model": RENAMED[provider],
                "prompt": prompt("tools", number),
            }
            for number, client, provider in cells
        ],
    }
    home.mkdir(parents=True)
    path = home / "plan.json"
    path.write_text(json.dumps(plan))
    done = subprocess.run(
        [sys.executable, "-m", "tests.agents.frameworks", module, path],
        cwd=home,
        env={**quiet(home), "PYTHONPATH": str(HERE.parents[1]), **_KEYS},
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    if done.returncode:
        raise AssertionError(f"{module}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    # Some frameworks print.
    lines = (line for line in done.stdout.splitlines() if line.startswith(_SEEN))
    seen = (json.loads(line) for line in lines)
    return {one["number"]: one for one in seen}


_SEEN = '{"number": '
_KEYS = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
"""A client of AWS signs with any; over http it refuses a key of Bedrock's own."""
