"""Times NetworkX alone against NetworkX with konig as its backend, for graphs of the numbers of edges given.

A time is that of the whole call, reading the graph included. Both answer the same call in turn and must
agree; a call that is expected to take NetworkX longer than the limit is left out.
"""

import argparse
import random
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import networkx as nx
from networkx.algorithms.bipartite import (
    eppstein_matching,
    hopcroft_karp_matching,
    min_edge_cover,
    minimum_weight_full_matching,
    to_vertex_cover,
)

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
            for below, right in ((i, j + 1), (i + 1, j), (i - 1, j)):
                if 0 <= below < n and right < n:
                    G.add_edge((i, j), (below, right), capacity=rng.randrange(1, 100))
        G.add_edge("s", (i, 0))
        G.add_edge((i, n - 1), "t")
    return G


def left(G: nx.Graph) -> list[Any]:
    return [node for node, side in G.nodes(data="bipartite") if side == 0]


def matched(edges: int, seed: int) -> nx.Graph:
    """The same with a maximum matching, of which a cover is made."""
    G = bipartite(edges, seed)
    G.graph["matching"] = hopcroft_karp_matching(G, left(G), backend="konig")
    return G


def size(G: nx.Graph, answer: Any) -> int:
    return len(answer)


def weight(G: nx.Graph, matching: dict[Any, Any]) -> int:
    return sum(G[u][v]["weight"] for u, v in matching.items())


def all_of_it(G: nx.Graph, answer: Any) -> Any:
    return answer


class Case(NamedTuple):
    """A family of graphs, how a graph is asked about, and what two answers must agree in."""

    graph: Callable[[int, int], nx.Graph]
    call: Call
    agreed: Callable[[nx.Graph, Any], Any]


CASES = {
    "hopcroft_karp_matching": Case(bipartite, lambda G: hopcroft_karp_matching(G, left(G)), size),
    "eppstein_matching": Case(bipartite, lambda G: eppstein_matching(G, left(G)), size),
    "to_vertex_cover": Case(matched, lambda G: to_vertex_cover(G, G.graph["matching"], left(G)), all_of_it),
    "min_edge_cover": Case(bipartite, min_edge_cover, size),
    "minimum_weight_full_matching": Case(complete, minimum_weight_full_matching, weight),
    "maximum_flow": Case(grid, lambda G: nx.maximum_flow(G, "s", "t"), lambda G, answer: answer[0]),
    "maximum_flow_value": Case(grid, lambda G: nx.maximum_flow_value(G, "s", "t"), all_of_it),
    "minimum_cut": Case(grid, lambda G: nx.minimum_cut(G, "s", "t"), all_of_it),
    "minimum_cut_value": Case(grid, lambda G: nx.minimum_cut_value(G, "s", "t"), all_of_it),
}


def timed(call: Call, G: nx.Graph, backends: list[str]) -> tuple[float, Any]:
    with nx.config.backend_priority(algos=backends):
        began = perf_counter()
        answer = call(G)
        return perf_counter() - began, answer


def compare(name: str, edges: int, seed: int, repeat: int, skip: bool) -> tuple[float | None, float]:
    """The shortest times of NetworkX, None if it is left out, and of konig."""
    case = CASES[name]
    G = case.graph(edges, seed)
    theirs: list[float] = []
    ours: list[float] = []
    while len(ours) < repeat and sum(theirs) + sum(ours) < repeat:  # a second or so each
        seconds, answer = timed(case.call, G, ["konig"])
        ours.append(seconds)
        if not skip:
            seconds, expected = timed(case.call, G, [])
            theirs.append(seconds)
            assert case.agreed(G, answer) == case.agreed(G, expected), f"{name}: the answers differ"
    return (None if skip else min(theirs)), min(ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edges", type=int, nargs="*", default=[1000, 10000, 100000])
    parser.add_argument("--functions", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--limit", type=float, default=60, help="seconds that NetworkX may take")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    nx.maximum_flow_value(nx.path_graph(2, nx.DiGraph), 1, 0, backend="konig")  # loads the backend
    sizes = sorted(options.edges)
    print(f"| NetworkX / konig | {' | '.join(f'{edges:,} edges' for edges in sizes)} |")
    print(f"|---|{'---|' * len(sizes)}")
    for name in options.functions:
        cells = measured(name, sizes, options)
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


def measured(name: str, sizes: list[int], options: argparse.Namespace) -> list[str]:
    growth = 2 if name == "to_vertex_cover" else 1.3  # a cover takes NetworkX a search per node
    cells: list[str] = []
    last: tuple[int, float] | None = None
    for edges in sizes:
        skip = last is not None and last[1] * (edges / last[0]) ** growth > options.limit
        theirs, ours = compare(name, edges, options.seed, options.repeat, skip)
        if theirs is None:
            cells.append(f"- / {shown(ours)}")
            continue
        last = edges, theirs
        cells.append(f"{shown(theirs)} / {shown(ours)} = {theirs / ours:.{0 if theirs > 10 * ours else 1}f}")
    return cells


def shown(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


if __name__ == "__main__":
    main()
