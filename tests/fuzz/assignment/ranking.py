"""Rankings, judged: different assignments, in order of exact costs, and none that is cheaper left out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations
from math import perm
from typing import Any

import konig

from ..case import Violation
from .judge import Problem, judge, judge_pairs_alone

MOST_LISTED = 1000  # assignments that are all listed to compare with


def judge_ranking(problem: Problem, given: Any, k: int | None, most: int) -> Iterator[Violation]:
    """What `konig.k_best_assignments` finds, up to so many."""
    ranking = konig.k_best_assignments(given, k, maximize=problem.maximize)
    found = [answer for _, answer in zip(range(most), ranking, strict=False)]
    costs: list[Fraction] = []
    for answer in found:
        wrong = list(judge_pairs_alone(problem, answer))
        yield from wrong
        if wrong:
            return
        costs.append(problem.cost_of(answer.row_ind.tolist(), answer.col_ind.tolist())[0])
    if len({(*answer.row_ind.tolist(), *answer.col_ind.tolist()) for answer in found}) != len(found):
        yield Violation("ranking", "an assignment comes twice")
    if any(after < before for before, after in pairwise(costs)):
        yield Violation("ranking", "an assignment is cheaper than the one before it")
    if found:
        yield from judge(problem, found[0])
    short, long = sorted(problem.shape)
    if perm(long, short) <= MOST_LISTED:
        listed = all_costs(problem)
        wanted = listed[: min(most, len(listed) if k is None else k)]
        if costs != wanted:
            yield Violation("ranking", f"{len(costs)} of {len(wanted)} assignments, or other costs")
    try:
        ranking.verify(given)
    except konig.CertificateError as refused:
        yield Violation("certificate refuses a true answer", str(refused))


def all_costs(problem: Problem) -> list[Fraction]:
    """What all full assignments cost, in order."""
    rows, cols = problem.shape
    found = []
    for chosen in permutations(range(max(rows, cols)), min(rows, cols)):
        along = list(range(len(chosen)))
        pairs = (along, list(chosen)) if rows <= cols else (list(chosen), along)
        if all(problem.allowed[pair] for pair in zip(*pairs, strict=True)):
            found.append(problem.cost_of(*pairs)[0])
    return sorted(found)
