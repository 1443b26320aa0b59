"""Judges of what we write: request bytes in, `OracleError` out where a provider would refuse them.

One file a provider, each with the same `check_request(body)`, each in need of that provider's SDK.
"""

from tests.oracles.strict import OracleError

__all__ = ["OracleError"]
