"""Are these the cheapest assignments, in this order?

A ranking leaves a partition of all assignments. A cell holds those that have some pairs (forced) and do not
have some others (forbidden). An assignment that was found splits the rest of its cell into children, one for
each row that is not forced there, in some order: child p forbids the pair of the p-th row, and forces the
pairs of the rows before it. An assignment of the cell that differs from the one found differs first, in that
order, in one row: so it is in exactly one child. What was found, and the children that were not opened, are
therefore all assignments there are, each once.

It is left to prove that no child that was not opened has an assignment that costs less than the last one
found. Let duals be such that no allowed pair of a cell undercuts them, and that, on a rectangle, none of a
column is above that of the columns that stay without a row, the spare one. Then all assignments of the cell
cost at least the sum of the duals, less the spare one for each column that stays without a row. The duals of
a node prove enough for most of its children: the row of child p must take another column than its own, and
that column another row or none, so that the least slack of either can be added. For the others some duals
move, rows' up and columns' down, so that only the rows that moved need be checked again. Where a child
forbids a pair of the first assignment, it is tried first to prove that all assignments without the pair cost
enough: that serves all children which forbid it. Wherever these numbers come from, they are checked, in
integers, of which reals are multiples.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol

import numpy as np

from konig.assignment.inputs import SparseCosts
from konig.assignment.proof import check_pairs
from konig.errors import CertificateError
from konig.exact_reals import finest_exponent, float_of
from konig.refusal import Array

MOST_AT_ONCE = 2**20  # entries that are checked together, unless one child has more


@dataclass(frozen=True)
class Cell:
    """Of an assignment that was found: which child of which other it is, and the order of its children."""

    parent: int  # -1 if it is the first
    position: int
    col_of_row: Array
    order: Array


@dataclass(frozen=True)
class Moves:
    """From the duals of a node to those of children: some rows' up, some columns' and the spare one down."""

    rows: Array
    up: Array
    of_row: Array  # which child moves the row
    cols: Array
    down: Array
    of_col: Array
    spare_down: Array  # of each child


class Record(Protocol):
    """What a ranking claims. Rows are those of the shorter side, and costs are minimised.

    Numbers are in units of 2**exponent.
    """

    maximize: bool
    transposed: bool
    exponent: int
    shape: tuple[int, int]  # of the costs as they were given
    found: int
    is_all: bool  # whether there are no more assignments

    def cell(self, number: int) -> Cell: ...
    def cost(self, number: int) -> int | float:
        """As it was given to the caller."""

    def duals(self, number: int) -> tuple[Array, Array, int]:
        """Of the rows, the columns, and columns without a row, for the cell of an assignment."""

    def child_moves(self, number: int, positions: list[int], forced: list[int], needed: int) -> Moves:
        """To duals of what children are with so many of the pairs before each, to prove so much more."""


def whole_numbers(words: int, word: Array) -> Array:
    """Integers of so many 64-bit words each, the lowest first: int64 if that holds them, else Python's."""
    table = np.asarray(word).reshape(-1, words)
    signed = table.view(np.int64)
    lowest: Array = signed[:, 0].copy()
    if (signed[:, 1:] == (lowest >> 63)[:, None]).all():
        return lowest
    whole = [int.from_bytes(number.tobytes(), "little", signed=True) for number in table]
    return np.array(whole, object)


