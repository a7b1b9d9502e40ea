"""``konig flow``: a maximum flow and a minimum cut of a network in a file."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

import konig
from konig import io
from konig.cli import options, result_files, screen, solving
from konig.cli.refusal import CommandError, refusals
from konig.flow.result import Flow
from konig.io import files

Source = Annotated[
    list[int] | None, typer.Option("--source", metavar="VERTEX", help="A source, counted from 0; repeatable.")
]
Sink = Annotated[
    list[int] | None, typer.Option("--sink", metavar="VERTEX", help="A sink, counted from 0; repeatable.")
]
Undirected = Annotated[
    bool,
    typer.Option(
        "--undirected",
        help="Each arc may be used either way, up to its capacity; a symmetric file has each edge once.",
    ),
]
Cut = Annotated[bool, typer.Option("--cut", help="List the arcs of the minimum cut, too.")]

MOST_SHOWN = 10


def flow(
    file: options.NetworkFile,
    source: Source = None,
    sink: Sink = None,
    cut: Cut = False,
    undirected: Undirected = False,
    method: options.MethodName = "auto",
    device: options.Device = "auto",
    threads: options.Threads = None,
    seed: options.Seed = None,
    settings: options.Settings = None,
    format: options.Format = None,
    json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Bring as much as possible from the source to the sink, and prove it by a minimum cut."""
    solving.check_targets(out)
    with refusals(file):
        how = options.arguments("flow", method, device, threads, seed, settings)
        opened = files.Source(file)
        read = partial(_read, opened, format, source, sink, undirected)
        _, answer, seconds = solving.solved(read, konig.maximum_flow, **how)
        vertices = answer.network.num_vertices
        read_as = solving.read_as(opened, format, (vertices, vertices))
        document = _document(answer, str(file), seconds, cut)
        if out:
            result_files.write(out, document)
    if json:
        screen.print_json(document)
        return
    screen.print_facts(f"Maximum flow of {file}", _summary(answer, seconds, read_as))
    if cut:
        print("# tail head capacity of the minimum cut, vertices counted from 0")
        _, *columns = answer.cut_edges
        for arc in zip(*(column.tolist() for column in columns), strict=True):
            print(*arc)


def _read(
    file: files.Source, format: str | None, source: list[int] | None, sink: list[int] | None, undirected: bool
) -> solving.Problem:
    network = io.read_network(file, format=format, undirected=undirected)
    ends = terminals(network, source, sink)
    for option, chosen in ends.items():
        if not chosen:
            raise CommandError(f"{file.path} names no {option}: add --{option} VERTEX, counted from 0")
    return (network.arcs, *ends.values()), {"num_vertices": network.num_vertices, "undirected": undirected}


def terminals(network: io.Network, source: list[int] | None, sink: list[int] | None) -> dict[str, list[int]]:
    """Sources and sinks: those on the command line come before those of the file, which may name none."""
    sides = {"source": (source, network.source), "sink": (sink, network.sink)}
    return {side: given or ([] if named is None else [named]) for side, (given, named) in sides.items()}


def _document(answer: Flow, file: str, seconds: dict[str, float], with_cut: bool) -> dict[str, Any]:
    network = answer.network
    arcs = answer.cut_edges._asdict() if with_cut else {}
    return {
        **solving.document(result_files.MAXIMUM_FLOW, answer, file, seconds),
        "vertices": network.num_vertices,
        "arcs": network.num_arcs,
        "undirected": network.undirected,
        "value": answer.value,
        "gap": answer.gap,
        "source": network.sources,
        "sink": network.sinks,
        "flow": answer.flow,
        "source_side": np.flatnonzero(answer.cut),
        **{f"cut_{name}": values for name, values in arcs.items()},
    }


def _summary(answer: Flow, seconds: dict[str, float], read_as: str) -> dict[str, str]:
    network = answer.network
    kind = "undirected edges" if network.undirected else "arcs"
    side = int(np.count_nonzero(answer.cut))
    capacity = "the same capacity" if answer.gap == 0 else f"at most {answer.gap} more capacity"
    return {
        "network": f"{network.num_vertices:,} vertices, {network.num_arcs:,} {kind}",
        **({"read as": read_as} if read_as else {}),
        "source": _vertices(network.sources),
        "sink": _vertices(network.sinks),
        "value": screen.count(answer.value),
        **({} if answer.gap == 0 else {"gap": f"{answer.gap}: capacities were rounded"}),
        "proof": f"cut of {len(answer.cut_edges.arc):,} {kind} with {capacity}, checked",
        "source side": f"{side:,} of {network.num_vertices:,} vertices",
        **screen.how_found(answer, seconds),
    }


def _vertices(ids: np.ndarray) -> str:
    shown = ", ".join(map(str, ids[:MOST_SHOWN].tolist()))
    return shown if len(ids) <= MOST_SHOWN else f"{shown}, ... ({len(ids):,} vertices)"
