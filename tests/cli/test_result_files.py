"""Answers in files: what ``--out`` writes, ``konig verify`` proves, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_written_answers_are_proved(run, matrix, tmp_path, suffix):
    out = tmp_path / f"answer{suffix}"
    assert run("match", matrix, "--out", out)[0] == 0
    status, text, _ = run("verify", matrix, out)
    assert status == 0
    assert text.startswith("proved")
    assert json.loads(run("verify", matrix, out, "--json")[1])["proved"] is True


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_written_block_triangular_forms_are_proved(run, matrix, tmp_path, suffix):
    out = tmp_path / f"form{suffix}"
    status, text, _ = run("btf", matrix, "--out", out)
    assert status == 0
    assert "overdetermined part" in text
    status, text, _ = run("verify", matrix, out)
    assert status == 0
    assert "blocks" in text


@pytest.mark.parametrize("key", ["row_perm", "col_perm", "row_blocks", "col_parts", "col_of_row"])
def test_a_corrupted_block_triangular_form_is_refused(run, complaint, matrix, tmp_path, key):
    out = tmp_path / "form.json"
    run("btf", matrix, "--out", out)
    answer = json.loads(out.read_text())
    answer[key][0], answer[key][1] = 10**6, -5
    out.write_text(json.dumps(answer))
    complaint("verify", matrix, out, status=1)


def damaged(answer, how):
    answer = json.loads(json.dumps(answer))
    matched = next(i for i, j in enumerate(answer["col_of_row"]) if j >= 0)
    if how == "unmatched pair":
        answer["row_of_col"][answer["col_of_row"][matched]] = -1
        answer["col_of_row"][matched] = -1
    elif how == "out of range":
        answer["col_of_row"][matched] = 10**6
    elif how == "uncovered":
        side = "cover_rows" if answer["cover_rows"] else "cover_cols"
        answer[side] = answer[side][1:]
    elif how == "claimed size":
        answer["size"] += 1
    elif how == "other matrix":
        answer["col_of_row"].append(-1)
    return answer


@pytest.mark.parametrize(
    "how", ["unmatched pair", "out of range", "uncovered", "claimed size", "other matrix"]
)
def test_a_wrong_answer_is_refused(run, complaint, matrix, tmp_path, how):
    answer = json.loads(run("match", matrix, "--json")[1])
    result = tmp_path / "wrong.json"
    result.write_text(json.dumps(damaged(answer, how)))
    assert "certificate refused" in complaint("verify", matrix, result, status=1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"PK\x03\x04 and no more",
        b'{"kind": "matching"}',
        b'{"kind": ["matching"]}',
        b'{"kind": "assignment", "size": 1}',
        b"\xff\xfe\x00",
    ],
)
def test_a_malformed_result_is_bad_input(complaint, matrix, tmp_path, content):
    result = tmp_path / "malformed.json"
    result.write_bytes(content)
    assert "malformed.json" in complaint("verify", matrix, result)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", "many"),
        ("size", True),
        ("col_of_row", "abc"),
        ("col_of_row", [0.5]),
        ("row_of_col", [[1], [2, 3]]),
        ("cover_rows", {"a": 1}),
        ("cover_cols", None),
        ("drop_zeros", "no"),
    ],
)
def test_a_result_with_a_wrong_type_is_bad_input(run, complaint, matrix, tmp_path, key, value):
    answer = json.loads(run("match", matrix, "--json")[1])
    result = tmp_path / "typed.json"
    result.write_text(json.dumps(answer | {key: value}))
    assert key in complaint("verify", matrix, result)


def test_a_cut_or_damaged_archive_is_bad_input(run, complaint, matrix, tmp_path):
    result = tmp_path / "answer.npz"
    run("match", matrix, "--out", result)
    content = result.read_bytes()
    for cut in (5, len(content) // 2, len(content) - 3):
        result.write_bytes(content[:cut])
        complaint("verify", matrix, result)
    rng = np.random.default_rng(1)
    for _ in range(50):
        bytes_ = bytearray(content)
        for position in rng.integers(0, len(content), 8):
            bytes_[position] ^= int(rng.integers(1, 256))
        result.write_bytes(bytes(bytes_))
        status, _, err = run("verify", matrix, result)
        assert status in (0, 1, 2)
        assert "Traceback" not in err


def test_results_are_found_by_content_not_by_name(run, matrix, tmp_path):
    out = tmp_path / "answer.npz"
    run("match", matrix, "--out", out)
    renamed = Path(out).rename(tmp_path / "answer.result")
    assert run("verify", matrix, renamed)[0] == 0
