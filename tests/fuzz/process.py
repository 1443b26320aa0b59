"""One target -> a process of its own in which libFuzzer runs it, until its processor time is up."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
import time
import traceback
from itertools import chain, count
from pathlib import Path
from typing import NoReturn

import atheris

from tests.fuzz.mutator import mutated
from tests.fuzz.seeds import MOST, seeds
from tests.fuzz.targets import TARGETS

__all__ = ["start"]

_HERE = str(Path(__file__).parent)
_LOOK = 16  # inputs between two checks of the clock
_OPTIONS = (
    f"-max_len={MOST}",
    "-len_control=0",  # do not start with short inputs: seeds are long
    "-timeout=20",
    "-rss_limit_mb=2048",
    "-print_final_stats=1",
    "-verbosity=1",
)


def start(
    name: str, seconds: float, corpus: Path, findings: Path, log: Path, runs: int | None = None
) -> int:
    """Fork a process that fuzzes; return its id. It exits with 0 unless libFuzzer ends it.

    With `runs` it makes at most so many new inputs, the same each time. A fork has the instrumented
    modules already, whose import takes seconds.
    """
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds(name):
        path = corpus / hashlib.sha1(seed).hexdigest()
        if not path.exists():
            path.write_bytes(seed)
    more: tuple[str, ...] = ()
    if runs is not None:  # libFuzzer counts the inputs of the corpus, and an empty one
        more = (f"-runs={len(list(corpus.iterdir())) + 1 + runs}", "-seed=1")
    pid = os.fork()
    if not pid:
        _run(name, seconds, corpus, findings, log, more)
    return pid


def _run(
    name: str, seconds: float, corpus: Path, findings: Path, log: Path, more: tuple[str, ...]
) -> NoReturn:
    """Become libFuzzer. SIGUSR1 is its own signal for a clean end."""
    try:
        os.setpgrp()  # Ctrl-C goes to the process that started this one, which passes it on
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for stream in (1, 2):
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
        target, others, keep = TARGETS[name], seeds(name), _Keeper(findings)
        end = time.process_time() + seconds
        run = 0

        def one_input(data: bytes) -> None:
            nonlocal run
            run += 1
            if run % _LOOK == 0 and time.process_time() > end:
                os.kill(os.getpid(), signal.SIGUSR1)
            try:
                target.check(data)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
                keep(error, data)

        def mutate(data: bytes, most: int, seed: int) -> bytes:
            chance = random.Random(seed)
            return mutated(data, most, chance, target.shape, others, atheris.Mutate)

        arguments = [name, *_OPTIONS, *more, f"-artifact_prefix={log}-", str(corpus)]
        atheris.Setup(arguments, one_input, custom_mutator=mutate)
        atheris.Fuzz()
    except BaseException:  # noqa: BLE001 - the log is all that is left of this process
        traceback.print_exc()
    finally:
        os._exit(1)


class _Keeper:
    """Saves the shortest input of each place in the code that an error came from.

    Files of an earlier run are kept: another input may break the same law in another way.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: dict[str, Path] = {}

    def __call__(self, error: Exception, data: bytes) -> None:
        place = _place(error)
        is_new = place not in self._paths
        path = self._paths.setdefault(place, self._free(place))
        if is_new or path.stat().st_size > len(data):
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if is_new:
            words = "".join(traceback.format_exception(error))
            print(f"FINDING {path}\n{place}\n{words}", file=sys.stderr, flush=True)

    def _free(self, place: str) -> Path:
        places = chain((place,), (f"{place} {number}" for number in count(2)))
        digests = (hashlib.sha256(text.encode()).hexdigest() for text in places)
        paths = (self._folder / digest[:12] for digest in digests)
        return next(path for path in paths if not path.exists())


def _place(error: Exception) -> str:
    """Return what identifies a finding: the type of the error, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "wireglot" in f.filename or f.filename.startswith(_HERE)]
    steps = [f"{Path(f.filename).name}:{f.name}" for f in ours if f.name != "<lambda>"]
    said = str(error) if isinstance(error, AssertionError) else ""
    return " ".join((type(error).__name__, *steps[-1:], said))
