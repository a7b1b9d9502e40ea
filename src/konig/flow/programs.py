"""The parallel programs for flows: what each works on.

A network's arrays are NumPy's or CuPy's, wherever it is solved.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from konig import _native, programs
from konig.flow.auto import Deep
from konig.gpu.program import BLOCK_THREADS, BUDGET_NS
from konig.machine import WARP, Machine
from konig.programs import Task
from konig.progress import Report
from konig.registry import Method

if TYPE_CHECKING:
    from konig.flow.papers.residual import Residual as Layout
    from konig.flow.residual import Residual

FEW_VERTICES = 400_000  # for which one block of threads on each processor is enough
PAPER_BLOCKS = 512  # with 256 threads each what Hsieh, Lin and Kuo have as 1024 blocks of 128
ASYNC_PR = "flow/async_pr"
HELD = 6, 12  # slots that a worker of async-pr holds at once: as many as most lists have
UNBOUNDED = (1 << 63) - 1
WAYS = "leaving", "entering"  # what the neighbours of the terminals can pass on
LAYOUT_ARRAYS = "start", "head", "tail", "in_start", "in_tail", "in_arc", "forward", "backward"
# The tasks of konig/papers/tlpns/layout.h, and what it calls the arrays whose names the arcs have, too.
WEIGH, LAY_OUT, SEND, DEAL = range(4)
LAID_OUT = {"head": "list_head", "tail": "list_tail"}


def shown(report: Report | None, before: int, bound: int = 0) -> Report | None:
    """A report that is told what is on its way to the sink, what was brought before and a bound on all."""
    if report is None:
        return None

    def show(brought: int, _: int) -> None:
        report(before + brought, max(bound, before + brought))

    return show


@cache
def _program(name: str, *types_and_flags: np.dtype | bool) -> _native.Program:
    types = tuple(str(part) for part in types_and_flags if isinstance(part, np.dtype))
    return programs.find(name, types, tuple(part for part in types_and_flags if isinstance(part, bool)))


def _find(name: str, network: Residual, *flags: Any) -> _native.Program:
    return _program(name, network.start.dtype, network.excess.dtype, *map(bool, flags))


def _sizes(network: Residual) -> dict[str, int | float]:
    return {"vertices": network.vertices, "slots": len(network.slots)}


def _arrays(machine: Machine, network: Residual) -> dict[str, Any]:
    """Those of the network, and the source side."""
    names = "start", "slots", "to_sink", "to_source", "excess"
    return {
        **{name: getattr(network, name) for name in names},
        "cut": machine.xp.zeros(network.vertices, np.uint8),
    }


def _within(blocks: int, workers: int) -> int:
    return min(workers, blocks * BLOCK_THREADS) if blocks else workers


def profile(arcs: dict[str, Any], undirected: bool) -> Task:
    """Adds up what may flow along arcs; launched again, with more room, it finds the neighbours."""
    vertices, count = len(arcs["role"]), len(arcs["tail"])
    return Task(
        _program("flow/profile", arcs["tail"].dtype),
        {
            "vertices": vertices,
            "arcs": count,
            "undirected": int(undirected),
            "turned": 0,
            "bound": UNBOUNDED,
            "places": 0,
        },
        {**arcs, **dict.fromkeys(("table", "slot_of_arc", "degree", "supply", "demand", "aside", *WAYS))},
        workers=max(vertices, count),
    )


def build(amounts: Any, profiled: Task, slot_count: int, **given: Any) -> Task:
    """Makes the residual network of arcs; launched again, deals their flow out."""
    sizes = {name: number for name, number in profiled.numbers.items() if name != "places"}
    return Task(
        _program("flow/build", profiled.given["tail"].dtype, np.dtype(amounts)),
        {**sizes, "slots": slot_count},
        {**profiled.given, **given},
        workers=profiled.workers,
    )


def sum_of(words: Mapping[str, int], name: str) -> int:
    """A sum that a program gives in two words."""
    return (words[name] << words["low_bits"]) + words[f"{name}_low"]


def units(values: Any, task: int, **given: Any) -> Task:
    """Numbers of float64: their profile (task 0), whole units of them (1), or the other way round (2)."""
    numbers: dict[str, Any] = {"exponent": 0, "most": 0, "up": 0, "first": 1.0, "second": 1.0}
    arrays: dict[str, Any] = {"units": None, "reals": None}
    for name, value in given.items():
        (numbers if name in numbers else arrays)[name] = value
    return Task(
        _program("flow/units", np.dtype(np.int64)),
        {"count": values.size, "task": task, **numbers},
        {"bits": values.view(np.int64), **arrays},
        workers=values.size,
    )


def cycles(machine: Machine, arcs: dict[str, Any], terminals: dict[str, int]) -> Task:
    """Lists the arcs of a flow that may lie on a cycle of it: tail, head, flow and role are its arrays."""
    vertices, count = len(arcs["role"]), len(arcs["tail"])
    return Task(
        _program("flow/cycles", arcs["tail"].dtype),
        {"vertices": vertices, "arcs": count, **terminals},
        {**arcs, "list": machine.xp.empty((2, count), arcs["tail"].dtype)},
        workers=count,
    )


def sync_pr_for(ids: np.dtype, amounts: np.dtype, profile: bool) -> _native.Program:
    """The program of `sync_pr`."""
    return _program("flow/sync_pr", ids, amounts, profile)


def sync_pr(machine: Machine, network: Residual, settings: Mapping[str, Any], deep: Deep | None) -> Task:
    """Synchronous push-relabel; with a rule for deep networks it leaves those to others."""
    n = network.vertices
    for_async = deep and network.longest <= deep.broad and n <= deep.each * machine.processors * BLOCK_THREADS
    rules = {
        "k": float(settings["k"]),
        "least": int(settings["least"]),
        "rises": int(settings["rises"]),
        "deep": deep.levels if deep and for_async else 0,
        "thick": deep.thick if deep else 0,
    }
    labels = machine.minus_ones(8 * n, network.start.dtype)
    return Task(
        sync_pr_for(network.start.dtype, network.excess.dtype, bool(settings["profile"])),
        {**_sizes(network), **rules},
        {**_arrays(machine, network), "labels": labels},
        workers=_within(
            int(settings["blocks"]), _within(machine.processors if n < FEW_VERTICES else 0, 8 * n)
        ),
    )


def async_options() -> list[str]:
    """What NVRTC is told for networks of short lists, and of longer ones."""
    return [f"-DKONIG_FLOW_HELD={held}" for held in HELD]


def async_pr(
    machine: Machine, network: Residual, settings: Mapping[str, Any], known: Any, levels: int
) -> Task:
    """Asynchronous push-relabel, from the labels of a search of so many levels if there are any."""
    microseconds = min(float(settings["stretch"]), BUDGET_NS / 1000)
    rules = {"span": int(microseconds * machine.ticks), "levels": levels, "waves": int(settings["waves"])}
    return Task(
        _find(ASYNC_PR, network),
        {**_sizes(network), **rules},
        {**_arrays(machine, network), "known": known},
        workers=_within(int(settings["blocks"]), network.vertices),
        options=(async_options()[network.longest > HELD[0]],),
    )


def tlpns_for(method: Method, ids: np.dtype, settings: Mapping[str, Any]) -> _native.Program:
    """The program of `tlpns`."""
    flags = bool(method.variant["tiles"]), bool(settings["profile"])
    return _program(f"papers/tlpns/{method.variant['layout']}", ids, ids, *flags)


def layout(arcs: dict[str, Any], terminals: tuple[int, int], undirected: bool) -> Task:
    """Adds up what may flow along arcs; as other steps, makes a layout of them, and deals their flow out."""
    vertices, count = len(arcs["role"]), len(arcs["tail"])
    source, sink = terminals
    later = *laid_out(dict.fromkeys(LAYOUT_ARRAYS)), "place", "whole", "excess", "flow", "cut", "side"
    return Task(
        _program("papers/tlpns/layout", arcs["tail"].dtype),
        {
            "vertices": vertices,
            "arcs": count,
            "undirected": int(undirected),
            "turned": 0,
            "bound": UNBOUNDED,
            "task": WEIGH,
            "source": source,
            "sink": sink,
            "fed": 0,
            "entries": 0,
        },
        {**arcs, **dict.fromkeys(later)},
        workers=max(vertices, count),
    )


def laid_out(arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a layout as `layout` takes them."""
    return {LAID_OUT.get(name, name): array for name, array in arrays.items()}