def check_ranking(costs: Array | SparseCosts, record: Record) -> None:
    """Prove that what was found are the cheapest assignments in order."""
    if costs.shape != record.shape:
        solved, given = (" x ".join(map(str, shape)) for shape in (record.shape, costs.shape))
        raise CertificateError(f"the ranking is of a {solved} matrix, not {given}")
    entries = Entries.of(costs, record)
    found, opened = _checked_cells(entries, record)
    if not found:
        return
    needed = entries.above_all() if record.is_all else found[-1].cost
    whole = _Proof(found[0], record)
    without_pair: dict[int, bool] = {}  # by the entry: whether all assignments without it cost enough
    position_of = {int(row): position for position, row in enumerate(whole.found.order)}

    def costs_enough_without(pairs: list[tuple[int, int]]) -> list[bool]:
        shared = [row for row, at in pairs if whole.found.at[row] == at and at not in without_pair]
        enough = whole.bounds_of_moved([(position_of[row], 0) for row in shared], needed)
        without_pair.update(
            {int(whole.found.at[row]): bound >= needed for row, bound in zip(shared, enough, strict=True)}
        )
        return [without_pair.get(at, False) for _, at in pairs]

    for number, node in enumerate(found):
        proof = whole if number == 0 else _Proof(node, record)
        doubted = [
            p for p, b in enumerate(proof.bound_of_children()) if b < needed and p not in opened[number]
        ]
        rows = node.order[doubted].tolist()
        known = costs_enough_without(list(zip(rows, node.at[rows].tolist(), strict=True)))
        left = [position for position, enough in zip(doubted, known, strict=True) if not enough]
        bounds = proof.bounds_of_moved([(position, position) for position in left], needed)
        for position, bound in zip(left, bounds, strict=True):
            if bound < needed:
                raise CertificateError(
                    f"child {position} of {node.name} may cost less than the last assignment that was found"
                )


def _checked_cells(entries: Entries, record: Record) -> tuple[list[_Found], list[set[int]]]:
    """The assignments, each in its cell, in order, of the cost claimed; and the opened children of each."""
    cells = [record.cell(number) for number in range(record.found)]
    found = [_Found(entries, cell, number) for number, cell in enumerate(cells)]
    opened: list[set[int]] = [set() for _ in cells]
    for number, (cell, node) in enumerate(zip(cells, found, strict=True)):
        parent, position = cell.parent, cell.position
        if number == 0:
            if parent != -1:
                raise CertificateError("the first assignment is not said to be the cheapest of all")
        else:
            if not 0 <= parent < number or position not in range(len(cells[parent].order)):
                raise CertificateError(f"assignment {number} is in no child of one before it")
            if position in opened[parent]:
                raise CertificateError(f"assignment {number} is in a cell that was opened before")
            opened[parent].add(position)
            node.narrow(found[parent], position)
        node.check_cell()
        entries.check_cost(record.cost(number), node.cost, number)
        if number > 0 and node.cost < found[number - 1].cost:
            raise CertificateError(f"assignment {number} is cheaper than the one before it")
    return found, opened


