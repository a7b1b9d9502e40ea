"""Judges refuse planted wrong answers: one that cannot fail is worth nothing."""

from dataclasses import replace

import numpy as np
import pytest

import konig
from fuzz.assignment.judge import Problem, judge, judge_infeasible, judge_overflow, judge_pairs
from fuzz.assignment.ranking import judge_ranking
from fuzz.flow.judge import excused
from fuzz.flow.judge import judge as judge_flow
from fuzz.flow.network import Network
from fuzz.matching import judge as matching


def kinds(violations):
    return {violation.kind for violation in violations}


WHOLE = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
REAL = WHOLE / 10
WIDE = np.array([[4.5, 1.25, 3.0, 9.0], [2.0, 0.0, 5.0, 9.0]])


@pytest.mark.parametrize("C", [WHOLE, REAL, WIDE, WIDE.T.copy()], ids=["whole", "real", "wide", "tall"])
@pytest.mark.parametrize("maximize", [False, True])
def test_a_right_assignment_passes(C, maximize):
    assert not kinds(judge(Problem(C, maximize=maximize), konig.linear_assignment(C, maximize=maximize)))


def shifted(array, at, by):
    copy = np.array(array)
    copy[at] += by
    return copy


PLANTED = {
    "swapped columns": (lambda a: replace(a, col_ind=a.col_ind[[1, 0, 2]]), {"not optimal", "cost"}),
    "a column twice": (lambda a: replace(a, col_ind=a.col_ind[[0, 0, 2]]), {"pairs"}),
    "a row outside": (lambda a: replace(a, row_ind=shifted(a.row_ind, 2, 1)), {"pairs"}),
    "one pair less": (lambda a: replace(a, row_ind=a.row_ind[:2], col_ind=a.col_ind[:2]), {"size"}),
    "wrong cost": (lambda a: replace(a, cost=a.cost + type(a.cost)(1)), {"cost"}),
    "a short dual": (lambda a: replace(a, row_dual=a.row_dual[:2]), {"shape"}),
}


@pytest.mark.parametrize("C", [WHOLE, REAL], ids=["whole", "real"])
@pytest.mark.parametrize("planted", PLANTED)
def test_a_wrong_assignment_is_refused(C, planted):
    spoil, expected = PLANTED[planted]
    assert kinds(judge(Problem(C), spoil(konig.linear_assignment(C)))) & expected


class Planted:
    """A ranking with other answers, whose proof is never refused."""

    def __init__(self, answers):
        self.answers = answers

    def __iter__(self):
        return iter(self.answers)

    def verify(self, C):
        pass


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda found: found, None),
        (lambda found: found[:1] + found[2:], "ranking"),
        (lambda found: found[:2] + found[1:], "ranking"),
        (lambda found: [found[3], *found[:3], *found[4:]], "ranking"),
        (lambda found: found[1:], "not optimal"),
        (lambda found: [replace(found[0], cost=found[0].cost + 1), *found[1:]], "cost"),
    ],
    ids=["right", "one left out", "one twice", "out of order", "without the first", "wrong cost"],
)
def test_a_wrong_ranking_is_refused(spoil, kind, monkeypatch):
    found = list(konig.k_best_assignments(WHOLE))
    monkeypatch.setattr(konig, "k_best_assignments", lambda *_, **__: Planted(spoil(found)))
    judged = kinds(judge_ranking(Problem(WHOLE), WHOLE, None, 30))
    assert kind in judged if kind else not judged


def test_integer_duals_must_be_feasible_and_tight():
    a = konig.linear_assignment(WHOLE)
    assert kinds(judge(Problem(WHOLE), replace(a, row_dual=shifted(a.row_dual, 0, 1)))) & {
        "dual infeasible",
        "dual not tight",
    }
    assert "dual not tight" in kinds(judge(Problem(WHOLE), replace(a, row_dual=shifted(a.row_dual, 0, -1))))


def test_a_real_dual_that_is_off_by_a_billionth_proves_too_little():
    a = konig.linear_assignment(REAL)
    assert "proof too weak" in kinds(judge(Problem(REAL), replace(a, row_dual=shifted(a.row_dual, 0, -1e-9))))


def test_duals_of_a_longer_side_are_0_where_nothing_is_assigned():
    a = konig.linear_assignment(WIDE)
    free = next(j for j in range(4) if j not in a.col_ind)
    assert "dual sign" in kinds(judge(Problem(WIDE), replace(a, col_dual=shifted(a.col_dual, free, -1.0))))


