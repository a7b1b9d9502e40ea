"""Matches the example matrix, proves the answer and draws its block triangular form."""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import konig
from konig import io
from konig.plot import plot_block_triangular_form


def main(picture: str = "demo-output/btf.png") -> None:
    A = io.read(Path(__file__).with_name("demo.mtx"))
    form = konig.block_triangular_form(A)

    began = perf_counter()
    form.matching.verify(A)
    form.verify(A)
    verify_seconds = perf_counter() - began

    Path(picture).parent.mkdir(parents=True, exist_ok=True)
    plot_block_triangular_form(A, form, picture)
    console = Console()
    console.print(summary(A, form, verify_seconds))
    console.print(f"Before and after: [bold]{picture}[/bold]")


def summary(A, form: konig.BlockTriangularForm, verify_seconds: float) -> Table:
    matching, coarse, cover = form.matching, form.coarse, form.matching.cover
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    table = Table(title="Block triangular form of examples/demo.mtx", show_header=False, title_style="bold")
    table.add_column(style="cyan")
    table.add_column()
    table.add_row("matrix", f"{A.shape[0]} x {A.shape[1]}, {A.nnz} entries")
    table.add_row("maximum matching", f"{matching.size} pairs, found by {matching.method}")
    table.add_row("its proof", f"a cover of {len(cover.rows)} rows and {len(cover.cols)} columns")
    table.add_section()
    for name, part in (
        ("underdetermined part", coarse.horizontal),
        ("well-determined part", coarse.square),
        ("overdetermined part", coarse.vertical),
    ):
        table.add_row(name, f"{part.shape[0]} x {part.shape[1]}")
    table.add_row("blocks", f"{form.num_blocks} in all, {len(sizes)} of them square")
    largest = ", ".join(map(str, np.sort(sizes)[::-1][:6]))
    table.add_row("largest square blocks", f"{largest}; {np.count_nonzero(sizes == 1)} of size 1")
    table.add_section()
    for name in ("convert", "matching", "coarse", "fine", "total"):
        table.add_row(f"time: {name}", f"{1e3 * form.stats['seconds'][name]:.3f} ms")
    table.add_row("time: verify", f"{1e3 * verify_seconds:.3f} ms, certificates accepted")
    return table


if __name__ == "__main__":
    main(*sys.argv[1:])
