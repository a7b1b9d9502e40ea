"""``konig assign``: the cheapest assignment of the costs in a file, or the proof that there is none."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from scipy.sparse import issparse

import konig
from konig import io
from konig.arguments import parsed
from konig.assignment.proof import check_hall_violator
from konig.assignment.result import Assignment, AssignmentBatch, cost_blocks
from konig.cli import options, over_ranks, result_files, screen, solving
from konig.cli.refusal import REFUSED, CommandError, refusals
from konig.errors import InfeasibleError
from konig.io.files import Source
from konig.matching.result import VertexCover

Maximize = Annotated[bool, typer.Option("--maximize", help="Make the sum as large as possible.")]
Partial = Annotated[
    bool, typer.Option("--partial", help="Where not all can be assigned, assign as many as can be.")
]
UnassignedCost = Annotated[
    str | None,
    typer.Option(
        metavar="COST | ROW,COLUMN",
        help="What leaving a row alone costs, and a column (0 if not given): then none need be assigned. A "
        "pair is made only if it costs no more than both.",
    ),
]
# Larger batches are shown as a summary only.
SHOWN = 40


def assign(
    file: options.CostFile,
    maximize: Maximize = False,
    partial: Partial = False,
    unassigned_cost: UnassignedCost = None,
    method: options.MethodName = "auto",
    device: options.Device = "auto",
    threads: options.Threads = None,
    seed: options.Seed = None,
    settings: options.Settings = None,
    format: options.CostFormat = None,
    distributed: options.Distributed = False,
    json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Assign rows to columns so that the costs sum up to as little as possible, and prove it.

    An array of three dimensions is a batch: each of its matrices is a problem of its own.
    """
    solving.check_targets(out)
    infeasible, is_batch = None, False
    with refusals(file):
        source = Source(file)
        how = options.arguments("assignment", method, device, threads, seed, settings)
        how |= {"maximize": maximize, "full": not partial}
        alone = {} if unassigned_cost is None else {"unassigned_cost": _numbers(unassigned_cost)}
        try:
            if distributed:
                over_ranks.require(not alone, "--unassigned-cost", "all rows or all columns are assigned")
                costs, answer, seconds = over_ranks.solved_assignment(file, format, how)
            else:
                (costs,), answer, seconds = solving.solved(
                    lambda: ((io.read_costs(source, format=format),), alone), konig.linear_assignment, **how
                )
            is_batch = isinstance(answer, AssignmentBatch)
            document = _document(costs, answer, str(file), seconds) | alone
        except InfeasibleError as error:
            infeasible = error
            costs = io.read_costs(source, format=format)
            document = _violator_document(costs, error, str(file), maximize)
        read_as = solving.read_as(source, format, costs.shape, costs=True)
        if out:
            result_files.write(out, document)
    if json:
        screen.print_json(document)
    if infeasible:
        doubt = f" (read as {read_as})" if read_as else ""
        raise CommandError(f"{file}: {infeasible}{doubt}", REFUSED) from infeasible
    if json:
        return
    title = f"{'Dearest' if maximize else 'Cheapest'} assignment{'s' if is_batch else ''} of {file}"
    if is_batch:
        _show_batch(title, costs, answer, seconds)
    else:
        screen.print_facts(title, _summary(costs, answer, seconds, read_as))


def _numbers(text: str) -> tuple[int | float, int | float]:
    """What leaving a row and a column alone costs, as an option says it."""
    sides = text.split(",")
    if len(sides) > 2:
        raise ValueError(f"--unassigned-cost must be a number or two with a comma between them, not {text!r}")
    row, col = (_number(side) for side in (*sides, "0")[:2])
    return row, col


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(parsed("--unassigned-cost", text, float))


def _violator_document(costs: Any, infeasible: InfeasibleError, file: str, maximize: bool) -> dict[str, Any]:
    """The proof that there is no full assignment, checked."""
    rows, cols = infeasible.rows, infeasible.cols
    check_violator(costs if infeasible.problem is None else costs[infeasible.problem], rows, cols)
    return {
        "konig": konig.__version__,
        "kind": result_files.NO_ASSIGNMENT,
        "file": file,
        "maximize": maximize,
        **({} if infeasible.problem is None else {"problem": infeasible.problem}),
        "missing": abs(len(rows) - len(cols)),
        "violator_rows": rows,
        "violator_cols": cols,
    }


