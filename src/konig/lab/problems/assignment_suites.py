"""The assignment suites. Costs are solved as they come: in random order most of them are of the same kind."""

from __future__ import annotations

from typing import Any

from konig.lab.suites import PLAIN, Instance, Suite

# The largest cost as a multiple of n, under the names that the studies give to the ranges.
RANGES = {"[0, n/10]": 0.1, "[0, n]": 1.0, "[0, 10n]": 10.0, "[0, 100n]": 100.0}
# Distances are rounded, as a solver that takes whole costs only is among the peers.
SCALE = 1_000_000


def _named(name: str, family: str, **params: Any) -> Instance:
    return Instance(name, family, params, PLAIN, "assignment")


def _uniform(n: int, label: str) -> Instance:
    return _named(f"{n} {label}", "uniform_costs", rows=n, spread=RANGES[label])


_TINY = (
    *(_uniform(200, label) for label in RANGES),
    _named("real 200", "real_costs", rows=200),
    _named("real 150 x 250", "real_costs", rows=150, cols=250),
    _named("euclidean 200", "euclidean_costs", rows=200, scale=SCALE),
    _named("machol-wien 100", "machol_wien", rows=100),
    _named("two-cost 200", "two_cost", rows=200),
    _named("tracking 300", "tracking", tracks=300),
    _named("tracking 200, dense", "tracking", tracks=200, dense=True),
    _named("sparse 2k d=10", "sparse_costs", rows=2000, degree=10),
)
_SMALL = (
    *(_uniform(n, label) for n in (1000, 2000, 5000) for label in list(RANGES)[:3]),
    _uniform(10_000, "[0, n]"),
    *(_named(f"euclidean {n}", "euclidean_costs", rows=n, scale=SCALE) for n in (1000, 2000)),
    *(_named(f"machol-wien {n}", "machol_wien", rows=n) for n in (1000, 2000)),
    _named("sparse 100k d=10", "sparse_costs", rows=100_000, degree=10),
    _named("sparse 1M d=10", "sparse_costs", rows=1_000_000, degree=10),
)
_FAMILIES = (
    *(_named(f"real {n}", "real_costs", rows=n) for n in (1000, 2000, 5000)),
    _named("real 1000 x 3000", "real_costs", rows=1000, cols=3000),
    _named("real 3000 x 1000", "real_costs", rows=3000, cols=1000),
    *(_uniform(n, "[0, 100n]") for n in (1000, 2000, 5000)),
    *(_named(f"euclidean {n}, real", "euclidean_costs", rows=n) for n in (1000, 2000)),
    *(_named(f"two-cost {n}", "two_cost", rows=n) for n in (1000, 2000)),
    _named("tracking 2000, dense", "tracking", tracks=2000, dense=True),
    *(_named(f"tracking {n}", "tracking", tracks=n) for n in (2000, 100_000)),
    *(_named(f"sparse 100k d={d}", "sparse_costs", rows=100_000, degree=d) for d in (5, 50)),
)
_LARGE = (
    *(_uniform(n, label) for n in (10_000, 20_000) for label in RANGES),
    *(_named(f"real {n}", "real_costs", rows=n) for n in (10_000, 20_000)),
)
# The sizes and ranges of Date and Nagi, sections 6.1 and 6.2.
_PAPER = tuple(_uniform(n, "[0, n]") for n in range(500, 5001, 500))
_PAPER_LARGE = tuple(_uniform(n, label) for label in list(RANGES)[:3] for n in (5000, 10_000, 15_000, 20_000))

SUITES = {
    "tiny": Suite(_TINY, 1, "all", "every family at some hundred rows: seconds"),
    "small": Suite(_SMALL, 1, "auto", "the rows on which auto is held against its peers: minutes"),
    "families": Suite(_FAMILIES, 1, "auto", "what the small suite leaves out: real, tied, gated"),
    "large": Suite(_LARGE, 1, "auto", "dense, 10,000 and 20,000 rows, all ranges: for a GPU"),
    "paper": Suite(_PAPER, 1, "paper", "tables 1 and 2 of the paper, n = 500 to 5,000: minutes"),
    "paper-large": Suite(_PAPER_LARGE, 1, "paper", "table 3, n = 5,000 to 20,000: an hour or more"),
}
