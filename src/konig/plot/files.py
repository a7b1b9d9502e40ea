"""Figures and the files that they are drawn into."""

from __future__ import annotations

import os
from typing import Any

from konig.io.files import whole_file


def new_figure(target: Any, size: tuple[float, float] | None = None) -> Any:
    """A matplotlib Figure for a file, which needs no screen, or one that pyplot shows if there is no file."""
    require_matplotlib()
    if target is not None:
        from matplotlib.figure import Figure

        return Figure(size, layout="constrained")
    import matplotlib.pyplot as plt

    return plt.figure(figsize=size, layout="constrained")


def require_matplotlib() -> None:
    """Raise an ImportError that says what to install where matplotlib is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as missing:
        raise ImportError("pictures need matplotlib: pip install 'konig[plot]'") from missing


def save_figure(figure: Any, path: str | os.PathLike[str], **how: Any) -> None:
    """Draw into a file, as its suffix says; without one it gets that of matplotlib's default format."""
    from matplotlib import rcParams

    name = os.fspath(path)
    suffix = os.path.splitext(name)[1]
    if not suffix:
        suffix = f".{rcParams['savefig.format']}"
        name += suffix
    with whole_file(name) as file:
        figure.savefig(file, format=suffix[1:].lower(), **how)
