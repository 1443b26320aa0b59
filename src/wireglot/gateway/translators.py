"""The translators of a gateway's requests: one for each pair of wires that its routes join."""

from __future__ import annotations

from hashlib import blake2b

from starlette.requests import Request as Http

from ..capabilities import of_model
from ..translate.conversation import RequestTranslator
from .config import Config, ModelRoute
from .doors import shown_keys

__all__ = ["Translators", "tenant_of"]


class Translators:
    """The translators for one configuration, each made when it is first needed."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._made: dict[tuple[str | None, ...], RequestTranslator] = {}

    def of(self, client: str, route: ModelRoute) -> RequestTranslator:
        """Return the translator from a client's wire to that of a route."""
        key = client, route.provider, route.dialect, route.like
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = RequestTranslator(
                client,
                route.provider,
                source_dialect=self._config.client_dialects.get(client),
                target_dialect=route.dialect,
                repair=self._config.repair,
                capabilities=of_model(route.like) if route.like is not None else None,
                most_bytes=self._config.kept,
            )
        return made


def tenant_of(http: Http) -> str:
    """Return who sends a request, by the keys that it shows."""
    query = http.query_params if http.scope["query_string"] else {}
    keys = shown_keys(http.headers, query)
    return blake2b(b"\0".join(keys)).hexdigest() if keys else ""
