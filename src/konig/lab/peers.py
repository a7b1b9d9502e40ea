"""Other libraries' solvers. Each is optional; building its own graph is kept apart from solving."""

from __future__ import annotations

import importlib
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


def missing(peers: Mapping[str, Peer]) -> dict[str, str]:
    """Those of the peers that cannot be used here, and why: not installed, or not to be imported."""
    reasons = {name: _reason(peer.package) for name, peer in peers.items()}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def available(peers: Mapping[str, Peer]) -> tuple[str, ...]:
    """The others."""
    absent = missing(peers)
    return tuple(name for name in peers if name not in absent)


def _reason(package: str) -> str | None:
    try:
        importlib.import_module(package)
    except Exception as problem:  # a library that was built for another machine may raise anything
        return f"{type(problem).__name__}: {problem}"
    return None
