"""Writes ``[project.urls]`` into pyproject.toml: ``urls.py https://HOST/OWNER/NAME``, the one that publishes.

A checkout does not know where it is kept, and a copy of it elsewhere would name the wrong place. The workflow
that publishes does know, and calls this before it builds.
"""

import re
import sys
from pathlib import Path

PLACES = {
    "Source": "",
    "Documentation": "/tree/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}
BEFORE = "[project.optional-dependencies]"


def with_urls(settings: str, repository: str) -> str:
    """The text of a pyproject.toml with the addresses of a repository in place of any that it has."""
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", repository):
        raise ValueError(f"{repository!r}: a repository is https://HOST/OWNER/NAME")
    if settings.count(f"\n{BEFORE}\n") != 1:
        raise ValueError(f"pyproject.toml: {BEFORE} must be there once")
    settings = re.sub(r"\[project\.urls\]\n(?:.+\n)*\n", "", settings)
    lines = [f'{name} = "{repository}{place}"' for name, place in PLACES.items()]
    return settings.replace(BEFORE, "\n".join(["[project.urls]", *lines, "", BEFORE]))


if __name__ == "__main__":
    path = Path(__file__).parent.parent / "pyproject.toml"
    path.write_text(with_urls(path.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
