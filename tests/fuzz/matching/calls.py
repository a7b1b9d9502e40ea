"""All ways to ask for a matching or a block triangular form, each judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.interop import scipy as like_scipy

from ..case import Call, Draw, Violation
from ..command import ask
from ..knobs import beyond_a_method, draw_how, draw_threads
from ..settings import Settings, shown_call
from .corrupted import corrupted_forms, corrupted_matchings, corrupted_parts, judge_certificate
from .judge import Pattern, judge, judge_coarse, judge_form, judge_partners
from .patterns import Entries

FORMATS = ("csr", "csc", "coo", "lil", "dok")
DTYPES = (np.float64, np.float32, np.int8, np.int32, np.int64, np.uint16, np.bool_)


def draw_calls(draw: Draw, n: int, m: int, entries: Entries, settings: Settings) -> list[Call]:
    solver = Solver(draw, n, m, entries, settings)
    others: tuple[Callable[[], Call], ...] = (
        solver.named,
        solver.warm,
        solver.pairs,
        solver.dense,
        solver.coarse,
        solver.form,
        solver.like_scipy,
        solver.command,
    )
    weights = [5, 2, 1, 1, 1, 2, 1, 0.02 if settings.command_line else 0]
    return [way() for way in [solver.sparse, solver.named, solver.named, *draw.choices(others, weights, k=2)]]


class Solver:
    """Makes calls for one pattern. Everything random is drawn here; a call itself draws nothing."""

    def __init__(self, draw: Draw, n: int, m: int, entries: Entries, settings: Settings) -> None:
        self.draw, self.settings = draw, settings
        self.n, self.m, self.listed = n, m, entries
        self.pattern = Pattern(n, m, entries)
        values = draw.array.integers(0, 3, len(self.pattern.entries))  # zeros among them
        self.values = dict(zip(sorted(self.pattern.entries), values.tolist(), strict=True))
        self.without_zeros = Pattern(n, m, (entry for entry, value in self.values.items() if value))

    def sparse(self) -> Call:
        return self._call("sparse", draw_threads(self.draw, self.settings.threads))

    def named(self) -> Call:
        return self._call("sparse", draw_how(self.draw, "matching", self.settings.threads))

    def _matrix(self) -> tuple[str, Any]:
        """Stored zeros and duplicates count as entries."""
        form, kind = self.draw.some(FORMATS), self.draw.some((sp.coo_array, sp.coo_array, sp.coo_matrix))
        if form in ("csr", "csc", "coo") and self.draw.chance(0.5):
            listed = self.listed  # with duplicates, in any order
            values = np.ones(len(listed), self.draw.some(DTYPES))
        else:
            listed = sorted(self.pattern.entries)
            values = np.array([self.values[e] for e in listed], self.draw.some(DTYPES))
            if form in ("lil", "dok"):
                values = np.ones(len(listed), np.float64)
        rows, cols = np.array(listed, np.int64).reshape(-1, 2).T
        if form == "csr" and len(listed) and kind is sp.coo_array and self.draw.chance(0.5):
            order = np.argsort(rows, kind="stable")  # a CSR with duplicates and unsorted columns
            starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=self.n))])
            wide = self.draw.some((np.int32, np.int64))
            arrays = (values[order], cols[order].astype(wide), starts.astype(wide))
            return "csr as listed", sp.csr_array(arrays, shape=(self.n, self.m))
        return form, kind((values, (rows, cols)), shape=(self.n, self.m)).asformat(form)

    def _call(self, name: str, how: dict[str, Any]) -> Call:
        form, A = self._matrix()
        drop = "listed" not in form and form in ("csr", "csc", "coo") and self.draw.chance(0.15)
        pattern = self.pattern
        if drop:
            # Where zeros are dropped, duplicates are added up first, and none of these cancel.
            listed = A.tocoo()
            kept = [
                (i, j)
                for i, j, v in zip(listed.row.tolist(), listed.col.tolist(), listed.data, strict=True)
                if v
            ]
            pattern, how = Pattern(self.n, self.m, kept), how | {"drop_zeros": True}
        luck = self.draw.luck()
        run, again = partial(self._run, A, pattern, how, luck), partial(self._again, how, luck)
        return Call(shown_call(f"{name} {form}", how), run, again)

    def _again(self, how: dict[str, Any], luck: int, listed: tuple[int, int, Entries]) -> Iterator[Violation]:
        """The same call for other entries, as a COO matrix of ones."""
        n, m, entries = listed
        rows, cols = np.array(entries, np.int64).reshape(-1, 2).T
        A = sp.coo_array((np.ones(len(entries)), (rows, cols)), shape=(n, m))
        return self._run(A, Pattern(n, m, entries), how, luck)

    def warm(self) -> Call:
        """A start from some pairs of entries."""
        how = draw_how(self.draw, "matching", self.settings.threads)
        _, A = self._matrix()
        start = np.full(self.n, -1, np.int64)
        used: set[int] = set()
        for i, j in self.draw.sample(
            sorted(self.pattern.entries), self.draw.randint(0, len(self.pattern.entries))
        ):
            if start[i] < 0 and j not in used:
                start[i] = j
                used.add(j)
        run = partial(self._run, A, self.pattern, how | {"initial": start}, self.draw.luck())
        return Call(shown_call("warm", how), run)

    def pairs(self) -> Call:
        wide = self.draw.some((np.int32, np.int64, np.uint8, np.int16, list))
        columns = np.array(self.listed, np.int64).reshape(-1, 2).T
        if wide is not list and len(self.listed) and columns.max() > np.iinfo(wide).max:
            wide = np.int64
        given = tuple(side.tolist() if wide is list else side.astype(wide) for side in columns)
        shape = {"shape": (self.n, self.m)}
        return Call("pairs", partial(self._run, given, self.pattern, shape, self.draw.luck()))

    def dense(self) -> Call:
        A = np.zeros((self.n, self.m), self.draw.some(DTYPES))
        for entry in self.pattern.entries:
            A[entry] = self.values[entry]
        if self.draw.chance(0.5):
            A = np.asfortranarray(A)
        return Call("dense", partial(self._run, A, self.without_zeros, {}, self.draw.luck()))

    def coarse(self) -> Call:
        given = (konig.dulmage_mendelsohn, judge_coarse, self._matrix()[1], self.draw.luck())
        return Call("dulmage_mendelsohn", partial(self._run_form, *given))

    def form(self) -> Call:
        how = draw_how(self.draw, "matching", self.settings.threads) if self.draw.chance(0.5) else {}
        solve = partial(konig.block_triangular_form, **how)
        given = (solve, judge_form, self._matrix()[1], self.draw.luck())
        return Call(shown_call("block_triangular_form", how), partial(self._run_form, *given))

    def like_scipy(self) -> Call:
        return Call("scipy maximum_bipartite_matching", partial(self._run_like_scipy, self._matrix()[1]))

    def command(self) -> Call:
        return Call("konig match, btf", self._run_command)

    def _run(self, A: Any, pattern: Pattern, how: dict[str, Any], luck: int) -> Iterator[Violation]:
        answer = _solved(konig.maximum_matching, A, **how)
        if answer is None:
            return
        grounds = list(judge(pattern, answer))
        yield from grounds
        copies = corrupted_matchings(Draw("matching", luck, 0), pattern, answer)
        yield from judge_certificate(judge, pattern, answer, A, grounds, copies)

    def _run_form(self, solve: Callable[..., Any], judge_it: Any, A: Any, luck: int) -> Iterator[Violation]:
        form = _solved(solve, A)
        if form is None:
            return
        grounds = list(judge_it(self.pattern, form))
        yield from grounds
        draw = Draw("matching", luck, 0)
        copies = corrupted_forms(draw, form) if judge_it is judge_form else corrupted_parts(draw, form)
        yield from judge_certificate(judge_it, self.pattern, form, A, grounds, copies)

    def _run_like_scipy(self, A: Any) -> Iterator[Violation]:
        col_of_row = like_scipy.maximum_bipartite_matching(A, perm_type="column")
        row_of_col = like_scipy.maximum_bipartite_matching(A, perm_type="row")
        for mates, extent in ((col_of_row, self.m), (row_of_col, self.n)):
            turned = np.full(extent, -1, np.int64)
            for k, mate in enumerate(mates.tolist()):
                if mate >= 0:
                    turned[mate] = k
            both = (mates, turned) if mates is col_of_row else (turned, mates)
            yield from judge_partners(self.pattern, *both)
        if konig.structural_rank(A) != self.pattern.largest.size:
            yield Violation("not maximum", "structural_rank")

    def _run_command(self) -> Iterator[Violation]:
        rows, cols = np.array(sorted(self.pattern.entries), np.int64).reshape(-1, 2).T
        A = sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(self.n, self.m))
        for command in ("match", "btf"):
            done = ask(command, ".npz", lambda file: sp.save_npz(file, A), [])
            if done.status or done.proved:
                detail = f"{command}: {done.status}, then {done.proved} by verify: {done.said}"
                yield Violation("exit status", detail)
            else:
                partners = (np.array(done.answer[key], np.int64) for key in ("col_of_row", "row_of_col"))
                yield from judge_partners(self.pattern, *partners)


def _solved(solve: Callable[..., Any], A: Any, **how: Any) -> Any:
    """The answer, or None where a method refuses an input of this size."""
    try:
        return solve(A, device="cpu", **how)
    except ValueError as error:
        if not beyond_a_method(error):
            raise
        return None
