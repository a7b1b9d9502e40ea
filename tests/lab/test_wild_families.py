"""Families of wild draws: the same request gives the same valid instance, about as large as was asked."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from konig.io import Network
from konig.lab.bench.problems import PROBLEMS
from konig.lab.wild import FAMILIES, Request, draw
from konig.lab.wild.assignment import Maximised
from konig.lab.wild.drawing import Chance, Families

EVERY = [(problem, name) for problem, families in FAMILIES.items() for name in families.by_name]
SIZE = 20_000


def request(problem, name, number=0, size=SIZE):
    return Request(problem, 7, number, size, size, name)


def parts(data):
    """The arrays of an instance."""
    if isinstance(data, Maximised):
        return parts(data.costs)
    if isinstance(data, Network):
        return [*data.arcs, data.num_vertices, data.source, data.sink]
    return [data.data, data.indices, data.indptr, data.shape] if sparse.issparse(data) else [data]


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(parts(first), parts(second), strict=True))


@pytest.mark.parametrize("problem", FAMILIES)
def test_there_are_at_least_forty_families(problem):
    assert len(FAMILIES[problem].by_name) >= 40


@pytest.mark.parametrize(("problem", "name"), EVERY)
def test_a_draw_is_the_same_every_time_and_of_the_size_asked(problem, name):
    for number in range(3):
        drawn, again = (draw(request(problem, name, number)) for _ in range(2))
        assert drawn.family == name
        assert drawn.told == again.told
        assert same(drawn.data, again.data)
        assert 0.2 * SIZE < _entries(drawn.data) < 2.5 * SIZE, drawn.described()


def _entries(data):
    """What is stored: forbidden entries of a dense matrix, too."""
    if isinstance(data, Maximised):
        return _entries(data.costs)
    return data.num_arcs if isinstance(data, Network) else data.nnz if sparse.issparse(data) else data.size


@pytest.mark.parametrize(("problem", "name"), EVERY)
def test_small_draws_are_valid_and_their_answers_are_proved(problem, name):
    lab = PROBLEMS[problem]
    for number in range(2):
        data = draw(request(problem, name, number, size=1000)).data
        _check_valid(data)
        lab.verify(data, lab.solve(data, "auto", {"threads": 1}))


def _check_valid(data):
    if isinstance(data, Network):
        assert data.source != data.sink
        assert max(data.tail.max(), data.head.max(), data.source, data.sink) < data.num_vertices
        assert min(data.tail.min(), data.head.min(), data.source, data.sink) >= 0
        assert (data.capacity >= 0).all()
    elif sparse.issparse(data):
        data.check_format()
        assert data.sorted_indices().has_canonical_format  # lists may be in any order, but hold nothing twice
    elif isinstance(data, np.ndarray):
        assert not np.isnan(data).any()


def test_another_seed_or_number_gives_another_instance():
    first = draw(request("matching", "random_sparse"))
    assert not same(first.data, draw(request("matching", "random_sparse", number=1)).data)
    assert not same(first.data, draw(replace(request("matching", "random_sparse"), seed=8)).data)


def test_every_round_has_every_family_once_in_an_order_of_its_own():
    families = FAMILIES["flow"]
    count = len(families.by_name)
    rounds = [
        [families.chosen(Request("flow", 3, turn * count + k)) for k in range(count)] for turn in (0, 1)
    ]
    assert all(set(names) == set(families.by_name) for names in rounds)
    assert rounds[0] != rounds[1]


def test_sizes_fill_their_range_evenly_on_a_logarithmic_scale():
    drawn = [Chance(5, k).log("entries", 1e3, 1e7) for k in range(400)]
    assert 1e3 <= min(drawn) < 2e3
    assert 5e6 < max(drawn) <= 1e7
    assert 0.4 < np.mean(np.array(drawn) < 1e5) < 0.6


def test_whole_numbers_stay_in_their_range():
    drawn = {Chance(5, k).whole("n", 0, 3) for k in range(200)}
    assert drawn == {0, 1, 2, 3}
    assert Chance(5, 0).whole("n", 4, 2) == 4


def test_families_that_no_gpu_takes_are_not_drawn_for_one():
    families = FAMILIES["assignment"]
    number = len(families.by_name) - len(families.host_only)
    names = {families.chosen(Request("assignment", 1, k, device=True)) for k in range(number)}
    assert names == set(families.by_name) - families.host_only


def test_a_family_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="family 'nothing' is not one of"):
        Families(lambda data, chance: data).draw(Request("matching", 1, 0, family="nothing"))
