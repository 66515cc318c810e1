"""Selection: prefixes of the path, files, frames."""

import json

import numpy as np
import pytest

import land

SAME = ("selected", "redundancy", "dropped", "lambda", "path", "stopped", "options")


def test_prefixes_are_selections_of_their_own(dropping):
    X, y = dropping
    whole = land.select(X, y, n_features=40)
    assert any(knot.event == "drop" for knot in whole.path), "the data must make features drop"
    assert len(whole.document["dropped"]) > 0
    for count in range(1, len(whole) + 1):
        prefix = whole.truncate(count)
        alone = land.select(X, y, n_features=count)
        for key in SAME:
            if key != "options":
                assert prefix.document[key] == alone.document[key], (count, key)
        again = prefix.truncate(max(1, count // 2))
        assert again.document["selected"] == whole.truncate(max(1, count // 2)).document["selected"]
    # The path ended by itself: there is no more to be had.
    assert whole.truncate(1000).document["selected"] == whole.document["selected"]


def test_truncate_knows_its_limits(numbers):
    X, y = numbers
    found = land.select(X, y, n_features=5)
    assert found.stopped == "m_reached"
    with pytest.raises(ValueError, match="computed for 5 features"):
        found.truncate(6)
    with pytest.raises(ValueError, match="at least 1"):
        found.truncate(0)
    most = land.select(X, y, n_features=5, method="mr-nhsic")
    assert most.truncate(2).names == most.names[:2]
    with pytest.raises(ValueError, match="select again"):
        most.truncate(6)


def test_the_path(dropping):
    X, y = dropping
    found = land.select(X, y, n_features=10)
    lambdas = [knot.lambda_ for knot in found.path]
    assert lambdas == sorted(lambdas, reverse=True)
    end = found.path[-1]
    assert end.event == "end"
    np.testing.assert_array_equal(end.indices, found.indices)
    np.testing.assert_array_equal(end.coefficients, found.coefficients)
    # The conditions of optimality, from what the selection says.
    gap = found.relevance - found.redundancy @ found.coefficients - found.lambda_
    np.testing.assert_allclose(gap, 0.0, atol=1e-10)
    np.testing.assert_array_equal(found.redundancy, found.redundancy.T)


def test_there_and_back(numbers, tmp_path):
    X, y = numbers
    for selection in (
        land.select(X, y, n_features=6),
        land.select(X, y, n_features=6, method="mr-nhsic"),
        land.select(X, y, n_features=6).truncate(3),
    ):
        selection.save(tmp_path / "selection.json")
        back = land.Selection.load(tmp_path / "selection.json")
        assert back == selection
        assert back.names == selection.names
        assert len(list(tmp_path.iterdir())) == 1
    assert json.loads(selection.dumps())["schema_version"] == 1
    assert "Infinity" not in selection.dumps()


def test_is_a_sequence_of_its_names(numbers):
    X, y = numbers
    found = land.select(X, y, n_features=4)
    assert list(found) == found.names and len(found) == 4
    assert found[0] == found.names[0] and found[-1] == found.names[-1] and found[:2] == found.names[:2]
    assert found.names[2] in found and "nothing" not in found and 3 not in found
    with pytest.raises(IndexError):
        found[4]


def test_equality_is_of_the_outcome(numbers):
    X, y = numbers
    one, other = land.select(X, y, n_features=4), land.select(X, y, n_features=4, threads=1)
    assert one.document["seconds"] != other.document["seconds"]
    assert one == other
    assert one != land.select(X, y, n_features=5) and one != one.truncate(3) and one != one.names
    other.document["options"]["sigma"] = 2.0
    assert one != other


def test_layout_is_that_of_the_program(numbers, program, tmp_path):
    import subprocess

    X, y = numbers
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    subprocess.run(
        [program, "select", "X.npy", "--target", "y.npy", "-m", "4", "-q", "-o", "a.json"], check=True, cwd=tmp_path
    )
    written = (tmp_path / "a.json").read_text()
    again = land.Selection.load(tmp_path / "a.json").dumps()
    assert [line[:20] for line in again.splitlines()] == [line[:20] for line in written.splitlines()]


def test_what_is_no_selection_is_refused(tmp_path):
    for text in ("{}", '{"schema_version": 2, "selected": []}', "not json"):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(ValueError, match="bad.json"):
            land.Selection.load(tmp_path / "bad.json")
    with pytest.raises(ValueError, match="cannot be written"):
        land.select(np.random.default_rng(0).normal(size=(20, 5)), np.arange(20.0)).save(tmp_path / "no" / "x.json")


def test_frame_and_text(numbers):
    X, y = numbers
    copies = np.column_stack([X, -2 * X[:, 0] + 1])
    found = land.select(copies, y, n_features=5, feature_names=[f"<b>{k}" for k in range(61)])
    frame = found.to_frame()
    assert list(frame["name"]) == found.names
    assert frame.index.name == "rank" and frame.index[0] == 1
    assert frame.loc[1, "identical"] == [60]
    assert len(found) == 5
    assert repr(found).startswith("Selection(5 of 61 features: <b>")
    html = found._repr_html_()
    assert "<b>0" not in html and "&lt;b&gt;0" in html and "certified optimum" in html
    assert html.count("<tr>") == 6
