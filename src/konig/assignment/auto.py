"""What ``method="auto"`` runs on costs of a shape, of a range, in a place."""

from __future__ import annotations

from konig.assignment.methods import ADAPTIVE, CREW_PATHS
from konig.registry import Method, find, named_methods, parse_device

# `auto` on dense costs: below this many rows (or columns, if they are fewer) reading all costs again and
# again is cheaper than choosing some of them.
SMALL = 600

# Up to so many costs are solved by one thread, in one native call at the top of linear_assignment. For more,
# `core` uses all idle cores, and what Python does around the solve does not show.
FEW_COSTS = 1 << 20

# `auto` on a GPU: integers are tied if their range is at most so many times the longer side. On an H200
# matchings on equal costs win at a tenth of it (3.9 ms against 5.3 at n = 10,000) and lose at all of it (16
# against 10).
TIED = 0.25


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
        if kind == "cuda" or (kind == "auto" and input_on is not None):
            return CREW_PATHS if len(shape) == 3 else find("core-paths", "assignment")
        if sparse:
            return find("jv", "assignment")
        return ADAPTIVE if min(shape[-2:], default=0) < SMALL else find("core", "assignment")
    method = find(name, "assignment")
    if method is CREW_PATHS and len(shape) != 3:
        raise ValueError(f"method={name!r} takes batches only, arrays of shape (B, rows, columns)")
    if sparse and "sparse" not in method.reads:
        fitting = ", ".join(m.name for m in named_methods("assignment") if "sparse" in m.reads)
        raise ValueError(f"method={name!r} does not take sparse costs; these do: {fitting}")
    return method


def choose_assignment_by_range(least: float, greatest: float, integral: bool, longest: int) -> Method:
    """What ``auto`` runs on one problem on a GPU, once the range of its costs is known.

    Where integers have few more values than there are columns, most of the work is a matching on equal
    costs.
    """
    tied = integral and greatest - least <= TIED * longest
    return find("hungarian-classical" if tied else "core-paths", "assignment")
