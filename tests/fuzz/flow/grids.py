"""Cuts of images and volumes: a grid is a network whose arcs are not listed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

import konig

from ..case import Call, Draw, Violation
from ..knobs import draw_how
from ..settings import Settings, shown_call
from .judge import GRAVE, excused, judge
from .network import Network
from .networks import CAPACITIES


def draw_grid_call(draw: Draw, numbers: str, settings: Settings) -> Call:
    """`grid_cut` on arrays of its own, of capacities from a family."""
    connectivity = draw.some((4, 8, 6))
    shape = tuple(
        draw.randint(1, 3 if connectivity == 6 else 5) for _ in range(3 if connectivity == 6 else 2)
    )
    size = int(np.prod(shape))
    offsets = np.asarray(konig.grid_offsets(connectivity))
    rows = draw.some((connectivity, connectivity // 2))
    drawn = CAPACITIES[numbers](draw, size * (2 + rows))
    drawn = drawn.astype(np.int64) if drawn.dtype == bool else drawn
    to_pixel, to_sink = drawn[: 2 * size].reshape(2, *shape)
    between = drawn[2 * size :].reshape(rows, *shape)
    how: dict[str, Any] = {}
    if draw.chance(0.4):
        how = draw_how(draw, "flow", settings.threads)
        how.pop("threads", None)
        how.pop("seed", None)

    def run() -> Iterator[Violation]:
        network, places = _as_network(to_pixel, to_sink, between, offsets)
        try:
            found = konig.grid_cut(to_pixel, to_sink, between, connectivity=connectivity, device="cpu", **how)
        except ValueError as error:
            too_large = drawn.dtype == np.uint64 and drawn.max() >= 2**63  # perhaps at the border, on no arc
            if not too_large and not excused(network, how, error):
                yield Violation("raises ValueError", str(error))
            return
        sides = [np.ravel(part) for part in (found.source_flow, found.sink_flow, found.flow)]
        flow = np.concatenate(sides)[places]
        cut = np.append(np.ravel(found.cut), [True, False])
        gap = getattr(found, "gap", None)
        grounds = list(judge(network, found.value, flow, cut, gap, gap_required=settings.gap_required))
        yield from grounds
        try:
            found.verify(to_pixel, to_sink, between)
        except konig.CertificateError as refused:
            if not grounds:
                yield Violation("certificate refuses a true answer", str(refused))
            return
        if any(ground.kind in GRAVE for ground in grounds):
            yield Violation(f"certificate accepts: {grounds[0].kind}", grounds[0].detail)

    return Call(shown_call(f"grid_cut {numbers}", how), run)


def _as_network(
    to_pixel: np.ndarray, to_sink: np.ndarray, between: np.ndarray, offsets: np.ndarray
) -> tuple[Network, np.ndarray]:
    """All arcs, and where the flow of each stands: after each other from the source, to the sink, between."""
    shape, size = to_pixel.shape, to_pixel.size
    index = np.arange(size).reshape(shape)
    source, sink = size, size + 1
    arcs = [(source, v, to_pixel.flat[v], v) for v in range(size)]
    arcs += [(v, sink, to_sink.flat[v], size + v) for v in range(size)]
    half = len(offsets) // 2
    for k, offset in enumerate(offsets):
        for at in itertools.product(*map(range, shape)):
            there = tuple(int(a + o) for a, o in zip(at, offset, strict=True))
            if any(not 0 <= t < extent for t, extent in zip(there, shape, strict=True)):
                continue
            # With half of the directions given, an arc back has the capacity of the arc there.
            capacity = between[(k, *at)] if k < len(between) else between[(k - half, *there)]
            arcs.append((int(index[at]), int(index[there]), capacity, (2 + k) * size + int(index[at])))
    tail, head, _, places = (np.array(column) for column in zip(*arcs, strict=True))
    capacity = np.array([arc[2] for arc in arcs], to_pixel.dtype)
    return Network(size + 2, tail, head, capacity, (source,), (sink,)), places
