"""Tables of numbers: every kind of column, at its edges, in pieces that end anywhere."""

from __future__ import annotations

import random
import struct
import threading
from fractions import Fraction

import numpy as np
import pytest

from konig import _native
from konig.io import number_tables
from konig.io.files import Source
from konig.io.number_tables import Column, Layout, Table, problem_of_token

INDEX = Column("index", "index", 1, 2**63 - 1)
UNSIGNED = Column("size", "unsigned", 0, 2**64 - 1)
INTEGER = Column("integer", "integer")
REAL = Column("real", "real")
NUMBER = Column("number", "number")
SKIPPED = Column("time", "skipped")


@pytest.fixture
def parsed(saved):
    """The columns of a table."""

    def parse(text, *columns, comment=b"#", prefix=b"", free=False, **options):
        source = Source(saved(text, "table"))
        with source.open() as stream:
            return Table(source, stream, Layout(columns, comment, prefix, free), **options).columns()

    return parse


def halfway(draw: random.Random) -> str:
    """All digits of a number in the middle between two doubles, perhaps with one more behind them."""
    double = abs(struct.unpack("d", draw.randbytes(8))[0])
    if not 1e-300 < double < 1e300:
        double = draw.uniform(1, 2)
    middle = (Fraction(double) + Fraction(np.nextafter(double, np.inf).item())) / 2
    places = middle.denominator.bit_length() - 1
    digits = str(middle.numerator * 5**places).rjust(places + 1, "0")
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{whole}.{rest}{draw.choice(['', '0', '1'])}"


def decimal(draw: random.Random) -> str:
    digits = "".join(draw.choices("0123456789", k=draw.randint(1, 25)))
    point = draw.randint(0, len(digits))
    power = draw.choice(["", f"e{draw.randint(-330, 280)}", f"E+{draw.randint(0, 22)}"])
    return (
        draw.choice(["", "-", "+"])
        + digits[:point]
        + draw.choice([".", "." * (point < 1)])
        + digits[point:]
        + power
    )


HARD = [
    *(
        "0",
        "-0",
        "0.0e999",
        "1.",
        ".5",
        "1.e5",
        "1e-400",
        "-1e-999999999999999999999",
        "100000000000000000000",
    ),
    *("5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "6.631236846766476e-316"),
    *("2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308"),
    *(
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "3.2378839133029012895883524125015321748630094231e-319",
    ),
    *("9007199254740993", "9007199254740992.99999", "9007199254740993.00001", "7.2057594037927933e16"),
]
HARD += ["1" + "0" * 400 + "e-400", "0." + "0" * 400 + "1e401", "0" * 500 + "7.5", "1" * 2000 + "e-1990"]


def test_reals_are_rounded_as_python_rounds_them(parsed):
    draw = random.Random(11)
    words = HARD + [decimal(draw) for _ in range(4000)] + [halfway(draw) for _ in range(1000)]
    words += [repr(struct.unpack("d", draw.randbytes(8))[0]) for _ in range(4000)]
    expected = np.array([float(word) for word in words])
    assert np.isfinite(expected).mean() > 0.99
    keep = np.isfinite(expected) | np.array(["n" in word.lower() for word in words])
    (found,) = parsed("\n".join(np.array(words, dtype=object)[keep]), REAL)
    np.testing.assert_array_equal(found.view(np.int64), expected[keep].view(np.int64))


@pytest.mark.parametrize("word", ["nan", "NaN", "+nan", "-NAN", "inf", "-Inf", "+INFINITY", "infinity"])
@pytest.mark.parametrize("column", [REAL, NUMBER])
def test_words_for_reals(parsed, column, word):
    np.testing.assert_array_equal(parsed(f"1.5\n{word}\n", column), [[1.5, float(word)]])


def test_integers_are_exact_to_their_bounds(parsed):
    ends = [-(2**63), -(2**63) + 1, -1, 0, 2**53 + 1, 2**63 - 1]
    near = [10**k + d for k in range(1, 19) for d in (-1, 0, 1)]
    whole = ends + near + [-k for k in near]
    (found,) = parsed("\n".join(map(str, whole)), INTEGER)
    assert found.dtype == np.int64
    assert found.tolist() == whole
    (found,) = parsed(f"{2**64 - 1}\n+0\n{2**63}\n{'0' * 50}7", UNSIGNED)
    assert found.dtype == np.uint64
    assert found.tolist() == [2**64 - 1, 0, 2**63, 7]
    (found,) = parsed(f"1\n{2**63 - 1}\n", INDEX)
    assert found.dtype == np.int64
    assert found.tolist() == [0, 2**63 - 2]


@pytest.mark.parametrize("late", [1, 511, 512, 513, 5000])
def test_indices_take_64_bits_from_where_they_need_them(parsed, late):
    column = Column("index", "index", 0, 2**40)
    whole = [*range(late), 2**31, 3]
    narrow, wide = parsed("".join(f"{min(k, 2**31 - 1)} {k}\n" for k in whole), column, column)
    assert (narrow.dtype, wide.dtype) == (np.int32, np.int64)
    assert wide.tolist() == whole


@pytest.mark.parametrize("late", [0, 1, 511, 512, 513, 5000])
def test_numbers_are_integers_until_one_is_not(parsed, late):
    whole = [2**62 + 1 - k for k in range(late)]
    for last, value in (("0.5", 0.5), (str(2**63), 2.0**63), ("nan", np.nan), ("-1e2", -100)):
        found, ids = parsed("".join(f"{k} 4\n" for k in [*whole, last, 7]), NUMBER, INDEX)
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, [*map(float, whole), value, 7.0])
        assert ids.tolist() == [3] * (late + 2)
    (found,) = parsed("".join(f"{k}\n" for k in [*whole, 7]), NUMBER)
    assert found.dtype == np.int64
    assert found.tolist() == [*whole, 7]


