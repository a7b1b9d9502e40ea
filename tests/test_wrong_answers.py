"""Whatever stands where a number or an array belongs, an answer with it is refused, and by no other error."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from corruption import FORM

import konig

ARCS = (np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), np.array([4, 2, 3, 5]))
MATRIX = sp.csr_array((ARCS[2], (ARCS[0], ARCS[1])), shape=(4, 4))
GRID = (np.array([[5, 1], [2, 1]]), np.array([[1, 3], [1, 4]]), 2)
COSTS = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
FEW = np.array([[4, np.inf, np.inf], [1, np.inf, np.inf], [2, 1, 3]])
BATCH = np.stack((FEW, COSTS))

FLOW = ("value", "gap", "flow", "cut")
ASSIGNMENT = ("row_ind", "col_ind", "cost", "gap", "row_dual", "col_dual", "cover")
HEAVIEST = ("row_ind", "col_ind", "weight", "gap", "row_dual", "col_dual", "count_dual")
BOTTLENECK = ("row_ind", "col_ind", "bottleneck", "cover", "shape")
SCALES = ("row_mantissa", "row_exponent", "col_mantissa", "col_exponent")
FORMS = ("row_perm", "col_perm", "row_blocks", "col_blocks", "row_parts", "col_parts")
ANSWERS = {
    "arcs": (konig.maximum_flow(ARCS, 0, 3), (ARCS, 0, 3), FLOW),
    "real arcs": (konig.maximum_flow((*ARCS[:2], ARCS[2] / 2), 0, 3), ((*ARCS[:2], ARCS[2] / 2), 0, 3), FLOW),
    "matrix": (konig.maximum_flow(MATRIX, 0, 3), (MATRIX, 0, 3), FLOW),
    "grid": (konig.grid_cut(*GRID), GRID, (*FLOW, "source_flow", "sink_flow")),
    "integers": (konig.linear_assignment(COSTS), (COSTS,), ASSIGNMENT),
    "reals": (konig.linear_assignment(COSTS / 2), (COSTS / 2,), ASSIGNMENT),
    "partial": (konig.linear_assignment(FEW, full=False), (FEW,), ASSIGNMENT),
    "batch": (
        konig.linear_assignment(BATCH, full=False),
        (BATCH,),
        (*ASSIGNMENT[:-1], "row_counts", "col_counts"),
    ),
    "heaviest": (konig.maximum_weight_matching(COSTS), (COSTS,), HEAVIEST),
    "heaviest reals": (konig.maximum_weight_matching(COSTS / 2, cardinality=2), (COSTS / 2,), HEAVIEST),
    "bottleneck": (konig.bottleneck_assignment(COSTS), (COSTS,), BOTTLENECK),
    "real bottleneck": (konig.bottleneck_assignment(COSTS / 2), (COSTS / 2,), BOTTLENECK),
    "partial bottleneck": (
        konig.bottleneck_assignment(FEW, full=False),
        (FEW,),
        (*BOTTLENECK, "size_cover"),
    ),
    "product": (
        konig.maximum_product_transversal(COSTS),
        (COSTS,),
        ("row_ind", "col_ind", "log_product", "gap", *SCALES),
    ),
    "matching": (konig.maximum_matching(FORM), (FORM,), ("size", "col_of_row", "row_of_col")),
    "form": (konig.block_triangular_form(FORM), (FORM,), FORMS),
}
MADE_OF = {
    "text": str,
    "a list": lambda array: array.tolist() if isinstance(array, np.ndarray) else [array],
    "nothing": lambda value: None,
    "one number": lambda value: 7.5 if isinstance(value, np.ndarray) else np.array([value]),
    "another shape": lambda value: np.array([value, value]),
    "complex": lambda value: value * (1 + 0j) if isinstance(value, np.ndarray) else 1j,
    "objects": lambda value: value.astype(object) if isinstance(value, np.ndarray) else object(),
    "words": lambda value: value.astype(str) if isinstance(value, np.ndarray) else str(value),
    "bytes": lambda value: value.astype(np.uint8) if isinstance(value, np.ndarray) else b"1",
    "long doubles": lambda value: value.astype("g") if isinstance(value, np.ndarray) else 1j,
    "too few": lambda value: value[:-1] if isinstance(value, np.ndarray) else "",
    "not a number": lambda value: value * np.nan if isinstance(value, np.ndarray) else np.nan,
    "too large": lambda value: value + 1e300 if isinstance(value, np.ndarray) else np.inf,
    "beyond float64": lambda value: value + np.int64(2**62) if isinstance(value, np.ndarray) else 10**400,
}


@pytest.mark.parametrize("junk", MADE_OF)
@pytest.mark.parametrize(
    ("kind", "field"), [(kind, field) for kind, (_, _, fields) in ANSWERS.items() for field in fields]
)
def test_junk_in_an_answer_is_refused(kind, field, junk):
    answer, problem, _ = ANSWERS[kind]
    answer.verify(*problem)
    value = getattr(answer, field)
    given = MADE_OF[junk](value.data if sp.issparse(value) else value)
    if field == "cover" and given is None:
        pytest.skip("a full assignment has none")
    if sp.issparse(value):
        wrong = value.copy()
        wrong.data = given
        given = wrong
    with pytest.raises(konig.CertificateError):
        replace(answer, **{field: given}).verify(*problem)


def test_narrow_integers_are_numbers_too():
    answer, problem, _ = ANSWERS["arcs"]
    replace(answer, flow=answer.flow.astype(np.int8), value=np.int16(answer.value)).verify(*problem)


def test_a_full_assignment_has_no_cover():
    answer, problem, _ = ANSWERS["integers"]
    cover = konig.VertexCover(np.array([0]), np.array([2]))
    with pytest.raises(konig.CertificateError, match="full, and still it has a cover"):
        replace(answer, cover=cover).verify(*problem)


def test_the_cost_of_integers_is_an_integer():
    answer, problem, _ = ANSWERS["integers"]
    for cost in (str(answer.cost), float(answer.cost), np.float32(answer.cost)):
        with pytest.raises(konig.CertificateError, match="not an integer"):
            replace(answer, cost=cost).verify(*problem)