class WithGap:
    """An answer that claims a gap."""

    def __init__(self, answer, gap):
        self.__dict__.update({name: getattr(answer, name) for name in answer.__dataclass_fields__}, gap=gap)


def test_a_gap_bounds_what_the_duals_prove_and_no_more_than_is_allowed():
    a = konig.linear_assignment(REAL)
    loose = replace(a, row_dual=shifted(a.row_dual, 0, -1e-13))
    assert "gap below proof" in kinds(judge(Problem(REAL), WithGap(loose, 0.0)))
    assert not kinds(judge(Problem(REAL), WithGap(loose, 1.5e-13))) & {"gap below proof", "gap too large"}
    assert "gap too large" in kinds(judge(Problem(REAL), WithGap(loose, 1e-9)))
    assert "gap too large" in kinds(judge(Problem(REAL), WithGap(a, float("nan"))))
    assert "gap too large" in kinds(judge(Problem(WHOLE), WithGap(konig.linear_assignment(WHOLE), 1)))


def test_an_answer_without_gap_is_refused_where_one_is_required():
    a = konig.linear_assignment(REAL)
    bare = WithGap(a, None)
    assert "gap missing" in kinds(judge(Problem(REAL), bare, gap_required=True))


def test_entries_are_judged_one_by_one_on_demand():
    C = np.array([[1e9, 0.0], [0.0, 1.0]])
    a = konig.linear_assignment(C, maximize=True)
    loose = WithGap(replace(a, row_dual=shifted(a.row_dual, 1, 1e-10)), 2e-10)
    problem = Problem(C, maximize=True)
    assert not kinds(judge(problem, loose))
    assert kinds(judge(problem, loose, per_entry=True)) == {"entry beyond rounding"}


def test_large_duals_do_not_excuse_a_wrong_answer():
    C = np.array([[0.0, 1.0], [0.0, 0.0]])
    a = konig.linear_assignment(C)
    worse = replace(
        a, col_ind=a.col_ind[::-1], cost=1.0, row_dual=a.row_dual + 1e17, col_dual=a.col_dual - 1e17
    )
    assert "wrong answer" in kinds(judge(Problem(C), worse))


def test_pairs_without_duals_are_compared_with_the_optimum():
    assert not kinds(judge_pairs(Problem(WHOLE), np.arange(3), np.array([1, 0, 2])))
    assert "not optimal" in kinds(judge_pairs(Problem(WHOLE), np.arange(3), np.array([0, 1, 2])))


def test_a_hall_violator_must_show_that_no_assignment_is_full():
    C = np.array([[1.0, np.inf, np.inf], [2.0, np.inf, np.inf], [1.0, 1.0, 1.0]])
    true = konig.InfeasibleError(np.array([0, 1]), np.array([0]))
    assert not kinds(judge_infeasible(Problem(C), true))
    for rows, cols in (([0, 1], [1]), ([0, 2], [0]), ([0], [0]), ([0, 1, 2], [0, 1, 2]), ([0, 5], [0])):
        false = konig.InfeasibleError(np.array(rows), np.array(cols))
        assert "Hall violator" in kinds(judge_infeasible(Problem(C), false))
    assert "refused though feasible" in kinds(judge_infeasible(Problem(WHOLE), true))


def test_an_overflow_is_excused_where_a_cost_or_duals_do_not_fit():
    error = OverflowError("do not fit")
    huge = np.full((3, 3), np.finfo(float).max / 2)
    assert not kinds(judge_overflow(Problem(huge), error))
    assert kinds(judge_overflow(Problem(huge / 2), error)) == {"overflow"}
    assert kinds(judge_overflow(Problem(np.full((3, 3), 2**62)), error)) == {"overflow"}


TAIL, HEAD = np.array([0, 0, 1, 1, 2]), np.array([1, 2, 2, 3, 3])
CAPACITIES = {"whole": np.array([4, 2, 3, 1, 6]), "real": np.array([4, 2, 3, 1, 6]) / 8}


@pytest.fixture(params=CAPACITIES, ids=str)
def solved(request):
    network = Network(4, TAIL, HEAD, CAPACITIES[request.param], (0,), (3,))
    return network, konig.maximum_flow((TAIL, HEAD, network.capacity), 0, 3)


def test_a_right_flow_passes(solved):
    network, f = solved
    assert not kinds(judge_flow(network, f.value, f.flow, f.cut))


