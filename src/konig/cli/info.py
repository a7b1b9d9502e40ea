"""``konig info``: what this installation can do."""

from __future__ import annotations

import konig
from konig.cli import options, screen
from konig.lab.bench import machine


def info(json: options.Json = False) -> None:
    """Show the version, the machine, the GPU and the libraries that konig finds."""
    found = machine.facts()
    if json:
        screen.print_json(found)
    else:
        shown = {name: str(value) for name, value in found.items()}
        screen.console().print(screen.facts(f"konig {konig.__version__}", shown))
