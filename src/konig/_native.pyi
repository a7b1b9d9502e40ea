"""Native solvers of konig; use the functions of the package instead."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


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

BLOCK_THREADS: int = 256

class Reading:
    """What the state of a program says, launch after launch."""

    def __init__(self) -> None: ...

    @property
    def status(self) -> str: ...

    @property
    def running(self) -> bool: ...

    @property
    def progress(self) -> tuple[int, int] | None:
        """How much is done and how much there is to do, or None."""

    @property
    def words(self) -> dict: ...

    @property
    def seconds(self) -> dict: ...

    @property
    def statistics(self) -> dict: ...

class Program:
    """A parallel program for some types and flags."""

    @property
    def name(self) -> str: ...

    @property
    def header(self) -> str:
        """It is in konig/<header>.h."""

    @property
    def type(self) -> str:
        """What C++ calls it."""

    @property
    def types(self) -> list[str]:
        """As NumPy calls them; points, where costs are calculated."""

    @property
    def workspace_bytes(self) -> int: ...

    @property
    def for_groups(self) -> bool:
        """Whether many groups run it, and not one team."""

    @property
    def status_at(self) -> int:
        """Where its status is in the state."""

    @property
    def resident_blocks(self) -> int:
        """
        Blocks a multiprocessor of a GPU for which registers are left; 0 if that is not known.
        """

    @property
    def series_at(self) -> int:
        """Where the length of its series is in the state, or -1."""

    @property
    def item_bytes(self) -> dict[str, int]:
        """Of an item of each array that is given."""

    @property
    def fresh_words(self) -> dict:
        """What its state says to the caller before the first launch."""

    @property
    def fresh_state(self) -> bytes:
        """The bytes of its state before the first launch."""

    def block(self, numbers: dict) -> tuple:
        """
        The bytes of its block, and which of them are filled: (offset, bytes, byte).
        """

    def workspace(self, block: int, numbers: dict, given: dict) -> bytes:
        """The bytes of its workspace for a block at this address."""

    def read(self, workspace: bytes, state: bytes, reading: Reading) -> None:
        """Read the bytes of a state."""

    def launch(self, workspace: bytes) -> None:
        """
        One launch by the calling thread, for a workspace whose block is on the host.
        """

class TeamSolve:
    """A program's block on the host, and launches on CPU threads."""

    def __init__(self, program: Program, numbers: dict) -> None: ...

    def run(self, numbers: dict, given: dict, knobs: dict, progress: object | None) -> int:
        """
        Launch until the program no longer runs; returns the number of workers.
        """

    @property
    def reading(self) -> Reading: ...

def programs() -> list:
    """Every program: its name, types and flags."""

def program(name: str, types: Sequence[str], flags: Sequence[bool]) -> Program:
    """The program for these types and flags."""

FILL: int = 0

WRITE: int = 1

LAUNCH: int = 2

READ: int = 3

class Driver:
    """The calls of the CUDA driver."""

    @overload
    def __init__(self, library: str) -> None:
        """Those of a shared library."""

    @overload
    def __init__(self, calls: Mapping[str, int]) -> None:
        """Stand-ins: their addresses by name."""

    def send(self, stream: int, commands: list) -> None:
        """
        Send commands, which are carried out in their order: (FILL, address, bytes, byte), (WRITE, address, buffer), (LAUNCH, (function, cooperative), blocks, threads, arguments), (READ, address, buffer). If there is a READ, it returns when all is done.
        """

