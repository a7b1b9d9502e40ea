"""``konig btf``: the block triangular form of a matrix in a file, with a product transversal if asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

import konig
from konig.assignment.product_transversal import ProductTransversal
from konig.cli import options, result_files, screen
from konig.cli.match import Seconds, Task, answer_task, matching_document
from konig.cli.refusal import CommandError
from konig.errors import CertificateError
from konig.matching.triangular import BlockTriangularForm
from konig.plot import plot_block_triangular_form

PARTS = ("underdetermined part", "square part", "overdetermined part")

Scale = Annotated[
    bool,
    typer.Option(
        "--scale",
        help="Put the entries of largest product on the diagonal and scale them to 1; zeros are no entries.",
    ),
]


@dataclass(frozen=True)
class ScaledForm:
    """A block triangular form whose diagonal is a maximum product transversal."""

    form: BlockTriangularForm
    transversal: ProductTransversal

    @property
    def stats(self) -> Mapping[str, Any]:
        """The seconds of both."""
        product = {f"product_{part}": seconds for part, seconds in self.transversal.stats["seconds"].items()}
        return {"seconds": {**product, **self.form.stats["seconds"]}}

    def verify(self, A: Any) -> None:
        """Prove both, and that they have the same matching."""
        self.form.verify(A, drop_zeros=True)
        self.transversal.verify(A)
        if not np.array_equal(partners(self.transversal), self.form.matching.col_of_row):
            raise CertificateError("the transversal is not the matching on the diagonal of the form")


def partners(transversal: ProductTransversal) -> np.ndarray:
    """The column of each row, -1 for none."""
    col_of_row = np.full(transversal.shape[0], -1, np.int64)
    col_of_row[transversal.row_ind] = transversal.col_ind
    return col_of_row


def _scaled_form(A: Any, *, drop_zeros: bool, progress: Any, threads: int | None) -> ScaledForm:
    transversal = konig.maximum_product_transversal(A, threads=threads, progress=progress)
    form = konig.block_triangular_form(A, matching=partners(transversal), drop_zeros=drop_zeros)
    return ScaledForm(form, transversal)


def _document(form: BlockTriangularForm, file: str, seconds: Seconds) -> dict[str, Any]:
    arrays = {name: getattr(form, name) for name in result_files.FORM_ARRAYS}
    answer = matching_document(form.matching, file, seconds)
    return {**answer, "kind": result_files.BLOCK_TRIANGULAR_FORM, "blocks": form.num_blocks, **arrays}


def _scaled_document(scaled: ScaledForm, file: str, seconds: Seconds) -> dict[str, Any]:
    transversal = scaled.transversal
    names = ("log_product", "gap", *result_files.SCALE_ARRAYS)
    return {
        **_document(scaled.form, file, seconds),
        "kind": result_files.SCALED_FORM,
        "method": transversal.method,
        **{name: getattr(transversal, name) for name in names},
    }


def _summary(form: BlockTriangularForm, seconds: Seconds) -> dict[str, str]:
    (rows, cols), entries = form.matching.shape, form.matching.nonzeros
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    extents = zip(np.diff(form.row_parts), np.diff(form.col_parts), strict=True)
    largest = f", the largest {sizes.max():,} x {sizes.max():,}" if len(sizes) else ""
    single = f", {np.count_nonzero(sizes == 1):,} of them 1 x 1" if len(sizes) else ""
    return {
        "matrix": f"{rows:,} x {cols:,}, {entries:,} entries",
        "structural rank": f"{form.matching.size:,}",
        **{part: f"{height:,} x {width:,}" for part, (height, width) in zip(PARTS, extents, strict=True)},
        "blocks": f"{form.num_blocks:,}; {len(sizes):,} square{largest}{single}",
        "proof": "triangular, and no block can be split: checked",
        "method": f"{form.matching.method} on {form.matching.device}",
        "time": screen.durations(seconds),
    }


def _scaled_summary(scaled: ScaledForm, seconds: Seconds) -> dict[str, str]:
    transversal = scaled.transversal
    logs = {side: getattr(transversal, f"{side}_log_scale") / np.log(10) for side in ("row", "col")}
    extents = {
        f"{side} scales": f"1e{log.min():.1f} to 1e{log.max():.1f}" if len(log) else "none"
        for side, log in logs.items()
    }
    found = _summary(scaled.form, seconds)
    found["method"] = f"{transversal.method} on {transversal.device}"
    product = f"1e{transversal.log_product / np.log(10):.2f}, and none is larger by more than "
    return {
        **found,
        "product on the diagonal": f"{product}a factor of 1 + {transversal.gap:.1e}: checked",
        **extents,
        "scaled entries": "at most 1 in modulus, and 1 on the diagonal: checked",
    }


FORM = Task(
    "Block triangular form", konig.block_triangular_form, _document, _summary, plot_block_triangular_form
)
SCALED_FORM = Task(
    "Scaled block triangular form",
    _scaled_form,
    _scaled_document,
    _scaled_summary,
    lambda A, scaled, path: plot_block_triangular_form(A, scaled.form, path),
)


def btf(
    file: options.MatrixFile,
    scale: Scale = False,
    method: options.MethodName = "auto",
    device: options.Device = "auto",
    threads: options.Threads = None,
    seed: options.Seed = None,
    init: options.Init = None,
    settings: options.Settings = None,
    drop_zeros: options.DropZeros = False,
    format: options.Format = None,
    distributed: options.Distributed = False,
    json: options.Json = False,
    plot: options.Plot = None,
    out: options.Out = None,
) -> None:
    """Permute the matrix to block triangular form (Dulmage-Mendelsohn, coarse and fine), and prove it."""

    def how() -> dict[str, Any]:
        if not scale:
            return options.arguments("matching", method, device, threads, seed, settings, init)
        if (method, device, seed, init) != ("auto", "auto", None, None) or settings:
            raise CommandError("--scale finds the matching itself: of its options it takes --threads alone")
        return {"threads": threads}

    answer_task(
        SCALED_FORM if scale else FORM,
        file,
        how,
        drop_zeros=drop_zeros or scale,
        format=format,
        distributed=distributed,
        json=json,
        plot=plot,
        out=out,
    )
