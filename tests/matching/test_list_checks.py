"""The checks of lists find the first wrong value, whatever the other values are."""

import numpy as np
import pytest

from konig import _native

IDS = [np.int32, np.int64]
LENGTHS = (1, 2, 7, 4095, 4096, 4097, 20_000)  # around the blocks that are checked at once


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("ids", IDS)
def test_the_first_value_out_of_range_is_found(ids, threads):
    most, least = np.iinfo(ids).max, np.iinfo(ids).min
    for count in LENGTHS:
        for bound in (1, 2, 1000, int(most), min(int(most) + 1, 2**63 - 1), 2**62):
            values = np.arange(count, dtype=ids) % min(bound, 1000)
            values[count // 2] = min(bound - 1, int(most))
            assert _native.first_out_of_range(values, bound, threads) == -1
            for place in {0, count // 2, count - 1}:
                for bad in (least, -1, *([most, bound] if bound <= most else [])):
                    wrong = values.copy()
                    wrong[place] = bad
                    assert _native.first_out_of_range(wrong, bound, threads) == place
                    wrong[-1] = -5  # a later one, or the same
                    assert _native.first_out_of_range(wrong, bound, threads) == place
    assert _native.first_out_of_range(np.zeros(0, ids), 0, threads) == -1
    assert _native.first_out_of_range(np.zeros(3, ids), 0, threads) == 0


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("ids", IDS)
def test_the_first_decrease_is_found(ids, threads):
    most, least = np.iinfo(ids).max, np.iinfo(ids).min
    for count in LENGTHS:
        for start in (np.arange(count), np.arange(count) - count // 2, np.repeat(5, count)):
            start = start.astype(ids)
            assert _native.first_decrease(start, threads) == -1
            for place in {1, count // 2, count - 1} - {0, count}:
                wrong = start.copy()
                wrong[place] = least
                assert _native.first_decrease(wrong, threads) == place
                wrong = start.copy()
                wrong[place - 1] = most
                assert _native.first_decrease(wrong, threads) == place
    ends = np.array([least, -1, 0, most], ids)
    assert _native.first_decrease(ends, threads) == -1
    assert _native.first_decrease(ends[[0, 3, 0]], threads) == 2
