"""The selection as a transformer of scikit-learn."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from . import _land
from ._running import DEFAULTS, options_in, running
from .frames import check_order, is_frame
from .land_warning import warn
from .selection import Selection
from .subsets import over_all
from .tables import make_table
from .targets import as_survival, class_names, is_categorical


def validated(estimator: Any, X: Any, y: Any, missing: str, sparse: str) -> Any:
    """X and y as scikit-learn wants them checked. Frames stay what they are: categorical and nullable columns would not
    survive the conversion to one array."""
    check_order(X, y)
    if not is_frame(X):
        return validate_data(
            estimator,
            X,
            y,
            accept_sparse=sparse,
            dtype="numeric",
            ensure_min_samples=2,
            ensure_all_finite=True if missing == "error" else "allow-nan",
        )
    validate_data(estimator, X, y, skip_check_array=True)
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    return X, column_or_1d(y, warn=True)


class LandSelector(SelectorMixin, BaseEstimator):
    """Selects the features that best explain a target without repeating each other.

    As everywhere in scikit-learn, the samples of ``X`` and ``y`` go together by their position. :func:`land.select`
    joins a Series on the index of a frame; here an index with the labels of ``X`` in another order is an error, and one
    with other labels a :class:`LandWarning` (a plain count of the rows is no label).

    Parameters
    ----------
    n_features_to_select : int or "auto"
        How many; more than there are is allowed. Fewer come back when nothing more helps. "auto": as many as are more
        relevant than chance alone would make any, which may be none.
    task : {"auto", "classification", "regression"}
        What the target holds. "auto": text, categories of whatever kind, booleans, two distinct values and at most 10
        distinct whole numbers are classes.
    method, measure, kernel, sigma, ridge, landmarks, bases, basis, exact, bins
        As in :func:`land.select`.
    values_as : {"none", "rank"}
        ``transform`` of :func:`land.select`: transformers have a method of that name.
    missing, nominal, threads, progress
        As in :func:`land.select`. With ``missing`` other than "error" NaN is allowed.

    Attributes
    ----------
    selection_ : Selection
        Features, path and certificate.
    support_ : ndarray of bool
        Which features are selected.
    scores_ : ndarray of float
        The relevance of every feature: of the selected as in ``selection_``, of the others an upper bound, mostly
        within half a per cent; NaN if constant or, by ``missing="drop-feature"``, left out.
    ranking_ : ndarray of int
        1 for the first feature to enter, and so on; then those not selected, by their score; constant ones last.
        (scikit-learn's RFE has 1 for all that are selected.)
    n_features_ : int
        How many are.
    n_features_in_, feature_names_in_
        As for every estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from land import LandSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> LandSelector(n_features_to_select=5).fit_transform(X, y).shape
    (569, 5)
    """

    def __init__(
        self,
        n_features_to_select: int | Literal["auto"] = DEFAULTS["n_features"],
        *,
        task: str = DEFAULTS["task"],
        method: str = DEFAULTS["method"],
        measure: str = DEFAULTS["measure"],
        kernel: str = DEFAULTS["kernel"],
        sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
        values_as: str = DEFAULTS["transform"],
        ridge: float = DEFAULTS["ridge"],
        landmarks: int = DEFAULTS["landmarks"],
        bases: int | None = None,
        basis: Any = None,
        exact: bool = DEFAULTS["exact"],
        bins: Any = DEFAULTS["bins"],
        permutations: int = DEFAULTS["permutations"],
        seed: int = DEFAULTS["seed"],
        alpha: float = DEFAULTS["alpha"],
        missing: str = DEFAULTS["missing"],
        nominal: Any = None,
        threads: int | None = None,
        progress: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.task = task
        self.method = method
        self.measure = measure
        self.kernel = kernel
        self.sigma = sigma
        self.values_as = values_as
        self.ridge = ridge
        self.landmarks = landmarks
        self.bases = bases
        self.basis = basis
        self.exact = exact
        self.bins = bins
        self.permutations = permutations
        self.seed = seed
        self.alpha = alpha
        self.missing = missing
        self.nominal = nominal
        self.threads = threads
        self.progress = progress

    def fit(self, X: Any, y: Any, adjust: Any = None) -> LandSelector:
        """Select from X, samples by features, what explains y. A structured array of a boolean and a number, as
        scikit-survival has it, is survival. ``adjust`` has values of covariates, a row for each sample: as for
        :func:`land.select`; a pipeline passes them on after ``set_fit_request(adjust=True)``."""
        self._fit_quietly(X, y, adjust)
        warn(self.selection_.warnings)
        return self

    def _fit_quietly(self, X: Any, y: Any, adjust: Any = None) -> LandSelector:
        """Without warnings: for folds, of which the whole has warned."""
        classes = class_names(y) if is_categorical(y) else None  # validation loses the type
        survival = as_survival(y)
        X, y = validated(self, X, y if survival is None else survival.time, self.missing, "csc")
        options = options_in(self.get_params(deep=False), "select")
        options["n_features"] = self.n_features_to_select
        options["transform"] = self.values_as
        keywords = {"features": "n_features_to_select", "transform": "values_as"}
        with running(self.threads, self.progress, keywords=keywords) as run:
            table = make_table(
                X,
                survival or (np.asarray(y) if classes is None else classes),
                nominal=self.nominal,
                run=run,
                missing=self.missing,
                adjust=adjust,
            )
            text, bounds = _land.select_and_score(table, options, run.threads, run.report)
        bounds[bounds < 0.0] = np.nan
        self._bounds = over_all(bounds, table, self.n_features_in_)
        return self._accept(Selection.loads(text))

    def _accept(self, selection: Selection) -> LandSelector:
        self.selection_ = selection
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[selection.indices] = True
        self.scores_ = self._bounds.copy()
        self.scores_[selection.indices] = selection.relevance
        self.ranking_ = _ranking(self.scores_, selection.indices)
        self.n_features_ = len(selection)
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def truncate(self, n_features: int) -> LandSelector:
        """A fitted copy with fewer features, from the path already computed: what fitting with
        ``n_features_to_select=n_features`` would give (:meth:`Selection.truncate`)."""
        check_is_fitted(self)
        fewer = copy.copy(self)
        fewer.n_features_to_select = n_features
        return fewer._accept(self.selection_.truncate(n_features))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _ranking(scores: np.ndarray, selected: np.ndarray) -> np.ndarray:
    order = np.argsort(-scores, kind="stable")  # NaN last
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[np.concatenate([selected, order[~np.isin(order, selected)]])] = np.arange(1, len(scores) + 1)
    return ranks
