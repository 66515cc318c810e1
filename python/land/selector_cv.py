"""How many features: chosen by cross-validation, with one path per fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.feature_selection import SelectorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from .selector import LandSelector, validated


def _score_fold(
    estimator: Any, selector: Any, scorer: Any, X: Any, y: Any, fold: int, train: Any, test: Any, sizes: Any
) -> list[float]:
    """One path; then the estimator on every prefix of it."""
    X_train, y_train = _safe_indexing(X, train), _safe_indexing(y, train)
    X_test, y_test = _safe_indexing(X, test), _safe_indexing(y, test)
    try:
        path = clone(selector).fit(X_train, y_train)
    except ValueError as error:
        raise ValueError(f"fold {fold} of cv (counted from 0): {error}") from error
    scores = []
    last = None
    for size in sizes:
        prefix = path.truncate(size)
        # Where the path ended, larger prefixes are the same.
        if last is None or prefix.n_features_ != last[0]:
            fitted = clone(estimator).fit(prefix.transform(X_train), y_train)
            last = (prefix.n_features_, scorer(fitted, prefix.transform(X_test), y_test))
        scores.append(last[1])
    return scores


class LandSelectorCV(MetaEstimatorMixin, SelectorMixin, BaseEstimator):
    """Chooses the number of features by cross-validation.

    GridSearchCV over ``n_features_to_select`` computes a path per fold and candidate. Here a fold needs one: every
    smaller selection is a prefix of it, and each is scored with the estimator.

    Parameters
    ----------
    estimator : estimator
        What is scored on the selected features.
    selector : LandSelector, optional
        How features are selected; its ``n_features_to_select`` is the largest number tried.
    n_features : sequence of int, optional
        The numbers to try; by default all from 1 to the largest.
    cv, scoring
        As in GridSearchCV; a number of folds is stratified if the estimator is a classifier or the target is taken for
        classes.
    n_jobs : int, optional
        Folds at a time.

    Attributes
    ----------
    n_features_ : int
        The number with the best mean score; the smallest among equals.
    selector_ : LandSelector
        Fitted to all samples, with that number.
    selection_ : Selection
        Its selection.
    support_ : ndarray of bool
        Which features are selected.
    cv_results_ : dict of ndarray
        ``n_features``, ``mean_test_score``, ``std_test_score``, ``split0_test_score``, ...
    """

    def __init__(
        self,
        estimator: Any,
        selector: LandSelector | None = None,
        *,
        n_features: Sequence[int] | None = None,
        cv: Any = None,
        scoring: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.selector = selector
        self.n_features = n_features
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> LandSelectorCV:
        """Choose the number of features, then select so many from all samples."""
        selector = LandSelector() if self.selector is None else self.selector
        X, y = validated(self, X, y, selector.missing, "csr")
        largest = min(selector.n_features_to_select, self.n_features_in_)
        sizes = sorted({int(size) for size in (range(1, largest + 1) if self.n_features is None else self.n_features)})
        if not sizes or sizes[0] < 1:
            raise ValueError(f"n_features {self.n_features}: numbers from 1 on are needed")
        selector = clone(selector).set_params(n_features_to_select=sizes[-1])
        scorer = check_scoring(self.estimator, scoring=self.scoring)
        whole = selector.fit(X, y)
        # Every fold needs all classes, also where only the selector takes y for classes.
        classes = is_classifier(self.estimator) or whole.selection_.task == "classification"
        folds = check_cv(self.cv, y, classifier=classes).split(X, y)
        scores = np.array(
            Parallel(n_jobs=self.n_jobs)(
                delayed(_score_fold)(self.estimator, selector, scorer, X, y, fold, train, test, sizes)
                for fold, (train, test) in enumerate(folds)
            )
        )
        means = scores.mean(axis=0)
        self.cv_results_ = {
            "n_features": np.array(sizes),
            "mean_test_score": means,
            "std_test_score": scores.std(axis=0),
            **{f"split{fold}_test_score": values for fold, values in enumerate(scores)},
        }
        self.n_features_ = sizes[int(np.argmax(means))]
        self.selector_ = whole.truncate(self.n_features_)
        self.selection_ = self.selector_.selection_
        self.support_ = self.selector_.support_
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        of_selector = (LandSelector() if self.selector is None else self.selector).__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = of_selector.input_tags.allow_nan
        return tags