class CostsThere:
    """Real costs on a GPU, as proofs read them."""

    def __init__(self, driver: Driver, stream: int, cost: int, rows: int, cols: int, item_bytes: int, sign: float, kernels: tuple, memory: int, allocate: Callable) -> None:
        """
        `kernels` are pair_costs, lowest_slacks and pairs_within; `allocate` gives the address of so many more bytes.
        """

    @staticmethod
    def scratch_bytes(rows: int, cols: int) -> int:
        """How many bytes `memory` has."""

    def know_costs(self, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], paid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """What these pairs cost the caller."""

    def know_lowest(self, col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The smallest cost - dual of each row for these duals."""

    def find_costs(self, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """What one pair in each row costs, minimised."""

    def find_lowest(self, col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """The smallest cost - dual of each row, rounded down."""

    def find_pairs(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> object:
        """
        (start, col, cost): where the pairs of these rows with cost - dual at most their bound begin, their columns and costs; None if there are more than `most`, of which 0 is no limit.
        """

@overload
def write_whole_answer(col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], paid: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], base: int, maximize: bool, transposed: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_cols: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> tuple: ...

@overload
def write_whole_answer(col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], paid: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], base: int, maximize: bool, transposed: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_cols: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """
    Write pairs and duals of integers; returns the cost, and whether the duals of the rows fit.
    """

@overload
def write_real_answer(col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], paid: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], maximize: bool, transposed: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], of_cols: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> object: ...

@overload
def write_real_answer(col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], paid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], maximize: bool, transposed: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], of_rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], of_cols: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> object:
    """
    Write pairs and duals of reals, which are to be minimised; returns the cost.
    """

def has_leftover_duals(row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """Whether a column that no row has has a dual."""

def cost_extent(driver: Driver, stream: int, kernel: tuple, grid: tuple[int, int], words: int, costs: int, count: int, is_real: bool, maximize: bool) -> object:
    """
    The least and the greatest finite cost on a GPU, zeros where there is none, and whether some are forbidden; None if a cost is one that no solver may see. `words` are four of 64 bits there.
    """

class SolveThere:
    """Dense costs on a GPU, solved from nothing by one launch."""

    def __init__(self, driver: Driver, stream: int, program: Program, kernels: tuple, grid: tuple[int, int], costs: int, numbers: dict, is_real: bool, maximize: bool, transposed: bool) -> None:
        """
        `kernels` are the program's, real_col_duals, pair_costs, lowest_slacks and pairs_within, and `grid` the blocks and threads of the first. `costs` is where they are, with the shorter side as rows.
        """

    @property
    def places(self) -> tuple:
        """
        Where the control words, the answer, the program's block, distances and arcs begin, and the end.
        """

    @property
    def answer_places(self) -> tuple:
        """
        Where row_ind, col_ind, row_dual and col_dual begin in what `write` writes, and the end.
        """

    def launch(self, memory: int, nanoseconds: int) -> None:
        """One launch, of so long, in memory at this address."""

    @property
    def is_long(self) -> bool:
        """Whether duals of the longer side stay on the device."""

    @property
    def reading(self) -> Reading: ...

    @property
    def state(self) -> bytes:
        """The bytes of the state after the launch."""

    def write(self, to: int, least_paid: float, allocate: Callable, long_sides: tuple | None) -> object:
        """
        After a launch that has ended as optimal: writes the caller's answer there, and returns its cost, its gap and how often it was repaired exactly; None if that takes more than this. If it `is_long`, `long_sides` are pair_costs of 64 bits, whole_sum, and the blocks and threads of the latter.
        """

class LevelMatching32:
    """
    A maximum matching by labels of columns, as one of several ranks works on it.
    """

    def __init__(self, rank: int, ranks: int, row_owners: tuple[Sequence[int], Sequence[int]], col_owners: tuple[Sequence[int], Sequence[int]], rows: tuple[int, int], cols: tuple[int, int], all_cols: int, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def claim(self, received: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], most: int) -> list:
        """One round of claims, by at most so many rows."""

    def taken(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The bitmap of columns that rows here have asked for."""

    def take(self, taken: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The bitmap of columns that rows anywhere have asked for."""

    def label_taken(self) -> None:
        """End claims; unmatched rows push."""

    def push(self, received: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], wait: bool) -> list:
        """One round of pushes, or of what follows from the last ones."""

    def begin_search(self) -> int:
        """Begin a search from all unmatched columns; how many they are."""

    def level(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        The columns of rows that are reached here, as a bitmap, and how many unmatched rows are.
        """

    def set_frontier(self, bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The columns that are reached anywhere; how many they are."""

    def end_search(self, is_complete: bool, limit: int) -> None:
        """
        End a search, which has reached everything or not; unmatched rows push.
        """

    @property
    def arc_scans(self) -> int: ...

    def answer(self, rows: int, cols: int) -> tuple:
        """
        The partners of this rank's rows and columns, of which there are so many, and which of them the last search reached.
        """

class LevelMatching64:
    """
    A maximum matching by labels of columns, as one of several ranks works on it.
    """

    def __init__(self, rank: int, ranks: int, row_owners: tuple[Sequence[int], Sequence[int]], col_owners: tuple[Sequence[int], Sequence[int]], rows: tuple[int, int], cols: tuple[int, int], all_cols: int, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def claim(self, received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], most: int) -> list:
        """One round of claims, by at most so many rows."""

    def taken(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """The bitmap of columns that rows here have asked for."""

    def take(self, taken: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The bitmap of columns that rows anywhere have asked for."""

    def label_taken(self) -> None:
        """End claims; unmatched rows push."""

    def push(self, received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], wait: bool) -> list:
        """One round of pushes, or of what follows from the last ones."""

    def begin_search(self) -> int:
        """Begin a search from all unmatched columns; how many they are."""

    def level(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        The columns of rows that are reached here, as a bitmap, and how many unmatched rows are.
        """

    def set_frontier(self, bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The columns that are reached anywhere; how many they are."""

    def end_search(self, is_complete: bool, limit: int) -> None:
        """
        End a search, which has reached everything or not; unmatched rows push.
        """

    @property
    def arc_scans(self) -> int: ...

    def answer(self, rows: int, cols: int) -> tuple:
        """
        The partners of this rank's rows and columns, of which there are so many, and which of them the last search reached.
        """

class RankMatching32:
    """A maximum matching as one of several ranks works on it."""

    def __init__(self, rank: int, ranks: int, row_owners: tuple[Sequence[int], Sequence[int]], col_owners: tuple[Sequence[int], Sequence[int]], rows: tuple[int, int], cols: tuple[int, int], all_cols: int) -> None: ...

    def subscribe(self, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list:
        """Take this rank's rows; what to tell owners of columns."""

    def start(self, received: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """Begin Karp-Sipser."""

    def start_round(self, received: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], patience: int) -> list:
        """One round of Karp-Sipser, until there are so many records to send."""

    def search(self) -> None:
        """End Karp-Sipser and begin to search."""

    def plant(self, first_root: Sequence[int]) -> None:
        """
        Begin a tree in each unmatched row; the roots of each rank have numbers from here.
        """

    def begin_phase(self) -> None:
        """Begin a phase with the roots that are still unmatched."""

    def search_round(self, received: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list:
        """One round of a phase."""

    @property
    def paths(self) -> int:
        """Found in this phase, by all ranks."""

    @property
    def arc_scans(self) -> int: ...

    def answer(self, rows: int, cols: int) -> tuple:
        """
        The partners of this rank's rows and columns, of which there are so many, and which rows the trees hold.
        """

class RankMatching64:
    """A maximum matching as one of several ranks works on it."""

    def __init__(self, rank: int, ranks: int, row_owners: tuple[Sequence[int], Sequence[int]], col_owners: tuple[Sequence[int], Sequence[int]], rows: tuple[int, int], cols: tuple[int, int], all_cols: int) -> None: ...

    def subscribe(self, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list:
        """Take this rank's rows; what to tell owners of columns."""

    def start(self, received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """Begin Karp-Sipser."""

    def start_round(self, received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], patience: int) -> list:
        """One round of Karp-Sipser, until there are so many records to send."""

    def search(self) -> None:
        """End Karp-Sipser and begin to search."""

    def plant(self, first_root: Sequence[int]) -> None:
        """
        Begin a tree in each unmatched row; the roots of each rank have numbers from here.
        """

    def begin_phase(self) -> None:
        """Begin a phase with the roots that are still unmatched."""

    def search_round(self, received: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list:
        """One round of a phase."""

    @property
    def paths(self) -> int:
        """Found in this phase, by all ranks."""

    @property
    def arc_scans(self) -> int: ...

    def answer(self, rows: int, cols: int) -> tuple:
        """
        The partners of this rank's rows and columns, of which there are so many, and which rows the trees hold.
        """

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
def match_stepwise(row_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: object | None) -> tuple: ...

@overload
def match_stepwise(row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: object | None) -> tuple: ...

@overload
def match_stepwise(row_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_cols: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: object | None) -> tuple:
    """
    Improve the matching in place until it is maximum: (counts, size, method, init, what searches reached or None, whether that is rows).
    """

@overload
def is_matching(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mate: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], other_mate: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

@overload
def is_matching(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mate: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], other_mate: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

@overload
def is_matching(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], mate: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], other_mate: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """
    Whether partners in range agree on both sides and are in the lists of the first.
    """

@overload
def transpose(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None: ...

@overload
def transpose(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None: ...

@overload
def transpose(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Fill the other orientation of compressed lists; out_start holds zeros on entry.
    """

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None: ...

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None: ...

@overload
def compress_pairs(major: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], minor: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], out_neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
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
def first_out_of_range(values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: int, threads: int = 1) -> int: ...

@overload
def first_out_of_range(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: int, threads: int = 1) -> int:
    """The first position whose value is not in [0, bound), or -1."""

@overload
def fill(values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], value: int, threads: int) -> None: ...

@overload
def fill(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], value: int, threads: int) -> None:
    """Set every value, by several threads."""

@overload
def first_decrease(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> int: ...

@overload
def first_decrease(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> int:
    """The first position at which the offsets decrease, or -1."""

VALUE_BITS: int = 59

class DensePlan:
    """How dense costs are solved: the stages, and their limits."""

    def __init__(self, *, common_cost: bool, extended: bool, core: bool, reduce_before_core: bool, auction: str, path_scans: int, padded_cols: int, easy_scans: int, pricing_rounds: int, added: int) -> None: ...

@overload
def check_costs(cost: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], maximize: bool, threads: int = 1) -> tuple: ...

@overload
def check_costs(cost: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu', writable=False)], maximize: bool, threads: int = 1) -> tuple: ...

@overload
def check_costs(cost: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], maximize: bool, threads: int = 1) -> tuple: ...

@overload
def check_costs(cost: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], maximize: bool, threads: int = 1) -> tuple:
    """
    The largest finite |cost|, the positions of the first NaN and of the first other bad cost (-1 for none), and whether some pair is forbidden.
    """

@overload
def assign_batch(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], maximize: bool, row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], unsolved: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_batch(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], maximize: bool, row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], unsolved: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_batch(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], maximize: bool, row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], unsolved: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_batch(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], maximize: bool, row_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], unsolved: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
    """
    Solve a batch of dense problems, in which rows and columns may be left alone at a cost if that is given; the position of the first bad cost (-1 for none) and what was counted.
    """

@overload
def assign_dense(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], initial_row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, initial_col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_dense(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], initial_row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, initial_col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_dense(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], initial_row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, initial_col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_dense(plan: DensePlan, threads: int, cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, row_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_ind: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], initial_row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, initial_col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple:
    """
    Check and solve a dense assignment problem; the outcome, the cost and its gap or the violator, and what was counted.
    """

@overload
def assign_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], initial_col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], initial_col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], initial_col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple: ...

@overload
def assign_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], initial_col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple:
    """
    Solve a sparse assignment problem with no more rows than columns by shortest augmenting paths.
    """

@overload
def assign_sparse_unassigned(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, maximize: bool, row_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_sparse_unassigned(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, maximize: bool, row_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_sparse_unassigned(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, maximize: bool, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple: ...

@overload
def assign_sparse_unassigned(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: float, maximize: bool, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
    """
    Solve a sparse assignment problem in which rows and columns may be left alone at a cost; the column of a row left alone is -1.
    """

@overload
def prove_unassigned(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple: ...

@overload
def prove_unassigned(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """
    As prove_assignment, where rows (-1) and columns are left alone at a cost; that is negated to maximise, too.
    """

@overload
def prove_assignment(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple: ...

@overload
def prove_assignment(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """
    Row duals and the gap of an assignment of all rows, from its column duals; both as if the costs, negated to maximise, were minimised. An answer that this does not prove optimal is replaced by one. The gap, and how often a core was repaired exactly.
    """

def prove_unassigned_there(costs: CostsThere, row_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_alone: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """As prove_unassigned, of costs on a GPU."""

def prove_assignment_there(costs: CostsThere, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """As prove_assignment, of costs on a GPU."""

def prove_assignment_by(col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], find_costs: Callable, find_lowest: Callable, find_pairs: Callable) -> tuple:
    """
    As prove_assignment, of costs that the callables read: find_costs(col_of_row, cost) and find_lowest(col_dual, lowest) write into their last argument, find_pairs(rows, col_dual, bound, most) returns (start, col, cost), or None if there are more pairs than `most`, of which 0 is no limit.
    """

class CostBlockInt32:
    """Some rows of a dense matrix of costs, to be minimised or maximised."""

    def choose(self, first_row: int) -> tuple:
        """
        What check_costs says about the block, and its lists (start, col, cost) of the smallest costs of each row. Costs are negated to maximise.
        """

    def undercutting(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple:
        """
        Lists of the entries, at most so many of a row, that cost less than the sum of their duals; duals are those of the costs as they are minimised.
        """

@overload
def cost_block(cost: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int) -> CostBlockInt32: ...

@overload
def cost_block(cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int) -> CostBlockInt64: ...

@overload
def cost_block(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int) -> CostBlockFloat32: ...

@overload
def cost_block(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int) -> CostBlockFloat64:
    """A block of these rows, which must not change."""

class CostBlockInt64:
    """Some rows of a dense matrix of costs, to be minimised or maximised."""

    def choose(self, first_row: int) -> tuple:
        """
        What check_costs says about the block, and its lists (start, col, cost) of the smallest costs of each row. Costs are negated to maximise.
        """

    def undercutting(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple:
        """
        Lists of the entries, at most so many of a row, that cost less than the sum of their duals; duals are those of the costs as they are minimised.
        """

class CostBlockFloat32:
    """Some rows of a dense matrix of costs, to be minimised or maximised."""

    def choose(self, first_row: int) -> tuple:
        """
        What check_costs says about the block, and its lists (start, col, cost) of the smallest costs of each row. Costs are negated to maximise.
        """

    def undercutting(self, row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple:
        """
        Lists of the entries, at most so many of a row, that cost less than the sum of their duals; duals are those of the costs as they are minimised.
        """

class CostBlockFloat64:
    """Some rows of a dense matrix of costs, to be minimised or maximised."""

    def choose(self, first_row: int) -> tuple:
        """
        What check_costs says about the block, and its lists (start, col, cost) of the smallest costs of each row. Costs are negated to maximise.
        """

    def undercutting(self, row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple:
        """
        Lists of the entries, at most so many of a row, that cost less than the sum of their duals; duals are those of the costs as they are minimised.
        """

class SharedAuction:
    """An auction whose rows several processes share."""

    def __init__(self, first_row: int, cols: int, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def give_up(self, epsilon: float) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Begin a phase; the columns whose rows here give them up."""

    def release(self, cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The columns that rows of all processes have given up."""

    def bids(self, epsilon: float) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The bids of the free rows here, in bytes."""

    def settle(self, bids: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The bids of all processes; how many they are."""

    @property
    def prices(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class SharedCore:
    """The core of a square matrix that several processes share."""

    def __init__(self, size: int) -> None: ...

    def add(self, count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Entries join, so many of each row; none is there already."""

    def solve(self, initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
        """
        The cost, None and what was counted; or the rows and the columns of a Hall violator, as masks. The first solve starts from these duals of columns, and so does one after a violator.
        """

INFINITE: int = 1152921504606846976

OUT_OF_SEARCH: int = -4611686018427387903

@overload
def whole_numbers(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], base: float, first: float, second: float, threads: int, number: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

@overload
def whole_numbers(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], base: float, first: float, second: float, threads: int, number: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Real costs as the whole numbers that the Hungarian methods calculate with.
    """

class NumberBlock32:
    """
    A block of whole numbers of which a rank of a Hungarian method finds slacks.
    """

    def lowest_of_rows(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The smallest number - column dual of each of these rows."""

    def lowest_of_cols(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The smallest number - row dual of each column."""

    def zero_edges(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        How many edges with zero slack each row has, and their columns, row after row.
        """

    def claim_zero_cols(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], open_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Gives these rows open columns with zero slack, greedily; -1 where none is left. Columns whose dual is OUT_OF_SEARCH are not open; those claimed become it.
        """

    def begin_search(self, col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Begins a search with these duals of all columns."""

    def relax(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shift: int) -> None:
        """
        Lowers the keys of open columns to their slacks against these rows (Algorithm 4).
        """

    def take_reached(self, shift: int, first: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """
        Takes the columns with keys up to `shift` out of the search: the least key that is left, and these columns, counted from `first` and in the high half of a word, with the rows before them.
        """

@overload
def number_block(number: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], negated: bool, threads: int) -> NumberBlock32: ...

@overload
def number_block(number: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], negated: bool, threads: int) -> NumberBlock64:
    """A block of these rows, which must not change."""

class NumberBlock64:
    """
    A block of whole numbers of which a rank of a Hungarian method finds slacks.
    """

    def lowest_of_rows(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The smallest number - column dual of each of these rows."""

    def lowest_of_cols(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The smallest number - row dual of each column."""

    def zero_edges(self, row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        How many edges with zero slack each row has, and their columns, row after row.
        """

    def claim_zero_cols(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], open_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Gives these rows open columns with zero slack, greedily; -1 where none is left. Columns whose dual is OUT_OF_SEARCH are not open; those claimed become it.
        """

    def begin_search(self, col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Begins a search with these duals of all columns."""

    def relax(self, row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shift: int) -> None:
        """
        Lowers the keys of open columns to their slacks against these rows (Algorithm 4).
        """

    def take_reached(self, shift: int, first: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """
        Takes the columns with keys up to `shift` out of the search: the least key that is left, and these columns, counted from `first` and in the high half of a word, with the rows before them.
        """

def pair_greedily(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> int:
    """Pairs rows with the first free columns in their lists; how many."""

def forward_pass(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], queue: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], reached: int, predecessor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """
    Grows alternating trees over lists of edges: how many rows they have then, the unassigned columns reached, levels and edges scanned.
    """

def reverse_pass(leaf: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], predecessor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], successor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    The first rows of vertex-disjoint paths; writes the column after each of their rows.
    """

def augment_paths(root: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], successor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], row_of_col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> int:
    """Changes the pairs along paths; how many edges these have."""

@overload
def lowest_below(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def lowest_below(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, threads: int, col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    The smallest cost - column dual of each row, rounded down; of negated costs to maximise.
    """

@overload
def pairs_within(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int = 0) -> object: ...

@overload
def pairs_within(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int = 0) -> object:
    """
    Where the pairs of each of these rows with cost - column dual at most its bound begin, their columns and costs; None if there are more than `most`, of which 0 is no limit.
    """

@overload
def bottleneck_dense(cost: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_dense(cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_dense(cost: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_dense(cost: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], maximize: bool, full: bool, threads: int, progress: object | None) -> object:
    """
    A bottleneck assignment: (whether there is one, the partner of each row, masks of rows and columns that meet every better entry, masks that meet every allowed entry or None, counts); None if a cost is NaN or infinite on the wrong side.
    """

@overload
def bottleneck_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, maximize: bool, full: bool, threads: int, progress: object | None) -> object: ...

@overload
def bottleneck_sparse(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cols: int, maximize: bool, full: bool, threads: int, progress: object | None) -> object:
    """The same of sparse costs."""

NO_BOUND: int = 2147483647

def first_not_finite(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """The first of these that is NaN or infinite, or -1."""

def log_costs(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, modulus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], split_rows: bool, split_cols: bool, row_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], col_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Costs row_exponent + col_exponent - log2(modulus), with exponents, zeros on entry, that keep them small on the sides asked for.
    """

def scale_product(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, modulus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row_mantissa: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], row_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], col_mantissa: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> tuple:
    """
    Column scales from the duals of log_costs and its exponents, and the largest row scales with which no scaled entry is above 1 (exponent NO_BOUND for rows without entries). The logarithm of the product of the chosen entries, and a bound on how much larger another one is.
    """

def balance_exponents(of_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], of_cols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], most: int) -> None:
    """
    Move a power of two from rows to columns if scales would leave float64 and others would not.
    """

def product_of_lists(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], modulus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_mantissa: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], row_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], col_mantissa: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_exponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
    """
    A maximum product transversal of lists with no more rows than columns, and its scales: (whether all rows have an entry in it, the logarithm of the product, the gap, counts).
    """

class FlowPlan:
    """A sequential solver, its knobs, and where search trees come before it."""

    def __init__(self, solver: str, knobs: dict, trees: tuple[int, float, int] | None) -> None: ...

def grid_flow(plan: FlowPlan, shape: Sequence[int], directions: int, symmetric: bool, source: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sink: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbour: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], initial: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None, source_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], sink_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], source_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> dict:
    """
    Write a maximum flow of a grid and the source side of a minimum cut; `flow` holds zeros on entry. Returns what was counted and the value, None if it is above 2^62.
    """

@overload
def maximum_flow(plan: FlowPlan, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], source_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> dict: ...

@overload
def maximum_flow(plan: FlowPlan, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], capacity: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, initial: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], source_side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> dict:
    """
    Write a maximum flow and the source side of a minimum cut. Arcs are sorted lists that begin at start, or have a tail each and come in any order. Returns what was counted and the value, None if it is above 2^62.
    """

@overload
def cancel_circulations(tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def cancel_circulations(tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], undirected: bool, flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Take all circulation off the flow of arcs in any order, in place."""

@overload
def sorted_lists(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

@overload
def sorted_lists(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """Whether the heads of each vertex increase, so that none occurs twice."""

@overload
def net_flows(start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], net_start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], net_head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], net_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> int: ...

@overload
def net_flows(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], net_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], net_head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], net_flow: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> int:
    """
    The flow of sorted lists minus its transpose, on the entries of both; returns how many there are.
    """

@overload
def sort_arcs(tail: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

@overload
def sort_arcs(tail: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Order arcs by tail and head, stably; start holds zeros on entry and gets each tail's first place.
    """

class NumberTable:
    """The numbers of lines of text, column by column."""

    def __init__(self, columns: Sequence[tuple[str, int, int]], comment: bytes, prefix: bytes, free: bool, most_rows: int, expected_rows: int, longest_line: int) -> None: ...

    def add(self, text: bytes) -> bool:
        """
        Take the next piece of the text; False at a line that is none of the table.
        """

    def finish(self) -> bool:
        """Take the last line if it has no end; as add() otherwise."""

    def columns(self) -> list:
        """
        The numbers of each column that is kept, after finish(); the table gives them away.
        """

    @property
    def rows(self) -> int: ...

    @property
    def lines(self) -> int:
        """How many lines there are before the refused one."""

    @property
    def refused(self) -> bytes: ...

def unit_of_reals(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The exponent of the finest unit of finite reals, and the bits of the largest in it.
    """

class Ranking:
    """Assignments by rising cost, each found when it is asked for."""

    @overload
    def __init__(self, rows: int, cols: int, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, cost: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], negate: bool, exponent: int, wide: bool, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> None: ...

    @overload
    def __init__(self, rows: int, cols: int, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, col: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], negate: bool, exponent: int, wide: bool, col_of_row: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> None: ...

    def next(self) -> bool:
        """Find the next assignment; False if there is none."""

    @property
    def found(self) -> int: ...

    @property
    def searches(self) -> int: ...

    def nearest_cost(self, node: int) -> float:
        """A cost of reals, rounded."""

    def place(self, node: int) -> tuple:
        """Which child of which assignment a cell is; -1 of the first."""

    def pairs(self, node: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The column of each row."""

    def order(self, node: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The rows that are not forced, in the order of the children."""

    def cost(self, node: int) -> object: ...

    def duals(self, node: int) -> tuple:
        """What proves an assignment the cheapest of its cell."""

    def child_moves(self, node: int, positions: Sequence[int], forced: Sequence[int], needed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """
        How duals move to prove that each of these children, with so many of the pairs before it, costs so much more: rows, by how much, how many of each child; the same of columns; and the spare dual.
        """

def assign_points(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], metric: str, threads: int, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
    """
    Solve the assignment between two point sets, the first of which is not larger; the cost, its gap and what was counted.
    """

def prove_points(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], metric: str, threads: int, col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> tuple:
    """
    The same from an assignment and column duals that prove it but for rounding.
    """

def coarser_points(points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The means of four points each, neighbours in a tree, one after the other.
    """

def has_coarser_points(rows: int, dimension: int) -> bool:
    """Whether a coarser problem tells duals for points like these."""

def point_costs(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], metric: str, threads: int, cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], progress: object | None) -> None:
    """What all pairs of points cost, into an array."""

def start_from_coarser_points(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], metric: str, threads: int, coarse_row_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_col_of_row: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], col_dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> float:
    """
    Column duals from an answer for coarser points; the dearest cost of an assignment like it.
    """

class SolvedAssignment:
    """What a small assignment makes its fields of."""

    @property
    def row_dual(self) -> object: ...

    @property
    def col_dual(self) -> object: ...

    @property
    def gap(self) -> object: ...

    @property
    def seconds(self) -> float: ...

    @property
    def counts(self) -> object: ...

def small_assignments(result: object, plan: DensePlan, most: int, most_rows: int) -> object:
    """
    A function of costs and a bool, `maximize`, that solves at most `most` dense costs of at most `most_rows` rows or columns by this plan: a new `result` with row_ind, col_ind, cost, found (a SolvedAssignment) and, if it is True, maximize; or None for what it does not take. The other arguments of linear_assignment may follow: full, method, device, threads, knobs, and those that are None by default.
    """

def assign_points_small(result: object, x: object | None, y: object | None, metric: str, plan: DensePlan, most: int, most_rows: int, most_terms: int, sorted_from: int) -> object | None:
    """
    Assign points to points, of at most `most` pairs, at most `most_rows` points in the smaller set and at most `most_terms` coordinates of all pairs together, by all costs, or on a line from `sorted_from` points each on by sorting: as small_assignments, or None for what this does not take.
    """

def assign_sparse_small(result: object, indptr: object | None, indices: object | None, data: object | None, rows: object, cols: object, maximize: bool, most: int) -> object | None:
    """
    Solve the costs of a matrix of at most `most` rows, columns and entries in compressed rows, columns ascending: as small_assignments, or None for what this does not take.
    """

def match_arrays(format: str, first: object | None, second: object | None, rows: object, cols: object, most: int, threads: int = 1) -> tuple | None:
    """
    Match a matrix of at most `most` rows, columns and entries, in the format csr, csc or coo: (size, col_of_row, row_of_col, entries, method, init, what searches reached or None, whether that is rows, counts, seconds), or None for what this does not take.
    """

class SolvedNetwork:
    """A small network with a maximum flow."""

    def flow(self) -> object:
        """
        The flow of each arc, in units and without circulation; None after release().
        """

    def release(self) -> None:
        """Let go of what only the flow is made of."""

    def arrays(self) -> tuple:
        """
        Copies of tails or of where lists begin, of heads and of capacities, and the role of each vertex.
        """

    def counts(self) -> object:
        """What was counted."""

    @property
    def seconds(self) -> float: ...

def flow_small(result: object, plan: FlowPlan, most: int, is_matrix: bool, end: object | None, head: object | None, capacity: object | None, vertices: object | None, source: object | None, sink: object | None, undirected: bool, exponent: int | None = None) -> object | None:
    """
    Bring a maximum flow over at most `most` arcs with tails (`vertices` may be None), or over the sorted lists of a square matrix that begin at `end`: a new `result` with value, gap, cut, device and found = (is_matrix, undirected, value in units, SolvedNetwork, cut, unit, across), or None for what this does not take. Terminals are an int each, or lists, tuples or arrays of several. Real capacities are rounded down to multiples of 2**exponent, and so is the flow; `unit` is (the exponent that makes all whole, the one taken), the latter chosen if None is given. It is None for integers. Where it rounds there is no value and no gap, and `across` is the capacity of the cut: whole units, and the high and the low 64 bits of what rounding took, in units that make all whole; None if it takes more digits.
    """

def assign_unassigned(result: object, costs: object | None, row_alone: object | None, col_alone: object | None, maximize: bool, plan: DensePlan, threads: int, progress: object | None, most: int) -> object | None:
    """
    Solve at most `most` dense costs where leaving rows and columns alone costs what is given (None, a number or an array, finite): a new `result` with row_ind, col_ind, cost, found (a SolvedAssignment), may_leave_alone and, if it is True, maximize; or None for what this does not take or has no answer.
    """

def match_weights(result: object, weights: object | None, plan: DensePlan, most: int) -> object | None:
    """
    The heaviest matching of at most `most` dense weights: a new `result` with row_ind, col_ind, weight and found (a SolvedAssignment); or None for what this does not take.
    """
