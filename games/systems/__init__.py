"""The games. Each is one folder with a `SYSTEM`; adding one touches nothing outside it."""

from __future__ import annotations

import importlib
import pkgutil

from games.core.system import System, register


def discover() -> tuple[System, ...]:
    """Import every folder on this package's path and make its system known, by slug."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    found = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(register(module.SYSTEM) for module in found if hasattr(module, "SYSTEM"))
