"""The papers' experiments: small versions of three of their tables, by ``konig bench``.

    python examples/gallery/papers.py [PICTURE]

The suite ``tiny`` takes seconds; ``--suite paper`` has the papers' sizes and takes up to an hour. All answers
are proved. Times are of one CPU thread, where the second and the third paper time a GPU (``--device cuda``).
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

RELABEL = "1", "1.5", "2", "4", "8"
PUSH_RELABEL = {"pr": "tab:blue", "pr-fair": "tab:green", "pr-fair-spread": "tab:orange"}
HUNGARIAN = {"hungarian-classical": "0.6", "hungarian-tree": "tab:orange"}
LAYOUTS = "csr", "rcsr", "bcsr"
TEAMS = {"lock-free": "0.6", "tlpns": "tab:orange"}


def bench(problem, *methods):
    """The records of konig bench on the tiny suite; it prints its tables meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "records.json"
        options = "--suite", "tiny", "--methods", ",".join(methods), "--repeats", "3", "--cache", folder
        if problem == "matching":
            options += "--permutations", "1"
        command = sys.executable, "-m", "konig", "bench", problem, *options, "--json", str(records)
        subprocess.run(command, check=True)
        return [r for r in json.loads(records.read_text())["records"] if r["status"] == "ok"]


def mean(numbers):
    """Geometric, as of ratios and times of instances that differ in size."""
    return float(np.exp(np.mean(np.log(list(numbers)))))


def relabelling(ax):
    records = bench("matching", *(f"{m}:relabel={f}" for m in PUSH_RELABEL for f in RELABEL))
    for method, colour in PUSH_RELABEL.items():
        scans = [
            mean(
                (r["counts"]["search_arc_scans"] + r["counts"]["relabel_arc_scans"]) / r["nonzeros"]
                for r in records
                if r["solver"] == f"{method}:relabel={f}"
            )
            for f in RELABEL
        ]
        ax.plot(RELABEL, scans, "o-", color=colour, label=method, lw=2)
    ax.set(xlabel="global relabellings per m + n double pushes", ylabel="arc scans per entry", ylim=(0, None))
    ax.set_title("Kaya, Langguth, Manne, Uçar:\nhow often to relabel", fontsize=11)


def tree(ax):
    records = bench("assignment", *(f"{method}:device=cpu:threads=1" for method in HUNGARIAN))
    ranges = ["[0, n/10]", "[0, n]", "[0, 10n]", "[0, 100n]"]
    for k, (method, colour) in enumerate(HUNGARIAN.items()):
        seconds = [
            mean(r["seconds"] for r in records if r["solver"].startswith(method) and r.get("group") == group)
            for group in ranges
        ]
        ax.bar(np.arange(4) + 0.4 * k, 1e3 * np.array(seconds), 0.4, color=colour, label=method)
    ax.set_xticks(np.arange(4) + 0.2, ranges)
    ax.set(xlabel="range of the costs, n = 200", ylabel="milliseconds")
    ax.set_title("Date, Nagi:\nthe Hungarian method with a forest", fontsize=11)


def layouts(ax):
    records = bench("flow", *(f"{team}-{layout}" for layout in LAYOUTS for team in TEAMS))
    for k, (team, colour) in enumerate(TEAMS.items()):
        seconds = [
            mean(r["parts"]["solve"] for r in records if r["solver"] == f"{team}-{layout}")
            for layout in LAYOUTS
        ]
        ax.bar(np.arange(3) + 0.4 * k, 1e3 * np.array(seconds), 0.4, color=colour, label=team)
    ax.set_xticks(np.arange(3) + 0.2, [layout.upper() for layout in LAYOUTS])
    ax.set(xlabel="layout of the residual network", ylabel="milliseconds")
    ax.set_title("Hsieh, Lin, Kuo:\nflow on three layouts", fontsize=11)


def main(picture="papers.png"):
    fig, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
    for ax, experiment in zip(axes, (relabelling, tree, layouts), strict=True):
        experiment(ax)
        ax.legend(frameon=False, fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
    fig.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
