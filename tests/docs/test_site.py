"""The built site: no link leads nowhere, nothing comes from another host, and a browser shows every page.

``make docs`` runs this on the site that it has built; by itself the test builds one.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import docs_site
import pytest

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    if "KONIG_SITE" in os.environ:
        return Path(os.environ["KONIG_SITE"]).resolve()
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module, reason=f"no {module} here: pip install '.[docs]', or make docs")
    folder = tmp_path_factory.mktemp("site")
    command = sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def address(site):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=site)
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser(site):
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install '.[docs]'")
    names = "chromium", "chromium-browser", "google-chrome"
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


def test_the_checks_find_what_is_broken(tmp_path):
    (tmp_path / "b.css").write_text("@import url(https://elsewhere.org/font.css);")
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">good</a><a href="b.html#there">anchor</a><a href="c.html">page</a>'
        '<a href="https://elsewhere.org">a link may leave</a><img src="d.png"><a href="#top">anchor</a>'
        '<script src="//elsewhere.org/x.js"></script><link rel="stylesheet" href="b.css">'
    )
    assert docs_site.broken(tmp_path) == [f"a.html: {t}" for t in ("b.html#there", "c.html", "#top", "d.png")]
    elsewhere = ["a.html: //elsewhere.org/x.js", "b.css: https://elsewhere.org/font.css"]
    assert docs_site.from_elsewhere(tmp_path) == elsewhere


@pytest.mark.long
def test_every_link_anchor_and_picture_is_there(site):
    assert len(docs_site.read(site)) > 50
    assert docs_site.broken(site) == []


@pytest.mark.long
def test_nothing_comes_from_another_host(site):
    assert docs_site.from_elsewhere(site) == []


@pytest.mark.long
def test_pages_load_without_an_error_and_fit_on_a_phone(site, address, browser):
    """No error on the console, no request to another host, and no page scrolls sideways."""
    page = browser.new_page(viewport=PHONE)
    wrong = []

    def complain(when, what):
        if when:
            wrong.append(f"{page.url}: {what}")

    def requested(url):
        complain(not url.startswith((address, "data:", "blob:")), f"asks for {url}")

    page.on("console", lambda message: complain(message.type == "error", message.text))
    page.on("pageerror", lambda error: complain(True, error))
    page.on("response", lambda answer: complain(answer.status >= 400, f"{answer.url} is {answer.status}"))
    page.on("request", lambda request: requested(request.url))
    for name in docs_site.read(site):
        page.goto(f"{address}/{name}", wait_until="load")
        width = page.evaluate("document.documentElement.scrollWidth")
        complain(width > PHONE["width"], f"is {width} pixels wide")
    page.close()
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("served", [True, False], ids=["from a server", "from a folder"])
def test_a_search_finds_a_function(site, address, browser, served, viewport):
    page = browser.new_page(viewport=viewport)
    page.goto(f"{address if served else site.as_uri()}/index.html", wait_until="load")
    page.click("label.md-header__button[for=__search]" if viewport is PHONE else ".md-search__input")
    page.keyboard.type("maximum_matching")
    hit = page.wait_for_selector(".md-search-result a[href*='#konig.maximum_matching']", timeout=20_000)
    assert "api/matching.html" in hit.get_attribute("href")
    page.close()
