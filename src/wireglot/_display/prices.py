"""Tokens -> money: as the provider reported it, by a table of the user's, or by genai-prices.

A table is TOML with prices per million tokens by pattern; the first pattern that matches a model
counts:

    currency = "EUR"

    [models."claude-sonnet-*"]
    input_per_million = 3.0
    output_per_million = 15.0
    cache_read_per_million = 0.3

or the JSON that LiteLLM publishes, with `input_cost_per_token` and the like, in US dollars.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from .._runtime.extras import needs
from ..errors import DecodeError
from ..model import AssistantMessage, CostConfig, Usage

_MILLION: Final = 1_000_000
_LONGEST: Final = 300  # no name of a model is longer, and the cache would keep it
Lookup = Callable[[str, Usage, int | None], float | None]


class _Table(Struct, forbid_unknown_fields=True):
    models: dict[str, CostConfig]
    currency: str = "USD"


class _PerToken(Struct):
    """An entry of LiteLLM's table; keys other than prices per token are ignored."""

    input: float | None = field(default=None, name="input_cost_per_token")
    output: float | None = field(default=None, name="output_cost_per_token")
    cache_read: float | None = field(default=None, name="cache_read_input_token_cost")
    cache_write: float | None = field(default=None, name="cache_creation_input_token_cost")


class Prices:
    """What answers cost, in one currency. `lack` says what to install for prices of its own."""

    def __init__(self, currency: str, lookup: Lookup, lack: str = "") -> None:
        self.currency: str = currency
        self.lack: str = lack
        self._lookup: Lookup = lookup

    def cost(self, message: AssistantMessage) -> float | None:
        """Return the reported cost of an answer, else its cost by the prices; None if unknown."""
        usage = message.usage
        if usage is None:
            return None
        try:
            if usage.cost is not None:
                return float(usage.cost.total)
            if message.model is not None:
                return self._lookup(message.model, usage, message.timestamp)
        except OverflowError:  # impossible counts
            pass
        return None


def read_prices(path: str | None) -> Prices:
    """Read a table, or take genai-prices if there is none to read and it is installed.

    Raises `DecodeError` if the file is not such a table, `OSError` if it cannot be read.
    """
    if path is None:
        return _published()
    with open(path, "rb") as stream:
        return prices_in(stream.read())


def prices_in(data: bytes) -> Prices:
    """Return the prices of a table. Raises `DecodeError` if it is not one."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        if data.lstrip()[:1] == b"{":
            return Prices("USD", _by_pattern(_from_json(data)))
        table = msgspec.toml.decode(data, type=_Table)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DecodeError(f"not a table of prices: {error}", wire="prices") from error
    return Prices(table.currency, _by_pattern(table.models))


def _from_json(data: bytes) -> dict[str, CostConfig]:
    rows = msgspec.json.decode(data, type=dict[str, _PerToken])
    return {
        model: CostConfig(
            row.input * _MILLION,
            row.output * _MILLION,
            (row.input if row.cache_read is None else row.cache_read) * _MILLION,
            (row.input if row.cache_write is None else row.cache_write) * _MILLION,
        )
        for model, row in rows.items()
        if row.input is not None and row.output is not None
    }


def _by_pattern(models: dict[str, CostConfig]) -> Lookup:
    @lru_cache(maxsize=1024)  # a published table has thousands of rows
    def prices_of(model: str) -> CostConfig | None:
        fits = (prices for name, prices in models.items() if fnmatchcase(model, name))
        return models.get(model) or next(fits, None)

    def cost(model: str, usage: Usage, when: int | None) -> float | None:
        prices = prices_of(model) if len(model) <= _LONGEST else None
        return None if prices is None else usage.estimated_cost(prices)

    return cost


def _published() -> Prices:
    """Return the prices of the package genai-prices, of the day of each answer; none without it."""
    try:
        with needs("the cost of an answer", "'wireglot[prices]'"):
            import genai_prices
    except ImportError as error:
        return Prices("USD", lambda model, usage, when: None, lack=str(error))

    def cost(model: str, usage: Usage, when: int | None) -> float | None:
        try:
            # Theirs has what is cached inside the input.
            tokens = genai_prices.Usage(
                input_tokens=usage.input + usage.cache_read + usage.cache_write,
                cache_read_tokens=usage.cache_read,
                cache_write_tokens=usage.cache_write,
                output_tokens=usage.output,
            )
            price: Any = genai_prices.calc_price(
                tokens, model, genai_request_timestamp=_moment(when)
            )
        except (LookupError, ValueError):  # an unknown model, or impossible counts
            return None
        return float(price.total_price)

    return Prices("USD", cost)


def _moment(when: int | None) -> datetime | None:
    try:
        return None if when is None else datetime.fromtimestamp(when / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
