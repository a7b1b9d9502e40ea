"""Graphs whose vertices have names: of NetworkX, of igraph, or a table of edges; and answers by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from konig.arguments import checked_flag, did_you_mean, with_hints

__all__ = ["NamedGraph", "from_frame", "from_igraph", "from_networkx"]

Name = Hashable
Array = np.ndarray[Any, Any]
# The edges of a graph: names of both ends, and a value of each or None.
Edges = tuple[list[Name], list[Name], list[Any] | Array | None]


@dataclass(frozen=True, eq=False)
class NamedGraph:
    """A matrix for konig's functions, and the names of its rows and columns.

    `from_networkx`, `from_igraph` and `from_frame` make it. Pass ``graph.matrix`` to `maximum_matching`,
    `linear_assignment` or `maximum_flow`, and the answer to `pairs`, `flows` or `source_side`.

    Attributes
    ----------
    matrix : csr_array
        A row for each row name, a column for each column name, an entry for each edge; values of parallel
        edges add up, where no value was asked for as ones.
    row_names, col_names : tuple
        The names by number. Of a graph that is not bipartite, both are those of all vertices.
    directed : bool
        Whether an entry is an arc from the row to the column. If not, each edge is there once: pass
        `konig.maximum_flow` ``undirected=True``.

    Examples
    --------
    >>> import konig
    >>> roads = {"from": ["s", "s", "a", "b"], "to": ["a", "b", "t", "t"], "cars": [3, 2, 2, 4]}
    >>> graph = konig.from_frame(roads, "from", "to", "cars")
    >>> flow = konig.maximum_flow(graph.matrix, graph.row("s"), graph.row("t"))
    >>> flow.value, graph.flows(flow)
    (4, {('s', 'a'): 2, ('s', 'b'): 2, ('a', 't'): 2, ('b', 't'): 2})
    >>> graph.source_side(flow)
    ['s', 'a']
    """

    matrix: csr_array
    row_names: tuple[Name, ...]
    col_names: tuple[Name, ...]
    directed: bool = True

    def __repr__(self) -> str:
        rows, cols = self.matrix.shape
        return f"NamedGraph({rows} x {cols}, {self.matrix.nnz} entries, directed={self.directed})"

    def row(self, name: Name) -> int:
        """The number of the row, which in a network is that of the vertex."""
        return _number(self.row_names, name, "row")

    def col(self, name: Name) -> int:
        """The number of the column."""
        return _number(self.col_names, name, "column")

    def pairs(self, answer: Any) -> dict[Name, Name]:
        """The column name of each matched or assigned row name.

        Parameters
        ----------
        answer : Matching, Assignment or another answer with ``row_ind`` and ``col_ind``
            To ``graph.matrix``.

        Examples
        --------
        >>> import konig
        >>> skills = {"who": ["ann", "ann", "bob"], "what": ["cook", "drive", "cook"]}
        >>> graph = konig.from_frame(skills, "who", "what", bipartite=True)
        >>> graph.pairs(konig.maximum_matching(graph.matrix))
        {'ann': 'drive', 'bob': 'cook'}
        """
        if hasattr(answer, "col_of_row"):
            mates = np.asarray(answer.on_host().col_of_row)
            rows = np.flatnonzero(mates >= 0)
            cols = mates[rows]
        elif hasattr(answer, "row_ind"):
            rows, cols = answer.row_ind, answer.col_ind
        else:
            raise TypeError(f"answer must be a matching or an assignment, not {type(answer).__name__}")
        chosen = zip(rows.tolist(), cols.tolist(), strict=True)
        return {self.row_names[i]: self.col_names[j] for i, j in chosen}

    def flows(self, flow: Any) -> dict[tuple[Name, Name], int | float]:
        """What flows from which vertex to which, where something flows."""
        self._require_one_set_of_vertices()
        entries = coo_array(_of_matrix(flow).flow)
        found: dict[tuple[Name, Name], int | float] = {}
        for i, j, amount in zip(
            entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True
        ):
            if amount:  # against the direction of an undirected edge it is negative
                ends = (i, j) if amount > 0 else (j, i)
                names = self.row_names[ends[0]], self.row_names[ends[1]]
                found[names] = found.get(names, 0) + abs(amount)  # of both entries of an undirected pair
        return found

    def source_side(self, flow: Any) -> list[Name]:
        """The vertices on the source side of the minimum cut."""
        self._require_one_set_of_vertices()
        return [self.row_names[v] for v in np.flatnonzero(_of_matrix(flow).cut).tolist()]

    def _require_one_set_of_vertices(self) -> None:
        if self.row_names != self.col_names:
            raise ValueError(
                "rows and columns are two sets of vertices: a flow needs a graph read as one set"
            )


@with_hints
def from_networkx(
    graph: Any, value: str | None = None, *, rows: str | Iterable[Name] | None = None, missing: Any = None
) -> NamedGraph:
    """Read a graph of NetworkX.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        Nodes of any names.
    value : str, optional
        The edge attribute that is the capacity, weight or cost.
    rows : iterable of nodes, or str, optional
        Of a bipartite graph: the nodes of one side, or the node attribute that is 0 there ("bipartite" by
        NetworkX's convention). All others are columns. Without it every node is a row and a column.
    missing : number, optional
        The value of edges without that attribute, for instance ``inf`` for capacities as NetworkX has it.
        By default they are an error.

    Returns
    -------
    NamedGraph

    Examples
    --------
    >>> import konig, networkx as nx
    >>> G = nx.Graph([("ann", "cook"), ("ann", "drive"), ("bob", "cook")])
    >>> graph = konig.from_networkx(G, rows=["ann", "bob"])
    >>> graph.pairs(konig.maximum_matching(graph.matrix))
    {'ann': 'drive', 'bob': 'cook'}
    """
    if not (hasattr(graph, "is_multigraph") and hasattr(graph, "nodes")):
        raise TypeError(f"graph must be a graph of NetworkX, not {type(graph).__name__}")
    triples = list(graph.edges(data=value) if value is not None else graph.edges(data=False))
    tails, heads = [edge[0] for edge in triples], [edge[1] for edge in triples]
    values = None if value is None else [edge[2] for edge in triples]
    edges = tails, heads, _completed(values, value, missing, tails, heads)

    def side(name: str) -> Mapping[Name, Any]:
        return dict(graph.nodes(data=name))

    return _graph(tuple(graph.nodes), edges, value, graph.is_directed(), rows, side)


@with_hints
def from_igraph(
    graph: Any, value: str | None = None, *, rows: str | Iterable[Name] | None = None, missing: Any = None
) -> NamedGraph:
    """Read a graph of igraph.

    Parameters
    ----------
    graph : igraph.Graph
        Vertices are called by their attribute "name"; without it by their number.
    value, missing
        As for `from_networkx`.
    rows : iterable of names, or str, optional
        Of a bipartite graph: the vertices of one side, or the vertex attribute that is False there ("type"
        by igraph's convention).

    Returns
    -------
    NamedGraph

    Examples
    --------
    >>> import konig, igraph  # doctest: +SKIP
    >>> arcs = [("s", "a", 3), ("a", "t", 2)]
    >>> g = igraph.Graph.TupleList(arcs, directed=True, edge_attrs=["capacity"])  # doctest: +SKIP
    >>> graph = konig.from_igraph(g, "capacity")  # doctest: +SKIP
    >>> konig.maximum_flow(graph.matrix, graph.row("s"), graph.row("t")).value  # doctest: +SKIP
    2
    """
    if not (hasattr(graph, "vs") and hasattr(graph, "es")):
        raise TypeError(f"graph must be a graph of igraph, not {type(graph).__name__}")
    count = graph.vcount()
    names = tuple(graph.vs["name"] if "name" in graph.vs.attributes() else range(count))
    seen: set[Name] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"graph: two vertices have the name {name!r}")
        seen.add(name)
    ends = graph.get_edgelist()
    tails, heads = [names[u] for u, _ in ends], [names[v] for _, v in ends]
    has_value = value is not None and value in graph.es.attributes()
    values = None if value is None else list(graph.es[value] if has_value else [None] * len(ends))
    edges = tails, heads, _completed(values, value, missing, tails, heads)

    def side(name: str) -> Mapping[Name, Any]:
        found = graph.vs[name] if name in graph.vs.attributes() else [None] * count
        return dict(zip(names, found, strict=True))

    return _graph(names, edges, value, graph.is_directed(), rows, side)


@with_hints
def from_frame(
    frame: Any, source: str, target: str, value: str | None = None, *, bipartite: bool = False
) -> NamedGraph:
    """Read a table with a row for each edge.

    Parameters
    ----------
    frame : table
        What gives a column for its name: a frame of pandas or polars, a table of Arrow, a structured array
        or a dict of lists.
    source, target : str
        The columns with the names of both ends.
    value : str, optional
        The column with the capacity, weight or cost.
    bipartite : bool
        Whether the two columns name different things, rows and columns. If not, a name is the same vertex in
        both, and edges are arcs from source to target.

    Returns
    -------
    NamedGraph
        Names in order of their first edge.

    Examples
    --------
    >>> import konig
    >>> costs = {"who": ["ann", "ann", "bob"], "what": ["cook", "drive", "cook"], "euro": [3.5, 7.0, 2.0]}
    >>> graph = konig.from_frame(costs, "who", "what", "euro", bipartite=True)
    >>> a = konig.linear_assignment(graph.matrix)
    >>> a.cost, graph.pairs(a)
    (9.0, {'ann': 'drive', 'bob': 'cook'})
    """
    bipartite = checked_flag("bipartite", bipartite)
    ends = {"source": source, "target": target}
    tails, heads = (_names(_column(frame, column, role), column) for role, column in ends.items())
    if len(tails) != len(heads):
        raise ValueError(f"frame: column {source!r} has {len(tails)} rows and {target!r} has {len(heads)}")
    values = None if value is None else _column(frame, value, "value")
    if values is not None and len(values) != len(tails):
        raise ValueError(f"frame: column {source!r} has {len(tails)} rows and {value!r} has {len(values)}")
    if bipartite:
        row_names, col_names = tuple(dict.fromkeys(tails)), tuple(dict.fromkeys(heads))
    else:
        row_names = col_names = tuple(
            dict.fromkeys(end for pair in zip(tails, heads, strict=True) for end in pair)
        )
    return _assembled(row_names, col_names, (tails, heads, values), value, True)


def _graph(
    names: tuple[Name, ...],
    edges: Edges,
    value: str | None,
    directed: bool,
    rows: str | Iterable[Name] | None,
    side: Callable[[str], Mapping[Name, Any]],
) -> NamedGraph:
    """The matrix of a graph: all vertices on both sides, or the two sides of a bipartite one."""
    if rows is None:
        return _assembled(names, names, edges, value, directed)
    chosen = _side(rows, side) if isinstance(rows, str) else set(rows)
    unknown = chosen.difference(names)
    if unknown:
        raise ValueError(f"rows: {next(iter(unknown))!r} is not a vertex of the graph")
    tails, heads, values = list(edges[0]), list(edges[1]), edges[2]
    for k, (tail, head) in enumerate(zip(tails, heads, strict=True)):
        if (tail in chosen) == (head in chosen):
            which = "rows" if tail in chosen else "columns"
            raise ValueError(
                f"rows: the edge {(tail, head)!r} joins two {which}; every edge needs one of each"
            )
        if head in chosen:
            tails[k], heads[k] = head, tail
    row_names = tuple(name for name in names if name in chosen)
    col_names = tuple(name for name in names if name not in chosen)
    # An arc from a column to a row is the same entry as one from the row to the column.
    return _assembled(row_names, col_names, (tails, heads, values), value, directed=False)


def _side(attribute: str, side: Callable[[str], Mapping[Name, Any]]) -> set[Name]:
    of = side(attribute)
    for name, which in of.items():
        if which not in (0, 1):  # False and True, too
            raise ValueError(f"rows: the attribute {attribute!r} of vertex {name!r} is {which!r}, not 0 or 1")
    return {name for name, which in of.items() if which == 0}


def _assembled(
    row_names: tuple[Name, ...], col_names: tuple[Name, ...], edges: Edges, value: str | None, directed: bool
) -> NamedGraph:
    tails, heads, values = edges
    number_of_row = {name: i for i, name in enumerate(row_names)}
    number_of_col = {name: j for j, name in enumerate(col_names)}
    rows = np.fromiter((number_of_row[name] for name in tails), np.int64, len(tails))
    cols = np.fromiter((number_of_col[name] for name in heads), np.int64, len(heads))
    numbers = np.ones(len(tails), np.int64) if values is None else _numbers(values, value, tails, heads)
    if numbers.dtype.kind in "iu":
        numbers = _summable(numbers, rows, cols, edges, value)
    matrix = coo_array((numbers, (rows, cols)), shape=(len(row_names), len(col_names))).tocsr()
    return NamedGraph(csr_array(matrix), row_names, col_names, directed)


def _summable(numbers: Array, rows: Array, cols: Array, edges: Edges, value: str | None) -> Array:
    """Whole numbers in 64 bits, in which those of parallel edges add up; where they do not fit, an error.

    They have a sign, unless they came without one and need all bits.
    """
    signed = np.iinfo(np.int64)
    if float(np.abs(numbers.astype(np.float64)).sum()) < signed.max / 2:
        return numbers.astype(np.int64)
    ends = list(zip(rows.tolist(), cols.tolist(), strict=True))
    sums: dict[tuple[int, int], int] = {}
    for pair, number in zip(ends, numbers.tolist(), strict=True):
        sums[pair] = sums.get(pair, 0) + number
    if all(signed.min <= total <= signed.max for total in sums.values()):
        return numbers.astype(np.int64)
    bits = np.iinfo(np.uint64 if numbers.dtype == np.uint64 else np.int64)
    for k, pair in enumerate(ends):
        if not bits.min <= sums[pair] <= bits.max:
            edge = f"{edges[0][k]!r} to {edges[1][k]!r}"
            raise ValueError(
                f"{value!r} of the edges from {edge} adds up to {sums[pair]}, beyond 64 bits"
                + (" with a sign" if bits.min else "")
            )
    return numbers


def _numbers(values: Any, value: str | None, tails: list[Name], heads: list[Name]) -> Array:
    """The values as an array of numbers; the first that is none is named with its edge.

    Integers beyond 64 bits, or beside reals, are solved in float64; one that has no float64 is refused.
    """
    found = _in_one_dimension(values)
    if found.size == 0:
        return np.zeros(0, np.int64)
    if found.dtype.kind in "biu":
        return found.astype(np.int64) if found.dtype.kind == "b" else found
    if found.dtype.kind != "f" or np.isnan(found).any():
        for k, number in enumerate(found.tolist()):
            if isinstance(number, bool | int | float) and number == number:
                continue
            edge = f"{tails[k]!r} to {heads[k]!r}"
            raise ValueError(f"{value!r} of the edge from {edge} is {number!r}, not a number")
        values = found.tolist()
    if isinstance(values, list | tuple):
        wide = _first_inexact(values)
        if wide is not None:
            edge = f"{tails[wide]!r} to {heads[wide]!r}"
            raise ValueError(
                f"{value!r} of the edge from {edge} is {values[wide]}, which fits neither 64 bits with a "
                "sign nor, with all its digits, float64"
            )
    return found.astype(np.float64, copy=False)


def _in_one_dimension(values: Any) -> Array:
    """The values as an array, one each; lists among them are objects."""
    try:
        found: Array = np.asarray(values)
    except ValueError:  # lists of different lengths
        found = np.zeros((0, 0))
    return found if found.ndim == 1 else np.fromiter(values, object, len(values))


def _first_inexact(numbers: Sequence[Any]) -> int | None:
    """The first integer that float64 does not hold."""
    for k, number in enumerate(numbers):
        if isinstance(number, int) and not _is_float64(number):
            return k
    return None


def _is_float64(number: int) -> bool:
    try:
        return int(float(number)) == number
    except OverflowError:
        return False


def _completed(
    values: list[Any] | None, value: str | None, missing: Any, tails: list[Name], heads: list[Name]
) -> list[Any] | None:
    """The values of edges with `missing` where there is none; an error without it."""
    if values is None or None not in values:
        return values
    if missing is None:
        k = values.index(None)
        raise ValueError(
            f"the edge from {tails[k]!r} to {heads[k]!r} has no {value!r}; pass missing= for such edges"
        )
    return [missing if number is None else number for number in values]


def _columns(frame: Any) -> list[str] | None:
    """The names of a table's columns, as far as it tells them."""
    for attribute in ("column_names", "columns"):  # Arrow's ``columns`` are the columns themselves
        if hasattr(frame, attribute):
            return list(getattr(frame, attribute))
    if isinstance(frame, np.ndarray):
        return None if frame.dtype.names is None else list(frame.dtype.names)
    return list(frame) if isinstance(frame, Mapping) else None


def _column(frame: Any, name: str, role: str) -> Array:
    columns = _columns(frame)
    if columns is None:
        raise TypeError(
            "frame must be a frame of pandas or polars, a table of Arrow, a structured array or a dict of "
            f"columns, not {type(frame).__name__}"
        )
    if name not in columns:
        listed = ", ".join(map(repr, columns))
        hint = did_you_mean(str(name), map(str, columns))
        raise ValueError(f"{role}: the frame has no column {name!r}{hint or f'; its columns are {listed}'}")
    given = frame[name]
    column = np.asarray(given)
    if column.dtype.kind == "f" and isinstance(given, list | tuple):
        column = np.array(given, object)  # integers among them stay what they are
    if column.ndim != 1:
        raise ValueError(f"{role}: column {name!r} must have one dimension, not {column.ndim}")
    return column


def _names(column: Array, name: str) -> list[Name]:
    """The names in a column; the first that is missing is an error."""
    names: list[Name] = column.tolist()
    if column.dtype.kind not in "biuSU":
        for k, entry in enumerate(names):
            if _is_missing(entry):
                raise ValueError(f"frame: row {k} of column {name!r} has no name")
            if not isinstance(entry, Hashable):
                raise TypeError(f"frame: row {k} of column {name!r} is {entry!r}, and names must be hashable")
    return names


def _is_missing(entry: Any) -> bool:
    """None, NaN, or pandas' NA, which has no truth value."""
    try:
        return entry is None or bool(entry != entry)
    except TypeError:
        return True


def _number(names: Sequence[Name], name: Name, what: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        hint = (
            did_you_mean(name, (other for other in names if isinstance(other, str)))
            if isinstance(name, str)
            else ""
        )
        raise ValueError(f"no {what} has the name {name!r}{hint}") from None


def _of_matrix(flow: Any) -> Any:
    """The answer of `konig.maximum_flow`, on the host, if it is to a matrix."""
    if not hasattr(flow, "cut") or not hasattr(getattr(flow, "flow", None), "indptr"):
        raise TypeError("flow must be the answer of konig.maximum_flow to graph.matrix")
    return flow.on_host()
