"""Every method: its name, the problem, where it runs, the paper it comes from and its knobs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KAYA = "Kaya, Langguth, Manne, Uçar: Push-relabel based algorithms for the maximum transversal problem (2013)"
DEVECI = "Deveci, Kaya, Uçar, Çatalyürek: GPU accelerated maximum cardinality matching algorithms (2013)"
HOPCROFT = "Hopcroft, Karp: An n^{5/2} algorithm for maximum matchings in bipartite graphs (1973)"
DUFF_WIBERG = "Duff, Wiberg: Remarks on implementation of O(n^{1/2} τ) assignment algorithms (1988)"
DUFF = "Duff, Kaya, Uçar: Design, implementation, and analysis of maximum transversal algorithms (2011)"
MC21 = "Duff: On algorithms for obtaining a maximum transversal (1981)"
POTHEN_FAN = "Pothen, Fan: Computing the block triangular form of a sparse matrix (1990)"
CHANDRAN = "Chandran, Hochbaum: Practical and theoretical improvements for bipartite matching (2011)"
AZAD = "Azad, Buluç, Pothen: Computing maximum cardinality matchings via tree-grafting (2017)"


@dataclass(frozen=True)
class Knob:
    """A setting of a method.

    A knob with ``choices`` takes one of them; otherwise it takes a value of the default's type, and not less
    than ``minimum`` where one is given.
    """

    name: str
    default: bool | int | float | str
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None

    def checked(self, method: str, value: Any) -> bool | int | float | str:
        """The value in the knob's own type, or an error that names the knob."""
        kind = type(self.default)
        if self.choices:
            if value not in self.choices:
                raise ValueError(
                    f"{self.name}={value!r}: method {method!r} takes one of {', '.join(self.choices)}"
                )
            return str(value)
        fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
        if not fits or (isinstance(value, bool) and kind is not bool):
            raise TypeError(f"{self.name}={value!r}: method {method!r} takes a {kind.__name__}")
        if self.minimum is not None and not value >= self.minimum:
            raise ValueError(f"{self.name}={value!r}: method {method!r} takes at least {self.minimum:g}")
        return kind(value)


