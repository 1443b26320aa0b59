"""`bench/results.json` -> the tables of the page on performance, as a Sphinx extension."""

import json
import re
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(_ROOT))

from bench import table  # noqa: E402 - it stands beside the package, not in it
from bench.answers import TARGETS  # noqa: E402
from bench.peers import FLOORS, LIBRARIES, PEERS  # noqa: E402


def _machine(results):
    apart = results.get("apart")
    later = f" {table.measured_apart(apart)}" if apart else ""
    return f"The machine: {_described(results['machine'])}.{later}"


def _described(machine):
    return (
        f"{machine['processor']}, {machine['machine']}, {machine['cores']} cores, "
        f"CPython {machine['CPython']}, msgspec {machine['msgspec']}, "
        f"pybase64 {machine['pybase64']}"
    )


def _libraries(results):
    return _tables(results, LIBRARIES)


def _floors(results):
    return _tables(results, FLOORS)


def _tables(results, titles):
    made = [table.markdown(results["peers"], columns, titles) for columns in table.TABLES]
    return "\n\n".join(made)


def _bodies(results):
    floor = {"msgspec_structs": "msgspec, read and written"}
    return table.by_job(results["peers"], table.BODIES, LIBRARIES | floor)


def _wires(results):
    return table.markdown(results["peers"], table.WIRES, LIBRARIES)


def _slower(results):
    """Say where a library is faster than we are, or that none is; bodies have a table of theirs."""
    faster = [
        f"{PEERS[name]}, {heading} ({table.cell(job, found)})"
        for name in LIBRARIES
        for columns in (*table.TABLES, table.WIRES, table.CONVERSATIONS)
        for job, heading in columns.items()
        for found in [results["peers"].get(name, {"jobs": {}})["jobs"].get(job, {})]
        if (table.factor(job, found) or 1) < 1
    ]
    if not faster:
        return "No library is faster than we are in any of them."
    return f"Faster than we are: {'; '.join(faster)}."


def _without(results):
    """Name for each library what its answers leave out."""
    lines = ["| | stored session | stream to OpenAI's |", "| --- | --- | --- |"]
    for name, peer in results["peers"].items():
        found = [peer["jobs"].get(job, {}).get("without", ()) for job in ("decode", "chunks")]
        if any(found):
            cells = (", ".join(f"`{field}`" for field in fields) for fields in found)
            lines.append(f"| {' | '.join([PEERS[name], *cells])} |")
    return "\n".join(lines)


def _growing(results):
    head = "| | turns | seconds in all | exponent |\n| --- | ---: | ---: | ---: |\n"
    return head + "".join(
        f"| {PEERS.get(name, name)} | {side['seconds'][-1][0]:,} "
        f"| {side['seconds'][-1][1]:.2g} | {side['exponent']:.2f} |\n"
        for name, side in table.grown(results["peers"])
        if name not in FLOORS
    )


def _agents(results):
    return table.beside_floor(results["peers"])


def _answers(results):
    """Return a row for each wire: our time in the floor's, to each target, by event and whole."""
    wires = {}
    for row in results["floors"]["answers"]:
        wires.setdefault(row["job"].partition(" to ")[0], []).append(f"{row['ratio']:.1f}")
    head = [
        f"to {table.WIRE_NAMES[target]}, {how}"
        for target in TARGETS
        for how in ("an event a chunk", "one chunk", "short")
    ]
    lines = [["from", *head], ["---", *["---:"] * len(head)]]
    lines += [[table.WIRE_NAMES[wire], *cells] for wire, cells in wires.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _memory(results):
    rows = []
    ours = {}
    for name, peer in results["peers"].items():
        found = [peer["jobs"].get(job, {}) for job in ("memory:image", "memory:translate")]
        if all("peer" in one for one in found):
            rows.append((PEERS[name], [one["peer"] for one in found]))
            ours = [one["ours"] for one in found]
    if not rows:
        return ""
    head = "| | image | 4,000 messages |\n| --- | ---: | ---: |\n"
    return head + "".join(
        f"| {name} | {image:.1f} | {messages:.1f} |\n"
        for name, (image, messages) in [("wireglot", ours), *rows]
    )


def _parts(results):
    """Return our own ratios beside what is left of each job when there is nothing to decide."""
    head = "| job | beside | ratio |\n| --- | --- | ---: |\n"
    return head + "".join(
        f"| {row['job']} | {row['beside']} | {row['ratio']:.2f} |\n"
        for name in ("native", "requests", "streams")
        for row in results["floors"][name]
    )


def _queues(results):
    """Return a row for each way to carry messages, a factor and a size for each payload."""
    jobs = {}
    for row in results["floors"]["queues"]:
        jobs.setdefault(row["job"], {})[row["beside"]] = row
    ways = next(iter(jobs.values()))
    lines = [
        ["", *(text for job in jobs for text in (job, "bytes"))],
        ["---", *["---:"] * 2 * len(jobs)],
        ["ours, MessagePack inside", *(text for rows in jobs.values() for text in _own(rows))],
        *([way, *(text for rows in jobs.values() for text in _other(rows[way]))] for way in ways),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _own(rows):
    return "1", f"{next(iter(rows.values()))['bytes'][0]:,}"


def _other(row):
    times = table.cell(row["job"], row)
    return f"**{times}**" if row["ratio"] > 1 else times, f"{row['bytes'][1]:,}"


def _gateway(results):
    """Return a row for each server and job: what it adds to the provider's time, and its rate."""
    found = results["gateway"]
    lines = []
    for job, sides in found["jobs"].items():
        base = sides["provider"]
        for name, side in sides.items():
            if name == "provider":
                continue
            added = [
                f"{(side[f'{load} {point}'] - base[f'{load} {point}']) * 1e3:,.1f}"
                for load in ("alone", "loaded")
                for point in ("p50", "p99")
            ]
            rate = side["loaded rate"]
            times = f"{sides['wireglot']['loaded rate'] / rate:,.1f} x"
            lines.append([job, name, *added, f"{rate:,.0f}", times])
    head = [
        *("", "", "alone, p50", "p99", "32 at once, p50", "p99", "requests/s", "ours is"),
    ]
    rows = [head, ["---", "---", *["---:"] * 6], *lines]
    made = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return f"{made}\n\nMeasured on {_described(found['machine'])}; {versions}."


def _versions(results):
    versions = {
        PEERS[name]: ", ".join(f"{what} {one}" for what, one in table.versions_of(peer))
        for name, peer in results["peers"].items()
    }
    rows = "".join(f"| {name} | {found} |\n" for name, found in versions.items() if found)
    return f"| | versions |\n| --- | --- |\n{rows}"


_MAKERS = {
    "machine": _machine,
    "libraries": _libraries,
    "wires": _wires,
    "floors": _floors,
    "slower": _slower,
    "without": _without,
    "growing": _growing,
    "agents": _agents,
    "answers": _answers,
    "bodies": _bodies,
    "memory": _memory,
    "parts": _parts,
    "queues": _queues,
    "gateway": _gateway,
    "versions": _versions,
}


def _insert(app, docname, source):
    if docname in ("performance", "gateway"):
        results = json.loads((_ROOT / "bench" / "results.json").read_text())
        source[0] = re.sub(
            r"@@performance:(\w+)@@", lambda found: _MAKERS[found[1]](results), source[0]
        )


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert)
    return {"parallel_read_safe": True}