class Entries:
    """The allowed pairs, row after row, with what they cost in whole units; rows are the shorter side."""

    def __init__(
        self, shape: tuple[int, int], row: Array, col: Array, cost: Array, scale: int, unit: Fraction
    ):
        self.rows, self.cols = shape
        self.row, self.col, self.cost = row, col, cost
        self.scale = scale  # of our units in one of the record's
        self.unit = unit  # in the caller's numbers, negative when maximising
        self.start = np.searchsorted(row, np.arange(self.rows + 1))
        self.first = np.flatnonzero(np.diff(row, prepend=-1))
        self.by_col = np.argsort(col, kind="stable")
        self.first_of_col = np.flatnonzero(np.diff(col[self.by_col], prepend=-1))
        self._key = row.astype(np.int64) * self.cols + col  # ascending

    @classmethod
    def of(cls, costs: Array | SparseCosts, record: Record) -> Entries:
        shape = costs.shape
        if isinstance(costs, SparseCosts):
            row, col, values = costs.row.astype(np.int64), costs.col.astype(np.int64), costs.cost
        else:
            row, col = (index.ravel() for index in np.indices(shape))
            values = costs.ravel()
        allowed = np.isfinite(values)
        row, col, values = row[allowed], col[allowed], values[allowed]
        if record.transposed:
            shape, row, col = shape[::-1], col, row
        order = np.lexsort((col, row))
        row, col, values = row[order], col[order], values[order]
        exponent = 0
        if values.dtype.kind == "f":
            finest = finest_exponent(values.astype(np.float64))
            exponent = record.exponent if finest is None else min(finest, record.exponent)
            values = _units(values.astype(np.float64), exponent)
        if record.maximize:
            values = -_wide(values)
        unit = Fraction(2) ** exponent * (-1 if record.maximize else 1)
        return cls((shape[0], shape[1]), row, col, values, 1 << (record.exponent - exponent), unit)

    def places(self, row: Array, col: Array, what: str) -> Array:
        """Where pairs are among the entries; one that is not there is refused."""
        wanted = row.astype(np.int64) * self.cols + col
        at: Array = np.searchsorted(self._key, wanted)
        there = at < len(self._key)
        there[there] = self._key[at[there]] == wanted[there]
        if not there.all():
            k = int(np.flatnonzero(~there)[0])
            raise CertificateError(f"{what}: the pair ({row[k]}, {col[k]}) is forbidden")
        return at

    def check_cost(self, claimed: Any, units: int, number: int) -> None:
        exact = units * self.unit
        right = float_of(exact) == claimed if isinstance(claimed, float) else exact == claimed
        if not right:
            raise CertificateError(f"assignment {number} claims cost {claimed}, but costs {float_of(exact)}")

    def above_all(self) -> int:
        """More than any assignment costs."""
        most: Array = np.maximum.reduceat(self.cost, self.first) if len(self.cost) else self.cost
        return sum(map(int, most.tolist())) + 1

    def least_of_rows(self, values: Array, nothing: Any) -> Array:
        least = np.full(self.rows, nothing, values.dtype)
        if len(values):
            least[self.row[self.first]] = np.minimum.reduceat(values, self.first)
        return least

    def least_of_cols(self, values: Array, nothing: Any) -> Array:
        least = np.full(self.cols, nothing, values.dtype)
        if len(values):
            ordered = values[self.by_col]
            least[self.col[self.by_col[self.first_of_col]]] = np.minimum.reduceat(ordered, self.first_of_col)
        return least


class _Found:
    """An assignment that was found, and its cell."""

    def __init__(self, entries: Entries, cell: Cell, number: int):
        self.entries, self.number = entries, number
        self.name = f"assignment {number}"
        self.order = np.asarray(cell.order, np.int64)
        self.col_of_row = np.asarray(cell.col_of_row, np.int64)
        if self.col_of_row.shape != (entries.rows,):
            raise CertificateError(f"{self.name} has {len(self.col_of_row)} rows of {entries.rows}")
        self.rows = np.arange(entries.rows)
        try:
            check_pairs((entries.rows, entries.cols), self.rows, self.col_of_row)
        except CertificateError as refused:
            raise CertificateError(f"{self.name}: {refused}") from None
        self.at = entries.places(self.rows, self.col_of_row, self.name)
        self.cost = sum(map(int, entries.cost[self.at].tolist()))
        self.forced: dict[int, int] = {}
        self.forbidden: frozenset[int] = frozenset()  # places of entries

    def narrow(self, parent: _Found, position: int) -> None:
        """Make its cell the child of a parent."""
        self.forced, self.forbidden = parent.child(position)

    def child(self, position: int) -> tuple[dict[int, int], frozenset[int]]:
        """The pairs that are forced and those that are forbidden in a child."""
        before, row = self.order[:position].tolist(), int(self.order[position])
        forced = self.forced | {i: int(self.col_of_row[i]) for i in before}
        return forced, self.forbidden | {int(self.at[row])}

    def check_cell(self) -> None:
        """Check that the assignment is in the cell, and that its children are as many as they must be."""
        for row, col in self.forced.items():
            if self.col_of_row[row] != col:
                raise CertificateError(f"{self.name} does not have the pair ({row}, {col}) of its cell")
        if not self.forbidden.isdisjoint(self.at.tolist()):
            raise CertificateError(f"{self.name} has a pair that its cell forbids")
        free = [row for row in range(self.entries.rows) if row not in self.forced]
        if sorted(self.order.tolist()) != free:
            raise CertificateError(f"{self.name}: its children are not one for each row that is not forced")