def layout_step(task: Task, step: int, entries: int = 0, **given: Any) -> Task:
    """Another step of `layout`: the first one has numbers and arrays for all."""
    return task._replace(
        numbers={**task.numbers, "task": step, "entries": entries},
        given={**task.given, **given},
        workers=max(task.workers, entries),
    )


def tlpns(
    machine: Machine, method: Method, network: Layout, settings: Mapping[str, Any], excess: Any
) -> Task:
    """A method of Hsieh, Lin and Kuo on its layout, with what each vertex holds at the start."""
    n, xp = network.vertices, machine.xp
    profile = bool(settings["profile"])
    tile = str(settings.get("tile", "1"))
    numbers = {
        "vertices": n,
        "source": network.source,
        "sink": network.sink,
        "arcs": network.length,
        "places": network.places,
        "base": {"adaptive": 0, "vertices": n, "fix": 1}[str(settings["relabel"])],
        "k": float(settings["k"]),
        "tile": 0 if tile == "degree" else int(tile),
    }
    most = max(PAPER_BLOCKS * BLOCK_THREADS // WARP, machine.threads)
    return Task(
        tlpns_for(method, network.arrays["head"].dtype, settings),
        numbers,
        {
            **network.arrays,
            "excess": excess,
            "cut": xp.zeros(n, np.uint8),
            "workload": xp.zeros(most, np.int64) if profile else None,
        },
        workers=_within(PAPER_BLOCKS, 8 * n),
    )
