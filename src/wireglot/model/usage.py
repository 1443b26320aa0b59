"""Tokens and money. Keys inside `usage` and `cost` are snake_case, as phi-core writes them."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from .base import Adapted, Extras

__all__ = ["Cost", "CostConfig", "Usage"]

_MILLION = 1_000_000


class CostConfig(Struct, Adapted, forbid_unknown_fields=True):
    """Prices, in one currency, per million tokens."""

    input_per_million: float
    output_per_million: float
    cache_read_per_million: float = 0.0
    cache_write_per_million: float = 0.0


class Cost(Struct, Adapted, forbid_unknown_fields=True, gc=False):
    """Money spent, in the currency of whoever reported it."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    total: float = 0.0


class Usage(Struct, Adapted, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Token counts of one answer, or of several combined.

    `input` excludes cached tokens; `reasoning` is inside `output`. `total_tokens` is what the
    provider reported, else the sum of the counts, as `summed` makes it.
    """

    # default_factory, because a plain default would be omitted, and phi-core prints these always
    input: int = field(default_factory=int)
    output: int = field(default_factory=int)
    reasoning: int = field(default_factory=int)
    cache_read: int = field(default_factory=int)
    cache_write: int = field(default_factory=int)
    total_tokens: int = field(default_factory=int)
    image_tokens: int | None = None
    audio_tokens: int | None = None
    cost: Cost | None = None
    extras: Extras | None = None

    def summed(self) -> int:
        """Return `total_tokens`, or all input and the output together where it is 0."""
        everything = self.input + self.output + self.cache_read + self.cache_write
        return self.total_tokens or everything

    def combine(self, other: Usage) -> Usage:
        """Return the sum of both. A count that only one of them has is kept, `extras` are not."""
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            total_tokens=self.summed() + other.summed(),
            image_tokens=_sum(self.image_tokens, other.image_tokens),
            audio_tokens=_sum(self.audio_tokens, other.audio_tokens),
            cost=_sum_cost(self.cost, other.cost),
        )

    def estimated_cost(self, prices: CostConfig) -> float:
        """Return the cost of the four counts at these prices; `reasoning` is inside `output`."""
        return (
            self.input * prices.input_per_million
            + self.output * prices.output_per_million
            + self.cache_read * prices.cache_read_per_million
            + self.cache_write * prices.cache_write_per_million
        ) / _MILLION

    def cache_hit_rate(self) -> float:
        """Return cached reads over all input, cache writes counted as input: 0.0 to 1.0."""
        total = self.input + self.cache_read + self.cache_write
        return self.cache_read / total if total else 0.0


def _sum(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else a + b


def _sum_cost(a: Cost | None, b: Cost | None) -> Cost | None:
    if a is None or b is None:
        known = a or b
        return None if known is None else replace(known)
    return Cost(
        input=a.input + b.input,
        output=a.output + b.output,
        cache_read=a.cache_read + b.cache_read,
        cache_write=a.cache_write + b.cache_write,
        total=a.total + b.total,
    )
