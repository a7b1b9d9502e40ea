"""What ``method="auto"`` does with costs: from their shape, form and device to a method and its stages.

Native code may skip or add a stage by what it finds in the costs (ties, ranges of rows); the limits that it
compares with come from here. Stages on a CPU, each where those before it have not solved the problem:

1. where nearly all entries cost the same, the entries below that as a sparse problem;
2. reductions of columns or rows, and paths as long as they are short;
3. a sparse core, solved and priced;
4. the whole matrix: reductions, an auction, and shortest augmenting paths for all rows that are left.

Small costs have no core, and go from 1 to 4.

What a method decides by what it finds while it runs (when to hold an auction) stays with the method.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from konig import _native
from konig.assignment.methods import ADAPTIVE, CREW_PATHS
from konig.registry import Method, device_for_auto, find, named_methods, parse_device

# Rows (columns, if they are fewer) from which a sparse core is tried. With fewer rows reading all costs again
# and again is cheaper than choosing some of them: at 1,050 to 1,250 rows pictures, remainders and preferences
# gain 1.2 to 2.6 x by that, and uniform costs lose 1.3 x.
CORE_ROWS = 1300
# Entries up to which squares are reduced before a core; rectangles always are. The core begins where minima
# of columns leave many rows free, which one read tells, or where paths promise to be long. At n = 1,300 ties,
# heavy tails, hidden and dear diagonals gain 1.5 to 8 x, rows of 4 and 7 decades 1.4 and 5 x, and at
# n = 1,400 padded rows 100 x. With more entries all threads should choose the core at once.
REDUCE_ENTRIES = 1 << 24
# Columns for each row up to which a rectangle may be padded to a square, which then takes at most twice the
# memory of the rectangle; Stages.padded_cols has the gains.
PADDED_COLS = 2
# Entries up to which one thread solves: it reads a million in 0.1 ms, and another takes about as long to
# start. For more, the method `core` uses all idle CPUs.
SERIAL_ENTRIES = 1 << 20
# Entries up to which one native call at the top of linear_assignment does everything, if fewer than CORE_ROWS
# rows or columns have them. For more, what Python does around the solve does not show.
SMALL_ENTRIES = SERIAL_ENTRIES
# Coordinates of all pairs of points up to which one thread computes their costs, in 2 ms or less.
SMALL_POINT_TERMS = 1 << 22
# Trees are for so many points of the smaller set and more, in one, two, three and four dimensions. Else all
# costs are computed once, and solved as a matrix. As the mean of eight families the matrix gains 1.6 x at
# 1,000 points in the plane, nothing at 1,300 in space and 2 x at 1,300 in four dimensions, and loses 2 x at
# 2,000, 1.4 x at 1,600 and 1.2 x at 2,500; points that have moved a little like it better at any size. In
# five dimensions it gains 1.7 x at 3,000 points, in 8 to 64 2.5 to 4.5 x.
TREE_POINTS = (CORE_ROWS, CORE_ROWS, 1600, 2500)
# As many points on a line as others are sorted from so many on. With 130 of them that gains up to 6 x, and
# loses up to 1.1 x where each point is near its own; with 30 it loses 1.5 x.
SORTED_POINTS = 160
# Costs of such a matrix, 256 MB, at most: more points are solved in memory that is linear in them.
POINT_MATRIX_ENTRIES = 1 << 25
# Entries of a batch for each thread; each is read several times before all rows are assigned.
BATCH_ENTRIES_PER_THREAD = 1 << 13


class Stages(NamedTuple):
    """Which stages dense costs go through on a CPU, and their limits."""

    common_cost: bool = False
    # A square that pads a smaller problem with what it costs to leave rows and columns alone is solved as
    # that: from 100 rows on trackers' gates and persistence diagrams gain 2.5 to 13 x, diagrams of 32 to 62
    # rows 0.9 to 2.8 x, and 1.3 x as a mean.
    extended: bool = False
    core: bool = False
    reduce_before_core: bool = False
    auction: str = "never"  # or "if_paths_are_long", or "always": Auction in task.h
    # Auction if the first paths promise to scan more than so many rows for each row; later ones are much
    # longer, and an auction takes 25 to 45. At 100 to 600 rows products, offsets with noise, low ranks and
    # |x - y|**2 gain 1.5 to 5 x; with 6 remainders, padded rows and moved points lose 1.5 to 8 x, with 20
    # half gain nothing. Of 2,000 draws real sums with noise, low ranks and clusters lose up to 3.3 x with 12,
    # and slots up to 2.5 x with 10; the mean of all is 1.002 to 1.003 times as fast with 10.
    path_scans: int = 10
    # A rectangle with at most so many columns for each row gets its auction as the square that it is padded
    # to. It does where paths promise to scan more than twice `path_scans` times the square of that ratio.
    # Sums with noise, products, low ranks, shared preferences, units of columns and clustered points gain 1.3
    # to 20 x at up to 1.5 columns a row. Without the factor of two distances and prices together take up to
    # 2.5 x as long.
    padded_cols: int = 0
    # Before a core, paths may scan so many rows for each row. With 4 uniform costs pay up to 4 x.
    easy_scans: int = 1
    pricing_rounds: int = 0
    added: int = 16  # entries that a row gets in one round of pricing, at most


def choose(rows: int, cols: int, *, sparse: bool = False, batch: bool = False, device: str = "cpu") -> Method:
    """What ``auto`` does with costs of this shape."""
    if device == "cuda":
        return CREW_PATHS if batch else find("core-paths", "assignment")
    if sparse:
        return find("jv", "assignment")
    return ADAPTIVE if min(rows, cols) < CORE_ROWS else find("core", "assignment")


def choose_assignment(
    name: str, device: str, input_on: int | None, shape: tuple[int, ...], sparse: bool
) -> Method:
    """The assignment method that runs: the one asked for, or what ``auto`` takes for costs of this shape.

    ``input_on`` is the number of the GPU that holds the input.
    """
    if sparse and parse_device(device)[0] == "cuda":
        raise ValueError(
            f"device={device!r}: sparse costs are solved on the CPU, wherever they are; pass device='auto' "
            "or 'cpu', or dense costs with inf for forbidden pairs"
        )
    if name == "auto":
        rows, cols = shape[-2:] if len(shape) > 1 else (0, 0)
        where = device_for_auto(device, input_on)
        return choose(rows, cols, sparse=sparse, batch=len(shape) == 3, device=where)
    method = find(name, "assignment")
    if method is CREW_PATHS and len(shape) != 3:
        raise ValueError(f"method={name!r} takes batches only, arrays of shape (B, rows, columns)")
    if sparse and "sparse" not in method.reads:
        fitting = ", ".join(m.name for m in named_methods("assignment") if "sparse" in m.reads)
        raise ValueError(f"method={name!r} does not take sparse costs; these do: {fitting}")
    return method


def solves_points_as_matrix(rows: int, cols: int, dimension: int) -> bool:
    """Whether all costs between so many points are computed, and solved as a matrix."""
    is_sorted = dimension == 1 and rows == cols >= SORTED_POINTS
    gains = dimension > len(TREE_POINTS) or min(rows, cols) < TREE_POINTS[dimension - 1]
    return gains and not is_sorted and rows * cols <= POINT_MATRIX_ENTRIES


def stages_for_shape(method: Method, rows: int, cols: int) -> Stages:
    """What a method of the CPU does with dense costs of this shape."""
    if method is ADAPTIVE:
        return Stages(common_cost=True, extended=True, auction="if_paths_are_long", padded_cols=PADDED_COLS)
    if method.solver == "auction":
        return Stages(auction="always", padded_cols=PADDED_COLS)
    if method.solver != "core":
        return Stages()
    return Stages(
        common_cost=True,
        extended=True,
        core=True,
        reduce_before_core=rows != cols or rows * cols <= REDUCE_ENTRIES,
        # Where a core of a square is given up, most rows want the same columns: an auction sees to that.
        auction="always" if rows == cols else "if_paths_are_long",
        padded_cols=PADDED_COLS,
        pricing_rounds=40,
    )


@cache
def native_plan(stages: Stages) -> _native.DensePlan:
    """The stages as the solver of dense costs takes them."""
    return _native.DensePlan(**stages._asdict())


# What ``auto`` does with small dense costs on the host: those with at least CORE_ROWS rows have another plan.
SMALL_ROWS = CORE_ROWS - 1
SMALL_PLAN = native_plan(stages_for_shape(ADAPTIVE, SMALL_ROWS, SMALL_ROWS))
