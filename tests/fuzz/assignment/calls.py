"""All ways to ask for an assignment, each judged."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.interop import scipy as like_scipy
from konig.interop.lap import lapjv

from ..case import Call, Draw, Violation
from ..command import ask
from ..exact import as_integers, power
from ..knobs import draw_how, draw_threads
from ..settings import Settings, shown_call
from .corrupted import judge_certificate
from .judge import (
    Problem,
    cost_fits,
    judge,
    judge_cost,
    judge_excess,
    judge_infeasible,
    judge_overflow,
    judge_pairs,
)
from .left_alone import draw_alone, judge_heaviest, judge_unassigned
from .ranking import judge_ranking
from .transversals import judge_bottleneck, judge_product

FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")


def draw_calls(solver: Solver) -> list[Call]:
    """`auto` for the matrix as it is, and two or three other entry points."""
    large = solver.C.size > 100_000
    ways: list[Callable[[], Call]] = [solver.dense, solver.named]
    others: tuple[Callable[[], Call], ...] = (
        solver.named,
        solver.sparse,
        solver.batch,
        solver.warm,
        solver.linear_sum_assignment,
        solver.full_matching,
        solver.lapjv,
        solver.unassigned,
        solver.heaviest,
        solver.ranked,
        solver.command,
    )
    weights = [4, 3, 2, 2, 2, 1, 2, 3, 2, 2, 0.02 if solver.settings.command_line and not large else 0]
    ways += solver.draw.choices(others, weights, k=0 if large else 2)
    if not large and solver.draw.chance(0.3):
        ways += [solver.bottleneck, solver.product]
    return [way() for way in ways]


class Solver:
    """Makes calls for one matrix. Everything random is drawn here; a call itself draws nothing."""

    def __init__(self, draw: Draw, C: np.ndarray, settings: Settings) -> None:
        self.draw, self.settings = draw, settings
        self.maximize, self.full = draw.chance(0.25), not draw.chance(0.25)
        if self.maximize and C.dtype.kind == "f":  # forbidden is -inf when maximising
            C = -C if draw.chance(0.5) else np.where(np.isposinf(C), -np.inf, C).astype(C.dtype)
        self.C = C
        self.problem = Problem(C, maximize=self.maximize)
        self._demands = {"gap_required": settings.gap_required, "per_entry": settings.per_entry}
        self.options: dict[str, Any] = {"maximize": self.maximize, "full": self.full}

    def dense(self) -> Call:
        name, C = self._stored()
        how = self._draw_threads()
        return self._call(shown_call(f"dense {name}", how), C, how)

    def named(self) -> Call:
        how = self._draw_how()
        return self._call(shown_call("dense", how), self.C, how)

    def sparse(self) -> Call:
        how = self._draw_how() if self.draw.chance(0.3) else self._draw_threads()
        form, kind = self.draw.some(FORMATS), self.draw.some((sp.coo_array, sp.coo_array, sp.coo_matrix))
        every = self.C.dtype.kind == "f" and self.draw.chance(
            0.2
        )  # forbidden pairs may also be stored as inf
        if self.C.dtype == np.float16:
            return self.named()  # scipy.sparse has none

        luck = self.draw.luck()

        def again(C: np.ndarray) -> Iterator[Violation]:
            A, stored = _as_sparse(C, form, kind, every)
            return self._run(lambda: A, how, Problem(C, stored, self.maximize), luck)

        name = f"sparse {form}{' matrix' * (kind is sp.coo_matrix)}"
        return Call(f"{shown_call(name, how)} {self._how()}", partial(again, self.C), again)

    def batch(self) -> Call:
        """This problem among others of its size and smaller: parts of the same matrix."""
        draw, (n, m) = self.draw, self.C.shape
        count, at = draw.randint(1, 5), 0
        at = draw.randrange(count)
        C = np.empty((count, n, m), self.C.dtype)
        row_counts, col_counts = np.full(count, n), np.full(count, m)
        for b in range(count):
            C[b] = self.C
            if b != at:
                C[b] = self.C[draw.array.permutation(n)][:, draw.array.permutation(m)]
                row_counts[b], col_counts[b] = draw.randint(0, n), draw.randint(0, m)
                if self.C.dtype.kind == "f":
                    C[b, row_counts[b] :] = np.nan
                    C[b, :, col_counts[b] :] = draw.some((np.nan, -np.inf, np.inf))
        how = self._draw_threads() if draw.chance(0.5) else self._draw_how()
        counts = {"row_counts": row_counts, "col_counts": col_counts}
        if count == 1 and draw.chance(0.5):
            counts = {}
        problems = [
            Problem(C[b, : row_counts[b], : col_counts[b]], maximize=self.maximize) for b in range(count)
        ]
        if draw.chance(0.2):
            C = np.asfortranarray(C)
        return Call(
            shown_call(f"batch of {count}", how | self.options),
            partial(self._run_batch, C, problems, how | counts),
        )

    def warm(self) -> Call:
        """A start from duals of another problem, or of none."""
        draw, (n, m) = self.draw, self.C.shape
        how = self._draw_how() if draw.chance(0.6) else self._draw_threads()
        way = draw.some(("same", "other", "random", "huge", "zero"))
        scale = draw.some((1.0, 1e3, 1e9))
        first = self.C
        if way in ("random", "huge"):
            scale = 1e300 if way == "huge" and self.C.dtype.kind == "f" else scale
            start: Any = tuple(draw.array.normal(size=k) * scale for k in (n, m))
            if self.C.dtype.kind != "f":
                start = tuple(np.rint(dual).astype(np.int64) for dual in start)
        elif way == "zero":
            start = (np.zeros(n, np.int64), np.zeros(m, np.int64))
        else:
            if way == "other" and self.C.dtype.kind == "f":
                with np.errstate(all="ignore"):
                    first = np.where(
                        np.isfinite(self.C), draw.array.permuted(self.C.ravel()).reshape(n, m), self.C
                    )
                first = np.where(np.isfinite(first), first, self.C).astype(self.C.dtype)

            def start() -> Any:
                return konig.linear_assignment(first, maximize=self.maximize, full=False)

        luck = self.draw.luck()

        def run() -> Iterator[Violation]:
            if not self.problem.fits:
                return
            try:
                begin = start() if callable(start) else start
            except OverflowError as error:
                yield from judge_overflow(Problem(first, maximize=self.maximize), error)
                return
            yield from self._run(lambda: self.C, how | {"initial": begin}, self.problem, luck)

        return Call(shown_call(f"warm {way}", how | self.options), run)

    def linear_sum_assignment(self) -> Call:
        return Call(f"scipy linear_sum_assignment {self._how()}", self._run_linear_sum_assignment)

    def full_matching(self) -> Call:
        form = self.draw.some(("csr", "csc", "coo"))
        return Call(
            f"scipy min_weight_full_bipartite_matching {form} {self._how()}", partial(self._run_full, form)
        )

    def lapjv(self) -> Call:
        finite = np.abs(self.C[self.problem.allowed].astype(float))
        limit = (
            np.inf
            if self.draw.chance(0.5) or not finite.size
            else float(self.draw.some(np.sort(finite).tolist()))
        )
        return Call(f"lap lapjv cost_limit={limit}", partial(self._run_lapjv, limit))

    def unassigned(self) -> Call:
        """Rows and columns left alone at a cost, dense or sparse."""
        alone = draw_alone(self.draw, self.C)
        how = self._draw_how() if self.draw.chance(0.4) else self._draw_threads()
        form = "" if self.C.dtype == np.float16 or self.draw.chance(0.6) else self.draw.some(FORMATS[:3])
        if form:
            how = {}

        def again(C: np.ndarray) -> Iterator[Violation]:
            problem, given = Problem(C, maximize=self.maximize), C
            allowed = problem.allowed
            if form:
                given, stored = _as_sparse(C, form, sp.coo_array, False)
                allowed = allowed & stored
            if not problem.fits or C.shape != self.C.shape:
                return
            yield from judge_unassigned(given, C, allowed, alone, self.maximize, how)

        return Call(shown_call(f"unassigned {form} {alone!r}", how), partial(again, self.C), again)

    def heaviest(self) -> Call:
        count = None if self.draw.chance(0.4) else self.draw.randint(0, min(self.C.shape))
        how = self._draw_threads()

        def again(C: np.ndarray) -> Iterator[Violation]:
            W = np.where(np.isposinf(C), -np.inf, C).astype(C.dtype) if C.dtype.kind == "f" else C
            if Problem(W, maximize=True).fits:
                yield from judge_heaviest(W, count, how)

        return Call(shown_call(f"heaviest cardinality={count}", how), partial(again, self.C), again)

    def bottleneck(self) -> Call:
        form = "dense" if self.C.dtype in (np.float16, np.uint64) else self.draw.some(("dense", "csr", "csc"))
        run = partial(judge_bottleneck, self.C, self.maximize, form)
        return Call(f"bottleneck {form} {self._how()}", run)

    def product(self) -> Call:
        form = self.draw.some(("dense", *FORMATS))
        return Call(f"product transversal {form}", partial(judge_product, self.C, form))

    def ranked(self) -> Call:
        """The cheapest ones, of dense or of sparse costs."""
        draw = self.draw
        k, most = draw.some((None, 1, 5, 30)), draw.some((1, 3, 30))
        form = draw.some(("dense", *FORMATS[:3])) if self.C.dtype != np.float16 else "dense"
        return Call(
            f"k best k={k} most={most} {form} {self._how()}", partial(self._run_ranked, k, most, form)
        )

    def command(self) -> Call:
        return Call(f"konig assign {self._how()}", self._run_command)

    def _draw_how(self) -> dict[str, Any]:
        # Hungarian methods take half a minute for some matrices of 300 rows, and core-paths minutes for 700
        # rows of sums of two reals, which are all but tied.
        slow = ("hungarian", "core-paths") if self.C.size > 10_000 else ()
        return draw_how(self.draw, "assignment", self.settings.threads, slow)

    def _draw_threads(self) -> dict[str, Any]:
        return draw_threads(self.draw, self.settings.threads)

    def _stored(self) -> tuple[str, Any]:
        """The same numbers in another order, layout or container."""
        C, draw = self.C, self.draw
        ways: dict[str, Callable[[], Any]] = {
            "C order": lambda: C,
            "Fortran order": lambda: np.asfortranarray(C),
            "every second": lambda: np.repeat(np.repeat(C, 2, axis=0), 2, axis=1)[::2, ::2],
            "backwards": lambda: C[::-1, ::-1].copy()[::-1, ::-1],
            "read-only": lambda: _read_only(C),
            "list": lambda: C.tolist() if C.size and C.dtype not in (np.float16, np.uint64) else C,
            "other byte order": lambda: C.astype(C.dtype.newbyteorder()),
            "unaligned": lambda: _unaligned(C),
        }
        name = draw.some(tuple(ways), (8, 3, 2, 2, 2, 2, 1, 1))
        return name, ways[name]()

    def _how(self) -> str:
        return " ".join(f"{key}={value}" for key, value in self.options.items())

    def _call(self, name: str, given: Any, how: dict[str, Any]) -> Call:
        luck = self.draw.luck()

        def again(C: np.ndarray) -> Iterator[Violation]:
            return self._run(lambda: C, how, Problem(C, maximize=self.maximize), luck)

        run = partial(self._run, lambda: given, how, self.problem, luck)
        return Call(f"{name} {self._how()}", run, again)

    def _run(
        self, given: Callable[[], Any], how: dict[str, Any], problem: Problem, luck: int
    ) -> Iterator[Violation]:
        C = given()
        try:
            answer = konig.linear_assignment(C, device="cpu", **self.options, **how)
        except konig.InfeasibleError as error:
            if not self.full:
                yield Violation("refused though full=False", str(error))
            yield from judge_infeasible(problem, error)
            return
        except OverflowError as error:
            yield from judge_overflow(problem, error)
            return
        except ValueError as error:
            if not _excused(problem, error):
                yield Violation("raises ValueError", str(error))
            return
        if self.full and not problem.full:
            yield Violation("accepted though infeasible", f"{len(answer.row_ind)} pairs")
            return
        grounds = list(judge(problem, answer, **self._demands))
        yield from grounds
        yield from judge_certificate(Draw("assignment", luck, 0), problem, answer, C, grounds)

    def _run_batch(self, C: np.ndarray, problems: list[Problem], how: dict[str, Any]) -> Iterator[Violation]:
        infeasible = [b for b, problem in enumerate(problems) if not problem.full]
        try:
            answers = konig.linear_assignment(C, device="cpu", **self.options, **how)
        except konig.InfeasibleError as error:
            if error.problem is None or not 0 <= error.problem < len(problems):
                yield Violation("Hall violator", f"problem {error.problem}")
            else:
                yield from judge_infeasible(problems[error.problem], error)
            return
        except OverflowError as error:
            fits = all(abs(p.optimal_cost) < 2**63 for p in problems if p.whole)
            if fits and all(list(judge_overflow(p, error)) for p in problems if p.full):
                yield Violation("overflow", str(error))
            return
        except ValueError as error:
            if not any(_excused(problem, error) for problem in problems):
                yield Violation("raises ValueError", str(error))
            return
        if infeasible and self.full:
            yield Violation("accepted though infeasible", f"problem {infeasible[0]}")
            return
        accepted = True
        for b, problem in enumerate(problems):
            for violation in judge(problem, answers[b], **self._demands):
                accepted = False
                yield Violation(violation.kind, f"problem {b}: {violation.detail}", violation.size)
        if accepted:
            try:
                answers.verify(C)
            except konig.CertificateError as refused:
                yield Violation("certificate refuses a true answer", str(refused))

    def _run_linear_sum_assignment(self) -> Iterator[Violation]:
        try:
            pairs = like_scipy.linear_sum_assignment(self.C, maximize=self.maximize)
        except ValueError as error:
            if "infeasible" in str(error):
                if self.problem.full:
                    yield Violation("refused though feasible", str(error))
            elif not _excused(self.problem, error):
                yield Violation("raises ValueError", str(error))
            return
        if not self.problem.full:
            yield Violation("accepted though infeasible", "linear_sum_assignment")
            return
        yield from _judge_as_doubles(self.problem, *pairs)

    def _run_full(self, form: str) -> Iterator[Violation]:
        if self.C.dtype == np.float16 or not self.C.size:
            return
        # Stored zeros are no edges here.
        problem = Problem(self.C, self.C != 0, self.maximize)
        A = sp.coo_array(np.where(problem.allowed, self.C, 0).astype(self.C.dtype)).asformat(form)
        try:
            pairs = like_scipy.min_weight_full_bipartite_matching(A, maximize=self.maximize)
        except ValueError as error:
            if "no full matching" in str(error):
                if problem.full:
                    yield Violation("refused though feasible", str(error))
            elif not _excused(problem, error):
                yield Violation("raises ValueError", str(error))
            return
        if not problem.full:
            yield Violation("accepted though infeasible", "min_weight_full_bipartite_matching")
            return
        yield from judge_pairs(problem, *pairs)

    def _run_lapjv(self, limit: float) -> Iterator[Violation]:
        C = -self.C if self.maximize and self.C.dtype.kind == "f" else self.C
        problem = Problem(C)
        try:
            total, x, y = lapjv(C, extend_cost=True, cost_limit=limit)
        except ValueError as error:
            if not _excused(problem, error):
                yield Violation("raises ValueError", str(error))
            return
        rows = [i for i, j in enumerate(x.tolist()) if j >= 0]
        cols = [j for j in x.tolist() if j >= 0]
        if sorted(zip(cols, rows, strict=True)) != [(j, i) for j, i in enumerate(y.tolist()) if i >= 0]:
            yield Violation("pairs", f"x={x.tolist()} and y={y.tolist()} differ")
            return
        if limit == np.inf and total == np.inf:  # lap's answer where there is none: full, of forbidden pairs
            if len(rows) != min(C.shape):
                yield Violation("pairs", f"x={x.tolist()}: infinite, and not full")
            if problem.full and cost_fits(problem):
                yield Violation("cost", "infinite, and there is an assignment")
            return
        if len(set(cols)) != len(cols) or any(
            not problem.allowed[i, j] for i, j in zip(rows, cols, strict=True)
        ):
            yield Violation("pairs", "a column twice, or a forbidden pair")
            return
        exact, magnitude = problem.cost_of(rows, cols)
        yield from judge_cost(problem, float(total), exact, magnitude, len(rows))
        if limit == np.inf:
            yield from _judge_as_doubles(problem, np.array(rows, int), np.array(cols, int))
            return
        if problem.affordable:
            yield from _judge_limited(problem, limit, exact, magnitude, (rows, cols))

    def _run_ranked(self, k: int | None, most: int, form: str) -> Iterator[Violation]:
        problem, given = self.problem, self.C
        if form != "dense":
            given, stored = _as_sparse(self.C, form, sp.coo_array, False)
            problem = Problem(self.C, stored, self.maximize)
        try:
            found = list(judge_ranking(problem, given, k, most))
        except konig.InfeasibleError as error:
            yield from judge_infeasible(problem, error)
        except OverflowError as error:
            yield from judge_overflow(problem, error)
        except ValueError as error:
            if not _excused(problem, error):
                yield Violation("raises ValueError", str(error))
        else:
            if not problem.full:
                yield Violation("accepted though infeasible", "k_best_assignments")
            yield from found

    def _run_command(self) -> Iterator[Violation]:
        if self.C.dtype == np.float16:
            return
        options = ["--maximize"] * self.maximize + ["--partial"] * (not self.full)
        done = ask("assign", ".npy", lambda file: np.save(file, self.C), options)
        if done.status == 2 and (not self.problem.fits or "do not fit" in done.said):
            if self.problem.fits:
                yield from judge_overflow(self.problem, OverflowError(done.said))
            return
        infeasible = self.full and not self.problem.full
        answer = done.answer
        if done.status != int(infeasible) or done.proved != 0:
            yield Violation("exit status", f"{done.status}, then {done.proved} by verify: {done.said}")
        elif infeasible:
            rows, cols = answer["violator_rows"], answer["violator_cols"]
            yield from judge_infeasible(self.problem, SimpleNamespace(rows=rows, cols=cols))
        else:
            yield from judge_pairs(
                self.problem, np.array(answer["row_ind"], int), np.array(answer["col_ind"], int)
            )


def _judge_as_doubles(problem: Problem, row_ind: np.ndarray, col_ind: np.ndarray) -> Iterator[Violation]:
    """What a drop-in finds: beyond exact integers it solves costs as doubles, as the library does."""
    found = list(judge_pairs(problem, row_ind, col_ind))
    C = problem.values
    if found and C.dtype.kind in "iu" and np.abs(C.astype(float)).max() > 2.0**62:
        found = list(
            judge_pairs(Problem(C.astype(float), problem.allowed, problem.maximize), row_ind, col_ind)
        )
    yield from found


def _judge_limited(
    problem: Problem, limit: float, exact: Fraction, magnitude: Fraction, pairs: tuple[list[int], list[int]]
) -> Iterator[Violation]:
    """Leaving a pair unassigned costs the limit: what pairs save against it is as much as can be."""
    bound = Fraction(limit)
    if any(float(problem.values[pair]) > limit for pair in zip(*pairs, strict=True)):
        yield Violation("pairs", "a pair beyond the limit is assigned")
    (costs, threshold), exponent = as_integers(problem.finite, np.array(limit))
    saved = np.where(problem.allowed, np.minimum(costs - threshold, 0), 0)
    most = Problem(saved.astype(object)).optimal_cost * power(exponent)
    found = exact - len(pairs[0]) * bound
    # The limit is a float64, and costs are compared with it as such.
    yield from judge_excess(found - most, magnitude + problem.size * abs(bound), problem.size, whole=False)


def _excused(problem: Problem, error: Exception) -> bool:
    """Integers beyond 64 bits are documented to be refused, and some methods take dense costs only."""
    if "does not take" in str(error):
        return True
    return not problem.fits and ("64 bits" in str(error) or "2**63" in str(error))


def _as_sparse(C: np.ndarray, form: str, kind: Any, every: bool) -> tuple[Any, np.ndarray]:
    """The allowed costs, or every one, as a sparse matrix; and which pairs are stored there."""
    stored = np.isfinite(C) | (every or form in ("bsr", "dia"))
    rows, cols = np.nonzero(stored)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        A = kind((C[rows, cols], (rows, cols)), shape=C.shape).asformat(form)
    listed = A.tocoo()  # some forms drop zeros or add them
    stored = np.zeros(C.shape, bool)
    stored[listed.row, listed.col] = True
    return A, stored


def _read_only(C: np.ndarray) -> np.ndarray:
    C = C.copy()
    C.setflags(write=False)
    return C


def _unaligned(C: np.ndarray) -> np.ndarray:
    raw = np.empty(C.nbytes + 1, np.uint8)
    view = raw[1:].view(C.dtype).reshape(C.shape)
    view[...] = C
    return view
