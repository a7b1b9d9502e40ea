"""The judges of bottleneck assignments and product transversals find answers that are wrong."""

from dataclasses import replace

import numpy as np

import konig
from fuzz.assignment.transversals import judge_bottleneck, judge_product

C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])


def kinds(violations):
    return {violation.kind for violation in violations}


def test_true_answers_break_no_rule():
    for form in ("dense", "csr"):
        assert not kinds(judge_bottleneck(C, False, form))
        assert not kinds(judge_product(C, form))


def test_a_worse_bottleneck_is_found(monkeypatch):
    solve = konig.bottleneck_assignment

    def worse(given, **how):
        return replace(solve(given, **how), col_ind=np.array([2, 1, 0]), bottleneck=3)

    monkeypatch.setattr(konig, "bottleneck_assignment", worse)
    assert kinds(judge_bottleneck(C, False, "dense")) == {
        "bottleneck",
        "certificate refuses a true answer",
    }


def test_a_smaller_product_is_found(monkeypatch):
    solve = konig.maximum_product_transversal

    def worse(given):
        return replace(solve(given), col_ind=np.array([1, 0, 2]))

    monkeypatch.setattr(konig, "maximum_product_transversal", worse)
    assert "product" in kinds(judge_product(C, "dense"))
