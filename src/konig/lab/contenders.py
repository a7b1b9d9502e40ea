"""What is timed: our methods with their settings, and the peers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from konig import registry
from konig.arguments import MOST_THREADS, checked_count
from konig.gpu.device import cupy_or_error
from konig.knob_text import parse_knobs
from konig.lab import machine
from konig.lab.problems import PROBLEMS

ONE_THREAD = ":threads=1"
AGAINST_ONE_THREAD = f"auto,auto{ONE_THREAD}"


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
        Keyword arguments of the public call.
    """

    label: str
    kind: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)


def parse_methods(
    text: str, device: str = "auto", threads: int | None = None, problem: str = "matching"
) -> tuple[Contender, ...]:
    """The methods of a list such as ``auto,pr:relabel=2,pfp``.

    Parameters
    ----------
    text : str
        Names separated by commas, each with its settings after colons, knobs or ``threads`` and ``device``
        of its own; ``all`` stands for every method that
        there is for the problem, ``paper`` for the rows of the papers' tables as far as they are there.
    device : str
    threads : int, optional
    problem : str

    Examples
    --------
    >>> from konig.lab.contenders import parse_methods
    >>> [method.label for method in parse_methods("hk,hk:init=ksm")]
    ['hk', 'hk:init=ksm']
    """
    labels: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if part == "all":
            labels += _everything(problem, device)
        else:
            labels += _paper(problem) if part == "paper" else [part]
    return tuple(_method(label, problem, device, threads) for label in dict.fromkeys(labels))


def peers(names: Iterable[str]) -> tuple[Contender, ...]:
    """Peers as contenders."""
    return tuple(Contender(name, "peer", name) for name in names)


def _everything(problem: str, device: str) -> list[str]:
    where = "cuda" if device.startswith("cuda") else "cpu"
    known = registry.methods(problem)
    return ["auto", *(m.name for m in known if m.name != "auto" and where in m.devices)]


def _paper(problem: str) -> list[str]:
    known = {method.name for method in registry.methods(problem)}
    labels = [label for label in PROBLEMS[problem].paper if label.partition(":")[0] in known]
    return ["auto", *(label for label in labels if ":device=cuda" not in label or machine.gpus())]


def _method(label: str, problem: str, device: str, threads: int | None) -> Contender:
    name, *settings = label.split(":")
    where: dict[str, Any] = {"device": device, "threads": threads}
    own = [setting for setting in settings if setting.partition("=")[0] in where]
    for setting in own:
        key, _, value = setting.partition("=")
        where[key] = value if key == "device" else _whole(key, value)
    knobs = parse_knobs(name, [setting for setting in settings if setting not in own], problem)
    method = None if name == "auto" else registry.find(name, problem)
    if method is not None:
        method.settings(knobs)
    checked_count("threads", where["threads"], most=MOST_THREADS)
    kind, _ = registry.choose_device(method, where["device"])
    if kind == "cuda":
        cupy_or_error(f"device={where['device']!r}")
    return Contender(label, "method", name, {**where, **knobs})


def _whole(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{key} must be an integer, not {text!r}") from None
