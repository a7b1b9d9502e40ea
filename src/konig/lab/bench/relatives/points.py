"""Assignment between point sets: ours against solvers of the whole matrix, which is computed on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

import konig
from konig.errors import CertificateError
from konig.lab.bench.contenders import Peer
from konig.lab.bench.relative import Relative
from konig.lab.wild.drawing import Chance

Array = np.ndarray[Any, Any]
MOST_PAIRS = 1 << 28  # of a matrix that peers are asked about: 2 GB


@dataclass(frozen=True)
class Sets:
    x: Array
    y: Array
    metric: str

    def value(self, columns: Array) -> float:
        """The sum of the distances of an assignment of all points of the first set, the smaller one."""
        if len(set(columns.tolist())) != len(self.x):
            raise CertificateError("a point is assigned twice, or not at all")
        difference = self.x - self.y[columns]
        squares = (difference * difference).sum(axis=1)
        return math.fsum((squares if self.metric == "sqeuclidean" else np.sqrt(squares)).tolist())


def _verify(data: Sets, answer: konig.PointAssignment) -> float:
    answer.verify(data.x, data.y)
    return data.value(answer.col_ind)


def _whole_matrix(solve: Any) -> Any:
    """A peer that is given the distances; they are computed inside the clock, as users must."""

    def build(data: Sets) -> Any:
        from scipy.spatial.distance import cdist

        return (lambda: solve(cdist(data.x, data.y, data.metric))), (lambda columns: columns)

    return build


def _scipy(C: Array) -> Array:
    from scipy.optimize import linear_sum_assignment

    return np.asarray(linear_sum_assignment(C)[1])


def _konig(C: Array) -> Array:
    found = konig.linear_assignment(C, threads=1)
    assert isinstance(found, konig.Assignment)
    return np.asarray(found.col_ind)


def _lapx(C: Array) -> Array:
    lap = import_module("lap")
    return np.asarray(lap.lapjv(C, extend_cost=True, return_cost=False)[0])


def _pot(C: Array) -> Array:
    ot = import_module("ot")
    rows, cols = C.shape
    plan = ot.emd(np.full(rows, 1.0 / rows), np.full(cols, 1.0 / cols), C, numItermax=10**8)
    return np.asarray(plan.argmax(axis=1))


def _too_large(data: Sets) -> str | None:
    return "the matrix takes more than 2 GB" if len(data.x) * len(data.y) > MOST_PAIRS else None


def _not_square(data: Sets) -> str | None:
    return _too_large(data) or (None if len(data.x) == len(data.y) else "masses would be split")


RELATIVE = Relative(
    "points",
    "assignment between two sets of points",
    sizes=(10, 100, 1_000, 3_000, 10_000),
    solve=lambda data: konig.point_assignment(data.x, data.y, data.metric, threads=1),
    verify=_verify,
    peers={
        "linear_assignment": Peer("scipy.spatial", _whole_matrix(_konig), refuses=_too_large),
        "scipy": Peer("scipy.optimize", _whole_matrix(_scipy), refuses=_too_large),
        "lapx": Peer("lap", _whole_matrix(_lapx), refuses=_too_large),
        "pot": Peer("ot", _whole_matrix(_pot), refuses=_not_square),
    },
    check=lambda data, columns: data.value(columns),
    extent=lambda data: {"rows": len(data.x), "cols": len(data.y), "nonzeros": len(data.x) * len(data.y)},
)


def _metric(c: Chance) -> str:
    return str(c.pick("metric", "euclidean", "sqeuclidean"))


def _uniform(points: int, dimension: int, c: Chance) -> Array:
    drawn: Array = c.draws().uniform(points * dimension).reshape(points, dimension)
    return drawn


@RELATIVE
def uniform(points: int, c: Chance) -> Sets:
    """In a square or a cube."""
    dimension = c.pick("dimension", 2, 3)
    return Sets(_uniform(points, dimension, c), _uniform(points, dimension, c), _metric(c))


@RELATIVE
def moved(points: int, c: Chance) -> Sets:
    """Each point of one set is near a point of the other."""
    x = _uniform(points, 2, c)
    noise = c.log("noise", 0.1, 10.0) / math.sqrt(points)
    return Sets(x, x[::-1] + noise * (_uniform(points, 2, c) - 0.5), _metric(c))


@RELATIVE
def rectangle(points: int, c: Chance) -> Sets:
    """One set has more points."""
    more = int(points * c.real("more", 1.01, 2.0)) + 1
    return Sets(_uniform(points, 2, c), _uniform(more, 2, c), _metric(c))


@RELATIVE
def clusters(points: int, c: Chance) -> Sets:
    """Clusters with other shares of the points in each set: some travel far."""
    count = c.whole("clusters", 2, 20)
    centres = 10 * _uniform(count, 2, c)
    chosen = [(count * _uniform(points, 1, c)[:, 0] ** power).astype(int) for power in (1, 2)]
    x, y = (centres[which] + _uniform(points, 2, c) - 0.5 for which in chosen)
    return Sets(x, y, _metric(c))


@RELATIVE
def features(points: int, c: Chance) -> Sets:
    """Vectors of many numbers."""
    dimension = c.pick("dimension", 16, 64)
    return Sets(_uniform(points, dimension, c), _uniform(points, dimension, c), _metric(c))
