"""Native solvers of konig; use the functions of the package instead."""

from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


@overload
def solve(name: str, row_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict: ...

@overload
def solve(name: str, row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict: ...

@overload
def solve(name: str, row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict:
    """
    Improve the matching in place with the named solver and return what it counted.
    """

@overload
def transpose(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def transpose(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def transpose(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Fill the other orientation of compressed lists; out_start holds zeros on entry.
    """

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Compress pairs into lists; out_start holds zeros on entry."""

@overload
def alternating_reach(col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def alternating_reach(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def alternating_reach(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], col_reached: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Mark what alternating paths from unmatched columns reach."""

@overload
def strong_components(col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], component: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> int: ...

@overload
def strong_components(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], component: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> int: ...

@overload
def strong_components(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], in_square: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], component: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> int:
    """
    Number the strong components of the matched square part in block upper triangular order.
    """

@overload
def alternating_forest(col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_before_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def alternating_forest(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_before_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def alternating_forest(col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], block_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_before_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    The column before each row on alternating paths from the roots that stay inside their block.
    """

@overload
def first_out_of_range(values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: int) -> int: ...

@overload
def first_out_of_range(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: int) -> int:
    """The first position whose value is not in [0, bound), or -1."""

@overload
def first_decrease(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

@overload
def first_decrease(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """The first position at which the offsets decrease, or -1."""

@overload
def maximum_flow(solver: str, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], sink_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict: ...

@overload
def maximum_flow(solver: str, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], sink_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict:
    """
    Write a maximum flow and the sink side of a minimum cut; return what was counted and the value, None if it is above 2^62.
    """

@overload
def sorted_lists(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

@overload
def sorted_lists(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """Whether the heads of each vertex increase, so that none occurs twice."""

@overload
def sort_arcs(tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def sort_arcs(tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Order arcs by tail and head, stably; start holds zeros on entry and gets each tail's first place.
    """

@overload
def flow_on_team(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_arc: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, forward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], backward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None, source: int, sink: int, excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict: ...

@overload
def flow_on_team(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, in_arc: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, forward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], backward: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None, source: int, sink: int, excess: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], knobs: dict, progress: object | None) -> dict:
    """
    Push a maximum flow through the residual network in place; returns what was counted.
    """
