"""``konig verify``: prove an answer that a file holds, without any solver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from konig import io
from konig.assignment.product_transversal import ProductTransversal
from konig.assignment.result import Assignment, AssignmentBatch
from konig.cli import options, result_files, screen
from konig.cli.assign import check_violator
from konig.cli.flow import Sink, Source, terminals
from konig.cli.refusal import refusals
from konig.errors import CertificateError, InfeasibleError
from konig.flow.inputs import as_network
from konig.flow.result import Flow
from konig.matching.inputs import BipartiteGraph, as_graph
from konig.matching.proof import check_maximum_matching
from konig.matching.result import Matching, VertexCover
from konig.matching.triangular import BlockTriangularForm

ProblemFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        callback=options.or_stdin,
        help="The matrix, the costs or the network that the answer is for; - reads stdin.",
    ),
]
ProblemFormat = Annotated[
    str | None,
    typer.Option(
        help="mtx, snap, konect, npz, npy, max, asn, orlib or text, as far as the answer's problem has it; "
        "by default the file itself tells."
    ),
]
ResultFile = Annotated[Path, typer.Argument(metavar="RESULT", help="What --out wrote: .npz or .json.")]


def verify(
    file: ProblemFile,
    result: ResultFile,
    drop_zeros: Annotated[
        bool | None,
        typer.Option("--drop-zeros/--keep-zeros", help="What stored zeros are; by default as in the result."),
    ] = None,
    source: Source = None,
    sink: Sink = None,
    format: ProblemFormat = None,
    json: options.Json = False,
) -> None:
    """Check that the answer is one for this file and that its certificate proves it."""
    with refusals(file):
        answer = result_files.read(result)
        kind = answer["kind"]
        value: int | float
        if kind == result_files.MAXIMUM_FLOW:
            network = io.read_network(file, format=format, undirected=answer["undirected"])
            value, proved = _prove_flow(network, terminals(network, source, sink), answer)
        elif kind in PROVED_BY_COSTS:
            value, proved = PROVED_BY_COSTS[kind](io.read_costs(file, format=format), answer)
        else:
            zeros = answer["drop_zeros"] if drop_zeros is None else drop_zeros
            matrix = io.read(file, format=format)
            value, proved = _prove_matching(as_graph(matrix, drop_zeros=zeros), answer)
            if kind == result_files.SCALED_FORM:
                value, scales = _prove_scales(matrix, answer)
                proved += scales
    if json:
        screen.print_json({"proved": True, "kind": kind, result_files.KINDS[kind].number: value})
    else:
        for line in proved:
            print(f"proved: {line}")


def _check_facts(answer: dict[str, Any], **facts: Any) -> None:
    """Refuse an answer that contradicts these facts; any of them may be missing."""
    for name, fact in facts.items():
        if name in answer:
            said, true = np.asarray(answer[name]), np.asarray(fact)
            if said.dtype.kind not in "iuf" or not np.array_equal(said, true):
                claim, truth = (np.array2string(x, threshold=8, separator=", ") for x in (said, true))
                raise CertificateError(f"the answer says that {name} is {claim}, not {truth}")


def _prove_matching(graph: BipartiteGraph, answer: dict[str, Any]) -> tuple[int, list[str]]:
    """Check a matching, and the block triangular form made of it if the answer is one; say what is proved."""
    mates, shape = (answer["col_of_row"], answer["row_of_col"]), (graph.rows, graph.cols)
    if shape != (len(mates[0]), len(mates[1])):
        found = f"{len(mates[0])} x {len(mates[1])}"
        raise CertificateError(f"the answer is for a {found} matrix, not {graph.rows} x {graph.cols}")
    rows, cols = answer["cover_rows"], answer["cover_cols"]
    size = check_maximum_matching(*graph.edges(), *mates, rows, cols)
    if size != answer.get("size", size):
        raise CertificateError(f"the answer claims size {answer['size']} but matches {size} pairs")
    _check_facts(answer, shape=shape, nonzeros=graph.nonzeros)
    cover = f"{len(rows):,} rows and {len(cols):,} columns"
    proved = [f"{size:,} matched pairs are maximum, as {cover} meet every entry"]
    if answer["kind"] != result_files.MATCHING:
        matching = Matching(size, *mates, "file", "cpu", {}, graph.nonzeros, graph)
        arrays: dict[str, Any] = {name: answer[name] for name in result_files.FORM_ARRAYS}
        form = BlockTriangularForm(**arrays, matching=matching, stats={})
        form.verify(graph)
        _check_facts(answer, blocks=form.num_blocks)
        proved.append(f"{form.num_blocks:,} blocks in triangular order, none can be split")
    return size, proved


def _prove_scales(matrix: Any, answer: dict[str, Any]) -> tuple[float, list[str]]:
    """Check that the matching of a form has the largest product, and the scales that say so."""
    if not answer["drop_zeros"]:
        raise CertificateError("a scaled form has no zeros among its entries, and drop_zeros says otherwise")
    row_ind = np.flatnonzero(answer["col_of_row"] >= 0)
    pairs = row_ind, answer["col_of_row"][row_ind]
    # Where every line of the shorter side is matched that says by itself that no matching is larger.
    full = len(row_ind) == min(len(answer["col_of_row"]), len(answer["row_of_col"]))
    cover = None if full else VertexCover(answer["cover_rows"], answer["cover_cols"])
    scales: dict[str, Any] = {name: _of_type(answer[name], name) for name in result_files.SCALE_ARRAYS}
    found = ProductTransversal(
        *pairs,
        log_product=answer["log_product"],
        gap=_claimed_gap(answer),
        **scales,
        method="file",
        device="cpu",
        stats={},
        cover=cover,
    )
    found.verify(matrix)
    return found.log_product, [
        f"the product of the matched entries has the logarithm {found.log_product:,}, and none is larger "
        f"by more than {found.gap:.2g}: so say the scales, with which no entry is above 1"
    ]


def _of_type(numbers: np.ndarray, name: str) -> np.ndarray:
    """Mantissas as reals: an empty list, or one of integers, does not say what it is."""
    return numbers.astype(np.float64) if name.endswith("mantissa") else numbers


def _claimed_gap(answer: dict[str, Any]) -> int | float:
    gap = answer.get("gap", 0)
    if isinstance(gap, bool) or not isinstance(gap, int | float):
        raise CertificateError(f"the gap that the answer claims is no number: {gap!r}")
    return gap


def _prove_assignment(costs: Any, answer: dict[str, Any]) -> tuple[int | float, list[str]]:
    pairs, duals = (answer["row_ind"], answer["col_ind"]), (answer["row_dual"], answer["col_dual"])
    cover = VertexCover(answer["cover_rows"], answer["cover_cols"])
    numbers = (*pairs, answer["cost"], _claimed_gap(answer), *duals)
    alone = _alone(answer)
    if alone is not None:
        if len(cover):
            raise CertificateError("where rows and columns may be left alone there is nothing to cover")
        left = Assignment(*numbers, "file", "cpu", {}, answer["maximize"], may_leave_alone=True)
        left.verify(costs, unassigned_cost=alone)
        _check_facts(answer, shape=costs.shape, size=left.size)
        return left.cost, [_proved_alone(left, alone)]
    found = Assignment(*numbers, "file", "cpu", {}, answer["maximize"], cover)
    found.verify(costs)
    _check_facts(answer, shape=costs.shape, size=found.size)
    proved = []
    if found.size < min(costs.shape):
        lines = f"{len(cover.rows):,} rows and {len(cover.cols):,} columns"
        proved.append(f"at most {found.size:,} pairs can be assigned, as {lines} meet every allowed pair")
    best = "dearer" if answer["maximize"] else "cheaper"
    but = f" by more than {found.gap:.2g}" if found.gap else ""
    pairs_cost = f"{found.size:,} assigned pairs cost {found.cost:,}"
    proved.append(f"{pairs_cost}, and none are {best}{but}: so say the duals")
    return found.cost, proved


def _alone(answer: dict[str, Any]) -> tuple[Any, Any] | None:
    """What leaving a row and a column alone costs, in an answer where they may be."""
    if "unassigned_cost" not in answer:
        return None
    given = answer["unassigned_cost"]
    if not isinstance(given, list | tuple) or [type(cost) in (int, float) for cost in given] != [True, True]:
        raise CertificateError(f"unassigned_cost is {given!r}, not two numbers")
    return given[0], given[1]


def _proved_alone(found: Assignment, alone: tuple[Any, Any]) -> str:
    best = "dearer" if found.maximize else "cheaper"
    but = f" by more than {found.gap:.2g}" if found.gap else ""
    rows, cols = len(found.unassigned_rows), len(found.unassigned_cols)
    left = f"{rows:,} rows left alone at {alone[0]:,} and {cols:,} columns at {alone[1]:,}"
    cost = f"{found.size:,} assigned pairs, {left} cost {found.cost:,}"
    return f"{cost}, and none are {best}{but}: so say the duals"


def _prove_batch(costs: Any, answer: dict[str, Any]) -> tuple[int, list[str]]:
    found = _batch(costs, answer)
    found.verify(costs, unassigned_cost=_alone(answer))
    _check_facts(answer, problems=len(found), shape=costs.shape)
    best = "dearer" if answer["maximize"] else "cheaper"
    proved = [f"{len(found):,} assignments, and none are {best}: so say the duals"]
    if found.covers:
        proved.append(f"{len(found.covers):,} of them are not full, and cannot be: so say their covers")
    return len(found), proved


def _batch(costs: Any, found: dict[str, Any]) -> AssignmentBatch:
    """The answers in a document, to be verified against the costs."""
    if not isinstance(costs, np.ndarray) or costs.ndim != 3:
        raise CertificateError("the answers are for a batch, and these costs are one problem")
    problems, rows, cols = costs.shape
    size = min(rows, cols)
    shapes = {
        "cost": (problems,),
        "gap": (problems,),
        "row_ind": (problems, size),
        "col_ind": (problems, size),
        "row_dual": (problems, rows),
        "col_dual": (problems, cols),
    }
    for name, shape in shapes.items():
        if found[name].size != np.prod(shape):
            raise CertificateError(f"{name} has {found[name].size} numbers, and these costs ask for {shape}")
    answers = {name: found[name].reshape(shape) for name, shape in shapes.items()}
    return AssignmentBatch(
        **answers,
        method="file",
        device="cpu",
        stats={},
        row_counts=np.full(problems, rows),
        col_counts=np.full(problems, cols),
        maximize=found["maximize"],
        covers=_covers(found, problems),
        may_leave_alone=_alone(found) is not None,
    )


def _covers(found: dict[str, Any], problems: int) -> dict[int, VertexCover]:
    numbers = found["cover_problem"]
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < problems):
        raise CertificateError(f"a cover is for a problem that is not in [0, {problems})")
    if (np.diff(numbers) <= 0).any():
        raise CertificateError("cover_problem does not increase")
    sides = []
    for side in ("row", "col"):
        counts, lines = found[f"cover_{side}_count"], found[f"cover_{side}s"]
        if len(counts) != len(numbers) or (counts < 0).any() or counts.sum() != len(lines):
            raise CertificateError(f"cover_{side}_count does not divide cover_{side}s among the covers")
        sides.append(np.split(lines, np.cumsum(counts)[:-1]) if len(counts) else [])
    return {int(number): VertexCover(*cover) for number, *cover in zip(numbers, *sides, strict=True)}


def _prove_infeasible(costs: Any, answer: dict[str, Any]) -> tuple[int, list[str]]:
    violator = tuple(answer[name] for name in result_files.VIOLATOR_ARRAYS)
    problem = answer.get("problem")
    if costs.ndim == 3 and (type(problem) is not int or not 0 <= problem < len(costs)):
        raise CertificateError(f"the costs are {len(costs)} problems, and the answer is about {problem!r}")
    check_violator(costs if costs.ndim == 2 else costs[problem], *violator)
    missing = abs(len(violator[0]) - len(violator[1]))
    if missing != answer["missing"]:
        raise CertificateError(f"the answer claims that {answer['missing']} are missing, not {missing}")
    return missing, [str(InfeasibleError(*violator))]


PROVED_BY_COSTS = {
    result_files.ASSIGNMENT: _prove_assignment,
    result_files.ASSIGNMENT_BATCH: _prove_batch,
    result_files.NO_ASSIGNMENT: _prove_infeasible,
}


def _prove_flow(
    network: io.Network, asked: dict[str, list[int]], answer: dict[str, Any]
) -> tuple[int | float, list[str]]:
    """Check the flow and the cut; say what is proved.

    The terminals are those of the answer, which must be the ones asked about where these are known.
    """
    vertices, side = network.num_vertices, answer["source_side"]
    wrong = np.flatnonzero((side < 0) | (side >= vertices))
    if len(wrong):
        raise CertificateError(f"vertex {side[wrong[0]]} of the cut is not in [0, {vertices})")
    for name in ("source_side", "source", "sink"):
        ids, times = np.unique(answer[name], return_counts=True)
        if (times > 1).any():
            raise CertificateError(f"{name} names vertex {ids[times > 1][0]} more than once")
    for name, wanted in asked.items():
        if wanted and set(answer[name].tolist()) != set(wanted):
            raise CertificateError(
                f"the {name} of the answer is {_listed(answer[name])}, not {_listed(wanted)}; "
                f"--{name} asks for another one than the file's"
            )
    cut = np.zeros(vertices, bool)
    cut[side] = True
    ends = answer["source"], answer["sink"]
    how = {"num_vertices": vertices, "undirected": answer["undirected"]}
    given = as_network(network.arcs, *ends, **how)
    gap = _claimed_gap(answer)
    flow = Flow(answer["value"], answer["flow"], cut, gap, "file", "cpu", {}, given)
    flow.verify(network.arcs, *ends, **how)
    cut_arrays = {f"cut_{name}": values for name, values in flow.cut_edges._asdict().items()}
    _check_facts(answer, vertices=vertices, arcs=network.num_arcs, **cut_arrays)
    from_to = " to ".join(map(_listed, ends))
    arcs = f"{len(flow.cut_edges.arc):,} arcs"
    brought = f"a flow of {screen.count(flow.value)} from {from_to} is maximum"
    if flow.gap == 0:
        return flow.value, [f"{brought}, as {arcs} of the same capacity cut it off"]
    return flow.value, [f"{brought} but for at most {flow.gap}, the rest of the {arcs} that cut it off"]


def _listed(vertices: Any) -> str:
    return ", ".join(str(int(vertex)) for vertex in vertices)
