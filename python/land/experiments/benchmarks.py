"""Small sets with many features: how well what each method selects predicts held-out samples."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from . import benchmark_report as report
from .benchmark_tables import Table, load, names
from .choosing import Chosen, Split, forest_choice, judged_splits, random_choice
from .experiment import Experiment, Piece, Row, Scale
from .kernel_machines import predict_classes, predict_numbers
from .set_measures import independence_rate, nhsic_of_set

#: FOHSIC takes m d n^2 / 2 exponentials, at most 4.4e9 here: a few seconds for each split, so it runs on all sets.
METHODS = (
    "land",
    "hsic-lasso",
    "mr-nhsic",
    "mrmr",
    "mrmr-miq",
    "jmi",
    "cmim",
    "fcbf",
    "lasso",
    "qpfs",
    "fohsic",
)
QUICK_METHODS = ("land", "mr-nhsic", "mrmr", "lasso")
SIZES = (10, 20, 30, 40, 50)
QUICK_SIZES = (10, 50)
FOLDS = 5
#: QPFS takes 16 d^2 bytes, and d^2 n time. Larger tables get landmarks.
_QPFS_FEATURES, _QPFS_LANDMARKS = 5000, 100


def _repeat(name: str, repeat: int, seed: int, quick: bool) -> list[Row]:
    """Five splits of a set: every sample is held out once."""
    table = load(name, seed)
    methods, sizes = (QUICK_METHODS, QUICK_SIZES) if quick else (METHODS, SIZES)
    splits = judged_splits(
        table.X,
        table.y,
        methods=methods,
        n_features=sizes,
        folds=FOLDS,
        repeat=repeat,
        seed=seed,
        task="classification" if table.classes else "regression",
        landmarks=_QPFS_LANDMARKS if "qpfs" in methods and table.X.shape[1] > _QPFS_FEATURES else 0,
        threads=1,
    )
    rows = []
    for number, split in enumerate(splits):
        own = int(np.random.SeedSequence((seed, repeat, number)).generate_state(1)[0])
        for chosen in (*split.chosen, *_others(table, split, sizes, own, quick)):
            rows.append({"set": name, "split": split.name, **_row(table, split, chosen, own)})
    return rows


def _others(table: Table, split: Split, sizes: tuple[int, ...], seed: int, quick: bool) -> Iterator[Chosen]:
    """A forest's choice, a random one, and all features."""
    X, y = table.X[split.train], table.y[split.train]
    features = X.shape[1]
    if not quick:
        begin = time.perf_counter()
        order = forest_choice(X, y, max(sizes), classes=table.classes, seed=seed)
        seconds = time.perf_counter() - begin
        for m in sizes:
            yield _measured(table, split, report.FOREST, order[:m], seconds)
    for m in sizes:
        yield _measured(table, split, report.RANDOM, random_choice(features, m, (seed,)), 0.0)
    yield _measured(table, split, report.ALL, np.arange(features), 0.0)


def _measured(table: Table, split: Split, method: str, indices: np.ndarray, seconds: float) -> Chosen:
    # Of all features it would be a matrix of all pairs, and close to that of random ones.
    rate = np.nan if method == report.ALL else independence_rate(table.X[np.ix_(split.train, indices)])
    nhsic = nhsic_of_set(table.X[np.ix_(split.test, indices)], table.y[split.test], classes=table.classes)
    return Chosen(method, len(indices), indices, rate, nhsic, seconds)


def _row(table: Table, split: Split, chosen: Chosen, seed: int) -> Row:
    """The folds of cross-validation are the same for all methods."""
    X, y = table.X[:, chosen.indices], table.y
    predict = predict_classes if table.classes else predict_numbers
    predicted = predict(X[split.train], y[split.train], X[split.test], seed=seed)
    held_out = y[split.test]
    if table.classes:
        scores = {"accuracy": np.mean(predicted.values == held_out)}
    else:
        error = np.mean((predicted.values - held_out) ** 2)
        scores = {"mse": error, "r2": 1.0 - error / held_out.var()}
    return {
        "method": chosen.method,
        "m": chosen.m,
        "selected": len(chosen.indices),
        **{name: _short(value) for name, value in scores.items()},
        "independence": _short(chosen.independence),
        "nhsic": _short(chosen.nhsic),
        "seconds": _short(chosen.seconds),
        "width": predicted.width,
        "penalty": predicted.penalty,
    }


def _short(value: float) -> float:
    """The CSV has many rows."""
    return float(f"{value:.5g}")


def _pieces(scale: Scale) -> list[Piece]:
    repeats = -(-scale.count(100, FOLDS) // FOLDS)
    return [
        Piece(f"{name}, repeat {repeat}", _repeat, (name, repeat, scale.seed, scale.quick))
        for name in names(scale.quick)
        for repeat in range(repeats)
    ]


EXPERIMENT = Experiment(
    name="benchmarks",
    title="Benchmarks: accuracy with 10 to 50 features",
    paper="Fig. 2 is accuracy against the number of features; LAND compares favourably with all baselines.",
    pieces=_pieces,
    report=report.report,
)
