"""Every method: its name, the problem, where it runs, the paper it comes from and its knobs."""

from __future__ import annotations

from typing import Any

from konig.registry.assignment import ADAPTIVE, ASSIGNMENT_METHODS, CREW_PATHS, TIED
from konig.registry.assignment import SMALL as ASSIGNMENT_SMALL
from konig.registry.flow import AUTO_FLOW, FLOW_METHODS
from konig.registry.matching import MATCHING_ALIASES, MATCHING_METHODS, STARTS, Start
from konig.registry.method import Knob, Method

__all__ = [
    "ADAPTIVE",
    "ASSIGNMENT_SMALL",
    "AUTO_FLOW",
    "CREW_PATHS",
    "STARTS",
    "Knob",
    "Method",
    "Start",
    "choose_assignment",
    "choose_assignment_by_range",
    "choose_device",
    "choose_flow",
    "choose_matching",
    "find",
    "methods",
    "parse_device",
]

_METHODS = {method.name: method for method in (*MATCHING_METHODS, *ASSIGNMENT_METHODS, *FLOW_METHODS)}
_ALIASES = MATCHING_ALIASES


def methods(problem: str | None = None) -> tuple[Method, ...]:
    """Every method, or those of one problem.

    Examples
    --------
    >>> import konig
    >>> "hk" in [method.name for method in konig.methods("matching")]
    True
    """
    problems = sorted({method.problem for method in _METHODS.values()})
    if problem is not None and problem not in problems:
        raise ValueError(f"problem={problem!r}: expected one of {', '.join(problems)}")
    return tuple(m for m in _METHODS.values() if problem in (None, m.problem))


def find(name: Any, problem: str) -> Method:
    """The method of that name, or an error that lists the valid ones."""
    method = _METHODS.get(_ALIASES.get(name, name)) if isinstance(name, str) else None
    if method is None or method.problem != problem:
        valid = ", ".join(["auto", *(m.name for m in methods(problem))])
        article = "an" if problem[0] in "aeiou" else "a"
        raise ValueError(f"method={name!r} is not {article} {problem} method; expected one of {valid}")
    return method


def choose_matching(name: str, device: str, input_on: int | None = None) -> Method | None:
    """The method that runs: the one asked for, or None where ``auto`` looks at the matrix first.

    ``input_on`` is the number of the GPU that holds the input.
    """
    if name == "auto":
        kind = parse_device(device)[0]
        on_gpu = kind == "cuda" or (kind == "auto" and input_on is not None)
        return find("ms-bfs", "matching") if on_gpu else None
    return find(name, "matching")


def choose_assignment(
    name: str,
    device: str = "cpu",
    input_on: int | None = None,
    shape: tuple[int, ...] = (),
    sparse: bool = False,
) -> Method:
    """The assignment method that runs: the one asked for, or what ``auto`` takes for costs of this shape.

    ``input_on`` is the number of the GPU that holds the input.
    """
    kind = parse_device(device)[0]
    if sparse and kind == "cuda":
        raise ValueError(
            f"device={device!r}: sparse costs are solved on the CPU, wherever they are; pass device='auto' "
            "or 'cpu', or dense costs with inf for forbidden pairs"
        )
    if name == "auto":
        if kind == "cuda" or (kind == "auto" and input_on is not None):
            return CREW_PATHS if len(shape) == 3 else find("core-paths", "assignment")
        if sparse:
            return find("jv", "assignment")
        return ADAPTIVE if min(shape[-2:], default=0) < ASSIGNMENT_SMALL else find("core", "assignment")
    method = find(name, "assignment")
    if method is CREW_PATHS and len(shape) != 3:
        raise ValueError(f"method={name!r} takes batches only, arrays of shape (B, rows, columns)")
    if sparse and "sparse" not in method.reads:
        fitting = ", ".join(m.name for m in methods("assignment") if "sparse" in m.reads)
        raise ValueError(f"method={name!r} does not take sparse costs; these do: {fitting}")
    return method


def choose_assignment_by_range(least: float, greatest: float, integral: bool, longest: int) -> Method:
    """What ``auto`` runs on one problem on a GPU, once the range of its costs is known.

    Where integers have few more values than there are columns, most of the work is a matching on equal
    costs.
    """
    tied = integral and greatest - least <= TIED * longest
    return find("hungarian-classical" if tied else "core-paths", "assignment")


def choose_flow(name: str, device: str, input_on: int | None = None) -> Method:
    """The flow method that runs: the one asked for, or ``auto``, which looks at the network first.

    ``input_on`` is the number of the GPU that holds the input.
    """
    if name != "auto":
        return find(name, "flow")
    kind = parse_device(device)[0]
    on_gpu = kind == "cuda" or (kind == "auto" and input_on is not None)
    return find("sync-pr", "flow") if on_gpu else AUTO_FLOW


def choose_device(method: Method | None, device: str, input_on: int | None = None) -> tuple[str, int | None]:
    """Where it runs: ("cpu", None), or ("cuda", number) with None for the current device.

    ``auto`` is where the input lives, as far as the method runs there: the CPU, or the GPU that holds it.
    """
    kind, number = parse_device(device)
    if kind == "auto":
        stays = input_on is not None and (method is None or "cuda" in method.devices)
        kind = "cuda" if stays else "cpu"
    if kind == "cuda" and number is None:
        number = input_on
    if method is not None and kind not in method.devices:
        fitting = ", ".join(m.name for m in methods(method.problem) if kind in m.devices)
        raise ValueError(
            f"device={device!r}: method {method.name!r} runs on {' and '.join(method.devices)} only; "
            f"methods for {kind}: {fitting}"
        )
    return kind, number


def parse_device(device: Any) -> tuple[str, int | None]:
    """The kind of device and its number, if one was given."""
    kind, colon, number = device.partition(":") if isinstance(device, str) else ("", "", "")
    if kind in ("auto", "cpu", "cuda") and not colon:
        return kind, None
    if kind == "cuda" and number.isascii() and number.isdigit():
        return kind, int(number)
    raise ValueError(f"device={device!r}: expected 'auto', 'cpu', 'cuda' or 'cuda:N'")
