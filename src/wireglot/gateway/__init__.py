"""A gateway: any provider's client in front, any provider behind.

    app = create_app(read_config("gateway.toml"))

It is an application of `wireglot`, and an example of how to build one.
"""

from .app import create_app
from .config import Config, Route, read_config

__all__ = ["Config", "Route", "create_app", "read_config"]
