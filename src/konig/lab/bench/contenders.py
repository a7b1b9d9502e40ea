"""What is timed: our methods with their settings, and other libraries' solvers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from konig import registry
from konig.arguments import MOST_THREADS, checked_count, parsed
from konig.gpu.device import cupy_or_error
from konig.lab.bench import machine

HOST = "host"
ONE_THREAD = ":threads=1"
AGAINST_ONE_THREAD = f"auto,auto{ONE_THREAD}"


@dataclass(frozen=True)
class Peer:
    """A solver of another library, which need not be installed; building its graph is timed apart."""

    package: str  # what must be installed
    # Takes an instance; returns the call to be timed, and what makes its answer one that the problem checks.
    build: Callable[[Any], tuple[Callable[[], Any], Callable[[Any], Any]]]
    used_up: bool = False  # whether solving changes what was built: it is built again before each solve
    # Why the library cannot take an instance; None if it can.
    refuses: Callable[[Any], str | None] | None = None
    # The whole call on what a caller has, as far as the solve alone is less: graph, solve, answer.
    whole: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Contender:
    label: str  # what reports call it; for a method with settings ``name:knob=value:...``
    kind: str  # "method" or "peer"
    name: str  # of the method or the peer
    options: dict[str, Any] = field(default_factory=dict)  # keyword arguments of the public call
    at: str = HOST  # where the data is when the clock starts: "host", or "cuda" or "cuda:N"


def parse_methods(
    text: str,
    device: str = "auto",
    threads: int | None = None,
    problem: str = "matching",
    paper: Iterable[str] = (),
) -> tuple[Contender, ...]:
    """The methods of a list such as ``auto,pr:relabel=2,pfp``: names, each with its settings after colons.

    A setting is a knob, the method's own ``threads`` or ``device``, or where its data is: ``at=host``, or
    ``at=device`` for the argument `device`. By default the data is where the method solves. The name ``all``
    stands for every method of the problem, ``paper`` for those of `paper`, the rows of the papers' tables,
    that can run here.

    Examples
    --------
    >>> from konig.lab.bench.contenders import parse_methods
    >>> [method.label for method in parse_methods("hk,hk:init=ksm")]
    ['hk', 'hk:init=ksm']
    """
    labels: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if part == "all":
            where = "cuda" if device.startswith("cuda") else "cpu"
            labels += ["auto", *(m.name for m in registry.named_methods(problem) if where in m.devices)]
        elif part == "paper":
            labels += ["auto", *(label for label in paper if ":device=cuda" not in label or machine.gpus())]
        else:
            labels.append(part)
    return tuple(_method(label, problem, device, threads) for label in dict.fromkeys(labels))


def _method(label: str, problem: str, device: str, threads: int | None) -> Contender:
    name, *settings = label.split(":")
    where: dict[str, Any] = {"device": device, "threads": threads, "at": ""}
    own = [setting for setting in settings if setting.partition("=")[0] in where]
    where |= {key: value for key, _, value in (setting.partition("=") for setting in own)}
    if isinstance(where["threads"], str):
        where["threads"] = parsed("threads", where["threads"], int)
    where["threads"] = checked_count("threads", where["threads"], most=MOST_THREADS)
    knobs = registry.parse_knobs(name, [setting for setting in settings if setting not in own], problem)
    method = None if name == "auto" else registry.find(name, problem)
    kind, _ = registry.choose_device(method, where["device"])
    at = _place(where.pop("at"), where["device"], device)
    if kind == "cuda" or at != HOST:
        cupy_or_error(f"device={device if kind == 'cpu' else where['device']!r}")
    if method is not None:
        method.settings(knobs)
        if kind == "cuda" and any(knob.name == "counters" for knob in method.options):
            knobs = {"counters": False} | knobs  # the papers time without them
    return Contender(label, "method", name, {**where, **knobs}, at)


def _place(asked: str, own: str, device: str) -> str:
    """Where the data is: on the host, on the device of the run, or where the method solves."""
    if asked not in ("", HOST, "device"):
        raise ValueError(f"at={asked}: expected host or device")
    place = HOST if asked == HOST else device if asked == "device" else own
    return place if registry.parse_device(place if place != HOST else "cpu")[0] == "cuda" else HOST


def as_contenders(names: Iterable[str]) -> tuple[Contender, ...]:
    """Peers to be timed."""
    return tuple(Contender(name, "peer", name) for name in names)


def installed(peers: Mapping[str, Peer], warn: Callable[[str], object]) -> tuple[Contender, ...]:
    """The peers that can be imported here; a warning gives the reason for each of the others."""
    found = []
    for name, peer in peers.items():
        try:
            importlib.import_module(peer.package)
            found.append(name)
        except Exception as problem:  # a library that was built for another machine may raise anything
            warn(f"{name} is left out: {type(problem).__name__}: {problem}")
    return as_contenders(found)
