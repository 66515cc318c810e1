"""What selections, and the methods that make them, are worth: docs/evaluate.md."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _land, plots
from ._running import DEFAULTS, Progress, Running, options_in, running
from .documents import Document
from .land_warning import warn
from .learners import check_learner, held_out_scores
from .lookups import Features
from .paired_tests import paired_test
from .reading import Reading
from .selection import Selection
from .tables import make_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SCHEMA = 1
#: Of each split, method and m; those of learners come behind.
_METRICS = ("independence", "nhsic")
_SMALLER_IS_BETTER = ("mse",)

Given = Selection | str | os.PathLike[str]


class Evaluation(Document):
    """What :func:`land.evaluate` gives.

    Attributes
    ----------
    kind : str
        ``"folds"``: methods were judged over folds. ``"selections"``: selections that were given were.
    metrics : list of str
        What was measured on each split: ``"independence"``, ``"nhsic"``, and with a learner ``"accuracy"`` and
        ``"auc"``, or ``"mse"``. For selections what was measured of each.
    methods : list of str
        Those judged over folds.
    n_features : list of int
        How many features were asked of them.
    held_out : list of ndarray
        Of each split the samples that were held out, counted from 0 over all of ``X``.
    task : str
        ``"classification"`` or ``"regression"``.
    warnings : list of str
        What a reader of the result should know.
    document : dict
        Everything, as `land evaluate -o FILE.json` writes it. With a learner ``learner`` is how that prints, and every
        set has its ``scores``.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        if document.get("schema_version") != _SCHEMA or document.get("kind") not in ("folds", "selections"):
            raise ValueError(f"this is no evaluation of schema_version {_SCHEMA}")
        super().__init__(document)
        self.kind: str = document["kind"]
        self.task: str = document["target"]["task"]
        self.warnings: list[str] = list(document["warnings"])
        folds = document["folds"] or []
        self.methods: list[str] = document["options"].get("methods", [])
        self.n_features: list[int] = document["options"].get("n_features", [])
        self.held_out = [np.array(fold["held_out"], dtype=np.int64) for fold in folds]
        first = folds[0]["methods"][0]["sets"][0] if folds else {}
        self.metrics: list[str] = [*_METRICS, *first.get("scores", {})]

    def values(self, metric: str, method: str, m: int) -> np.ndarray:
        """A metric of one method and m on each split, in their order; NaN where it is not defined."""
        self._check(metric)
        if method not in self.methods or m not in self.n_features:
            raise ValueError(f"{method}, {m}: there are {', '.join(self.methods)} with {self.n_features}")
        found = [one[metric] for one in self._sets() if one["method"] == method and one["m"] == m]
        return np.array([np.nan if one is None else one for one in found], dtype=np.float64)

    def to_frame(self, *, splits: bool = False) -> Any:
        """A pandas DataFrame: a row per selection, or per method and m, with means over splits and standard errors
        (``_error``); with ``splits=True`` a row per split, method and m."""
        import pandas

        if splits:
            self._need_folds()
            return pandas.DataFrame(list(self._sets()))
        return pandas.DataFrame(self._rows())

    def table(self, digits: int = 4) -> str:
        """The same as text, for people."""
        rows = self._rows()
        shown = [[_shown(value, digits) for value in row.values()] for row in rows]
        cells = [list(rows[0]) if rows else [], *shown]
        widths = [max(len(row[c]) for row in cells) for c in range(len(cells[0]))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)

    def tests(self, metric: str | None = None) -> Any:
        """Paired one-tailed t-tests over splits, of each method against each other, for each m: a pandas DataFrame.

        ``difference`` is positive where ``method`` is better than ``against``, and a small p says that it is no
        accident. ``p_naive`` takes splits for independent, and so is too small; ``p_corrected`` is that of Nadeau and
        Bengio (2003). By default the metric is the learner's first one, without a learner ``"nhsic"``.
        """
        import pandas

        metric = self._metric(metric)
        sign = -1.0 if metric in _SMALLER_IS_BETTER else 1.0
        held_out = sum(map(len, self.held_out))
        share = held_out / (len(self.held_out) * self.document["data"]["samples"] - held_out)
        rows = []
        for m in self.n_features:
            for first in self.methods:
                for second in self.methods:
                    if first == second:
                        continue
                    found = paired_test(
                        sign * self.values(metric, first, m), sign * self.values(metric, second, m), share
                    )
                    rows.append({"m": m, "method": first, "against": second, **found._asdict()})
        return pandas.DataFrame(rows, columns=["m", "method", "against", "difference", "p_naive", "p_corrected"])

    def plot(self, metric: str | None = None, ax: Any = None) -> Any:
        """A metric against m, a line per method, with standard errors over splits. ``"stability"`` has none. Takes and
        returns an Axes."""
        return plots.plot_evaluation(self, metric if metric == "stability" else self._metric(metric), ax)

    def __repr__(self) -> str:
        if self.kind == "selections":
            return f"Evaluation of {len(self.document['selections'])} selections\n{self.table()}"
        learner = self.document.get("learner")
        return (
            f"Evaluation over {len(self.held_out)} splits"
            + (f" with {learner}" if learner else "")
            + f"\n{self.table()}"
        )

    # --- rows -----------------------------------------------------------------------------------------------------

    def _sets(self) -> Iterator[dict[str, Any]]:
        """What was chosen, of each split, method and m."""
        for fold in self.document["folds"]:
            for run in fold["methods"]:
                for one in run["sets"]:
                    yield {
                        "repeat": fold["repeat"],
                        "fold": fold["fold"],
                        "method": run["method"],
                        "m": one["m"],
                        "selected": len(one["indices"]),
                        "independence": one["independence"],
                        "nhsic": one["nhsic"],
                        "seconds": run["seconds"],
                        **one.get("scores", {}),
                    }

    def _rows(self) -> list[dict[str, Any]]:
        if self.kind == "selections":
            return [
                {key: value for key, value in one.items() if key not in ("indices", "same_table")}
                for one in self.document["selections"]
            ]
        rows = []
        for one in self.document["summary"]:
            row = {key: one[key] for key in ("method", "m", "selected", "reduction")}
            for metric in self.metrics:
                row[metric], row[f"{metric}_error"] = _mean(self.values(metric, one["method"], one["m"]))
            rows.append({**row, "stability": one["stability"], "seconds": one["seconds"]})
        return rows

    def _metric(self, metric: str | None) -> str:
        self._need_folds()
        if metric is None:
            return self.metrics[len(_METRICS)] if len(self.metrics) > len(_METRICS) else "nhsic"
        self._check(metric)
        return metric

    def _check(self, metric: str) -> None:
        self._need_folds()
        if metric not in self.metrics:
            raise ValueError(f"{metric}: not measured; there are {', '.join(self.metrics)}")

    def _need_folds(self) -> None:
        if self.kind != "folds":
            raise ValueError("these are selections that were given: there are no splits; leave selection out")


