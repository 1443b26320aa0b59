"""The measurements, as plain data -> tables: for the terminal, and as Markdown for the pages.

A cell is the peer's time divided by ours: above 1 the peer is slower.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .agent import TURNS
from .jobs import AGENTS, JOBS, PAIRS, SIZES
from .peers import FLOORS, LIBRARIES, PEERS
from .results import COMMON

__all__ = [
    "BODIES",
    "CONVERSATIONS",
    "SUMMARY",
    "TABLES",
    "WIRES",
    "WIRE_NAMES",
    "beside_floor",
    "by_job",
    "cell",
    "factor",
    "grown",
    "markdown",
    "measured_apart",
    "terminal",
    "versions_of",
    "with_summary",
]

MESSAGES = {
    "decode": "read a stored session",
    "encode": "write a stored session",
    "request:anthropic": "write own messages for Anthropic",
    "request:openai_chat": "write own messages for OpenAI chat",
}
STREAMS = {
    "events": "Anthropic's stream to events",
    "chunks": "to OpenAI's stream",
    "growing": "1,000 turns",
    "import": "import",
}
MEDIA = {
    "image": "10 MB image, OpenAI chat to Anthropic",
    "image-native": "10 MB image, stored, in and out",
    "memory:image": "memory for the first",
    "memory:translate": "memory for 4,000 messages",
}
SUMMARY = {
    "From API to API: an OpenAI body of 1 message for Anthropic (*short*), one of 400 messages\n"
    "(*long*), and Anthropic's stream for OpenAI (*stream*):": {
        "translate:openai_chat:anthropic:1:tools": "short",
        "translate:openai_chat:anthropic:400:tools": "long",
        "chunks": "stream",
    },
    "From each library's own messages: read a stored session (*read*), write its messages for\n"
    "Anthropic (*write*), and write a conversation on each of 1,000 turns (*turns*):": {
        "decode": "read",
        "request:anthropic": "write",
        "growing": "turns",
    },
}
"""The tables of the README, narrow enough for a phone."""
WIRES = {job: job.partition(":")[2] for job in JOBS if job.startswith("request:")}
WIRE_NAMES = {
    "anthropic": "Anthropic",
    "openai_chat": "OpenAI chat",
    "openai_responses": "OpenAI Responses",
    "gemini": "Gemini",
    "bedrock": "Bedrock",
    "mistral": "Mistral",
    "cohere": "Cohere",
    "ollama": "Ollama",
}
BODIES = {
    f"translate:{source}:{target}:{size}:{kind}": (
        f"{WIRE_NAMES[source]} to {WIRE_NAMES[target]}, {size} message{'s' * (size > 1)}"
        f"{', tools' * (kind == 'tools')}"
    )
    for source, target in PAIRS
    for kind in ("text", "tools")
    for size in SIZES
}
"""The jobs of bodies from wire to wire: many, so each has a row."""
CONVERSATIONS = {
    f"agent:{wires}": f"{WIRE_NAMES[source]} to {WIRE_NAMES[target]}{', cache marks' * bool(how)}"
    for wires in AGENTS
    for source, target, *how in [wires.split(":")]
}
TABLES = (MESSAGES, STREAMS, MEDIA)
Results = Mapping[str, Mapping[str, Any]]
_BEGIN, _END = "<!-- measured -->", "<!-- /measured -->"


def factor(job: str, found: Mapping[str, Any]) -> float | None:
    """Return the peer's time divided by ours, None if there is no right answer."""
    if not found or "wrong" in found:
        return None
    if job != "growing":
        return 1 / float(found["ratio"])
    (_, ours), (_, peer) = found["transcript"]["seconds"][-1], found["peer"]["seconds"][-1]
    return float(peer / ours)


def cell(job: str, found: Mapping[str, Any]) -> str:
    """Return `3.4 x`, `wrong`, or a dash; with the turns if a growing one was stopped early."""
    times = factor(job, found)
    if times is None:
        return "wrong" if "wrong" in found else "-"
    digits = 0 if times >= 10 else 1 if times >= 1 else 2
    text = f"{times:,.{digits}f} x"
    if job == "growing" and found["peer"]["seconds"][-1][0] == 500:
        text += " (500)"
    return text


