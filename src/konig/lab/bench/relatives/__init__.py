"""The relatives of the three problems: a file each, with its families and its contenders as ``RELATIVE``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from konig.lab.bench.problems import RACED
from konig.lab.bench.relative import Relative


def _found() -> dict[str, Relative]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.RELATIVE.name: module.RELATIVE for module in modules}


RELATIVES = _found()
RACED.update(RELATIVES)
