"""Sizes that a file only claims: those that no number holds are named, and none takes memory."""

import io
import resource
import struct
import zipfile
from contextlib import suppress

import pytest

from konig import errors
from konig import io as files

SIZES = ("99999999999999", "9223372036854775806", "18446744073709551616", "1" + "0" * 400)
BEYOND_64_BITS = SIZES[2:]
BANNER = "%%MatrixMarket matrix"


def npy(shape, dtype="<f8"):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def npz(shape):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("a.npy", npy(shape))
    return archive.getvalue()


# The content of a file that claims a size, its suffix, and the line that says so.
CLAIMS = {
    "rows": (f"{BANNER} coordinate pattern general\n{{}} 1 1\n1 1\n", ".mtx", 2),
    "entries": (f"{BANNER} coordinate pattern general\n1 1 {{}}\n1 1\n", ".mtx", 2),
    "array": (f"{BANNER} array real general\n{{}} {{}}\n1\n", ".mtx", 2),
    "array without entries": (f"{BANNER} array real general\n{{}} 0\n", ".mtx", 2),
    "asn nodes": ("p asn {} 1\nn 1\na 1 2 5\n", ".asn", 1),
    "asn arcs": ("p asn 2 {}\nn 1\na 1 2 5\n", ".asn", 1),
    "asn row": ("p asn 2 1\nn {}\na 1 2 5\n", ".asn", 2),
    "max vertices": ("p max {} 1\nn 1 s\nn 2 t\na 1 2 5\n", ".max", 1),
    "max arcs": ("p max 2 {}\nn 1 s\nn 2 t\na 1 2 5\n", ".max", 1),
    "max source": ("p max 2 1\nn {} s\nn 2 t\na 1 2 5\n", ".max", 2),
    "snap nodes": ("# Nodes: {} Edges: 1\n0 1\n", ".txt", 1),
    "konect rows": ("% bip unweighted\n% 1 {} 3\n1 1\n", ".konect", 2),
    "konect columns": ("% bip unweighted\n% 1 3 {}\n1 1\n", ".konect", 2),
    "orlib": ("{}\n1 2 3\n4 5 6\n", ".orlib", 1),
}


@pytest.fixture
def little_memory():
    """A process that can take a gigabyte more than it has."""
    with open("/proc/self/statm") as statm:
        taken = int(statm.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + (1 << 30), hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def read(path):
    if path.suffix == ".orlib":
        return files.read_costs(path, format="orlib")
    return files.read_network(path) if path.suffix == ".max" else files.read(path)


@pytest.mark.parametrize("size", BEYOND_64_BITS, ids=["2**64", "10**400"])
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_size_beyond_64_bits_is_named_with_its_line(tmp_path, claim, size):
    content, suffix, line = CLAIMS[claim]
    path = tmp_path / f"claims{suffix}"
    path.write_text(content.replace("{}", size))
    with pytest.raises(errors.FileFormatError, match=f"line {line}: .*{size[:20]}") as refused:
        read(path)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("size", SIZES[:2])
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claimed_size_takes_no_memory(tmp_path, claim, size, little_memory):
    content, suffix, _ = CLAIMS[claim]
    path = tmp_path / f"claims{suffix}"
    path.write_text(content.replace("{}", size))
    with suppress(errors.FileFormatError):
        read(path)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["<f8", "<i1", "|S0", "<U0", "<c16"])
@pytest.mark.parametrize("other", [0, 2])
@pytest.mark.parametrize("read_file", [files.read, files.read_costs])
def test_the_shape_of_an_array_takes_no_memory(tmp_path, size, dtype, other, read_file, little_memory):
    path = tmp_path / "claims.npy"
    path.write_bytes(npy(f"({size}, {other})", dtype))
    with suppress(errors.FileFormatError):
        assert read_file(path).shape == (int(size), other) == (int(size), 0)


@pytest.mark.parametrize("size", SIZES)
def test_the_same_in_an_archive(tmp_path, size):
    path = tmp_path / "claims.npz"
    path.write_bytes(npz(f"({size}, 2)"))
    with pytest.raises(errors.FileFormatError, match=r"claims\.npz: array 'a' (has the shape|ends after)"):
        files.read(path)


def test_an_array_without_entries_keeps_its_shape_or_is_refused(tmp_path):
    path = tmp_path / "none.mtx"
    path.write_text(f"{BANNER} array integer general\n{10**14} 0\n")
    assert files.read_costs(path).shape == (10**14, 0)
    path.write_text(f"{BANNER} array integer general\n0 {2**62}\n")
    with pytest.raises(errors.FileFormatError, match=r"line 2: an array of shape .* is too large"):
        files.read_costs(path)
