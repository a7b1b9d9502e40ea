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
    seconds = form.stats["seconds"] | {"verify": perf_counter() - began}

    Path(picture).parent.mkdir(parents=True, exist_ok=True)
    plot_block_triangular_form(A, form, picture)
    table = Table(title="Block triangular form of examples/demo.mtx", show_header=False, title_style="bold")
    table.add_column(style="cyan")
    for name, fact in facts(A, form, seconds).items():
        table.add_row(name, fact)
    console = Console()
    console.print(table)
    console.print(f"Before and after: [bold]{picture}[/bold]")


def facts(A, form: konig.BlockTriangularForm, seconds: dict[str, float]) -> dict[str, str]:
    matching, coarse, cover = form.matching, form.coarse, form.matching.cover
    sizes = np.diff(form.row_blocks)[form.fine_blocks.start : form.fine_blocks.stop]
    largest = ", ".join(map(str, np.sort(sizes)[::-1][:6]))
    shown = ("convert", "matching", "coarse", "fine", "total", "verify")
    return {
        "matrix": f"{A.shape[0]} x {A.shape[1]}, {A.nnz} entries",
        "maximum matching": f"{matching.size} pairs, found by {matching.method}",
        "its proof": f"a cover of {len(cover.rows)} rows and {len(cover.cols)} columns, checked",
        "underdetermined part": "{} x {}".format(*coarse.horizontal.shape),
        "well-determined part": "{} x {}".format(*coarse.square.shape),
        "overdetermined part": "{} x {}".format(*coarse.vertical.shape),
        "blocks": f"{form.num_blocks} in all, {len(sizes)} of them square",
        "largest square blocks": f"{largest}; {np.count_nonzero(sizes == 1)} of size 1",
        **{f"time: {name}": f"{1e3 * seconds[name]:.3f} ms" for name in shown},
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
