"""Times NetworkX alone against NetworkX with konig as its backend: python examples/networkx_backend.py 1000 100000

The arguments are numbers of edges. Each time is that of the whole call, reading the graph included; both ways
answer the same call in turn, and the answers are compared. A call that is expected to take NetworkX longer than
the limit is left out.
"""

import argparse
import random
import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import networkx as nx

Call = Callable[[nx.Graph], Any]


def bipartite(edges: int, seed: int) -> nx.Graph:
    """Random, with a Hamiltonian path somewhere in it, so that it is connected."""
    rng, n = random.Random(seed), max(edges // 5, round(2 * edges**0.5))
    path = rng.sample(range(n, 2 * n), n)
    pairs = {(i, path[i - shift]) for i in range(n) for shift in (0, 1) if i >= shift}
    while len(pairs) < edges:
        pairs.add((rng.randrange(n), n + rng.randrange(n)))
    G = nx.Graph()
    G.add_nodes_from(range(n), bipartite=0)
    G.add_nodes_from(range(n, 2 * n), bipartite=1)
    G.add_edges_from(rng.sample(sorted(pairs), len(pairs)))
    return G


def complete(edges: int, seed: int) -> nx.Graph:
    rng, n = random.Random(seed), max(round(edges**0.5), 2)
    G = nx.complete_bipartite_graph(n, n)
    nx.set_edge_attributes(G, {edge: rng.randrange(1000) for edge in G.edges}, "weight")
    return G


def grid(edges: int, seed: int) -> nx.DiGraph:
    """A square grid with arcs to the right, up and down; the source feeds its first column."""
    rng, n = random.Random(seed), max(round((edges / 3) ** 0.5), 2)
    G = nx.DiGraph()
    for i in range(n):
        for j in range(n):
            for k, l in ((i, j + 1), (i + 1, j), (i - 1, j)):
                if 0 <= k < n and l < n:
                    G.add_edge((i, j), (k, l), capacity=rng.randrange(1, 100))
        G.add_edge("s", (i, 0))
        G.add_edge((i, n - 1), "t")
    return G


def left(G: nx.Graph) -> list[Any]:
    return [node for node, side in G.nodes(data="bipartite") if side == 0]


def cover_of(G: nx.Graph) -> Any:
    with nx.config.backend_priority(algos=["konig"]):
        matching = nx.bipartite.maximum_matching(G, left(G))
    return lambda G: nx.bipartite.to_vertex_cover(G, matching, left(G))


def weight_of(G: nx.Graph, matching: dict[Any, Any]) -> Any:
    return sum(G[u][v]["weight"] for u, v in matching.items())


# Per function: the graphs, the call (made of the graph before the clock starts), and what answers must agree in.
CASES: dict[str, tuple[Callable[[int, int], nx.Graph], Callable[[nx.Graph], Call], Callable[..., Any]]] = {
    "hopcroft_karp_matching": (
        bipartite,
        lambda G: lambda G: nx.bipartite.hopcroft_karp_matching(G, left(G)),
        lambda G, answer: len(answer),
    ),
    "eppstein_matching": (
        bipartite,
        lambda G: lambda G: nx.bipartite.eppstein_matching(G, left(G)),
        lambda G, answer: len(answer),
    ),
    "to_vertex_cover": (bipartite, cover_of, lambda G, answer: answer),
    "min_edge_cover": (
        bipartite,
        lambda G: nx.bipartite.min_edge_cover,
        lambda G, answer: len(answer),
    ),
    "minimum_weight_full_matching": (
        complete,
        lambda G: nx.bipartite.minimum_weight_full_matching,
        weight_of,
    ),
    "maximum_flow": (grid, lambda G: lambda G: nx.maximum_flow(G, "s", "t"), lambda G, answer: answer[0]),
    "maximum_flow_value": (
        grid,
        lambda G: lambda G: nx.maximum_flow_value(G, "s", "t"),
        lambda G, answer: answer,
    ),
    "minimum_cut": (grid, lambda G: lambda G: nx.minimum_cut(G, "s", "t"), lambda G, answer: answer),
    "minimum_cut_value": (
        grid,
        lambda G: lambda G: nx.minimum_cut_value(G, "s", "t"),
        lambda G, answer: answer,
    ),
}


def timed(call: Call, G: nx.Graph, backends: list[str]) -> tuple[float, Any]:
    with nx.config.backend_priority(algos=backends):
        began = perf_counter()
        answer = call(G)
        return perf_counter() - began, answer


def compare(name: str, edges: int, seed: int, repeat: int, skip: bool) -> tuple[float | None, float]:
    """The shortest times of NetworkX, None if it is left out, and of konig."""
    family, make, agree = CASES[name]
    G = family(edges, seed)
    call = make(G)
    theirs: list[float] = []
    ours: list[float] = []
    while len(ours) < repeat and sum(theirs) + sum(ours) < repeat:  # a second or so each
        seconds, answer = timed(call, G, ["konig"])
        ours.append(seconds)
        if not skip:
            seconds, expected = timed(call, G, [])
            theirs.append(seconds)
            assert agree(G, answer) == agree(G, expected), f"{name}: the answers differ"
    return (None if skip else min(theirs)), min(ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edges", type=int, nargs="*", default=[1000, 10000, 100000])
    parser.add_argument("--functions", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--limit", type=float, default=60, help="seconds that NetworkX may be expected to take")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    nx.maximum_flow_value(nx.path_graph(2, nx.DiGraph), 1, 0, backend="konig")  # loads the backend
    print("| function | edges | NetworkX | konig | ratio |\n|---|---|---|---|---|")
    for name in options.functions:
        last: tuple[int, float] | None = None
        for edges in sorted(options.edges):
            # NetworkX's cover takes a search per node.
            growth = 2 if name == "to_vertex_cover" else 1.3
            skip = last is not None and last[1] * (edges / last[0]) ** growth > options.limit
            theirs, ours = compare(name, edges, options.seed, options.repeat, skip)
            if theirs is None:
                print(f"| `{name}` | {edges:,} | | {shown(ours)} | |", flush=True)
                continue
            last = edges, theirs
            ratio = f"{theirs / ours:.1f}"
            print(f"| `{name}` | {edges:,} | {shown(theirs)} | {shown(ours)} | {ratio} |", flush=True)


def shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


if __name__ == "__main__":
    main()
