"""Beyond the paper: options of LAND that the paper has not, and where NHSIC Lasso is weak."""

from __future__ import annotations

import numpy as np

from . import data_sets
from .beyond_findings import report
from .beyond_methods import AUTO, TRUE, held_out_score, is_uneven, select_auto, selections, thinned
from .beyond_tables import KINDS, NOISE, Kind, make
from .experiment import Experiment, Piece, Row, Scale
from .planted import two_classes

#: The sets of the paper that are small enough, and two more; of madelon only several features together say anything.
REAL_SETS = ("TOX", "AR10P", "ALLAML", "Prostate-GE", "TRIM32", "madelon")
STAND_IN = "stand-in"
_SELECTED = 20  #: from a real set
_FOLDS = 5  #: 80/20 splits
_LEARNER_SAMPLES = 600  #: of a real set, at most; features are selected from all training samples
_NOISE_TABLES = 50  #: in a piece


def _made_up(kind_number: int, features: int, number: int, seed: int, forest: bool) -> list[Row]:
    kind = KINDS[kind_number]
    made = make(kind, kind.samples, features, np.random.default_rng([seed, kind_number, number]))
    chosen = selections(made.X, made.y, kind.asked_for, classes=kind.classes, seed=seed, forest=forest)
    chosen[TRUE] = made.true
    learned = np.arange(len(made.y))
    if kind.classes and is_uneven(made.y):  # the held-out samples are even
        learned = thinned(made.y, np.random.default_rng([seed, number]))
    X, y = made.X[learned], made.y[learned]
    return [
        {
            "part": "made up",
            "set": kind.name,
            "split": str(number),
            "method": method,
            "m": kind.asked_for,
            "selected": len(own),
            "found": len(np.intersect1d(own, made.true)),
            "score": held_out_score(
                X[:, own], y, made.held_out_X[:, own], made.held_out_y, classes=kind.classes, seed=seed
            ),
        }
        for method, own in chosen.items()
    ]


def _noise(features: int, numbers: range, seed: int) -> list[Row]:
    rows: list[Row] = []
    for number in numbers:
        made = make(NOISE, NOISE.samples, features, np.random.default_rng([seed, len(KINDS), number]))
        chosen = select_auto(made.X, made.y, classes=NOISE.classes, seed=seed + number)
        rows.append({"part": "noise", "set": NOISE.name, "split": str(number), "method": AUTO, "selected": len(chosen)})
    return rows


def _real(name: str, repeat: int, seed: int, forest: bool) -> list[Row]:
    from sklearn.model_selection import KFold, StratifiedKFold

    X, y = _load(name, seed)
    classes = name != "TRIM32"
    folds = (StratifiedKFold if classes else KFold)(_FOLDS, shuffle=True, random_state=1000 * seed + repeat)
    rows = []
    for fold, (train, test) in enumerate(folds.split(X, y)):
        varying = X[train].max(axis=0) > X[train].min(axis=0)
        own_X, own_y, held_out_X = X[train][:, varying], y[train], X[test][:, varying]
        learned = np.random.default_rng([seed, repeat, fold]).permutation(len(train))[:_LEARNER_SAMPLES]
        for method, own in selections(
            own_X, own_y, _SELECTED, classes=classes, seed=seed + repeat, forest=forest
        ).items():
            rows.append(
                {
                    "part": "real",
                    "set": name,
                    "split": f"{repeat}.{fold}",
                    "method": method,
                    "m": _SELECTED,
                    "selected": len(own),
                    "score": held_out_score(
                        own_X[learned][:, own], own_y[learned], held_out_X[:, own], y[test], classes=classes, seed=seed
                    ),
                }
            )
    return rows


def _load(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if name == STAND_IN:
        return two_classes(100, 1000, 20, [seed])
    return data_sets.load_trim32() if name == "TRIM32" else data_sets.load_matlab(name)


def _pieces(scale: Scale) -> list[Piece]:
    """`--splits` counts tables of a kind, and splits of a set in fives."""
    tables, forest = scale.count(20, 3), not scale.quick
    pieces = [
        Piece(f"{kind.name}, table {number}", _made_up, (k, _features(kind, scale), number, scale.seed, forest))
        for k, kind in enumerate(KINDS)
        for number in range(tables)
    ]
    noise = 20 if scale.quick else 400
    for first in range(0, noise, _NOISE_TABLES):
        numbers = range(first, min(first + _NOISE_TABLES, noise))
        pieces.append(Piece(f"noise, tables from {first}", _noise, (_features(NOISE, scale), numbers, scale.seed)))
    repeats = -(-scale.count(20, 5) // _FOLDS)
    return pieces + [
        Piece(f"{name}, repeat {repeat}", _real, (name, repeat, scale.seed, forest))
        for name in _sets(scale)
        for repeat in range(repeats)
    ]


def _features(kind: Kind, scale: Scale) -> int:
    return max(100, kind.features // 5) if scale.quick else kind.features


def _sets(scale: Scale) -> list[str]:
    present = [name for name in REAL_SETS if data_sets.available(name)]
    return (["ALLAML"] if "ALLAML" in present else [STAND_IN]) if scale.quick else present


EXPERIMENT = Experiment(
    name="beyond",
    title="Beyond the paper: other kernels, how many features, and where NHSIC Lasso is weak",
    paper="it has one Gaussian kernel for all features, and a number of features that is given. This is not in it.",
    pieces=_pieces,
    report=report,
)
