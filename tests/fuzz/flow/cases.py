"""Maximum flow: a case, and its input as source text."""

from __future__ import annotations

from ..case import Case, Draw
from ..settings import Settings
from .calls import draw_calls
from .network import Network
from .networks import draw_network


def make_case(seed: int, number: int, settings: Settings, families: tuple[str, ...] = (), largest: int = 400) -> Case:
    """``families`` are names of capacities."""
    draw = Draw("flow", seed, number)
    name, network = draw_network(draw, families, largest)
    extent = (network.num_vertices, len(network.tail))
    return Case("flow", name, extent, draw_calls(draw, network, settings), lambda: _source(network))


def _source(network: Network) -> str:
    capacity = f"np.array({network.capacity.tolist()}, np.{network.capacity.dtype.name})".replace("inf", "np.inf")
    return (
        f"tail, head = {network.tail.tolist()}, {network.head.tolist()}\n"
        f"capacity = {capacity}\n"
        f"source, sink = {list(network.sources)}, {list(network.sinks)}  # {network.num_vertices} vertices"
        f"{', undirected' * network.undirected}"
    )
