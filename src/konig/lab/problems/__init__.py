"""What the bench knows of each problem: its instances, its peers, and how answers are found and checked."""

from __future__ import annotations

from konig.lab.problems.assignment import ASSIGNMENT
from konig.lab.problems.flow import FLOW
from konig.lab.problems.matching import MATCHING
from konig.lab.problems.problem import Problem

__all__ = ["PROBLEMS", "Problem"]

PROBLEMS: dict[str, Problem] = {problem.name: problem for problem in (MATCHING, ASSIGNMENT, FLOW)}
