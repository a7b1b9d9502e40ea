"""``konig verify``: prove an answer that a file holds, without any solver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from konig import certificates, io
from konig.cli import options, result_files, screen
from konig.cli.refusal import refusals
from konig.errors import CertificateError
from konig.graph import BipartiteGraph, as_graph

ResultFile = Annotated[Path, typer.Argument(metavar="RESULT", help="What --out wrote: .npz or .json.")]


def verify(
    matrix: options.MatrixFile,
    result: ResultFile,
    drop_zeros: Annotated[
        bool | None,
        typer.Option("--drop-zeros/--keep-zeros", help="What stored zeros are; by default as in the result."),
    ] = None,
    format: options.Format = None,
    json: options.Json = False,
) -> None:
    """Check that the answer is one for this matrix and that its certificate proves it."""
    with refusals(matrix):
        answer = result_files.read(result)
        zeros = answer["drop_zeros"] if drop_zeros is None else drop_zeros
        graph = as_graph(io.read(matrix, format=format), drop_zeros=zeros)
        size = _check_matching(graph, answer)
        if answer["kind"] == result_files.BLOCK_TRIANGULAR_FORM:
            _check_form(graph, answer)
    if json:
        screen.print_json({"proved": True, "kind": answer["kind"], "size": size})
    else:
        cover = f"{len(answer['cover_rows']):,} rows and {len(answer['cover_cols']):,} columns"
        print(f"proved: {size:,} matched pairs are maximum, as {cover} meet every entry")
        if answer["kind"] == result_files.BLOCK_TRIANGULAR_FORM:
            print(f"proved: {len(answer['row_blocks']) - 1:,} blocks in triangular order, none can be split")


def _check_matching(graph: BipartiteGraph, answer: dict[str, Any]) -> int:
    col_of_row, row_of_col = answer["col_of_row"], answer["row_of_col"]
    if (graph.rows, graph.cols) != (len(col_of_row), len(row_of_col)):
        shape = f"{len(col_of_row)} x {len(row_of_col)}"
        raise CertificateError(f"the answer is for a {shape} matrix, not {graph.rows} x {graph.cols}")
    size = certificates.check_maximum_matching(
        *graph.edges(), col_of_row, row_of_col, answer["cover_rows"], answer["cover_cols"]
    )
    if size != answer["size"]:
        raise CertificateError(f"the answer claims size {answer['size']} but matches {size} pairs")
    return size


def _check_form(graph: BipartiteGraph, answer: dict[str, Any]) -> None:
    """Check the block triangular form, whose matching has been checked."""
    from konig.results import BlockTriangularForm, Matching

    mates = answer["col_of_row"], answer["row_of_col"]
    matching = Matching(answer["size"], *mates, "file", "cpu", {}, graph, answer["drop_zeros"])
    arrays: dict[str, Any] = {name: answer[name] for name in result_files.FORM_ARRAYS}
    form = BlockTriangularForm(**arrays, matching=matching, stats={})
    certificates.check_block_triangular_form(*graph.edges(), form)
