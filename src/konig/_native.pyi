"""Native solvers of konig; use the functions of the package instead."""

from collections.abc import Callable, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray
from typing_extensions import CapsuleType

def available_cores() -> int:
    """
    How many cores this process may use, by its affinity and by the quota of its control groups.
    """

def idle_cores() -> int:
    """How many of them no other thread uses."""

def unused_cores(available: int, root: str) -> int:
    """
    How many of so many cores no other thread uses; `root` is where /proc is.
    """

def cores_by_quota(root: str) -> int:
    """
    How many cores the quota of this process's control groups pays for; `root` is where /proc and /sys are.
    """

@overload
def solve(
    name: str,
    row_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def solve(
    name: str,
    row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def solve(
    name: str,
    row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_cols: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    Improve the matching in place with the named solver and return what it counted.
    """

@overload
def transpose(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None: ...
@overload
def transpose(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None: ...
@overload
def transpose(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None:
    """
    Fill the other orientation of compressed lists; out_start holds zeros on entry.
    """

@overload
def compress_pairs(
    major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None: ...
@overload
def compress_pairs(
    major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None: ...
@overload
def compress_pairs(
    major: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    minor: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    threads: int = 1,
) -> None:
    """Compress pairs into lists; out_start holds zeros on entry."""

@overload
def alternating_reach(
    col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def alternating_reach(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def alternating_reach(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Mark what alternating paths from unmatched columns reach."""

@overload
def strong_components(
    col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    component: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> int: ...
@overload
def strong_components(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    component: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> int: ...
@overload
def strong_components(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    component: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    Number the strong components of the matched square part in block upper triangular order.
    """

@overload
def alternating_forest(
    col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    roots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    block_of_row: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    block_of_col: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    col_before_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def alternating_forest(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    roots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    block_of_row: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    block_of_col: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    col_before_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def alternating_forest(
    col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    roots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    block_of_row: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    block_of_col: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    col_before_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    The column before each row on alternating paths from the roots that stay inside their block.
    """

@overload
def first_out_of_range(
    values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bound: int,
    threads: int = 1,
) -> int: ...
@overload
def first_out_of_range(
    values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bound: int,
    threads: int = 1,
) -> int:
    """The first position whose value is not in [0, bound), or -1."""

@overload
def fill(
    values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    value: int,
    threads: int,
) -> None: ...
@overload
def fill(
    values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    value: int,
    threads: int,
) -> None:
    """Set every value, by several threads."""

@overload
def first_decrease(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threads: int = 1,
) -> int: ...
@overload
def first_decrease(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threads: int = 1,
) -> int:
    """The first position at which the offsets decrease, or -1."""

@overload
def survey_costs(
    cost: Annotated[NDArray[numpy.int32], dict(order="C", device="cpu", writable=False)],
    maximize: bool,
    threads: int = 1,
) -> tuple: ...
@overload
def survey_costs(
    cost: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    maximize: bool,
    threads: int = 1,
) -> tuple: ...
@overload
def survey_costs(
    cost: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    maximize: bool,
    threads: int = 1,
) -> tuple: ...
@overload
def survey_costs(
    cost: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    maximize: bool,
    threads: int = 1,
) -> tuple:
    """
    The largest finite |cost|, the positions of the first NaN and of the first other bad cost (-1 for none), and whether some pair is forbidden.
    """

@overload
def assign_batch(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.int32], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcomes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> tuple: ...
@overload
def assign_batch(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcomes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> tuple: ...
@overload
def assign_batch(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcomes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> tuple: ...
@overload
def assign_batch(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcomes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> tuple:
    """
    Solve a batch of dense problems; the position of the first bad cost (-1 for none) and what was counted.
    """

@overload
def assign_dense(
    method: str,
    threads: int,
    cost: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    maximize: bool,
    largest: float,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    initial_row_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    initial_col_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_dense(
    method: str,
    threads: int,
    cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    maximize: bool,
    largest: float,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    initial_row_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    initial_col_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_dense(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    largest: float,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    initial_row_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    initial_col_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_dense(
    method: str,
    threads: int,
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    largest: float,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    initial_row_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    initial_col_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple:
    """
    Solve a dense assignment problem; the outcome, the cost and its gap or the violator, and what was counted.
    """

@overload
def prove_assignment(
    cost: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    threads: int,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> tuple: ...
@overload
def prove_assignment(
    cost: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    threads: int,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> tuple:
    """
    Row duals and the gap of an assignment of all rows, from its column duals; both as if the costs, negated to maximise, were minimised. An answer that this does not prove optimal is replaced by one. The gap, and how often a core was repaired exactly.
    """

def prove_assignment_by(
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    find_costs: Callable,
    find_lowest: Callable,
    find_pairs: Callable,
) -> tuple:
    """
    As prove_assignment, of costs that the callables read: find_costs(col_of_row, cost) and find_lowest(col_dual, lowest) write into their last argument, find_pairs(col_dual, bound, most) returns (start, col, cost).
    """

@overload
def assign_sparse(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cost: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    largest: float,
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    initial_col_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_sparse(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    largest: float,
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    initial_col_dual: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_sparse(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cost: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    largest: float,
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    initial_col_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple: ...
@overload
def assign_sparse(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    largest: float,
    col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    initial_col_dual: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ]
    | None,
    progress: object | None,
) -> tuple:
    """
    Solve a sparse assignment problem with no more rows than columns by shortest augmenting paths.
    """

def assign_plain(array: object, maximize: bool) -> object:
    """
    Survey and solve a dense problem as auto does: a packed answer; masks of a violator where it is infeasible; None where there is more to say.
    """

def heading_of(packed: bytes) -> tuple:
    """
    Of a packed answer: cost, gap, counts, seconds, rows, columns, maximize.
    """

def numbers_of(packed: bytes) -> tuple:
    """
    Of a packed answer: row_ind, col_ind, row_dual and col_dual, inside of it.
    """

def assignment_front(function: object, answer_class: object, unpack: object, refuse: object) -> object:
    """A front of linear_assignment that answers plain calls itself."""

def pairs_front(function: object, settle: object, rounding: float) -> object:
    """A front of linear_sum_assignment as SciPy has it."""

def partners_front(function: object) -> object:
    """A front of lapjv as lap has it."""

def flow_of_arcs(
    tails: object, heads: object, capacities: object, vertices: int, source: int, sink: int, plan: FlowPlan
) -> object:
    """
    Check arcs of plain arrays and bring a maximum flow: (bytes, value, counts, seconds, arcs, vertices), or None where there is more to say.
    """

def flow_of_lists(
    starts: object, heads: object, capacities: object, vertices: int, source: int, sink: int, plan: FlowPlan
) -> object:
    """The same for the sorted lists of a square matrix."""

def counts_of(counts: CapsuleType) -> dict:
    """What a call for plain arrays counted."""

def match_lists(starts: object, neighbours: object, major: int, minor: int) -> object:
    """
    Check small lists and match as auto does: (partners, lists, number of entries, size, counts, size of the start, seconds of the start and of the rest), or None where there is more to say.
    """

def match_pairs(rows: object, cols: object, row_count: int, col_count: int) -> object:
    """The same for pairs of a row and a column."""

@overload
def assign_on_team(
    costs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="A", device="cpu", writable=False)],
    base: int,
    maximize: bool,
    masked: bool,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    warm: bool,
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def assign_on_team(
    costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="A", device="cpu", writable=False)],
    base: int,
    maximize: bool,
    masked: bool,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    warm: bool,
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    Assign all rows at least cost; duals are those of entry - base, or base - entry when maximising.
    """

@overload
def assign_on_team(
    costs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None), order="A", device="cpu", writable=False)
    ],
    base: float,
    first: float,
    second: float,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    warm: bool,
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def assign_on_team(
    costs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="A", device="cpu", writable=False)
    ],
    base: float,
    first: float,
    second: float,
    col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    warm: bool,
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    The same for real costs; duals are those of the whole part of (entry - base) * first * second.
    """

@overload
def batch_on_crew(
    costs: Annotated[
        NDArray[numpy.int32], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcome: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    patience: int,
    progress: object | None,
) -> tuple: ...
@overload
def batch_on_crew(
    costs: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcome: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    patience: int,
    progress: object | None,
) -> tuple: ...
@overload
def batch_on_crew(
    costs: Annotated[
        NDArray[numpy.float32], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcome: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    patience: int,
    progress: object | None,
) -> tuple: ...
@overload
def batch_on_crew(
    costs: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)
    ],
    maximize: bool,
    row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    outcome: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    patience: int,
    progress: object | None,
) -> tuple:
    """
    Assign a batch as a crew on a GPU does, with one worker; returns the first bad position and counts.
    """

class FlowPlan:
    """A sequential solver, its knobs, and where search trees come before it."""

    def __init__(
        self, solver: str, knobs: dict, trees: tuple[int, int, int, float, float, float] | None
    ) -> None: ...
    def tree_steps(self, linked: int, vertices: int, bound: int) -> float:
        """
        How many steps per vertex and slot search trees get where so many vertices are linked to a terminal and no flow exceeds the bound; 0 if they are not tried.
        """

def cancel_grid_circulations(
    shape: Sequence[int], flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")]
) -> None:
    """Take all circulation off the flow of a grid, in place."""

def grid_flow(
    shape: Sequence[int],
    directions: int,
    symmetric: bool,
    source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    initial: tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ]
    | None,
    source_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    sink_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    source_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> dict:
    """
    Write a maximum flow of a grid and the source side of a minimum cut; `flow` holds zeros on entry. Returns what was counted and the value, None if it is above 2^62.
    """

@overload
def maximum_flow(
    plan: FlowPlan,
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    sink_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> dict: ...
@overload
def maximum_flow(
    plan: FlowPlan,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    sink_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    progress: object | None,
) -> dict:
    """
    Write a maximum flow and the sink side of a minimum cut. Arcs are sorted lists that begin at start, or have a tail each and come in any order. Returns what was counted and the value, None if it is above 2^62.
    """

@overload
def cancel_circulations(
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def cancel_circulations(
    tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Take all circulation off the flow of arcs in any order, in place."""

@overload
def sorted_lists(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> bool: ...
@overload
def sorted_lists(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> bool:
    """Whether the heads of each vertex increase, so that none occurs twice."""

@overload
def net_flows(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    net_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    net_head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    net_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> int: ...
@overload
def net_flows(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    net_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    net_head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    net_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    The flow of sorted lists minus its transpose, on the entries of both; returns how many there are.
    """

@overload
def sort_arcs(
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None: ...
@overload
def sort_arcs(
    tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Order arcs by tail and head, stably; start holds zeros on entry and gets each tail's first place.
    """

@overload
def build_residual(
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    bound: int,
    scarce: bool,
    table: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    slot_of_arc: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    degree: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    supply: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    demand: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    balance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
) -> dict: ...
@overload
def build_residual(
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    bound: int,
    scarce: bool,
    table: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    slot_of_arc: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    degree: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    supply: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    demand: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    balance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
) -> dict: ...
@overload
def build_residual(
    tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    undirected: bool,
    bound: int,
    scarce: bool,
    table: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    slot_of_arc: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    degree: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    supply: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    demand: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    balance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
) -> dict:
    """
    Take arcs to a residual network or read their flow off it, one stage of it.
    """

@overload
def synchronous_flow(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def synchronous_flow(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def synchronous_flow(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    Push a maximum flow through paired arcs in place; returns what was counted.
    """

@overload
def asynchronous_flow(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def asynchronous_flow(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def asynchronous_flow(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    to_source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    Push a maximum flow through paired arcs in place; returns what was counted.
    """

@overload
def flow_on_team(
    start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_arc: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    forward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    backward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")] | None,
    source: int,
    sink: int,
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict: ...
@overload
def flow_on_team(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    in_arc: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    forward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    backward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")] | None,
    source: int,
    sink: int,
    excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")],
    knobs: dict,
    progress: object | None,
) -> dict:
    """
    Push a maximum flow through the residual network in place; returns what was counted.
    """
