"""What pip is asked for comes from pyproject.toml alone."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import konig

ROOT = Path(__file__).parents[1]


def asked(*arguments):
    command = [sys.executable, str(ROOT / ".ci" / "requirements.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("groups", [["dependencies"], ["build"], ["plot", "test"]])
def test_every_requirement_has_a_lower_bound_to_test(groups):
    lowest = asked("--lowest", *groups)
    assert len(lowest) == len(asked(*groups)) > 0
    assert all("==" in line and ">=" not in line for line in lowest)


def test_peers_are_asked_for_by_the_bench_alone():
    others = asked("dependencies", "plot", "test", "lint", "build")
    assert not {line for line in others if line.startswith(("lap", "igraph", "ortools", "PyMaxflow"))}


def test_the_version_of_the_package_is_that_of_its_metadata():
    assert importlib.metadata.version("konig") == konig.__version__


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[headings[0] == "Unreleased"] == konig.__version__


@pytest.fixture
def project_with_urls(tmp_path):
    """What pyproject.toml of a copy says of the project once a repository's addresses are written into it."""
    (tmp_path / ".ci").mkdir()
    for path in "pyproject.toml", ".ci/urls.py":
        shutil.copy(ROOT / path, tmp_path / path)

    def written(repository):
        command = [sys.executable, str(tmp_path / ".ci" / "urls.py"), repository]
        subprocess.run(command, check=True, capture_output=True, text=True)
        return tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    return written


def test_a_release_names_the_repository_that_publishes_it(project_with_urls):
    before = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    project_with_urls("https://git.example.org/somebody/a-copy")
    project = project_with_urls("https://git.example.org/konig/konig")  # again: the former go
    urls = project.pop("urls")
    assert {"Source", "Documentation", "Changelog", "Issues"} == set(urls)
    assert all(url.startswith("https://git.example.org/konig/konig") for url in urls.values())
    before.pop("urls", None)
    assert project == before
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    builds = re.findall(r"cibuildwheel@|make test-sdist", workflow)
    assert len(builds) == workflow.count("python3 .ci/urls.py") == 2


@pytest.mark.parametrize(
    "repository", ["", "konig", "http://example.org/konig", 'https://example.org/"', "https://x"]
)
def test_what_is_no_repository_is_refused(project_with_urls, repository):
    with pytest.raises(subprocess.CalledProcessError) as refused:
        project_with_urls(repository)
    assert "HOST/OWNER/NAME" in refused.value.stderr


def test_importing_konig_imports_nothing_large():
    large = "numpy", "scipy", "importlib.metadata"
    command = f"import sys, konig; konig.__version__; print([m for m in {large} if m in sys.modules])"
    alone = {"PYTHONPATH": str(Path(konig.__file__).parents[1])}
    found = subprocess.run([sys.executable, "-S", "-c", command], capture_output=True, text=True, env=alone)
    assert found.stdout.strip() == "[]", found.stderr
