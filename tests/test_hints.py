"""Mistyped arguments, methods and knobs get the nearest name."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import konig
from konig.arguments import parameters, with_hints

SQUARE = np.eye(3)
NETWORK = np.array([[0, 1], [0, 0]])
CALLS = {
    "block_triangular_form": (SQUARE,),
    "bottleneck_assignment": (SQUARE,),
    "dulmage_mendelsohn": (SQUARE,),
    "from_frame": ({"a": [0], "b": [1]}, "a", "b"),
    "from_igraph": (None,),
    "from_networkx": (None,),
    "grid_cut": (SQUARE, SQUARE, 1),
    "grid_offsets": (),
    "k_best_assignments": (SQUARE, 2),
    "linear_assignment": (SQUARE,),
    "maximum_flow": (NETWORK, 0, 1),
    "maximum_matching": (SQUARE,),
    "maximum_product_transversal": (SQUARE,),
    "maximum_weight_matching": (SQUARE,),
    "methods": (),
    "minimum_cut": (NETWORK, 0, 1),
    "point_assignment": (SQUARE, SQUARE),
    "structural_rank": (SQUARE,),
}


def test_every_public_function_is_tried():
    functions = {name for name in konig.__all__ if inspect.isfunction(getattr(konig, name))}
    assert functions == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_a_mistyped_argument_gets_the_nearest(name):
    function = getattr(konig, name)
    # Some pass what they do not know on to the solver.
    solver = {"structural_rank": konig.maximum_matching, "minimum_cut": konig.maximum_flow}.get(
        name, function
    )
    wanted = parameters(solver)[-1]
    with pytest.raises(TypeError, match=f"(?i)did you mean '{wanted}'"):
        function(*CALLS[name], **{wanted[:2] + wanted[3:]: 1})


def test_british_spelling():
    with pytest.raises(
        TypeError, match=r"linear_assignment has no argument 'maximise'; did you mean 'maximize'\?"
    ):
        konig.linear_assignment(SQUARE, maximise=True)
    with pytest.raises(TypeError, match=r"has no knob 'maximise'.*did you mean 'maximize'"):
        konig.linear_assignment(SQUARE, method="jv", maximise=True)


def test_methods_and_knobs():
    with pytest.raises(
        ValueError, match=r"method='pr_fair' is not a matching method; did you mean 'pr-fair'\?"
    ):
        konig.maximum_matching(SQUARE, method="pr_fair")
    with pytest.raises(TypeError, match=r"has no knob 'reliabel'; its knobs are: .*did you mean 'relabel'"):
        konig.maximum_matching(SQUARE, method="pr", reliabel=1.0)
    with pytest.raises(TypeError, match="method 'auto' has no knob 'init'; name a method"):  # not: initial
        konig.maximum_matching(SQUARE, init="ksm")
    with pytest.raises(ValueError, match="did you mean 'matching'"):
        konig.methods("Matchings")


def test_errors_of_the_function_itself_are_left_alone():
    @with_hints
    def outer(number=0):
        return (lambda value: value)(nubmer=number)

    with pytest.raises(TypeError) as caught:
        outer()
    assert "did you mean 'number'" not in str(caught.value)
    assert outer.__name__ == "outer"


def test_answers_unpack_into_pairs():
    C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    rows, cols = konig.linear_assignment(C)
    assert C[rows, cols].sum() == 5
    for answer in (
        konig.bottleneck_assignment(C),
        konig.maximum_weight_matching(C),
        konig.maximum_product_transversal(C + 1),
        konig.point_assignment(C.astype(float), C.astype(float)),
        next(iter(konig.k_best_assignments(C, 2))),
        konig.linear_assignment(np.stack([C, C]))[1],
    ):
        rows, cols = answer
        assert rows is answer.row_ind
        assert cols is answer.col_ind
