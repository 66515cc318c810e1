"""What a learner makes of selected features, on samples that neither it nor the selection has seen."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_learner(learner: Any, task: str) -> None:
    """Before anything is selected."""
    from sklearn.base import is_classifier, is_regressor

    if not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        raise TypeError(
            f"learner={learner!r}: an estimator with fit and predict is needed, such as those of scikit-learn"
        )
    if task == "survival":
        raise ValueError(f"learner={learner!r}: survival is judged without a learner; leave it out")
    if task == "classification" and is_regressor(learner):
        raise ValueError(f"learner={learner!r}: a regressor, but the target has classes; give a classifier")
    if task == "regression" and is_classifier(learner):
        raise ValueError(f"learner={learner!r}: a classifier, but the target has numbers; give a regressor")


def held_out_scores(learner: Any, task: str, train: Any, test: Any) -> dict[str, float | None]:
    """Fits a clone to `train`, a pair of X and y, and scores it on `test`. None: not defined there."""
    from sklearn.base import clone

    if train[0].shape[1] == 0:
        return dict.fromkeys(("accuracy", "auc") if task == "classification" else ("mse",))
    fitted = clone(learner).fit(*train)
    predicted = np.asarray(fitted.predict(test[0]))
    if task == "regression":
        return {"mse": float(np.mean((predicted.ravel() - test[1]) ** 2))}
    return {"accuracy": float(np.mean(predicted.ravel() == test[1])), "auc": _auc(fitted, train[1], *test)}


def _auc(fitted: Any, trained: np.ndarray, X: np.ndarray, y: np.ndarray) -> float | None:
    """Of two classes; the mean of one against the others of more, over those that can be told apart here."""
    from sklearn.metrics import roc_auc_score

    scores = _scores(fitted, X)
    if scores is None:
        return None
    classes = np.asarray(getattr(fitted, "classes_", np.unique(trained)))
    if scores.ndim == 1:  # of the second class
        scores = np.column_stack([-scores, scores])
    if len(classes) == 2:
        classes, scores = classes[1:], scores[:, 1:]
    values = []
    for column, one in enumerate(classes):
        is_one = y == one
        if is_one.any() and not is_one.all():
            values.append(roc_auc_score(is_one, scores[:, column]))
    return float(np.mean(values)) if values else None


def _scores(fitted: Any, X: np.ndarray) -> np.ndarray | None:
    for name in ("predict_proba", "decision_function"):
        if hasattr(fitted, name):
            return np.asarray(getattr(fitted, name)(X))
    return None
