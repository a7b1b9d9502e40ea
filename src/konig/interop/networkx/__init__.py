"""A backend for NetworkX, found by its entry points, and a ``flow_func`` for its functions on flows.

>>> import networkx as nx
>>> G = nx.DiGraph()
>>> G.add_edge("s", "a", capacity=3)
>>> G.add_edge("a", "t", capacity=2)
>>> nx.maximum_flow(G, "s", "t", backend="konig")
(2, {'s': {'a': 2}, 'a': {'t': 2}, 't': {}})

``nx.config.backend_priority = ["konig"]`` makes NetworkX ask konig first; ``nx.config.backend_priority = []``
ends that. NetworkX imports ``info`` when it is imported itself, so nothing here imports anything before a
function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from konig.interop.networkx.residual import flow_func

__all__ = ["flow_func"]


def __getattr__(name: str) -> Any:
    if name != "flow_func":
        raise AttributeError(f"module 'konig.interop.networkx' has no attribute {name!r}")
    from konig.interop.networkx.residual import flow_func

    globals()[name] = flow_func
    return flow_func