@dataclass(frozen=True)
class Method:
    """A solver under its own name.

    Attributes
    ----------
    name, problem, summary, paper : str
        What it is called, what it solves, what it does in a line and where it comes from.
    devices : tuple of str
        Where it runs.
    options : tuple of Knob
        Its knobs with their defaults, which are the paper's.
    """

    name: str
    problem: str
    devices: tuple[str, ...]
    paper: str
    summary: str
    options: tuple[Knob, ...] = ()
    # How the backend runs it: the native solver, the settings that make it this variant, and the
    # orientations of the graph that it reads.
    solver: str = field(default="", repr=False)
    variant: Mapping[str, bool | int | float | str] = field(default_factory=dict, repr=False)
    reads: tuple[str, ...] = field(default=("rows", "cols"), repr=False)

    def settings(self, given: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
        """Every knob's value; unknown knobs are an error that lists the valid ones."""
        known = {knob.name: knob for knob in self.options}
        for name in given:
            if name not in known:
                valid = ", ".join(known) or "none"
                raise TypeError(f"method {self.name!r} has no knob {name!r}; its knobs are: {valid}")
        return {
            knob.name: knob.checked(self.name, given[knob.name]) if knob.name in given else knob.default
            for knob in self.options
        }


def _init(default: str) -> Knob:
    return Knob("init", default, "the matching to start from", ("none", "sgm", "ksm"))


@dataclass(frozen=True)
class Start:
    """An initial matching: the native solver that makes it, its settings and what it reads."""

    solver: str
    settings: Mapping[str, int]
    reads: tuple[str, ...]


STARTS = {
    "none": Start("", {}, ()),
    "sgm": Start("simple_greedy", {}, ("cols",)),
    "ksm": Start("karp_sipser", {"patience": 0}, ("rows", "cols")),
}

_GAP = Knob("gap", False, "retire every row above an empty label at once")
_ORDER = Knob("order", "fifo", "which active column is pushed next", ("fifo", "lifo", "lowest"))
_FAIRNESS = Knob(
    "fairness", "column", "what turns the direction of a scan around", ("column", "visit", "relabel")
)
_LOOKAHEAD = Knob("lookahead", True, "look for an unmatched row before going deeper")


def _relabel(frequency: float) -> Knob:
    return Knob(
        "relabel", frequency, "relabelling frequency RF: a BFS every (m+n)/RF counted pushes", (), 1e-6
    )


def _matching(name: str, solver: str, summary: str, paper: str, *options: Knob, **rest: Any) -> Method:
    return Method(name, "matching", ("cpu",), paper, summary, options, solver, **rest)


def _pseudoflow(name: str, label: str, bucket: str, free_arcs: bool, summary: str) -> Method:
    variant = {"label": label, "bucket": bucket, "free_arcs": free_arcs}
    return _matching(name, "pseudoflow", summary, f"{KAYA}; {CHANDRAN}", _init("sgm"), variant=variant)


_MATCHING = (
    _matching(
        "hk",
        "hopcroft_karp",
        "phases of disjoint shortest augmenting paths",
        HOPCROFT,
        _init("sgm"),
        variant={"extra_row_searches": False},
        reads=("cols",),
    ),
    _matching(
        "hkdw",
        "hopcroft_karp",
        "hk with extra searches from unmatched rows after each phase",
        DUFF_WIBERG,
        _init("sgm"),
        _LOOKAHEAD,
        variant={"extra_row_searches": True},
    ),
    _matching(
        "pf",
        "pothen_fan",
        "phases of disjoint depth-first searches with lookahead",
        POTHEN_FAN,
        _init("ksm"),
        _LOOKAHEAD,
        variant={"fairness": False},
        reads=("cols",),
    ),
    _matching(
        "pfp",
        "pothen_fan",
        "pf with fairness: the scan direction alternates from phase to phase",
        DUFF,
        _init("ksm"),
        _LOOKAHEAD,
        variant={"fairness": True},
        reads=("cols",),
    ),
    _matching(
        "dfs",
        "depth_first",
        "one depth-first search with lookahead per unmatched column",
        MC21,
        _init("sgm"),
        _LOOKAHEAD,
        reads=("cols",),
    ),
    _matching(
        "bfs",
        "breadth_first",
        "one breadth-first search per unmatched column",
        DUFF,
        _init("sgm"),
        reads=("cols",),
    ),
    _matching(
        "ms-bfs-graft",
        "tree_grafting",
        "search from all unmatched columns at once; surviving trees take over the rows of finished ones",
        AZAD,
        _init("ksm"),
        Knob("local", False, "first search from small batches of columns, bounded in what they visit"),
    ),
)

_METHODS = {method.name: method for method in _MATCHING}
_ALIASES: dict[str, str] = {}


def methods(problem: str | None = None) -> tuple[Method, ...]:
    """Every method, or those of one problem.

    Examples
    --------
    >>> import konig
    >>> "hk" in [method.name for method in konig.methods("matching")]
    True
    """
    problems = sorted({method.problem for method in _METHODS.values()})
    if problem is not None and problem not in problems:
        raise ValueError(f"problem={problem!r}: expected one of {', '.join(problems)}")
    return tuple(m for m in _METHODS.values() if problem in (None, m.problem))


def find(name: Any, problem: str) -> Method:
    """The method of that name, or an error that lists the valid ones."""
    method = _METHODS.get(_ALIASES.get(name, name)) if isinstance(name, str) else None
    if method is None or method.problem != problem:
        valid = ", ".join(["auto", *(m.name for m in methods(problem))])
        raise ValueError(f"method={name!r} is not a {problem} method; expected one of {valid}")
    return method


def choose_matching(name: str, device: str) -> Method | None:
    """The method asked for; None leaves the choice to ``auto``."""
    if device not in ("auto", "cpu"):
        raise ValueError(f"device={device!r}: expected 'auto' or 'cpu'")
    return None if name == "auto" else find(name, "matching")


@dataclass(frozen=True)
class Survey:
    """What ``auto`` has seen of a matrix after a greedy start.

    ``levels`` and ``visited`` describe a few alternating searches: how many levels each took and how many
    rows it saw before it ran dry or met the ``limit``.
    """

    lists: int
    entries: int
    longest_list: int
    matchable: int
    matched: int
    limit: int
    levels: tuple[int, ...]
    visited: tuple[int, ...]

    @property
    def spreads_fast(self) -> bool:
        """Whether searches see exponentially many rows, as in a random graph, and not as in a mesh."""
        fast = sum(
            seen >= self.limit and depth < 1.25 * math.log2(seen + 1) + 1
            for depth, seen in zip(self.levels, self.visited, strict=True)
        )
        return 2 * fast >= len(self.levels)

    @property
    def has_hubs(self) -> bool:
        return self.longest_list * self.lists > 64 * self.entries


def wants_karp_sipser(seen: Survey) -> bool:
    """Whether ``auto`` throws the greedy start away for Karp-Sipser's.

    A greedy start is nearly free, and in meshes and around hubs what it misses is close by. In a graph that
    spreads fast without hubs every missed pair costs a search through much of the graph, while Karp-Sipser
    misses next to none.
    """
    missing = seen.matchable - seen.matched
    return missing > 0.01 * seen.matchable and seen.spreads_fast and not seen.has_hubs