class _Proof:
    """Duals of a cell, checked, and the lower bounds that they prove for it and for its children."""

    def __init__(self, found: _Found, record: Record):
        self.found, self.entries, self.record = found, found.entries, record
        entries, forced, duals = found.entries, found.forced, record.duals(found.number)
        row_dual, col_dual = (_scaled(dual, entries.scale) for dual in duals[:2])
        if row_dual.shape != (entries.rows,) or col_dual.shape != (entries.cols,):
            raise CertificateError(f"{found.name} has {len(row_dual)} and {len(col_dual)} duals")
        rows, cols = np.ones(entries.rows, bool), np.ones(entries.cols, bool)
        rows[list(forced)] = cols[list(forced.values())] = False
        self.spare, self.col_dual, self.cols = duals[2] * entries.scale, col_dual, cols
        self.left_over = entries.cols - entries.rows  # columns without a row
        self.check_spare(col_dual[cols], self.spare)
        cost, row_dual, col_dual = _same_kind(entries.cost, row_dual, col_dual)
        self.nothing = 2**62 if cost.dtype == np.int64 else float("inf")
        self.slack = cost - row_dual[entries.row] - col_dual[entries.col]
        self.slack[~(rows[entries.row] & cols[entries.col])] = self.nothing
        self.slack[list(found.forbidden)] = self.nothing
        self.check_slack(self.slack, np.arange(len(self.slack)))
        parts = entries.cost[found.at[~rows]], row_dual[rows], col_dual[cols]
        self.bound = sum(sum(map(int, part.tolist())) for part in parts) - self.left_over * self.spare

    def check_spare(self, col_dual: Array, spare: int) -> None:
        """On a rectangle, that no column's dual is above that of the columns without a row."""
        if self.left_over and len(col_dual) and int(col_dual.max()) > spare:
            raise CertificateError(f"{self.found.name}: a dual is above that of columns without a row")

    def check_slack(self, slack: Array, at: Array) -> None:
        if (slack < 0).any():
            first = at[int(np.flatnonzero(slack < 0)[0])]
            pair = f"({self.entries.row[first]}, {self.entries.col[first]})"
            raise CertificateError(f"{self.found.name}: the duals exceed the pair {pair}")

    def bound_of_children(self) -> list[Any]:
        """What the children cost at least."""
        order = self.found.order
        others = self.slack.copy()
        others[self.found.at] = self.nothing
        of_row = self.entries.least_of_rows(others, self.nothing)[order].tolist()
        of_col = self.entries.least_of_cols(others, self.nothing)[self.found.col_of_row[order]].tolist()
        if self.left_over:  # the column may stay without a row
            dual = self.col_dual[self.found.col_of_row[order]].tolist()
            of_col = [min(least, self.spare - v) for least, v in zip(of_col, dual, strict=True)]
        added = zip(of_row, of_col, strict=True)
        return [float("inf") if self.nothing in (row, col) else self.bound + row + col for row, col in added]

    def bounds_of_moved(self, children: list[tuple[int, int]], needed: int) -> list[int]:
        """What children cost at least, by duals that move; each with how many of the pairs before it it has.

        Those of many are checked together: there are thousands of children, and few duals of each move.
        """
        at_once = max(1, MOST_AT_ONCE // max(len(self.slack), 1))
        some = (children[k : k + at_once] for k in range(0, len(children), at_once))
        return [bound for part in some for bound in self._bounds_of_some(part, needed)]

    def _bounds_of_some(self, children: list[tuple[int, int]], needed: int) -> list[int]:
        entries, found = self.entries, self.found
        above = -((found.cost - needed) // entries.scale)  # in the record's units, rounded up
        position, before = np.array(children).T
        moves = self.record.child_moves(found.number, position.tolist(), before.tolist(), above)
        rows, cols = moves.rows.astype(np.int64), moves.cols.astype(np.int64)
        # Pairs that are forced in a child are the first in the order.
        turn_of_row = np.full(entries.rows, -1)
        turn_of_row[found.order] = np.arange(len(found.order))
        turn_of_col = np.where(self.cols, entries.rows, -1)
        turn_of_col[found.col_of_row[found.order]] = turn_of_row[found.order]
        if not (
            _distinct(rows, moves.of_row, turn_of_row, before)
            and _distinct(cols, moves.of_col, turn_of_col, before)
        ):
            raise CertificateError(f"{found.name}: the duals of a child are not those of its cell")
        up, down, spare_down = (
            _scaled(part, entries.scale) for part in (moves.up, moves.down, moves.spare_down)
        )
        if (up < 0).any() or (down < 0).any() or (spare_down < 0).any():
            raise CertificateError(f"{found.name}: the duals of a child move the wrong way")
        fallen = np.zeros((len(children), entries.cols), down.dtype if down.dtype == object else np.int64)
        fallen[moves.of_col, cols] = down
        if self.left_over:
            dual, lowered_by = _same_kind(np.broadcast_to(self.col_dual, fallen.shape), fallen)
            for k, lowered in enumerate(dual - lowered_by):
                self.check_spare(lowered[turn_of_col >= before[k]], self.spare - int(spare_down[k]))
        count = entries.start[rows + 1] - entries.start[rows]
        at = np.repeat(entries.start[rows] - (np.cumsum(count) - count), count) + np.arange(count.sum())
        child, col = np.repeat(moves.of_row, count), entries.col[at]
        is_there = (
            (turn_of_col[col] >= before[child])
            & (at != found.at[found.order[position]][child])
            & (self.slack[at] != self.nothing)
        )
        risen, fallen = np.repeat(up, count)[is_there], fallen[child, col][is_there]
        at = at[is_there]
        slack, risen, fallen = _same_kind(self.slack[at], risen, fallen, most=2**61)
        self.check_slack(slack - risen + fallen, at)
        # Pairs that are forced cost more than their duals by their slack: 0 where they are tight.
        held = [0, *accumulate(map(int, self.slack[found.at[found.order]].tolist()))]
        moved = _sums(up, moves.of_row, down, moves.of_col, len(children))
        spare = (self.left_over * int(amount) for amount in spare_down)
        return [
            self.bound + held[b] + more + of_spare
            for b, more, of_spare in zip(before.tolist(), moved, spare, strict=True)
        ]


def _sums(up: Array, of_row: Array, down: Array, of_col: Array, children: int) -> list[int]:
    """What the duals of each child rise by all in all."""
    sums = [0] * children
    for amount, child in zip(up.tolist(), of_row.tolist(), strict=True):
        sums[child] += amount
    for amount, child in zip(down.tolist(), of_col.tolist(), strict=True):
        sums[child] -= amount
    return sums


def _distinct(chosen: Array, of_child: Array, turn: Array, before: Array) -> bool:
    """Whether what each child has chosen are different ones, none of them forced in it."""
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < len(turn)):
        return False
    keys = np.sort(of_child * len(turn) + chosen)
    return bool((turn[chosen] >= before[of_child]).all()) and bool((keys[1:] != keys[:-1]).all())


def _scaled(dual: Array, scale: int) -> Array:
    scaled: Array = dual if scale == 1 else _wide(dual) * scale
    return scaled


def _units(values: Array, exponent: int) -> Array:
    """Reals that are multiples of 2**exponent, as integers."""
    mantissa, power = np.frexp(values)
    whole, shift = np.ldexp(mantissa, 53).astype(np.int64), power.astype(np.int64) - 53 - exponent
    if len(shift) == 0 or shift.max() <= 8:
        units: Array = (whole >> np.clip(-shift, 0, 63)) << np.maximum(shift, 0)
        return units
    pairs = zip(whole.tolist(), shift.tolist(), strict=True)
    return np.array([w << s if s >= 0 else w >> -s for w, s in pairs], object)


def _wide(values: Array) -> Array:
    """The same as integers that do not overflow."""
    return values.astype(object)


def _same_kind(*parts: Array, most: int = 2**59) -> tuple[Array, ...]:
    """All in int64 if each is small enough for any sum of three of them, else as Python's integers."""
    fits = all(
        p.dtype.kind == "i" and (len(p) == 0 or max(-int(p.min()), int(p.max())) < most) for p in parts
    )
    return tuple(part.astype(np.int64 if fits else object) for part in parts)
