"""A case of maximum flow: its calls, its network as source text, and smaller networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..case import Case, Draw
from ..exact import simpler
from ..settings import Settings
from .calls import draw_calls
from .network import Network
from .networks import draw_network


def make_case(
    seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 400
) -> Case:
    """``families`` are names of capacities."""
    draw = Draw("flow", seed, number)
    topology, numbers, network = draw_network(draw, families, largest)
    extent = (network.num_vertices, len(network.tail))
    calls = draw_calls(draw, network, numbers, settings)
    return Case("flow", f"{topology} {numbers}", extent, calls, network, source, smaller)


def source(network: Network) -> str:
    capacity = f"np.array({network.capacity.tolist()}, np.{network.capacity.dtype.name})".replace(
        "inf", "np.inf"
    )
    return (
        f"tail, head = {network.tail.tolist()}, {network.head.tolist()}\n"
        f"capacity = {capacity}\n"
        f"source, sink = {list(network.sources)}, {list(network.sinks)}  # {network.num_vertices} vertices"
        f"{', undirected' * network.undirected}"
    )


def smaller(network: Network) -> Iterator[Network]:
    """One arc less, unused vertices left out, one terminal less, one capacity simpler."""
    for k in range(len(network.tail)):
        keep = np.arange(len(network.tail)) != k
        yield replace(
            network, tail=network.tail[keep], head=network.head[keep], capacity=network.capacity[keep]
        )
    used = sorted({*network.tail.tolist(), *network.head.tolist(), *network.sources, *network.sinks})
    if len(used) < network.num_vertices:
        new = {v: k for k, v in enumerate(used)}
        tail, head = (
            np.array([new[v] for v in side.tolist()], np.int64) for side in (network.tail, network.head)
        )
        ends = (tuple(new[v] for v in side) for side in (network.sources, network.sinks))
        yield Network(len(used), tail, head, network.capacity, *ends, network.undirected)
    for name in ("sources", "sinks"):
        vertices = getattr(network, name)
        for v in vertices if len(vertices) > 1 else ():
            yield replace(network, **{name: tuple(w for w in vertices if w != v)})
    for k in range(len(network.tail)):
        for value in simpler(network.capacity[k]):
            capacity = network.capacity.copy()
            capacity[k] = value
            yield replace(network, capacity=capacity)
