"""Launches until a program has ended, with NumPy's arrays in place of a device's."""

from host_memory import HostCupy

from konig.gpu.launches import DeviceState
from konig.gpu.programs import MAXIMUM, RUNNING, SERIES

NAMES = ("status", "matched", "series_used")


def test_the_series_of_every_launch_is_taken_and_the_room_given_back():
    state = DeviceState(HostCupy, NAMES, width=2, unknown=("matched",))
    assert len(state.array) == len(NAMES) + 2 * SERIES
    assert state.array.tolist()[:4] == [RUNNING, -1, 0, 0]
    rows = iter([[(1, 10), (2, 20)], [], [(3, 30)]])

    def launch():
        assert state.array[2] == 0  # there is room again
        for row in next(rows):
            used = int(state.array[2])
            state.array[len(NAMES) + 2 * used :][:2] = row
            state.array[2] = used + 1
        state.array[1] += 5
        if state.array[1] == 14:
            state.array[0] = MAXIMUM

    matched = []
    words = state.run(launch, lambda words: matched.append(words["matched"]))
    assert matched == [4, 9, 14]
    assert words["status"] == MAXIMUM
    assert state.series == [1, 10, 2, 20, 3, 30]


def test_a_program_that_waits_goes_on_when_it_has_what_it_needs():
    state = DeviceState(HostCupy, NAMES, width=1)
    waits, statuses = 3, iter([3, RUNNING, 3, MAXIMUM])

    def launch():
        assert state.array[0] == RUNNING
        state.array[0] = next(statuses)
        state.array[len(NAMES)], state.array[2] = 5, 1

    given = []

    def between(words):
        if words["status"] == waits:
            given.append(words["series_used"])
            state.resume(words)

    assert state.run(launch, between)["status"] == MAXIMUM
    assert given == [1, 1]
    assert state.series == [5] * 4


def test_a_program_without_a_series_ends_at_its_first_other_status():
    state = DeviceState(HostCupy, ("status", "launches"))

    def launch():
        state.array[1] += 1
        state.array[0] = 7 if state.array[1] == 3 else RUNNING

    assert state.run(launch) == {"status": 7, "launches": 3}
    assert state.series == []