def check_violator(costs: Any, rows: np.ndarray, cols: np.ndarray) -> None:
    """Prove that these rows have too few columns, or these columns too few rows."""
    blocks, (height, width) = cost_blocks(costs)
    check_hall_violator(blocks, (height, width), rows, cols)


def _document(
    costs: Any, answer: Assignment | AssignmentBatch, file: str, seconds: dict[str, float]
) -> dict[str, Any]:
    """The answer and its proof. Arrays of a batch are flat, row after row; ``shape`` has their extents."""
    kind = result_files.ASSIGNMENT if isinstance(answer, Assignment) else result_files.ASSIGNMENT_BATCH
    arrays = ("row_ind", "col_ind", "row_dual", "col_dual")
    return {
        **solving.document(kind, answer, file, seconds),
        "shape": list(costs.shape),
        "maximize": answer.maximize,
        **(_of_one(answer) if isinstance(answer, Assignment) else _of_batch(answer)),
        **{name: np.ravel(getattr(answer, name)) for name in arrays},
    }


def _of_one(answer: Assignment) -> dict[str, Any]:
    cover = answer.cover or VertexCover(np.zeros(0, np.int64), np.zeros(0, np.int64))
    value = {"size": answer.size, "cost": answer.cost, "gap": answer.gap}
    return value | {"cover_rows": cover.rows, "cover_cols": cover.cols}


def _of_batch(answer: AssignmentBatch) -> dict[str, Any]:
    """Of the covers of partial assignments, the problem that each is for and how long it is."""
    covers = sorted(answer.covers.items())
    return {
        "problems": len(answer),
        "cost": np.asarray(answer.cost),
        "gap": np.asarray(answer.gap),
        "cover_problem": np.array([number for number, _ in covers], np.int64),
        "cover_row_count": np.array([len(cover.rows) for _, cover in covers], np.int64),
        "cover_col_count": np.array([len(cover.cols) for _, cover in covers], np.int64),
        "cover_rows": np.array([row for _, cover in covers for row in cover.rows.tolist()], np.int64),
        "cover_cols": np.array([col for _, cover in covers for col in cover.cols.tolist()], np.int64),
    }


def _summary(costs: Any, answer: Assignment, seconds: dict[str, float], read_as: str) -> dict[str, str]:
    rows, cols = costs.shape
    shorter = min(rows, cols)
    entries = f", {costs.nnz:,} pairs allowed" if issparse(costs) else ""
    proof = f"duals of all {rows:,} rows and {cols:,} columns"
    if answer.cover is not None:
        cover = answer.cover
        proof += f", and a cover of {len(cover.rows):,} rows and {len(cover.cols):,} columns"
    return {
        "costs": f"{rows:,} x {cols:,} of {costs.dtype}{entries}",
        **({"read as": read_as} if read_as else {}),
        "assigned pairs": f"{answer.size:,}" + (f" of {shorter:,}" if answer.size < shorter else ""),
        "cost": f"{answer.cost:,}",
        **({"gap": f"at most {answer.gap:.2g} from the optimum"} if answer.gap else {}),
        "proof": f"{proof}, checked",
        **screen.how_found(answer, seconds),
    }


def _show_batch(title: str, costs: np.ndarray, answer: AssignmentBatch, seconds: dict[str, float]) -> None:
    """A table of the problems if they are few, then what holds for all."""
    problems, rows, cols = costs.shape
    if problems <= SHOWN:
        listed = [(str(number), f"{alone.size:,}", f"{alone.cost:,}") for number, alone in enumerate(answer)]
        screen.print_table(title, ("problem", "assigned pairs", "cost"), listed, justify="right")
    facts = {
        "costs": f"{problems:,} problems, {rows:,} x {cols:,} of {costs.dtype}",
        "not full": f"{len(answer.covers):,} of {problems:,}" if answer.covers else "none",
        "costs in all": f"{sum(answer.cost.tolist()):,}",
        "proof": "duals of all rows and columns, checked",
        **{name: fact for name, fact in screen.how_found(answer, seconds).items() if name != "problems"},
    }
    screen.print_facts("All of them" if problems <= SHOWN else title, facts)
