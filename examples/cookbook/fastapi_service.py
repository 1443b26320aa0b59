"""A FastAPI service that keeps sessions. Its endpoints take and return wireglot's types.

The program tries the service with FastAPI's test client. To run it as a server, use
`uvicorn --app-dir examples/cookbook fastapi_service:app`.
"""

from typing import Annotated

from fastapi import Body, FastAPI, HTTPException
from pydantic import BaseModel

import wireglot as wg

app = FastAPI(separate_input_output_schemas=False)
sessions: dict[str, list[wg.AgentMessage]] = {}


class Summary(BaseModel):
    """Your own pydantic models may contain wireglot's types."""

    entries: int
    last: wg.AgentMessage | None


@app.post("/sessions/{name}")
def append(name: str, entries: list[wg.AgentMessage]) -> Summary:
    """Add entries to a session."""
    session = sessions.setdefault(name, [])
    session += entries
    return Summary(entries=len(session), last=session[-1] if session else None)


@app.get("/sessions/{name}")
def read(name: str) -> list[wg.AgentMessage]:
    """Return a session."""
    if name not in sessions:
        raise HTTPException(404)
    return sessions[name]


@app.post("/lengths")
def count(request: Annotated[wg.Request, Body()]) -> dict[str, int]:
    """Count the characters of a request. `Body()` is needed for a single type of wireglot."""
    return {"characters": sum(len(message.text()) for message in request.messages)}


def main() -> None:
    """Try the service."""
    from fastapi.testclient import TestClient

    client = TestClient(app)
    hello = {"role": "user", "content": [{"type": "text", "text": "Hello"}]}
    print(client.post("/sessions/one", json=[hello]).json()["entries"], "entry")
    print(client.get("/sessions/one").json())
    print(client.post("/lengths", json={"messages": [hello]}).json())
    refused = client.post("/sessions/one", json=[{"role": "user", "content": "Hello"}])
    print(refused.status_code, refused.json()["detail"][0]["msg"])


if __name__ == "__main__":
    main()
