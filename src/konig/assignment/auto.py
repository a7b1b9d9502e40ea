"""What ``method="auto"`` does with costs: from a small profile to a plan.

A plan names the method, its stages and their limits. Native code may skip or add a stage by what it finds in
the costs (ties, ranges of rows); the limits that it compares with come from here. Stages on a CPU, in the
order in which they run, each where those before it have not solved the problem:

- ``common``: where nearly all entries cost the same, the entries below that as a sparse problem;
- ``reduce``: column reduction, transfer, augmenting row reduction;
- ``core``: a sparse core, solved and priced;
- ``auction``: after ``reduce`` only where that leaves many rows free;
- ``search``: shortest augmenting paths, for all rows that are left.

Stages after ``core`` run only if the core is given up; they start from scratch.

What a method decides by what it finds while it runs (how long to search on entries that tie, when to search
from both ends) stays with the method.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from konig import _native
from konig.assignment.methods import ADAPTIVE, CREW_PATHS
from konig.registry import Method, find, named_methods, parse_device

# Rows (columns, if they are fewer) from which a sparse core is tried. Below it, reading all costs again and
# again is cheaper than choosing some of them.
CORE_ROWS = 600
# Entries up to which reductions are tried before a core. On tracks, features and planted assignments they
# leave hardly a row: 2.2 to 4 x as fast as a core at 650 to 1,000 rows, 1.1 to 1.5 x at 1,200. Uniform costs
# pay 1.1 x for the attempt, integers of a small range up to 1.4 x. Above it no family gains (0.8 to 1.1 x at
# 2,000 to 3,000 rows).
REDUCE_ENTRIES = 3 << 19
# Squares of up to SCALED_ENTRIES are reduced first, too, if the ranges of sampled rows differ by SCALES (one
# quartile against another): the duals of a core would be too inexact beside small costs, and the answer would
# have to be repaired. At n = 1,400 and 2,500 uniform costs with rows of very different scales
# gain 20 and 6 x, integers 10 and 4 x, Mahalanobis distances of tracks that are known very differently well
# 27 and 5 x; distances with weights from 1 to 10,000 lose 1.2 x.
SCALED_ENTRIES, SCALES = 1 << 24, 32
# Rows from which it is worth to price a core many times; with fewer the whole matrix is soon solved.
PATIENT_ROWS = 1500
# Entries up to which a solve is one thread's, in one native call at the top of linear_assignment: a thread
# reads a million in 0.1 ms, and takes about as long to start. For more, `core` uses all idle cores, and what
# Python does around the solve does not show.
SERIAL_ENTRIES = 1 << 20
# Entries of a batch for each thread; each is read several times before all rows are assigned.
BATCH_ENTRIES_PER_THREAD = 1 << 13


@dataclass(frozen=True, slots=True)
class Limits:
    """What the stages are told."""

    auction_rows: int = 32  # fewer rows are sooner assigned by paths
    auction_share: int = 2  # auction if at least 1/auction_share of the rows are free after reductions
    few_share: int = 36  # no core if reductions leave at most 1/few_share of the rows free
    pricing_rounds: int = 40
    added: int = 16  # entries that a row gets in one round of pricing, at most
    scale_ratio: int = 0  # ratio of rows' ranges above which reductions run first; 0: not tested


IMPATIENT = replace(Limits(), pricing_rounds=10)


@dataclass(frozen=True, slots=True)
class Profile:
    """What decides: the shape, whether costs are sparse or a batch, and where they are solved."""

    rows: int
    cols: int
    sparse: bool = False
    batch: bool = False
    place: str = "cpu"  # or "cuda"


@dataclass(frozen=True, slots=True)
class Plan:
    """A method, its stages, and what they are told; ``parallel`` if several threads are worth it."""

    method: Method
    stages: tuple[str, ...] = ()
    limits: Limits = Limits()
    parallel: bool = False


def choose(profile: Profile) -> Plan:
    """What ``auto`` does with costs of this profile."""
    if profile.place == "cuda":
        return Plan(CREW_PATHS if profile.batch else find("core-paths", "assignment"))
    if profile.sparse:
        return plan_of(find("jv", "assignment"), profile.rows, profile.cols)
    small = min(profile.rows, profile.cols) < CORE_ROWS
    return plan_of(ADAPTIVE if small else find("core", "assignment"), profile.rows, profile.cols)


def choose_assignment(
    name: str,
    device: str = "cpu",
    input_on: int | None = None,
    shape: tuple[int, ...] = (),
    sparse: bool = False,
) -> Method:
    """The assignment method that runs: the one asked for, or what ``auto`` takes for costs of this shape.

    ``input_on`` is the number of the GPU that holds the input.
    """
    kind = parse_device(device)[0]
    if sparse and kind == "cuda":
        raise ValueError(
            f"device={device!r}: sparse costs are solved on the CPU, wherever they are; pass device='auto' "
            "or 'cpu', or dense costs with inf for forbidden pairs"
        )
    if name == "auto":
        on_gpu = kind == "cuda" or (kind == "auto" and input_on is not None)
        rows, cols = shape[-2:] if len(shape) > 1 else (0, 0)
        return choose(Profile(rows, cols, sparse, len(shape) == 3, "cuda" if on_gpu else "cpu")).method
    method = find(name, "assignment")
    if method is CREW_PATHS and len(shape) != 3:
        raise ValueError(f"method={name!r} takes batches only, arrays of shape (B, rows, columns)")
    if sparse and "sparse" not in method.reads:
        fitting = ", ".join(m.name for m in named_methods("assignment") if "sparse" in m.reads)
        raise ValueError(f"method={name!r} does not take sparse costs; these do: {fitting}")
    return method


def plan_of(method: Method, rows: int, cols: int) -> Plan:
    """What a method of the CPU does with costs of this shape."""
    if method is ADAPTIVE:
        return Plan(method, ("common", "reduce", "auction", "search"))
    if method.solver == "auction":
        return Plan(method, ("auction", "search"))
    if method.solver != "core":
        return Plan(method, ("reduce", "search"))
    before = ("common", "reduce") if rows * cols <= REDUCE_ENTRIES else ("common",)
    parallel = rows * cols > SERIAL_ENTRIES
    asks_scales = rows == cols and REDUCE_ENTRIES < rows * cols <= SCALED_ENTRIES
    limits = replace(
        IMPATIENT if min(rows, cols) < PATIENT_ROWS else Limits(), scale_ratio=SCALES if asks_scales else 0
    )
    if min(rows, cols) < PATIENT_ROWS:
        return Plan(method, (*before, "core", "reduce", "auction", "search"), limits, parallel)
    # Where a core of many rows is given up, most rows want the same columns: an auction sees to that.
    return Plan(method, (*before, "core", "auction", "search"), limits, parallel)


@cache
def _native_plan(stages: tuple[str, ...], limits: Limits) -> _native.DensePlan:
    core = stages.index("core") if "core" in stages else 0
    held = "if_many_are_free" if "reduce" in stages[core:] else "always"
    return _native.DensePlan(
        common_cost="common" in stages,
        core="core" in stages,
        reduces="reduce" in stages[:core],
        auction=held if "auction" in stages else "never",
        auction_rows=limits.auction_rows,
        auction_share=limits.auction_share,
        few_share=limits.few_share,
        pricing_rounds=limits.pricing_rounds,
        added=limits.added,
        scale_ratio=limits.scale_ratio,
    )


def native_plan(plan: Plan) -> _native.DensePlan:
    """The plan as the solver of dense costs takes it."""
    return _native_plan(plan.stages, plan.limits)


@lru_cache(maxsize=1 << 12)  # a call on a few rows takes less time than a plan
def host_plan(rows: int, cols: int) -> _native.DensePlan:
    """What ``auto`` does with dense costs of this shape on the host."""
    return native_plan(choose(Profile(rows, cols)))
