"""What the examples send: one turn of a conversation, with its picture in a store."""

import wireglot as wg
from wireglot import queue

STORE = queue.FileStore("memory://turns")
"""Where pictures are kept. Several processes would need `s3://...` or a shared folder."""

SESSION: list[wg.AgentMessage] = [
    wg.UserMessage(
        [wg.TextBlock("What is this?"), wg.ImageBlock.from_bytes(bytes(100_000), "image/png")]
    ),
    wg.AssistantMessage([wg.TextBlock("All black.")], wg.StopReason.STOP),
]


def envelope(id: str) -> queue.Envelope:
    """Return the turn in an envelope; a turn that is sent again keeps its id."""
    light = queue.check_in(SESSION, STORE)
    return queue.encode(light, id=id, source="/example", conversation="c-42")


def opened(envelope: queue.Envelope) -> str:
    """Open an envelope, and describe its content. Raises `PoisonError`, `ClaimError`."""
    session = queue.check_out(queue.decode(envelope), STORE)
    assert session == SESSION
    return f"{envelope.id} of {envelope.conversation}: {len(session)} messages"
