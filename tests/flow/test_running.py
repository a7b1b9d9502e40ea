"""A flow while it runs: Ctrl-C, progress, threads and forks."""

import signal
import time
from functools import partial
from itertools import cycle

import numpy as np
import pytest
from around_a_solve import by_two_threads, forks, in_a_forked_child
from patience import quickest

import konig

SEQUENTIAL = ["hl-pr", "fifo-pr", "dinic", "dinic-two-sided", "bk"]


def layers(width, levels, seed=0):
    """A network that takes any method a while: random arcs between neighbouring layers."""
    rng = np.random.default_rng(seed)
    n = width * levels
    tail = np.repeat(np.arange(n - width), 3)
    head = (tail // width + 1) * width + rng.integers(0, width, len(tail))
    ends = np.arange(width)
    arcs = (
        np.r_[tail, np.full(width, n), n - width + ends],
        np.r_[head, ends, np.full(width, n + 1)],
        np.r_[rng.integers(1, 10_000, len(tail)), np.full(2 * width, 30_000)],
    )
    return arcs, n, n + 1


SLOW = layers(1500, 150)
SMALL = layers(20, 20)


def solve_for_ever(arcs, source, sink, method):
    while True:
        konig.maximum_flow(arcs, source, sink, method=method)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs setitimer")
@pytest.mark.parametrize("method", SEQUENTIAL)
def test_ctrl_c_stops_a_solve_and_the_next_one_works(method):
    arcs, source, sink = SLOW

    def interrupted():
        rang = []

        def ring(*_):
            rang.append(time.perf_counter())
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.15)
            with pytest.raises(KeyboardInterrupt):
                solve_for_ever(arcs, source, sink, method)
            return time.perf_counter() - rang[0]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    assert quickest(interrupted, limit=0.2) < 0.2
    small, s, t = SMALL
    konig.maximum_flow(small, s, t, method=method).verify(small, s, t)


def test_two_threads_solve_at_once():
    small, s, t = SMALL
    expected = konig.maximum_flow(small, s, t).value
    methods = cycle(SEQUENTIAL)
    solve = partial(konig.maximum_flow, small, s, t)
    assert set(by_two_threads(lambda: solve(method=next(methods)).value, 40)) == {expected}


@forks
def test_a_forked_child_solves():
    small, s, t = SMALL
    expected = konig.maximum_flow(small, s, t).value
    assert in_a_forked_child(lambda: konig.maximum_flow(small, s, t).value == expected)
