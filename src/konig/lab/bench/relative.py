"""A relative of the three problems in the bench: a function of ours, families of instances, peers.

A relative is told as a `Relative` with the functions that the workers need. Its families are functions of a
size and of a `konig.lab.wild.drawing.Chance`, which draws their parameters from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from scipy import sparse

from konig.lab.bench.contenders import Peer
from konig.lab.bench.problems.problem import Raced
from konig.lab.wild.drawing import Chance, Draw, Families, Family, Request

WARM_UP = 16  # the size of the instance that is solved before the clock starts
ROUNDING = 1e-9  # by how much values summed up in double precision may differ, as a part of them


def shape_of(data: Any) -> dict[str, Any]:
    """Rows, columns and entries of a matrix."""
    rows, cols = data.shape
    return {"rows": rows, "cols": cols, "nonzeros": int(data.nnz if sparse.issparse(data) else data.size)}


class Relative(Raced):
    """One relative. As a decorator it adds a family.

    Parameters
    ----------
    name : str
        What the command calls it.
    summary : str
        What is computed, in a line.
    sizes : tuple of int
        The sizes at which each family is drawn; what they count is the relative's own affair.
    solve : callable (data) -> answer
        Our whole public call, on one thread.
    verify : callable (data, answer) -> number
        Prove our answer, or raise `konig.CertificateError`; return its value, which peers must have, too.
    peers : dict of str to Peer
        Other libraries, or what users write today; building what they need is not timed.
    check : callable (data, answer) -> number
        Check a peer's answer to be feasible, or raise `konig.CertificateError`; return its value.
    extent : callable (data) -> dict, optional
        Rows, cols and nonzeros of an instance that is no matrix.
    """

    counted = ""

    def __init__(
        self,
        name: str,
        summary: str,
        *,
        sizes: tuple[int, ...],
        solve: Callable[[Any], Any],
        verify: Callable[[Any, Any], float],
        peers: Mapping[str, Peer],
        check: Callable[[Any, Any], float],
        extent: Callable[[Any], dict[str, Any]] = shape_of,
    ):
        self.name, self.summary, self.sizes, self.peers = name, summary, sizes, peers
        self.families = Families(lambda data, _: data)
        self._solve, self._verify, self._check, self._extent = solve, verify, check, extent

    def __call__(self, family: Callable[[int, Chance], Any]) -> Family:
        return self.families(family)

    def draw(self, request: Request) -> Draw:
        return self.families.draw(request)

    @cached_property
    def warm_up(self) -> Any:  # type: ignore[override]
        first = next(iter(self.families.by_name))
        return self.draw(Request(self.name, 0, 0, WARM_UP, WARM_UP, first)).data

    def extent(self, data: Any) -> dict[str, Any]:
        return self._extent(data)

    def objection(self, size: float, proven: float) -> str | None:
        same = math.isclose(size, proven, rel_tol=ROUNDING) if isinstance(proven, float) else size == proven
        return None if same else f"value {size}, but {proven} is proved"

    def placed(self, data: Any, at: str) -> Any:
        return data

    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> Any:
        return self._solve(data)

    def verify(self, data: Any, answer: Any) -> float:
        return self._verify(data, answer)

    def check(self, data: Any, answer: Any) -> float:
        return self._check(data, answer)
