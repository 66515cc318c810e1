"""Which features are selected again and again from halves of the samples: docs/inference/stability.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _land, plots
from ._running import DEFAULTS, Progress, options_in, running
from .documents import Document
from .land_warning import warn
from .lookups import Features
from .reading import Reading
from .tables import make_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SCHEMA = 1


class Stability(Document):
    """What :func:`land.stability` gives: the features that were selected from at least one half, by falling frequency.

    Attributes
    ----------
    indices : ndarray of int
        Their numbers, counted from 0 over all features.
    names : list of str
        Their names.
    frequencies : ndarray
        The share of all selections that has each.
    group_frequencies : ndarray
        The sum of the frequencies of each and of its near copies.
    stable : ndarray of int
        The numbers of those whose frequency reaches the threshold.
    stable_names : list of str
        Their names.
    threshold : float or None
        The smallest at which no more than ``max_false`` rarely selected features are expected; None if there is none.
    bound : float or None
        How many are expected at the threshold, at most.
    mean_selected : float
        How many features a half gave, on average.
    warnings : list of str
        What a reader of the result should know.
    document : dict
        Everything, as `land stability -o FILE.json` writes it.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        if document.get("schema_version") != _SCHEMA or document.get("kind") != "stability":
            raise ValueError(f"this is no stability of schema_version {_SCHEMA}")
        super().__init__(document)
        features = document["features"]
        self.indices = np.array([one["index"] for one in features], dtype=np.int64)
        self.names: list[str] = [one["name"] for one in features]
        self.frequencies = np.array([one["frequency"] for one in features], dtype=np.float64)
        self.group_frequencies = np.array([one["group_frequency"] for one in features], dtype=np.float64)
        chosen = [one for one in features if one["stable"]]
        self.stable = np.array([one["index"] for one in chosen], dtype=np.int64)
        self.stable_names: list[str] = [one["name"] for one in chosen]
        self.threshold: float | None = document["threshold"]
        self.bound: float | None = document["bound"]
        self.mean_selected: float = document["mean_selected"]
        self.warnings: list[str] = list(document["warnings"])

    def to_frame(self) -> Any:
        """A pandas DataFrame: a row per feature that was selected at least once."""
        import pandas

        columns = ["rank", "index", "name", "frequency", "group_frequency", "group_names", "stable"]
        return pandas.DataFrame([{c: one[c] for c in columns} for one in self.document["features"]], columns=columns)

    def plot(self, ax: Any = None, *, top: int = 40) -> Any:
        """The highest frequencies, those of groups behind them, and the threshold. Takes and returns an Axes."""
        return plots.plot_stability(self, ax, top)

    def __repr__(self) -> str:
        count = self.document["selections"]
        head = f"Stability over {count} selections of {self.mean_selected:.1f} features on average"
        if self.threshold is None:
            return f"{head}: no threshold keeps the bound"
        shown = ", ".join(self.stable_names[:10]) + (", ..." if len(self.stable_names) > 10 else "")
        return f"{head}: {len(self.stable)} stable at {self.threshold:g} (bound {self.bound:.2g}): {shown}"


def stability(
    X: Any,
    y: Any = None,
    n_features: int | None = None,
    *,
    survival: Any = None,
    pairs: int = DEFAULTS["pairs"],
    max_false: float = DEFAULTS["max_false"],
    seed: int = DEFAULTS["seed"],
    method: str = DEFAULTS["method"],
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
) -> Stability:
    """Select from halves of the samples, again and again, and count.

    Halves come in complementary pairs, stratified by class, and are the same as those of `land stability` for the same
    seed. For what the numbers mean, and when they lie, see docs/inference/stability.md.

    Parameters
    ----------
    X, y, survival
        As for :func:`land.select`.
    n_features : int, optional
        How many features are selected from each half; by default the root of their number, and no more than 100.
    pairs : int
        How many times the samples are split into halves, from each of which is selected.
    max_false : float
        How many features that are rarely selected may be called stable, on average: sets the threshold.
    seed : int
        Which halves: the same for the same seed.
    method : str
        How features are selected: :func:`land.methods` says what each does.
    adjust
        As for :func:`land.select`, taken out in each half by the samples of that half.
    **options
        All others are those of :func:`land.select`.

    Returns
    -------
    Stability

    Examples
    --------
    >>> import numpy as np
    >>> import land
    >>> X = np.random.default_rng(0).normal(size=(200, 50))
    >>> y = X[:, 3] + X[:, 7] > 0
    >>> found = land.stability(X, y, pairs=10)
    >>> sorted(found.stable.tolist())
    [3, 7]
    """
    options = options_in(locals(), "stability")
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
        found = Stability(json.loads(_land.stability(table, options, run.threads, run.report)))
    warn(found.warnings)
    return found
