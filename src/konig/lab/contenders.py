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
        labels += _everything(device) if part == "all" else _paper() if part == "paper" else [part]
    return tuple(_method(label, device, threads) for label in dict.fromkeys(labels))


def peers(names: Iterable[str]) -> tuple[Contender, ...]:
    """Peers as contenders."""
    return tuple(Contender(name, "peer", name) for name in names)


def _everything(device: str) -> list[str]:
    where = "cuda" if device.startswith("cuda") else "cpu"
    known = registry.methods("matching")
    return ["auto", *(m.name for m in known if m.name != "auto" and where in m.devices)]


def _paper() -> list[str]:
    known = {method.name for method in registry.methods("matching")}
    return ["auto", *(label for label in PAPER if label.partition(":")[0] in known)]


def _method(label: str, device: str, threads: int | None) -> Contender:
    name, *settings = label.split(":")
    knobs = parse_knobs(name, settings)
    if name != "auto":
        registry.find(name, "matching").settings(knobs)
    return Contender(label, "method", name, {"device": device, "threads": threads, **knobs})
