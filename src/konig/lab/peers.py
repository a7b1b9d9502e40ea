"""Other libraries' solvers. Each is optional; building its own graph is kept apart from solving."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Peer:
    """A solver of another library.

    Attributes
    ----------
    package : str
        What must be installed.
    build : callable
        From an instance to whatever the library solves on.
    solve : callable
        From that to the library's own answer; this is what is timed.
    answer : callable
        From the library's answer and the instance to what the problem can check.
    most_nonzeros : int or None
        Larger instances are left out: they would only run into the timeout.
    used_up : bool
        Whether solving changes what was built, so that it is built again before each solve.
    refuses : callable or None
        From an instance to the reason why the library cannot take it, or None if it can.
    """

    package: str
    build: Callable[[Any], Any]
    solve: Callable[[Any], Any]
    answer: Callable[[Any, Any], Any]
    most_nonzeros: int | None = None
    used_up: bool = False
    refuses: Callable[[Any], str | None] | None = None


def available(peers: Mapping[str, Peer]) -> tuple[str, ...]:
    """Those of the peers that are installed here."""
    return tuple(name for name, peer in peers.items() if importlib.util.find_spec(peer.package))
