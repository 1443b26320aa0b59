"""The losses of Ravi's two versions, as the mapping to each of them reports them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .._mapping import Writer
from .losses import V2_CARRIED, V2_LOSSES, V3_CARRIED, V3_LOSSES
from .system import API, SYSTEM, V2, V3, WIRE


class V2Writer(Writer):
    """The losses of one call that writes V2."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    VERSION: ClassVar[str] = V2
    LOSSES: ClassVar[Mapping[str, str]] = V2_LOSSES
    CARRIED: ClassVar[Mapping[type[Any], str]] = V2_CARRIED


class V3Writer(Writer):
    """The losses of one call that writes V3."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    VERSION: ClassVar[str] = V3
    LOSSES: ClassVar[Mapping[str, str]] = V3_LOSSES
    CARRIED: ClassVar[Mapping[type[Any], str]] = V3_CARRIED


VersionWriter = V2Writer | V3Writer
"""What every function that writes is given: it knows the version, the losses and the paths."""
