"""A Litestar service that keeps sessions. It returns each session byte for byte.

The program tries the service with Litestar's test client. To run it as a server, use
`litestar --app-dir examples/cookbook --app litestar_service:app run`.
"""

from litestar import Litestar, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody

import wireglot as wg
from wireglot.adapters.litestar import WireglotPlugin

sessions: dict[str, list[wg.AgentMessage]] = {}


@post("/sessions/{name:str}", sync_to_thread=False)
def append(name: str, data: JSONBody[list[wg.AgentMessage]]) -> dict[str, int]:
    """Add entries to a session."""
    sessions.setdefault(name, []).extend(data)
    return {"entries": len(sessions[name])}


@get("/sessions/{name:str}", sync_to_thread=False)
def read(name: str) -> list[wg.AgentMessage]:
    """Return a session."""
    if name not in sessions:
        raise NotFoundException
    return sessions[name]


app = Litestar([append, read], plugins=[WireglotPlugin()], logging_config=None)


def main() -> None:
    """Try the service."""
    from litestar.testing import TestClient

    call = b'{"type":"toolCall","id":"1","name":"f","arguments":{"n": 1e2}}'
    session = b'[{"role":"assistant","content":[' + call + b"]}]"
    with TestClient(app) as client:
        print(client.post("/sessions/one", content=session).json())
        print(client.get("/sessions/one").content == session)
        refused = client.post("/sessions/one", content=b'[{"role":"user","content":"Hello"}]')
        print(refused.status_code, refused.json()["detail"])


if __name__ == "__main__":
    main()