def test_what_is_skipped_must_be_a_number_and_decides_no_type(parsed):
    ids, values = parsed("1 5 2.5 nan\n2 6 7 1e3\n", INDEX, NUMBER, SKIPPED, SKIPPED)
    assert ids.tolist() == [0, 1]
    assert values.dtype == np.int64
    with pytest.raises(Exception, match="line 2: time 'x' is not a number"):
        parsed("1 5 2.5\n2 6 x\n", INDEX, NUMBER, SKIPPED)


WRONG = {
    "index": "0 -1 -0 +-1 ++1 + 1.0 1e5 9223372036854775808 18446744073709551617 1" + "0" * 30 + " x 1x nan",
    "unsigned": "-1 -0 18446744073709551616 1. 1e5 99999999999999999999",
    "integer": "1e5 1. .5 1.0 - + -+1 9223372036854775808 -9223372036854775809 1_0 0x1 inf 1,5",
    "real": "1e400 -1e400 1.7976931348623159e308 . e5 .e5 1e 1e+ 1.5e- 1..2 1.2.3 + - +-1 --1 0x1p3 nan(1) "
    "nan1 na in infi infinit infinity1 1d5 1e5.0 1_0 ١ 1e309 " + "9" * 310,
}
WRONG["real"] += " 2\0 2\r3"
WRONG["number"] = WRONG["skipped"] = WRONG["real"]


@pytest.mark.usefixtures("chunk_bytes")
@pytest.mark.parametrize("column", [INDEX, UNSIGNED, INTEGER, REAL, NUMBER, SKIPPED], ids=lambda c: c.kind)
def test_a_word_that_is_no_number_of_its_kind_is_refused(parsed, column):
    for word in WRONG[column.kind].split(" "):
        problem = problem_of_token(word.encode(), column)
        assert problem
        with pytest.raises(number_tables.FileFormatError) as caught:
            parsed(f"1 1\n# c\n\n1 {word}\n1 1\n", INDEX, column)
        assert (caught.value.problem, caught.value.line) == (problem, 4)
        assert parsed("1 1\n1 +2\n", INDEX, column)[0].tolist() == [0, 0]


@pytest.mark.parametrize("column", [INDEX, UNSIGNED, INTEGER, REAL, NUMBER], ids=lambda c: c.kind)
def test_random_words_are_numbers_for_both_or_for_neither(parsed, column):
    draw = random.Random(column.kind)
    for _ in range(3000):
        word = "".join(draw.choices("0019+-.eE nifaty"[: draw.choice((6, 9, 16))], k=draw.randint(1, 9)))
        if " " in word:
            continue
        if problem := problem_of_token(word.encode(), column):
            with pytest.raises(number_tables.FileFormatError) as caught:
                parsed(word, column)
            assert caught.value.problem == problem
        else:
            value = float(word) if column.kind in ("real", "number") else int(word)
            np.testing.assert_array_equal(parsed(word, column), [[value - (column is INDEX)]])


def test_no_index_is_within_empty_bounds(parsed):
    for word in ("0", "1", "18446744073709551615"):
        with pytest.raises(number_tables.FileFormatError, match=r"is not in 1\.\.0"):
            parsed(word, Column("row", "index", 1, 0))