def grown(peers: Results) -> list[tuple[str, Mapping[str, Any]]]:
    """Return names and results of the growing conversation: ours, of the median run, then peers."""
    done = {name: peer["jobs"].get("growing", {}) for name, peer in peers.items()}
    done = {name: found for name, found in done.items() if "peer" in found}
    if not done:
        return []
    runs = sorted(done.values(), key=lambda found: float(found["transcript"]["seconds"][-1][1]))
    ours = runs[len(runs) // 2]
    sides = [
        ("wireglot, Transcript", ours["transcript"]),
        ("wireglot, anew each turn", ours["anew"]),
    ]
    return [*sides, *((name, found["peer"]) for name, found in done.items())]


def beside_floor(peers: Results) -> str:
    """Return the table of agents' conversations: hits, and each side's time in the floor's time.

    Our sides are of the run beside the floor alone. A peer that is faster than we are is in bold.
    """
    runs = {name: peer["jobs"] for name, peer in peers.items() if name in LIBRARIES}
    runs = {name: jobs for name, jobs in runs.items() if any("kept" in jobs[j] for j in jobs)}
    ours = peers["msgspec_structs"]["jobs"]
    head = ["`RequestTranslator`", "hits", "`translate_request`", *(PEERS[name] for name in runs)]
    lines = [["", *head], ["---", *["---:"] * len(head)]]
    for job, title in CONVERSATIONS.items():
        own = ours[job]
        line = [
            f"{own['kept'] / own['floor']:.2f}",
            f"{own['hits']} of {own['turns']}",
            f"{own['anew'] / own['floor']:.1f}",
        ]
        lines.append([title, *line, *(_beside(jobs.get(job, {})) for jobs in runs.values())])
    return _joined(lines)


def _beside(found: Mapping[str, Any]) -> str:
    if "kept" not in found:
        return "wrong" if "wrong" in found else "-"
    text = f"{found['peer'] / found['floor']:.1f}"
    if found["turns"] < TURNS:
        text += f" ({found['turns']})"
    return f"**{text}**" if found["peer"] < found["kept"] else text


def terminal(peers: Results) -> str:
    """Return all tables, and a list of wrong answers."""
    tables = [
        made
        for titles in (LIBRARIES, FLOORS)
        for made in (
            *(markdown(peers, columns, titles) for columns in (*TABLES, WIRES)),
            by_job(peers, BODIES, titles),
            by_job(peers, CONVERSATIONS, titles),
        )
    ]
    wrong = [
        f"{PEERS[name]}, {job}: {found['wrong']}"
        for name, peer in peers.items()
        for job, found in peer["jobs"].items()
        if "wrong" in found
    ]
    return "\n\n".join([*(table for table in tables if table), *wrong])


def with_summary(page: str, results: Mapping[str, Any]) -> str:
    """Return the README with the table of the libraries as it was last measured."""
    machine = results["machine"]
    versions: list[str] = []
    for name in LIBRARIES:
        own = [f"{what} {version}" for what, version in versions_of(results["peers"].get(name))]
        versions += own if name == "sdks" else own[:1]
    tables = "\n\n".join(
        f"{about}\n\n{markdown(results['peers'], columns, LIBRARIES)}"
        for about, columns in SUMMARY.items()
    )
    made = (
        f"{tables}\n\n"
        f"CPython {machine['CPython']}, msgspec {machine['msgspec']}, {machine['cores']} cores of "
        f"{machine['processor']}; {', '.join(versions)}."
    )
    apart = results.get("apart", {})
    jobs = [job for columns in SUMMARY.values() for job in columns]
    if any(job.startswith(f"{only}:") for job in jobs for only in apart):
        made += f" {measured_apart(apart)}"
    before, marker, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (marker and end):
        raise ValueError(f"the page has no {_BEGIN} and {_END}")
    return f"{before}{_BEGIN}\n\n{made}\n\n{_END}{after}"


def measured_apart(apart: Mapping[str, Any]) -> str:
    """Say which jobs were measured later than the others, and on which machine."""
    kinds = ", ".join(f"`{only}`" for only in apart)
    machines = {f"{one['cores']} cores of {one['processor']}" for one in apart.values()}
    return f"The jobs {kinds} were measured later, on {', '.join(sorted(machines))}."


def versions_of(peer: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the versions of what a peer needs, without those that all of its neighbours have."""
    found = {} if peer is None else peer["versions"]
    return [(what, version) for what, version in found.items() if what not in ("CPython", *COMMON)]


def markdown(peers: Results, columns: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Return a row for each library that does one of the jobs, a column for each job.

    A result that is faster than ours is in bold. The text is empty if there is no row.
    """
    rows = {name: _cells(peers[name]["jobs"], columns) for name in titles if name in peers}
    rows = {name: cells for name, cells in rows.items() if set(cells) != {"-"}}
    if not rows:
        return ""
    used = [i for i in range(len(columns)) if any(cells[i] != "-" for cells in rows.values())]
    headings = list(columns.values())
    lines = [["", *(headings[i] for i in used)], ["---", *["---:"] * len(used)]]
    lines += [[titles[name], *(cells[i] for i in used)] for name, cells in rows.items()]
    return _joined(lines)


def by_job(peers: Results, rows: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Return a row for each job, a column for each library that does one of them, as `markdown`."""
    columns = {name: _cells(peers[name]["jobs"], rows) for name in titles if name in peers}
    columns = {name: cells for name, cells in columns.items() if set(cells) != {"-"}}
    if not columns:
        return ""
    lines = [["", *(titles[name] for name in columns)], ["---", *["---:"] * len(columns)]]
    cells = zip(*columns.values(), strict=True)
    lines += [[title, *line] for title, line in zip(rows.values(), cells, strict=True)]
    return _joined(lines)


def _joined(lines: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(done: Mapping[str, Any], columns: Mapping[str, str]) -> list[str]:
    out = []
    for job in columns:
        found = done.get(job, {})
        times = factor(job, found)
        text = cell(job, found)
        out.append(f"**{text}**" if times is not None and times < 1 else text)
    return out
