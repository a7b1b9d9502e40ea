"""Matchings and covers of bipartite NetworkX graphs: NetworkX's arguments, results and exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import scipy.sparse as sp

from konig.assignment import linear_assignment
from konig.errors import CertificateError, InfeasibleError
from konig.interop.networkx.graphs import (
    Entries,
    Neighbours,
    Node,
    Numbering,
    adjacency,
    as_numbers,
    edge_values,
    entries,
)
from konig.matching import maximum_matching
from konig.matching.alternating import alternating_reach
from konig.matching.inputs import as_graph
from konig.matching.proof import check_matching

Mates = dict[Node, Node]


def hopcroft_karp_matching(G: Any, top_nodes: Any = None) -> Mates:
    """A maximum matching: the partner of each matched node."""
    return Bipartite.of(G, top_nodes).matching()


def eppstein_matching(G: Any, top_nodes: Any = None) -> Mates:
    """A maximum matching: the partner of each matched node."""
    return Bipartite.of(G, top_nodes).matching()


def to_vertex_cover(G: Any, matching: Mapping[Node, Node], top_nodes: Any = None) -> set[Node]:
    """The smallest vertex cover that Kőnig's theorem makes of a maximum matching."""
    return Bipartite.of(G, top_nodes).cover(matching)


def minimum_weight_full_matching(G: Any, top_nodes: Any = None, weight: Any = "weight") -> Mates:
    """A matching of the whole smaller side whose weights sum up to as little as possible."""
    if G.is_multigraph():
        raise NotImplementedError("of parallel edges NetworkX takes the last")
    graph = Bipartite.of(G, top_nodes)
    if not graph.left:
        raise nx.NetworkXError("row_order is empty list")
    weights = as_numbers(edge_values(graph.lists, weight, 1), weight)
    costs = sp.csr_array((weights.array, graph.entries.neighbour, graph.entries.start), shape=graph.shape)
    try:
        found = linear_assignment(costs)
    except InfeasibleError as error:
        raise ValueError(graph.violation(error)) from error
    except (ValueError, OverflowError) as error:
        if weights.array.dtype.kind == "f":  # NaN or -inf, which NetworkX refuses, too
            raise
        raise NotImplementedError(str(error)) from error
    return graph.pairs(found.row_ind, found.col_ind)


def bipartite_min_edge_cover(G: Any, matching_algorithm: Any = None) -> set[tuple[Node, Node]]:
    """The fewest edges that meet every node, each of them both ways."""
    if matching_algorithm is not None:
        raise NotImplementedError("with a matching_algorithm NetworkX calls that")
    near = adjacency(G)
    if not all(near.values()):
        raise nx.NetworkXException("Graph has a node with no edge incident on it, so no edge cover exists.")
    if not near:
        return set()
    matching = Bipartite.of(G, None).matching()
    cover = set(matching.items())
    for node, neighbours in near.items():
        if node not in matching:
            other = next(iter(neighbours))
            cover.update(((node, other), (other, node)))
    return cover


