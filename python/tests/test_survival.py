"""Survival, and several targets, whatever holds them."""

import json

import numpy as np
import pandas as pd
import pytest

import land


@pytest.fixture(scope="module")
def cohort():
    random = np.random.default_rng(5)
    X = random.normal(size=(90, 30)).astype(np.float32)
    death = random.exponential(np.exp(-1.2 * X[:, 4]))
    end = random.exponential(1.5, size=90)
    return X, np.minimum(death, end).round(2), death <= end


def same(one, other):
    assert one.names == other.names
    np.testing.assert_array_equal(one.relevance, other.relevance)
    np.testing.assert_array_equal(one.coefficients, other.coefficients)


def frame_of(X):
    return pd.DataFrame(X).add_prefix("g")


def test_arrays_columns_and_structured_arrays_are_one(cohort, tmp_path):
    X, time, event = cohort
    first = land.select(X, survival=(time, event), n_features=4)
    assert first.names[0] == "f4"
    assert first.task == "survival"
    assert first.document["target"]["events"] == int(event.sum())
    assert first.document["target"]["name"] == "time,event"
    y = np.array(list(zip(event, time)), dtype=[("dead", bool), ("months", float)])
    structured = land.select(X, y, n_features=4)
    assert structured.document["target"]["name"] == "months,dead"
    words = np.where(event, "1:DECEASED", "0:LIVING")
    frame = frame_of(X).assign(OS_STATUS=words, OS_MONTHS=time)
    for names in ("OS_MONTHS,OS_STATUS", ("OS_MONTHS", "OS_STATUS")):
        same(land.select(frame, survival=names, n_features=4).truncate(4), land.select(frame_of(X), y, n_features=4))
    frame.to_csv(tmp_path / "all.csv", index=False)
    found = land.select(tmp_path / "all.csv", survival=("OS_MONTHS", "OS_STATUS"), n_features=4)
    assert found.names == [name.replace("f", "g") for name in first.names]
    pd.DataFrame({"status": words, "months": time}).to_csv(tmp_path / "clinical.csv", index=False)
    frame_of(X).to_csv(tmp_path / "x.csv", index=False)
    named = f"{tmp_path / 'clinical.csv'}:months,status"
    same(land.select(tmp_path / "x.csv", survival=named, n_features=4), found)
    np.testing.assert_array_equal(first.relevance, structured.relevance)
    same(land.select(X, survival=(list(time), pd.Series(words)), n_features=4), first)


def test_series_are_joined_on_the_index(cohort):
    X, time, event = cohort
    frame = frame_of(X).set_axis([f"s{i}" for i in range(90)])
    shuffled = np.random.default_rng(1).permutation(90)
    time, event = pd.Series(time, index=frame.index), pd.Series(event, index=frame.index)
    same(
        land.select(frame, survival=(time.iloc[shuffled], event.iloc[::-1]), n_features=3),
        land.select(frame, survival=(time, event), n_features=3),
    )


def test_scores_and_folds(cohort):
    X, time, event = cohort
    scores = land.score(X, survival=(time, event))
    assert scores.task == "survival"
    assert int(np.argmax(scores.relevance)) == 4
    folds = land.evaluate(X, survival=(time, event), n_features=2, folds=3)
    assert folds.document["target"]["task"] == "survival"
    with pytest.raises(ValueError, match="survival is judged without a learner"):
        from sklearn.linear_model import LinearRegression

        land.evaluate(X, survival=(time, event), n_features=2, folds=3, learner=LinearRegression())


def test_selector_takes_structured_arrays(cohort):
    X, time, event = cohort
    y = np.array(list(zip(event, time)), dtype=[("event", bool), ("time", float)])
    selector = land.LandSelector(3).fit(X, y)
    same(selector.selection_, land.select(X, survival=(time, event), n_features=3))


def test_what_is_no_survival_is_refused(cohort):
    X, time, event = cohort
    for survival, message in (
        ((time, event.astype(int) + 1), "'event': sample .* says neither event nor censored"),
        ((-1 - time, event), "'time': sample 0 .*: a time of "),
        ((event.astype(str), time), "'time': sample 0 .* is no time"),
        ((time, np.zeros(90)), "has no event"),
        ((time, event[:50]), "90 times, and 50 events"),
        ((np.where(time > 1, np.nan, time), event), "has no value here"),
        (time, "give \\(time, event\\)"),
        ("time", "1 columns; name two"),
    ):
        with pytest.raises(ValueError, match=message):
            land.select(X, survival=survival)
    with pytest.raises(ValueError, match="y and survival"):
        land.select(X, time, survival=(time, event))
    y = np.zeros(90, dtype=[("a", float), ("b", float)])
    with pytest.raises(ValueError, match="two fields"):
        land.select(X, y)


def test_matrices_frames_dicts_and_names_are_several_targets(cohort, tmp_path):
    X, time, event = cohort
    alone = [land.select(X, y, n_features=3) for y in (time, event)]
    found = land.select(X, np.column_stack([time, event]), n_features=3)
    assert list(found) == ["y0", "y1"]
    for one, other in zip(found.values(), alone):
        same(one, other)
    targets = pd.DataFrame({"months": time, "dead": event})
    frame = pd.concat([frame_of(X), targets], axis=1)
    frame.to_csv(tmp_path / "all.csv", index=False)
    alone = [land.select(frame_of(X), y, n_features=3) for y in (time, event)]
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    for data, y in (
        (frame_of(X), targets),
        (frame_of(X), targets.iloc[::-1]),
        (frame_of(X), dict(targets.items())),
        (frame_of(X), polars.from_pandas(targets)),
        (frame, ["months", "dead"]),
        (polars.from_pandas(frame), ["months", "dead"]),
        (pyarrow.Table.from_pandas(frame), ["months", "dead"]),
        (tmp_path / "all.csv", ["months", "dead"]),
    ):
        found = land.select(data, y, n_features=3)
        assert list(found) == ["months", "dead"]
        assert [one.task for one in found.values()] == ["regression", "classification"]
        for one, other in zip(found.values(), alone):
            assert one.names == other.names
    assert list(land.select(frame, ["months"], exclude=["dead"])) == ["months"]


def test_samples_that_lack_one_target_lack_all(cohort):
    X, time, event = cohort
    targets = pd.DataFrame({"months": time, "score": X[:, 7] ** 2})
    targets.loc[3, "score"] = np.nan
    with pytest.raises(ValueError, match="the target 'score' has no value here"):
        land.select(X, targets)
    found = land.select(X, targets, drop_missing_target=True, n_features=2)
    kept = np.arange(90) != 3
    same(found["months"], land.select(X[kept], time[kept], n_features=2))


def test_several_targets_where_one_is_wanted(cohort):
    X, time, event = cohort
    with pytest.raises(ValueError, match="2 targets, and one is wanted here"):
        land.score(X, np.column_stack([time, event]))
    with pytest.raises(ValueError, match="columns of the same name"):
        land.select(X, pd.DataFrame(np.column_stack([time, event]), columns=["a", "a"]))
    with pytest.raises(ValueError, match="has no columns by name"):
        land.select(X, survival=("a", "b"))


def test_a_document_of_several_is_no_selection(cohort):
    X, time, event = cohort
    found = land.select(X, {"a": time, "b": event}, n_features=2)
    document = {"schema_version": 1, "results": [one.document for one in found.values()]}
    with pytest.raises(ValueError, match="give one of them"):
        land.Selection.loads(json.dumps(document))
    same(land.Selection(document["results"][1]), found["b"])