def evaluate(
    X: Any,
    y: Any = None,
    *,
    survival: Any = None,
    selection: Given | Sequence[Given] | Mapping[str, Given] | None = None,
    methods: str | Sequence[str] = ("land",),
    n_features: int | Sequence[int] = (10, 20, 30, 40, 50),
    folds: int = DEFAULTS["folds"],
    repeats: int = DEFAULTS["repeats"],
    seed: int = DEFAULTS["seed"],
    learner: Any = None,
    task: str = DEFAULTS["task"],
    adjust: Any = None,
    measure: str = DEFAULTS["measure"],
    kernel: str = DEFAULTS["kernel"],
    sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
    transform: str = DEFAULTS["transform"],
    ridge: float = DEFAULTS["ridge"],
    landmarks: int = DEFAULTS["landmarks"],
    bases: int | None = None,
    basis: Sequence[float] | None = None,
    exact: bool = DEFAULTS["exact"],
    bins: int | Sequence[float] = DEFAULTS["bins"],
    missing: str | None = None,
    nominal: Features | None = None,
    feature_names: Sequence[str] | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **reading: Unpack[Reading],
) -> Evaluation:
    """Judge selections, or methods over folds.

    Over folds a selection sees the samples of its training part alone, and is judged by the held-out part. Folds are
    stratified by class, and the same as those of `land evaluate` for the same seed. For what the numbers mean see
    docs/evaluate.md.

    Parameters
    ----------
    X, y, survival
        As for :func:`land.select`.
    selection : Selection, path, or several of them, optional
        Judge these, by all samples, instead of methods. A dict gives them names.
    methods : str or sequence of str
        The methods to judge: :func:`land.methods` says what each does.
    n_features : int or sequence of int
        How many features: every number is judged. The selections of fewer are cut from the largest.
    folds : int
        How many parts the samples are split into; each is held out once.
    repeats : int
        How many times they are split.
    seed : int
        Which splits: the same for the same seed.
    learner : estimator, optional
        Of scikit-learn, LightGBM or the like: a clone is fitted to the selected features of every training part, and
        scored on the held-out one by accuracy and AUC (of more than two classes the mean of one against the others), or
        by the mean squared error. It is given the values as they are, NaN where one is missing: what it needs before it
        belongs into a Pipeline. Classes are numbered as sorted. None or "auto": no learner.
    adjust
        As for :func:`land.select`, taken out of what selections see, in each training part by its own samples. Numbers
        and learners judge the features as they are.
    **options
        All others are those of :func:`land.select`.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import numpy as np
    >>> import land
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.random.default_rng(0).normal(size=(200, 50))
    >>> y = X[:, 3] + X[:, 7] > 0
    >>> found = land.evaluate(X, y, methods=("land", "mr-nhsic"), n_features=(2, 4), learner=LogisticRegression())
    >>> bool(found.to_frame()["accuracy"].iloc[0] > 0.8)
    True
    """
    methods = [methods] if isinstance(methods, str) else list(methods)
    if isinstance(n_features, str):
        raise ValueError(f"n_features={n_features!r}: give one or more whole numbers")
    n_features = [n_features] if isinstance(n_features, (int, np.integer)) else [int(m) for m in n_features]
    learner = None if isinstance(learner, str) and learner == "auto" else learner
    if selection is not None and learner is not None:
        raise ValueError("learner: a selection that has seen all samples cannot be tested on them; leave selection out")
    if selection is not None and adjust is not None:
        raise ValueError("adjust: a selection that is made is judged as it is; leave one of the two out")
    options = options_in(locals(), "evaluate")
    with running(threads, progress, memory) as run:
        table = make_table(
            X,
            y,
            survival=survival,
            nominal=nominal,
            feature_names=feature_names,
            missing=missing,
            reading=reading,
            run=run,
            adjust=adjust,
        )
        if selection is not None:
            given = list(_given(selection))
            document = json.loads(_land.judge(table, given, options, run.threads, run.report))
        else:
            target = None
            if learner is not None:
                known, target = _land.target_values(table, options)
                check_learner(learner, known)
            document = json.loads(_land.cross_validate(table, options, run.threads, run.report))
            if target is not None:
                _score(document, learner, table, target, run)
    evaluation = Evaluation(document)
    warn(evaluation.warnings)
    return evaluation


