"""Bytes -> the faults that the oracle of their provider finds in them."""

from __future__ import annotations

from importlib import import_module

from tests.corpus.verdicts import Failure

__all__ = ["faults_of"]


def faults_of(provider: str, check: str, written: bytes) -> list[Failure]:
    """List the faults that `check_request`, `check_response` or `check_stream` finds."""
    oracle = import_module(f"tests.oracles.{provider}")  # these modules need the SDKs
    try:
        getattr(oracle, check)(written)
    except oracle.strict.OracleError as error:
        faults = [line.partition(" - at ") for line in str(error).splitlines()]
        return [Failure("oracle", path, fault) for fault, _, path in faults]
    return []
