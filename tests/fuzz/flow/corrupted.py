"""The certificate of a flow is a subject of its own: it must accept what is true and refuse what is not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig

from ..case import Draw, Violation
from .judge import GRAVE, judge
from .network import Network


def judge_certificate(
    draw: Draw, network: Network, answer: Any, given: Any, grounds: list[Violation]
) -> Iterator[Violation]:
    """Verify an answer that was judged already, then a corrupted copy of it."""
    refused = _refusal(network, answer, given)
    grave = next((ground for ground in grounds if ground.kind in GRAVE), None)
    if refused is not None and not grounds:
        yield Violation("certificate refuses a true answer", refused)
    elif refused is None and grave:
        yield Violation(f"certificate accepts: {grave.kind}", grave.detail, grave.size)
    if grounds or sp.issparse(answer.flow) or len(network.tail) > 500:
        return
    ways = (_one_arc, _nothing, _one_vertex, _value, _gap, _lengths)
    for way in draw.sample(ways, len(ways)):
        copy = way(draw, network, answer)
        if copy is None:
            continue
        gap = getattr(copy, "gap", None)
        faults = judge(network, copy.value, np.asarray(copy.flow), copy.cut, gap)
        wrong = next((v for v in faults if v.kind in GRAVE), None)
        name = way.__name__.strip("_").replace("_", " ")
        refused = _refusal(network, copy, given)
        if refused is not None and refused.startswith("!"):
            yield Violation("certificate raises", f"{name}: {refused[1:]}")
        elif wrong and refused is None:
            yield Violation(f"certificate accepts: {wrong.kind}", f"{name}: {wrong.detail}", wrong.size)
        return


def _refusal(network: Network, answer: Any, given: Any) -> str | None:
    """Why an answer is refused; None if it is not, and ! before an error of another kind."""
    try:
        extent = {"num_vertices": network.num_vertices} if isinstance(given, tuple) else {}
        answer.verify(given, list(network.sources), list(network.sinks), **extent)
    except konig.CertificateError as refused:
        return str(refused)
    except Exception as error:
        return f"!{type(error).__name__}: {error}"
    return None


def _one_arc(draw: Draw, network: Network, answer: Any) -> Any:
    flow = np.array(answer.flow)
    if not len(flow):
        return None
    k = draw.randrange(len(flow))
    if network.whole:
        flow[k] += draw.choice((-1, 1))
    else:
        largest = float(np.abs(flow).max()) or 1.0
        flow[k] += draw.choice((-1, 1)) * largest * draw.some((1e-15, 1e-12, 1e-9, 1e-6, 1))
    return replace(answer, flow=flow)


def _nothing(draw: Draw, network: Network, answer: Any) -> Any:
    return replace(answer, flow=np.zeros_like(answer.flow), value=type(answer.value)(0))


def _one_vertex(draw: Draw, network: Network, answer: Any) -> Any:
    cut = np.array(answer.cut)
    v = draw.randrange(len(cut))
    cut[v] = not cut[v]
    return replace(answer, cut=cut)


def _value(draw: Draw, network: Network, answer: Any) -> Any:
    if network.whole:
        return replace(answer, value=answer.value + draw.choice((-1, 1)))
    step = (abs(answer.value) or 1.0) * draw.some((1e-12, 1e-9, 1e-6, 1))
    return replace(answer, value=draw.some((answer.value + step, answer.value - step, math.nan, math.inf)))


def _gap(draw: Draw, network: Network, answer: Any) -> Any:
    gap = getattr(answer, "gap", None)
    if gap is None:
        return None
    return replace(answer, gap=draw.some((-1.0, math.nan, math.inf, 0.0 if gap else 1e300)))


def _lengths(draw: Draw, network: Network, answer: Any) -> Any:
    name = draw.some(("flow", "cut"))
    array = np.asarray(getattr(answer, name))
    if not len(array):
        return None
    return replace(answer, **{name: draw.some((array[:-1], np.concatenate([array, array[-1:]])))})
