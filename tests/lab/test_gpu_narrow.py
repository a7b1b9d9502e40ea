import pytest

from konig.lab import gpu_narrow


def test_the_table_on_the_host(monkeypatch, capsys):
    arguments = ["gpu_narrow", "--device", "cpu", "--entries", "8000", "--repeats", "2"]
    monkeypatch.setattr("sys.argv", arguments)
    gpu_narrow.main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert len(rows) == len(list(gpu_narrow.graphs(8000))) == 13
    assert all("ms-bfs-graft" in row for row in rows)


@pytest.mark.parametrize("entries", [8000, 210_000])
def test_graphs_have_about_as_many_entries(entries):
    for title, matrix in gpu_narrow.graphs(entries):
        assert matrix.nnz == pytest.approx(entries, rel=0.15), title
