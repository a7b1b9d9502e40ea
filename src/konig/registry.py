"""Every method: its name, the problem, where it runs, the paper it comes from and its knobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KAYA = "Kaya, Langguth, Manne, Uçar: Push-relabel based algorithms for the maximum transversal problem (2013)"
DEVECI = "Deveci, Kaya, Uçar, Çatalyürek: GPU accelerated maximum cardinality matching algorithms (2013)"
HOPCROFT = "Hopcroft, Karp: An n^{5/2} algorithm for maximum matchings in bipartite graphs (1973)"
DUFF_WIBERG = "Duff, Wiberg: Remarks on implementation of O(n^{1/2} τ) assignment algorithms (1988)"
DUFF = "Duff, Kaya, Uçar: Design, implementation, and analysis of maximum transversal algorithms (2011)"
POTHEN_FAN = "Pothen, Fan: Computing the block triangular form of a sparse matrix (1990)"
CHANDRAN = "Chandran, Hochbaum: Practical and theoretical improvements for bipartite matching (2011)"
KONIG = "konig"


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
        accepted = {bool: bool, int: int, float: (int, float), str: str}[kind]
        if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
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


STARTS = {
    # the native solver of each start, and what it reads
    "none": ("", ()),
    "sgm": ("simple_greedy", ("cols",)),
    "ksm": ("karp_sipser", ("rows", "cols")),
}

_GAP = Knob("gap", False, "retire every row above an empty label at once")
_ORDER = Knob("order", "fifo", "which active column is pushed next", ("fifo", "lifo", "lowest"))
_FAIRNESS = Knob(
    "fairness", "column", "what turns the direction of a scan around", ("column", "visit", "relabel")
)
_BUCKET = Knob("bucket", "lifo", "which active vertex of a label is served next", ("lifo", "fifo"))
_LOOKAHEAD = Knob("lookahead", True, "look for an unmatched row before going deeper")


def _relabel(frequency: float) -> Knob:
    return Knob(
        "relabel", frequency, "relabelling frequency RF: a BFS every (m+n)/RF counted pushes", (), 1e-6
    )


def _matching(name: str, solver: str, summary: str, paper: str, *options: Knob, **rest: Any) -> Method:
    return Method(name, "matching", ("cpu",), paper, summary, options, solver, **rest)


def _pseudoflow(name: str, label: str, bucket: str, summary: str) -> Method:
    return _matching(
        name,
        "pseudoflow",
        summary,
        f"{KAYA}; {CHANDRAN}",
        _init("sgm"),
        variant={"label": label, "bucket": bucket},
        reads=("cols",),
    )


def _free_arcs(name: str, label: str, summary: str) -> Method:
    return _matching(
        name,
        "pseudoflow_free_arcs",
        summary,
        f"{KAYA}; {CHANDRAN}",
        _init("sgm"),
        _BUCKET,
        variant={"label": label},
        reads=("cols",),
    )


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
        variant={"extra_row_searches": True},
    ),
    _pseudoflow("hi-wave", "highest", "lifo", "pseudoflow trees, highest label first, stacks"),
    _pseudoflow("hi-fifo", "highest", "fifo", "pseudoflow trees, highest label first, queues"),
    _pseudoflow("lo-lifo", "lowest", "lifo", "pseudoflow trees, lowest label first, stacks"),
    _pseudoflow("lo-fifo", "lowest", "fifo", "pseudoflow trees, lowest label first, queues"),
    _free_arcs("lo-free", "lowest", "pseudoflow with free arcs, lowest label first"),
    _free_arcs("hi-free", "highest", "pseudoflow with free arcs, highest label first"),
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


def choose_matching(name: str, device: str) -> Method:
    """The method that runs: the one asked for, or the choice of ``auto``."""
    if device not in ("auto", "cpu"):
        raise ValueError(f"device={device!r}: expected 'auto' or 'cpu'")
    return find("hk" if name == "auto" else name, "matching")