def _given(selection: Any) -> Iterator[tuple[str, str]]:
    """What to call each, and its JSON."""
    if isinstance(selection, Mapping):
        for name, one in selection.items():
            yield str(name), _text(one)
        return
    if isinstance(selection, (Selection, str, os.PathLike)):
        selection = [selection]
    for number, one in enumerate(selection, start=1):
        yield f"selection {number}" if isinstance(one, Selection) else os.fspath(one), _text(one)


def _text(one: Given) -> str:
    if isinstance(one, Selection):
        return one.dumps()
    with open(one, encoding="utf-8", errors="replace") as file:
        return file.read()


def _score(document: dict[str, Any], learner: Any, table: _land.Table, y: np.ndarray, run: Running) -> None:
    """Adds what the learner scored to every set."""
    task = document["target"]["task"]
    folds = document["folds"]
    sets = [one for fold in folds for method in fold["methods"] for one in method["sets"]]
    used = sorted({index for one in sets for index in one["indices"]})
    values = np.asarray(_land.columns(table, used, run.threads)).T
    numbers = np.array(table.sample_numbers)
    for done, fold in enumerate(folds):
        if run.report is not None:
            run.report("learning", float(done), float(len(folds)))
        held_out = np.zeros(len(numbers), dtype=bool)
        held_out[np.searchsorted(numbers, fold["held_out"])] = True
        for method in fold["methods"]:
            for one in method["sets"]:
                chosen = np.ascontiguousarray(values[:, np.searchsorted(used, one["indices"]).astype(np.int64)])
                one["scores"] = held_out_scores(
                    learner, task, (chosen[~held_out], y[~held_out]), (chosen[held_out], y[held_out])
                )
    document["learner"] = repr(learner)


def _mean(values: np.ndarray) -> tuple[float, float]:
    """Over splits, and its standard error."""
    values = values[~np.isnan(values)]
    if len(values) == 0:
        return np.nan, np.nan
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan


def _shown(value: Any, digits: int) -> str:
    if value is None:
        return ""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)