def test_a_wrong_flow_is_refused(solved):
    network, f = solved
    unit = 1 if network.whole else 0.125
    more, less = shifted(f.flow, 0, unit), shifted(f.flow, 2, -unit)
    other = np.array([True, False, True, False])
    assert "capacity exceeded" in kinds(judge_flow(network, f.value, more, f.cut))
    assert "capacity exceeded" in kinds(judge_flow(network, f.value, -f.flow, f.cut))
    assert "not conserved" in kinds(judge_flow(network, f.value, less, f.cut))
    assert "value" in kinds(judge_flow(network, f.value + unit, f.flow, f.cut))
    assert "not maximum" in kinds(judge_flow(network, f.value * 0, f.flow * 0, f.cut))
    assert "cut" in kinds(judge_flow(network, f.value, f.flow, ~f.cut))
    assert "cut not minimum" in kinds(judge_flow(network, f.value, f.flow, other))
    assert "shape" in kinds(judge_flow(network, f.value, f.flow[:-1], f.cut))
    assert kinds(judge_flow(network, f.value, f.flow, f.cut, gap=-1.0))


def test_flow_in_a_circle_is_refused():
    network = Network(4, np.array([0, 1, 2, 1]), np.array([1, 2, 1, 3]), np.array([1, 5, 5, 1]), (0,), (3,))
    cut = np.array([True, False, False, False])
    assert kinds(judge_flow(network, 1, np.array([1, 2, 2, 1]), cut)) == {"circulation"}


@pytest.mark.parametrize(("capacity", "may_be_refused"), [(2**64 - 1, True), (2**63, True), (2**61, False)])
def test_capacities_beyond_64_bits_with_a_sign_may_be_refused(capacity, may_be_refused):
    network = Network(3, np.array([0, 1]), np.array([1, 2]), np.array([capacity, 1], np.uint64), (0,), (2,))
    assert excused(network, {}, ValueError("larger than 2**63 - 1")) == may_be_refused


def test_a_flow_without_bound_is_refused():
    network = Network(2, np.array([0]), np.array([1]), np.array([np.inf]), (0,), (1,))
    flow, cut = np.array([1.0]), np.array([True, False])
    assert "accepted though unbounded" in kinds(judge_flow(network, 1.0, flow, cut))


ENTRIES = [(0, 0), (0, 1), (1, 1), (1, 0), (2, 2), (0, 2), (3, 2), (4, 3), (4, 4)]


@pytest.fixture
def pattern():
    return matching.Pattern(5, 5, ENTRIES)


@pytest.fixture
def matched():
    rows, cols = np.array(ENTRIES).T
    return (rows, cols), {"shape": (5, 5)}


def test_a_right_matching_and_its_forms_pass(pattern, matched):
    pairs, extent = matched
    assert not kinds(matching.judge(pattern, konig.maximum_matching(pairs, **extent)))
    assert not kinds(matching.judge_coarse(pattern, konig.dulmage_mendelsohn(pairs, **extent)))
    assert not kinds(matching.judge_form(pattern, konig.block_triangular_form(pairs, **extent)))


def test_a_wrong_matching_is_refused(pattern, matched):
    pairs, extent = matched
    m = konig.maximum_matching(pairs, **extent)
    assert "size" in kinds(matching.judge(pattern, replace(m, size=m.size + 1)))
    nothing = replace(m, col_of_row=np.full(5, -1), row_of_col=np.full(5, -1), size=0)
    assert "not maximum" in kinds(matching.judge(pattern, nothing))
    assert "pairs" in kinds(matching.judge(pattern, replace(m, row_of_col=np.roll(m.row_of_col, 1))))
    copy = replace(m)
    copy.__dict__["cover"] = konig.VertexCover(np.arange(4), np.arange(0))
    assert "cover" in kinds(matching.judge(pattern, copy))


def test_a_wrong_form_is_refused(pattern, matched):
    pairs, extent = matched
    form = konig.block_triangular_form(pairs, **extent)
    turned = replace(form, row_perm=form.row_perm[::-1].copy())
    assert "blocks" in kinds(matching.judge_form(pattern, turned))
    # Two irreducible blocks in one: still triangular, but not the form.
    fine = form.fine_blocks
    joined = np.delete(np.arange(form.num_blocks + 1), fine.start + 1) if len(fine) > 1 else np.array([0, -1])
    rough = replace(form, row_blocks=form.row_blocks[joined], col_blocks=form.col_blocks[joined])
    assert "blocks" in kinds(matching.judge_form(pattern, rough))
    coarse = konig.dulmage_mendelsohn(pairs, **extent)
    mixed = replace(coarse, horizontal=coarse.square, square=coarse.horizontal)
    assert "parts" in kinds(matching.judge_coarse(pattern, mixed))
