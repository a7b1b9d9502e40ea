"""Options that several commands share, and how their text becomes values."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from konig import registry
from konig.cli.refusal import CommandError

PICTURES = (".png", ".pdf", ".svg")

MatrixFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="Matrix Market, SNAP, KONECT, .npz or .npy; may be compressed.")
]
MethodName = Annotated[str, typer.Option("--method", "-m", help="A method of `konig methods`, or auto.")]
Device = Annotated[str, typer.Option(help="Where to solve: auto, cpu or cuda.")]
Threads = Annotated[int | None, typer.Option(help="Workers of a parallel method; all cores by default.")]
Seed = Annotated[int | None, typer.Option(help="Seed for methods that draw random numbers.")]
Init = Annotated[str | None, typer.Option(help="The start: short for --set init=...")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A knob of the method; repeatable.")
]
DropZeros = Annotated[bool, typer.Option("--drop-zeros", help="Stored zeros are no entries.")]
Format = Annotated[
    str | None, typer.Option(help="mtx, snap, konect, npz or npy; by default the file itself tells.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the whole answer as JSON.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the answer into a .png, .pdf or .svg.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the answer to a .npz or .json for `konig verify`.")
]


def knobs(method: str, init: str | None, settings: Iterable[str] | None) -> dict[str, Any]:
    """The method's settings from ``--init`` and ``--set``, each in its knob's own type."""
    texts: dict[str, str] = {} if init is None else {"init": init}
    for setting in settings or ():
        name, equals, text = setting.partition("=")
        if not equals or not name:
            raise CommandError(f"--set takes name=value, not {setting!r}")
        if name in texts:
            raise CommandError(f"{name} is set twice")
        texts[name] = text
    defaults = {
        knob.name: knob.default
        for m in registry.methods("matching")
        if m.name == method
        for knob in m.options
    }
    return {name: knob_value(name, text, defaults.get(name)) for name, text in texts.items()}


def knob_value(name: str, text: str, default: Any) -> Any:
    """The text as a value of the default's type; unchanged where that is not known."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(default, bool):
        if text.lower() not in words:
            raise CommandError(f"{name} must be true or false, not {text!r}")
        return words[text.lower()]
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            kind = "an integer" if isinstance(default, int) else "a number"
            raise CommandError(f"{name} must be {kind}, not {text!r}") from None
    return text


def check_writable(path: Path | None, suffixes: tuple[str, ...], option: str) -> None:
    """Refuse a place that cannot be written, before the work that would be lost."""
    if path is None:
        return
    if not path.name.lower().endswith(suffixes):
        raise CommandError(f"{option} {path}: must end in {' or '.join(suffixes)}")
    if path.is_dir():
        raise CommandError(f"{option} {path}: is a directory")
    if not path.parent.is_dir():
        raise CommandError(f"{option} {path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CommandError(f"{option} {path}: no permission to write")
