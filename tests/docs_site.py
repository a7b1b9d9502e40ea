"""What is wrong with a built site, found by reading its HTML: links, anchors and pictures that lead nowhere,
and anything that a page would load from another host."""

from __future__ import annotations

import posixpath
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself when it shows a page.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
FOLLOWED = {"a": "href"}


class Page(HTMLParser):
    """The anchors, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        if given.get(FOLLOWED.get(tag, "")):
            self.links.append(given[FOLLOWED[tag]])
        if given.get(LOADED.get(tag, "")) and given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(given[LOADED[tag]])


def read(site: Path) -> dict[str, Page]:
    """Every page of the site by its path."""
    return {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def broken(site: Path) -> list[str]:
    """Links, anchors and files that do not exist, as "page: target"."""
    pages, found = read(site), []
    for name, page in pages.items():
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = unquote(parts.path)
            if path.startswith("/"):
                path = path.lstrip("/") or "index.html"
            elif path:
                path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            else:
                path = name
            if (site / path).is_dir():
                path = posixpath.join(path, "index.html")
            lost = path.startswith("..") or not (site / path).is_file()
            if lost or (parts.fragment and unquote(parts.fragment) not in anchors(pages, path)):
                found.append(f"{name}: {target}")
    return found


def anchors(pages: dict[str, Page], path: str) -> set[str]:
    return pages[path].anchors | {"__top"} if path in pages else set()


def from_elsewhere(site: Path) -> list[str]:
    """What pages and style sheets load from another host, as "page: address"."""
    found = [
        f"{name}: {target}"
        for name, page in read(site).items()
        for target in page.loaded
        if urlsplit(target).netloc
    ]
    for style in sorted(site.rglob("*.css")):
        addresses = re.findall(
            r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", style.read_text("utf-8")
        )
        found += [f"{style.relative_to(site).as_posix()}: {address}" for address in addresses]
    return found
