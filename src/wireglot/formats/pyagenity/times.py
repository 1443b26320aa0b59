"""Timestamps of the versions <-> milliseconds since the Unix epoch.

0.3.6 writes local time as ISO 8601 text without an offset, and does not record the zone. It is
taken for UTC unless the caller names another. The later versions write seconds.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from .types import Version

__all__ = ["micros", "millis", "stamp_of", "text_of"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MOST: Final = 2**63


def millis(stamp: float | str, zone: tzinfo) -> int:
    """Return a timestamp in the nearest millisecond.

    Raises ValueError if it is not a time, or does not fit 64 bits.
    """
    if type(stamp) is str:
        return (micros(stamp, zone) + 500) // 1000
    try:
        found = round(float(stamp) * 1000)
    except OverflowError:
        found = _MOST
    if not -_MOST <= found < _MOST:
        raise ValueError("time out of range, expected milliseconds of 64 bits")
    return found


def micros(stamp: float | str, zone: tzinfo) -> int:
    """Return a timestamp in microseconds. Raises ValueError if it is not a time."""
    if type(stamp) is not str:
        return round(float(stamp) * 1_000_000)
    when = datetime.fromisoformat(stamp)
    try:
        return ((when if when.tzinfo else when.replace(tzinfo=zone)) - _EPOCH) // _MICROSECOND
    except OverflowError as error:
        raise ValueError(str(error)) from error


def stamp_of(time: int, version: Version, zone: tzinfo) -> float | str | None:
    """Return milliseconds as a version writes them; None where it could not be read again."""
    if version == "0.3.6":
        return text_of(time * 1000, zone)
    try:
        stamp = time / 1000
    except OverflowError:
        return None
    return stamp if -_MOST <= round(stamp * 1000) < _MOST else None


def text_of(time: int, zone: tzinfo) -> str | None:
    """Return microseconds as 0.3.6 writes them, None if its years do not reach that far."""
    try:
        when = (_EPOCH + timedelta(microseconds=time)).astimezone(zone)
    except (OverflowError, ValueError):
        return None
    return when.replace(tzinfo=None).isoformat()
