"""How many features: chosen by cross-validation, with one path per fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.feature_selection import SelectorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, _safe_indexing
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import _check_method_params, check_is_fitted

from .selector import LandSelector, validated
from .targets import is_categorical


def _score_fold(
    estimator: Any,
    selector: Any,
    scorer: Any,
    X: Any,
    y: Any,
    fold: int,
    train: Any,
    test: Any,
    sizes: Any,
    routed: Any,
) -> list[float]:
    """One path; then the estimator on every prefix of it."""
    X_train, y_train = _safe_indexing(X, train), _safe_indexing(y, train)
    X_test, y_test = _safe_indexing(X, test), _safe_indexing(y, test)
    fit_params = _check_method_params(X, routed.estimator.fit, indices=train)
    score_params = _check_method_params(X, routed.scorer.score, indices=test)
    try:
        path = clone(selector)._fit_quietly(X_train, y_train)
    except ValueError as error:
        raise ValueError(f"fold {fold} of cv (counted from 0): {error}") from error
    scores = []
    last = None
    for size in sizes:
        prefix = path.truncate(size)
        # Where the path ended, larger prefixes are the same.
        if last is None or prefix.n_features_ != last[0]:
            fitted = clone(estimator).fit(prefix.transform(X_train), y_train, **fit_params)
            last = (prefix.n_features_, scorer(fitted, prefix.transform(X_test), y_test, **score_params))
        scores.append(last[1])
    return scores


class LandSelectorCV(MetaEstimatorMixin, SelectorMixin, BaseEstimator):
    """Chooses the number of features by cross-validation.

    GridSearchCV over ``n_features_to_select`` computes a path per fold and candidate. Here a fold needs one: every
    smaller selection is a prefix of it, and each is scored with the estimator.

    Classes or numbers are decided once, for all folds: by the selector's ``task``; if that is "auto", by the estimator,
    which is a classifier or a regressor; if it is neither, from the whole target.

    Parameters
    ----------
    estimator : estimator
        What is scored on the selected features.
    selector : LandSelector, optional
        How features are selected; its ``n_features_to_select`` is the largest number tried.
    n_features : sequence of int, optional
        The numbers to try; by default all from 1 to the largest.
    cv, scoring
        As in GridSearchCV; a number of folds is stratified if the estimator is a classifier, the target is taken for
        classes, or it has two distinct values.
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
    support_, scores_, ranking_ : ndarray
        As of :class:`LandSelector`, with that number.
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

    __metadata_request__fit = {"groups": UNUSED}  # of the splitter, not of this

    def fit(self, X: Any, y: Any, *, groups: Any = None, **params: Any) -> LandSelectorCV:
        """Choose the number of features, then select so many from all samples.

        ``groups`` goes to the splitter, other parameters (``sample_weight``) to the estimator's ``fit``, each cut to
        the samples of the fold. With scikit-learn's metadata routing enabled they go to whoever has requested them:
        splitter, estimator or scorer. Features are selected without weights.
        """
        selector = LandSelector() if self.selector is None else self.selector
        task = self._task(selector.task, y)
        X, y = validated(self, X, y, selector.missing, "csr")
        largest = min(selector.n_features_to_select, self.n_features_in_)
        sizes = sorted({int(size) for size in (range(1, largest + 1) if self.n_features is None else self.n_features)})
        if not sizes or sizes[0] < 1:
            raise ValueError(f"n_features={self.n_features}: numbers from 1 on are needed")
        routed = self._routed(groups, params)
        scorer = self._scorer()
        whole = clone(selector).set_params(n_features_to_select=sizes[-1], task=task).fit(X, y)
        pinned = clone(whole).set_params(task=whole.selection_.task)
        # Every fold needs all classes, also where only the selector takes y for classes. One of two values would be
        # constant.
        stratified = is_classifier(self.estimator) or whole.selection_.task == "classification"
        splitter = check_cv(self.cv, y, classifier=stratified or len(np.unique(y)) == 2)
        scores = np.array(
            Parallel(n_jobs=self.n_jobs)(
                delayed(_score_fold)(self.estimator, pinned, scorer, X, y, fold, train, test, sizes, routed)
                for fold, (train, test) in enumerate(splitter.split(X, y, **routed.splitter.split))
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
        self.scores_ = self.selector_.scores_
        self.ranking_ = self.selector_.ranking_
        return self

    def _task(self, asked: str, y: Any) -> str:
        if asked != "auto":
            return asked
        if is_classifier(self.estimator):
            return "classification"
        if is_regressor(self.estimator):
            return "regression"
        return "classification" if is_categorical(y) else "auto"

    def _scorer(self) -> Any:
        return check_scoring(self.estimator, scoring=self.scoring)

    def _routed(self, groups: Any, params: dict[str, Any]) -> Any:
        if get_config()["enable_metadata_routing"]:
            return process_routing(self, "fit", **params, **({} if groups is None else {"groups": groups}))
        return Bunch(estimator=Bunch(fit=params), splitter=Bunch(split={"groups": groups}), scorer=Bunch(score={}))

    def get_metadata_routing(self) -> Any:
        """Who may get which of the parameters of ``fit``: scikit-learn's metadata routing."""
        return (
            MetadataRouter(owner=type(self).__name__)
            .add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
            .add(splitter=check_cv(self.cv), method_mapping=MethodMapping().add(caller="fit", callee="split"))
            .add(scorer=self._scorer(), method_mapping=MethodMapping().add(caller="fit", callee="score"))
        )

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return np.asarray(self.support_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        of_selector = (LandSelector() if self.selector is None else self.selector).__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = of_selector.input_tags.allow_nan
        return tags