@pytest.mark.usefixtures("chunk_bytes")
def test_blanks_comments_prefixes_and_ends_of_lines(parsed):
    text = "\r\n a 1\t 2 \r\n\t\r\nc note \r here\r\n  c\na\t3 4\n   \n a +5 6\r\ncc\na 7 8"
    for end in ("", "\n", "\r", "\r\n", "\n\n", " "):
        first, second = parsed(text + end, INDEX, REAL, comment=b"c", prefix=b"a")
        assert first.tolist() == [0, 2, 4, 6]
        assert second.tolist() == [2, 4, 6, 8]


@pytest.mark.usefixtures("chunk_bytes")
@pytest.mark.parametrize(
    "line",
    ["a1 2", "b 1 2", "1 2", "A 1 2", "a", "a 1", "a 1 2 3", "a 1\r2", "a 1\v2", "a 1 \0 2"],
)
def test_lines_that_are_no_rows(parsed, line):
    with pytest.raises(number_tables.FileFormatError, match=r"expected 'a index real', found") as caught:
        parsed(f"a 1 2\n\n{line}\na 1 2\n", INDEX, REAL, comment=b"c", prefix=b"a")
    assert caught.value.line == 3


@pytest.mark.usefixtures("chunk_bytes")
def test_any_blank_ends_a_line_of_a_free_table(parsed):
    text = " 1\t2\r3\r\n\n4.5  6" + " 7" * 700
    assert parsed(text, NUMBER, comment=b"", free=True)[0].tolist() == [1, 2, 3, 4.5, 6] + [7] * 700


def test_a_line_of_a_free_table_may_have_any_length(parsed):
    count = number_tables.MAX_LINE_BYTES
    assert parsed("12 " * count, NUMBER, comment=b"", free=True)[0].tolist() == [12] * count


@pytest.mark.parametrize("start", ["", "#", "1 1", "1 "])
@pytest.mark.parametrize("chunk", [1 << 10, 1 << 20, 3 << 20])
def test_lines_as_long_as_the_limit_are_refused_wherever_they_lie(parsed, monkeypatch, start, chunk):
    monkeypatch.setattr(number_tables, "CHUNK_BYTES", chunk)
    most = number_tables.MAX_LINE_BYTES
    fill = " " if start == "1 1" else "1" if start == "1 " else start or " "
    ending = ".5" if start == "1 " else ""
    for length, refused in ((most - 2, False), (most - 1, True), (2 * most, True)):
        text = "1 1\n" * 100 + (start + fill * (length - len(start) - len(ending)) + ending) + "\n2 2\n"
        columns = (INDEX, SKIPPED)
        if refused or start == "1 ":  # a number of so many digits is none of 64 bits
            expected = "line longer than" if refused else "does not fit in 64 bits"
            with pytest.raises(number_tables.FileFormatError, match=f"line 101: .*{expected}"):
                parsed(text, *columns)
        else:
            assert parsed(text, *columns)[0].size == 101 + (start == "1 1")


def test_promised_rows(parsed):
    for promised, message in (
        (2, r"line 4: more entries than the 2 promised"),
        (4, r"line 5: ends after 3 of 4"),
    ):
        with pytest.raises(number_tables.FileFormatError, match=message):
            parsed("1\n\n2\n3\n#", INDEX, promised=promised)
    assert parsed("1\n\n2\n3\n#", INDEX, promised=3)[0].tolist() == [0, 1, 2]
    assert parsed("", INDEX, promised=0)[0].size == 0
    types = [column.dtype for column in parsed("", INDEX, UNSIGNED, INTEGER, REAL, NUMBER)]
    assert types == [np.int32, np.uint64, np.int64, np.float64, np.int64]


def test_columns_own_their_memory(parsed):
    first, second = parsed("".join(f"{k} {k}.5\n" for k in range(1, 20_001)), INDEX, REAL)
    first += 1
    second *= 2
    assert first[-1] == 20_000
    assert second[-1] == 40_001


def test_other_threads_run_while_a_table_is_read():
    text = b"123456 0.123456789012345678\n" * 1_000_000
    table = _native.NumberTable([("index", 1, 10**6), ("real", 0, 0)], b"%", b"", False, 2**62, 0, 1 << 20)
    reading, ticks = threading.Event(), 0
    thread = threading.Thread(target=lambda: (reading.set(), table.add(text), reading.clear()))
    thread.start()
    reading.wait()
    while reading.is_set():
        ticks += 1
    thread.join()
    assert table.finish()
    assert table.rows == 1_000_000
    assert ticks > 1000