class Bipartite(NamedTuple):
    """A graph with its nodes on two sides: rows are those on the left, with their neighbours."""

    left: list[Node]
    right: list[Node]
    lists: list[Neighbours]
    entries: Entries

    @classmethod
    def of(cls, G: Any, top_nodes: Any) -> Bipartite:
        near = adjacency(G)
        left, right = _sides(G, near, top_nodes)
        try:
            lists = [near[node] for node in left]
            return cls(left, right, lists, entries(lists, Numbering(right)))
        except KeyError as error:
            raise NotImplementedError(f"top_nodes is not one side of the graph: see node {error}") from error

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.left), len(self.right)

    def pattern(self) -> sp.csr_array:
        start, neighbour = self.entries
        return sp.csr_array((np.ones(len(neighbour), np.int8), neighbour, start), shape=self.shape)

    def pairs(self, rows: np.ndarray, cols: np.ndarray) -> Mates:
        """The partner of each node of these pairs, first of those on the left."""
        left = [self.left[row] for row in rows.tolist()]
        right = [self.right[col] for col in cols.tolist()]
        return dict(zip(left + right, right + left, strict=True))

    def matching(self) -> Mates:
        found = maximum_matching(self.pattern())
        rows = np.flatnonzero(found.col_of_row >= 0)
        return self.pairs(rows, found.col_of_row[rows])

    def cover(self, matching: Mapping[Node, Node]) -> set[Node]:
        """What alternating paths from unmatched nodes on the left reach on the right, and do not on the left.

        Rows and columns change places: columns are where paths begin.
        """
        graph = as_graph(self.pattern()).transposed()
        mates = self.partners(matching)
        try:
            check_matching(*graph.edges(), *mates)
        except CertificateError as error:
            raise NotImplementedError(f"matching is not one of the graph: {error}") from error
        right, left = alternating_reach(graph, *mates)
        return {
            *(self.left[i] for i in np.flatnonzero(~left).tolist()),
            *(self.right[j] for j in np.flatnonzero(right).tolist()),
        }

    def partners(self, matching: Mapping[Node, Node]) -> tuple[np.ndarray, np.ndarray]:
        """The left partner of each node on the right, and the right one of each on the left; -1 for none."""
        rows, cols = self.shape
        right_of_left = np.full(rows, -1, np.int64)
        left_of_right = np.full(cols, -1, np.int64)
        matched = [(i, node) for i, node in enumerate(self.left) if node in matching]
        try:
            others = Numbering(self.right).of_all([[matching[node] for _, node in matched]], len(matched))
        except KeyError as error:
            raise NotImplementedError(f"matching has no node of the other side: {error}") from error
        ends = np.array([i for i, _ in matched], np.int64)
        right_of_left[ends] = others
        left_of_right[others] = ends
        for j, node in enumerate(self.right):
            if node in matching:
                i = left_of_right[j]
                if i < 0 or self.left[i] != matching[node]:
                    raise NotImplementedError(f"matching has {node!r}, but not the same edge the other way")
        return left_of_right, right_of_left

    def violation(self, error: InfeasibleError) -> str:
        """Why no matching is full, with the names of nodes."""
        few = [self.left[row] for row in error.rows], [self.right[col] for col in error.cols]
        many, others = few if len(few[0]) > len(few[1]) else few[::-1]
        shown = ", ".join(map(repr, many[:8])) + (", ..." if len(many) > 8 else "")
        return (
            f"no full matching exists: {len(many)} nodes ({shown}) have {len(others)} neighbours between them"
        )


def _sides(G: Any, near: Mapping[Node, Neighbours], top_nodes: Any) -> tuple[list[Node], list[Node]]:
    """The nodes on the left and on the right, in an order that is the same in every process."""
    if top_nodes is not None:
        top: Any = dict.fromkeys(top_nodes)
        return list(top), [node for node in near if node not in top]
    found = None if G.is_directed() else _two_colours(near)
    top, _ = found or nx.bipartite.sets(G)  # which raises where there is no answer
    return [node for node in near if node in top], [node for node in near if node not in top]


def _two_colours(near: Mapping[Node, Neighbours]) -> tuple[set[Node], set[Node]] | None:
    """The sides of a connected bipartite graph, the first node's first; None for any other graph.

    The sides are the even and the odd layers of a breadth-first search: a layer's neighbours are in the one
    before, in the one after and, if the graph is not bipartite, in the layer itself.
    """
    if len(near) < 2:
        return None
    sides: tuple[set[Node], set[Node]] = set(), set()
    before: set[Node] = set()
    layer = {next(iter(near))}
    while layer:
        sides[0].update(layer)
        after = set().union(*map(near.__getitem__, layer))
        if not after.isdisjoint(layer):
            return None
        after -= before
        before, layer = layer, after
        sides = sides[1], sides[0]
    if len(sides[0]) + len(sides[1]) < len(near):
        return None
    return sides if next(iter(near)) in sides[0] else sides[::-1]
