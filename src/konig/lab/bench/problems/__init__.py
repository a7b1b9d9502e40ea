"""What the bench knows of each problem: its peers, and how instances are kept, solved and checked."""

from __future__ import annotations

from konig.lab.bench.problems.assignment import ASSIGNMENT
from konig.lab.bench.problems.flow import FLOW
from konig.lab.bench.problems.matching import MATCHING
from konig.lab.bench.problems.problem import Problem, Raced

__all__ = ["PROBLEMS", "RACED", "Problem", "Raced"]

PROBLEMS: dict[str, Problem] = {problem.name: problem for problem in (MATCHING, ASSIGNMENT, FLOW)}
RACED: dict[str, Raced] = dict(PROBLEMS)  # with the relatives, once they are imported
