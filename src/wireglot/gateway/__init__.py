"""A gateway: any provider's client in front, any provider behind.

    app = create_app(read_config("gateway.toml"))

It is an application of `wireglot`, and an example of how to build one. Its libraries come with the
extra: `pip install 'wireglot[gateway]'`.
"""

from .._runtime.extras import needs

with needs("wireglot.gateway", "'wireglot[gateway]'"):
    from .app import create_app
    from .config import Config, ModelRoute, read_config
    from .server import serve

__all__ = ["Config", "ModelRoute", "create_app", "read_config", "serve"]
