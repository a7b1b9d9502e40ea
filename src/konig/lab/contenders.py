"""What is timed: our methods with their settings, and the peers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from konig import registry
from konig.knob_text import parse_knobs

# The rows of table 1 of Kaya, Langguth, Manne and Uçar (2013).
PAPER = (
    *(
        f"{pr}:relabel={rf}"
        for pr in ("pr", "pr-fair", "pr-fair-spread")
        for rf in ("1", "1.5", "2", "4", "8")
    ),
    *("pfp", "hi-wave", "lo-lifo", "lo-free"),
)


@dataclass(frozen=True)
class Contender:
    """One solver as it is to be called.

    Attributes
    ----------
    label : str
        What reports call it; for a method with settings ``name:knob=value:...``.
    kind : {"method", "peer"}
    name : str
        The method or the peer.
    options : dict
        Keyword arguments for `konig.maximum_matching`.
    """

    label: str
    kind: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)


def parse_methods(text: str, device: str = "auto", threads: int | None = None) -> tuple[Contender, ...]:
    """The methods of a list such as ``auto,pr:relabel=2,pfp``.

    Parameters
    ----------
    text : str
        Names separated by commas, each with its settings after colons; ``all`` stands for every method that
        there is, ``paper`` for the rows of the transversal paper's tables as far as they are there.
    device : str
    threads : int, optional

    Examples
    --------
    >>> from konig.lab.contenders import parse_methods
    >>> [method.label for method in parse_methods("hk,hk:init=ksm")]
    ['hk', 'hk:init=ksm']
    """
    labels: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        labels += {"all": _everything, "paper": _paper}[part]() if part in ("all", "paper") else [part]
    return tuple(_method(label, device, threads) for label in dict.fromkeys(labels))


def peers(names: Iterable[str]) -> tuple[Contender, ...]:
    """Peers as contenders."""
    return tuple(Contender(name, "peer", name) for name in names)


def _everything() -> list[str]:
    return ["auto", *(m.name for m in registry.methods("matching") if m.name != "auto")]


def _paper() -> list[str]:
    known = {method.name for method in registry.methods("matching")}
    found = [label for label in PAPER if label.partition(":")[0] in known]
    return ["auto", *(found or [name for name in _everything() if name != "auto"])]


def _method(label: str, device: str, threads: int | None) -> Contender:
    name, *settings = label.split(":")
    knobs = parse_knobs(name, settings)
    if name != "auto":
        registry.find(name, "matching").settings(knobs)
    return Contender(label, "method", name, {"device": device, "threads": threads, **knobs})
