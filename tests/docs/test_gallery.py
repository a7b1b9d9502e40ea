"""The programs of the gallery run and write their pictures; the pages show them and those that are kept."""

import importlib.util
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "gallery").glob("*.py"))
KEPT = ROOT / "docs" / "images" / "gallery"
# Smaller than on the pages, so that all of them take a few seconds.
QUICKER = {
    "colour_transfer": {"SAMPLES": 600},
    "hungarian_loss": {"STEPS": 15, "BATCH": 16},
    "tracking": {"FRAMES": 20},
}
MARKS = {"papers": pytest.mark.long}
PARAMETERS = [pytest.param(p, marks=MARKS.get(p.stem, ()), id=p.stem) for p in PROGRAMS]


@pytest.mark.parametrize("program", PARAMETERS)
def test_a_program_of_the_gallery_writes_its_picture(program, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    if program.stem == "hungarian_loss":
        pytest.importorskip("torch", reason="no PyTorch: pip install torch")
    monkeypatch.chdir(tmp_path)
    with matplotlib.rc_context({"backend": "Agg"}):
        spec = importlib.util.spec_from_file_location(program.stem, program)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, value in QUICKER.get(program.stem, {}).items():
            assert hasattr(module, name)
            monkeypatch.setattr(module, name, value)
        module.main("picture.png")
        matplotlib.pyplot.close("all")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_every_program_has_a_page_with_its_code_and_its_picture():
    pages = "".join(page.read_text() for page in (ROOT / "docs" / "gallery").glob("*.md"))
    for program in PROGRAMS:
        assert f'--8<-- "examples/gallery/{program.name}"' in pages
        assert f"images/gallery/{program.stem}.png" in pages
    shown = set(re.findall(r"images/gallery/(\w+\.png)", pages))
    assert shown == {picture.name for picture in KEPT.iterdir()}


def test_kept_pictures_are_small():
    """PIL.Image.open(p).convert("RGB").quantize(128, dither=0).save(p, optimize=True) makes one smaller."""
    assert [p.name for p in KEPT.iterdir() if p.stat().st_size > 150_000] == []


def test_scale_measures_on_a_cpu_too(monkeypatch, capsys):
    arguments = ["--cpu", "--rows", "8", "--degrees", "3", "--sizes", "30", "40", "--prove"]
    monkeypatch.setattr("sys.argv", ["scale.py", *arguments])
    runpy.run_path(str(ROOT / "examples" / "scale.py"), run_name="__main__")
    printed = capsys.readouterr().out
    for problem in ("matching, 256 rows, 768 entries", "assignment, 30 × 30", "assignment, 40 × 40"):
        assert f"| {problem}" in printed
