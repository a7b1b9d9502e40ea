"""Prints what pyproject.toml asks for as pip takes it: ``requirements.py [--lowest] GROUP ...``.

A group is ``build``, ``dependencies`` or an extra. With ``--lowest`` each is pinned to its lower bound.
"""

import re
import sys
import tomllib
from pathlib import Path


def requirements(groups: list[str], lowest: bool = False) -> list[str]:
    settings = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    known = {
        "build": settings["build-system"]["requires"],
        "dependencies": project["dependencies"],
        **project["optional-dependencies"],
    }
    asked = dict.fromkeys(line for group in groups for line in known[group])
    return [pinned(line) if lowest else line for line in asked]


def pinned(requirement: str) -> str:
    """The same at its lower bound; one without is an error, since nothing says what works."""
    line, found = re.subn(r"^([\w.-]+)>=([\w.]+)", r"\1==\2", requirement)
    if not found:
        raise ValueError(f"pyproject.toml: {requirement!r} has no lower bound")
    return line


if __name__ == "__main__":
    arguments = sys.argv[1:]
    lowest = "--lowest" in arguments
    print(*requirements([group for group in arguments if group != "--lowest"], lowest), sep="\n")
