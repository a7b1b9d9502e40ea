"""Pictures: that they are drawn, of what, and that nothing is slow or needed without them."""

import builtins
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import konig

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

from konig.plot import plot_block_triangular_form, plot_matching, spy  # noqa: E402
from konig.plot.patterns import MOST_DOTS  # noqa: E402


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def random_pattern(rows, cols, entries, seed=0):
    rng = np.random.default_rng(seed)
    where = (rng.integers(0, rows, entries), rng.integers(0, cols, entries))
    return sp.csr_array((np.ones(entries), where), (rows, cols))


def ink(axes):
    """The darkness of the picture inside the axes, as an array."""
    axes.figure.canvas.draw()
    picture = np.asarray(axes.figure.canvas.buffer_rgba())[..., :3].mean(axis=2)
    box = axes.get_window_extent()
    height = picture.shape[0]
    return 255 - picture[height - int(box.y1) : height - int(box.y0), int(box.x0) : int(box.x1)]


def test_spy_draws_a_square_for_each_entry():
    A = random_pattern(40, 60, 200)
    axes = spy(A, title="a title")
    (squares,) = [c for c in axes.collections if isinstance(c, PolyCollection)]
    assert len(squares.get_paths()) == A.nnz
    assert axes.get_title() == "a title"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_spy_draws_entries_where_they_are():
    A = sp.csr_array(([1.0], ([0], [9])), (10, 10))  # top right
    dark = ink(spy(A))
    rows, cols = dark.shape
    quarter = dark[2 : rows // 4, 3 * cols // 4 : cols - 2].max()
    rest = dark[rows // 4 : -2, 2 : 3 * cols // 4].max()
    assert quarter > 150
    assert rest < 10


def test_spy_counts_entries_in_cells_where_there_are_many():
    A = random_pattern(5_000, 2_000, 60_000)
    axes = spy(A)
    assert not axes.collections
    (image,) = axes.images
    rows, cols = image.get_array().shape[:2]
    assert (rows, cols) == (400, 160)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (3, 4)])
def test_matrices_without_entries_can_be_drawn(shape, tmp_path):
    A = sp.csr_array(shape)
    spy(A)
    plot_block_triangular_form(A, konig.block_triangular_form(A), tmp_path / "empty.png")
    assert (tmp_path / "empty.png").stat().st_size > 1_000


@pytest.mark.parametrize("name", ["form.png", "form.svg", "form.pdf"])
def test_the_form_is_written_to_a_file(name, tmp_path):
    A = random_pattern(60, 70, 120)
    plot_block_triangular_form(A, konig.block_triangular_form(A), str(tmp_path / name))
    assert (tmp_path / name).stat().st_size > 5_000
    assert plt.get_fignums() == []


def test_the_picture_names_parts_and_blocks():
    A = random_pattern(300, 310, 620)
    form = konig.block_triangular_form(A)
    figure = plot_block_triangular_form(A, form)
    before, after = figure.axes
    assert before.get_title() == f"300 × 310, {A.nnz} entries"
    assert f"{form.num_blocks} blocks" in after.get_title()
    legend = [text.get_text() for text in after.get_legend().get_texts()]
    shapes = [f"{rows} × {cols}" for rows, cols in (part.shape for part in form.coarse.parts)]
    assert len(legend) == 3
    assert all(shape in text for shape, text in zip(shapes, legend, strict=True))


@pytest.mark.parametrize("entries", [200, MOST_DOTS + 500])
def test_a_matching_is_drawn_in_its_own_colour_on_top_of_the_entries(entries):
    A = random_pattern(300, 310, entries)
    m = konig.maximum_matching(A)
    (axes,) = plot_matching(A, m).axes
    assert axes.get_title().startswith(f"{m.size} matched pairs of 300 × 310")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["entries", "matched"]
    layers = axes.images if A.nnz > MOST_DOTS else axes.collections
    assert len(layers) == 2, "both layers are drawn alike"
    if A.nnz <= MOST_DOTS:
        assert [len(layer.get_paths()) for layer in layers] == [A.nnz, m.size]


def test_a_matching_is_drawn_where_it_is(tmp_path):
    A = sp.csr_array(np.eye(2))
    figure, axes = plt.subplots()
    assert plot_matching(A, konig.maximum_matching(A), axes) is figure
    red = axes.collections[1].get_paths()
    assert [path.vertices[:4].mean(axis=0).tolist() for path in red] == [[0.0, 0.0], [1.0, 1.0]]
    with pytest.raises(ValueError, match="not supported"):
        plot_matching(A, konig.maximum_matching(A), tmp_path / "picture.doc")


def test_the_dots_of_many_entries_do_not_merge():
    crowded = ink(spy(random_pattern(3_000, 3_000, MOST_DOTS - 10)))
    assert np.mean(crowded > 60) < 0.5


@pytest.mark.parametrize("shape", [(20, 3_000), (3_000, 20)])
def test_the_dots_of_a_long_matrix_do_not_merge_across_its_short_side(shape):
    dark = ink(spy(random_pattern(*shape, 300)))
    assert np.mean(dark > 60) < 0.2


def test_the_form_is_drawn_into_axes_of_the_caller():
    A = random_pattern(30, 30, 90)
    form = konig.block_triangular_form(A)
    figure, axes = plt.subplots()
    assert plot_block_triangular_form(A, form, axes) is figure
    assert "block" in axes.get_title()
    figure, pair = plt.subplots(1, 2)
    assert plot_block_triangular_form(A, form, pair) is figure
    assert "entries" in pair[0].get_title()


def test_stored_zeros_that_were_dropped_are_not_drawn():
    A = sp.csr_array((np.array([1.0, 0.0, 1.0, 1.0]), ([0, 1, 0, 1], [0, 0, 1, 1])), (2, 2))
    figure = plot_block_triangular_form(A, konig.block_triangular_form(A, drop_zeros=True))
    assert "3 entries" in figure.axes[0].get_title()


def test_many_blocks_do_not_make_it_slow(tmp_path):
    n = 30_000
    A = sp.eye_array(n, format="csr")
    plot_block_triangular_form(A, konig.block_triangular_form(A), tmp_path / "many.png")


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    real_import = builtins.__import__

    def no_matplotlib(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    with pytest.raises(ImportError, match=r"pip install 'konig\[plot\]'"):
        spy(np.eye(2))
