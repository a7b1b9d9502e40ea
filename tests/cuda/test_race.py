"""The host as a rival of a device that is a word in memory."""

from types import SimpleNamespace

import numpy as np
import pytest

from konig.backends import cuda, race, staging
from konig.backends.device_programs import MAXIMUM
from konig.backends.launches import NO_STATUS
from konig.graph import as_graph
from konig.lab import generators

A = generators.hilo(6_000, 60, 5)[np.roll(np.arange(6_000), 1)]
STREAM = SimpleNamespace(synchronize=lambda: None, record=lambda: None, wait_event=lambda event: None)
CUPY = SimpleNamespace(cuda=SimpleNamespace(get_current_stream=lambda: STREAM))


@pytest.fixture
def rival(monkeypatch):
    monkeypatch.setattr(cuda, "stream_beside", lambda cupy: STREAM)
    monkeypatch.setattr(staging, "host_array", lambda shape, dtype, fill: np.full(shape, fill, dtype))
    made = race.HostRival(CUPY, SimpleNamespace(held_on_host=as_graph(A)), None, None)
    yield made
    made.close()


def word(status):
    return np.array([status])


@pytest.mark.parametrize("threads", [1, 3])
def test_the_host_solves_it_unless_the_device_has(rival, threads):
    assert not rival.solve(threads, word(MAXIMUM))
    assert rival.answer is None
    assert rival.solve(threads, word(NO_STATUS))
    ran, stats, rows, _ = rival.answer
    assert stats["size"] == np.count_nonzero(rows >= 0) == 6_000
    assert ran == "ms-bfs-graft"


def test_without_memory_nobody_waits(rival, monkeypatch):
    def no_memory(*shape_and_type):
        raise MemoryError

    monkeypatch.setattr(staging, "host_array", no_memory)
    assert not rival.solve(1, word(NO_STATUS))
