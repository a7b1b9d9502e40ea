"""What mkdocs needs to know about this repository: links that leave docs/, and pages that lie outside it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
# Pages of the root, and what they are called on the site.
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
CELLS = re.compile(r"`[^`]*`")


def on_files(files: Any, config: Any) -> Any:
    for name, page in OUTSIDE.items():
        if page != "index.md":
            text = (ROOT / name).read_text(encoding="utf-8")
            files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    folder = posixpath.dirname(page.file.src_uri)

    def inside(link: re.Match[str]) -> str:
        """Source files are no pages: of a link to one the text stays."""
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join("docs", folder, target))
        if "://" in target or target.startswith("#") or path.startswith("docs/"):
            return link.group()
        if path in OUTSIDE:
            return f"[{text}]({posixpath.relpath(OUTSIDE[path], folder or '.')})"
        return text

    return "\n".join(
        CELLS.sub(lambda code: code.group().replace(r"\|", "|"), line) if line.startswith("|") else line
        for line in LINK.sub(inside, markdown).split("\n")
    )
