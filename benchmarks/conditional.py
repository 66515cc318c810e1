#!/usr/bin/env python3
"""Whether a greedy selection, conditional on what was chosen, finds what LAND misses: two Markdown tables.

    LAND_DATA=FOLDER OMP_NUM_THREADS=1 python benchmarks/conditional.py [--tables 20] [--repeats 4] [--methods land,...]

A prototype in NumPy. After each choice, target and candidates are projected off columns of the chosen feature's factor,
and all features are scored again: C = F_k'M T and G = F_k'M F_k of every candidate k, M = I - (what is projected off).

Planted: true features found at m = their number, in tables drawn anew in each repeat, 1,000 features.
Real (if LAND_DATA is set): accuracy on held-out samples, 5 folds, features selected inside each, the same folds for
all; of a support vector machine and of logistic regression.

In brackets: the difference from the first method and its standard error, over tables or over splits. Splits share
training samples, so differences are less certain than it says.

Needs the packages `land`, scikit-learn, scipy and fastcan, and the data in LAND_DATA/asu.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import NamedTuple

import kernel_choice
import numpy as np
from fastcan import FastCan
from scipy.io import loadmat
from scipy.linalg import solve_triangular
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import land

FEATURES = kernel_choice.FEATURES
RANK = 14
COUNTS = (5, 10, 20, 50)
LEARNERS = {"SVM": SVC(C=10.0), "logistic": LogisticRegression(C=1.0, max_iter=1000)}


class Conditional(NamedTuple):
    """A way to take from the target what the chosen features tell: M = I - P (P'P + ridge)^-1 P'."""

    columns: int | float = RANK  # of each chosen factor, its leading ones; below 1: as many as hold this share of it
    ridge: float | str = 0.0  # 0: a projection; "200/n"; "gcv": that of RIDGES which suits the chosen features best
    score: str = "norm"  # |F'MT|^2 over |F'F|: "norm"; over |F'MF|, or .1 |F'F|: "rest"; what F takes off T'MT: "gain"
    limit: float = 0.5  # trace(I - M) stays below this share of the samples
    restart: bool = False  # at the limit: from M = I again; otherwise M stays


VARIANTS = {
    "1 column, n/10": Conditional(1, limit=0.1),
    "2 columns, n/10": Conditional(2, limit=0.1),
    "3 columns, n/10": Conditional(3, limit=0.1),
    "share .9, n/10": Conditional(0.9, limit=0.1),
    "1 column, n/10, rest": Conditional(1, limit=0.1, score="rest"),
    "2 columns, n/10, rest": Conditional(2, limit=0.1, score="rest"),
    "1 column, n/10, restart": Conditional(1, limit=0.1, restart=True),
    "2 columns, n/10, restart": Conditional(2, limit=0.1, restart=True),
    "1 column": Conditional(1),
    "1 column, rest": Conditional(1, score="rest"),
    "2 columns, rest": Conditional(2, score="rest"),
    "ridge .1": Conditional(ridge=0.1),
    "ridge .1, rest": Conditional(ridge=0.1, score="rest"),
    "ridge .1, gain": Conditional(ridge=0.1, score="gain"),
    "ridge .3": Conditional(ridge=0.3),
    "ridge .3, gain": Conditional(ridge=0.3, score="gain"),
    "ridge 1": Conditional(ridge=1.0),
    "ridge 1, rest": Conditional(ridge=1.0, score="rest"),
    "ridge 1, gain": Conditional(ridge=1.0, score="gain"),
    "ridge 200/n": Conditional(ridge="200/n"),
    "ridge 200/n, gain": Conditional(ridge="200/n", score="gain"),
    "gcv": Conditional(ridge="gcv"),
    "gcv, gain": Conditional(ridge="gcv", score="gain"),
}
RIDGES = (0.03, 0.1, 0.3, 1.0, 3.0)
SHOWN = [
    "land", "lasso", "mrmr-nhsic", "fastcan",
    "1 column, n/10", "2 columns, n/10, rest", "ridge .1", "ridge .1, gain", "ridge 1", "ridge 200/n",
]  # fmt: skip


def factors(X):
    """Of every column the centred factor of its Gaussian kernel, by principal axes, |F'F| = 1: d x RANK x n."""
    n, d = X.shape
    deviation = X.std(axis=0)
    U = (X - X.mean(axis=0)) / np.where(deviation > 0.0, deviation, 1.0)
    columns = np.zeros((RANK + 4, n, d), np.float32)
    rest = np.ones((n, d))
    every = np.arange(d)
    for step in range(len(columns)):
        pivot = rest.argmax(axis=0)
        value = rest[pivot, every]
        column = np.exp(-((U - U[pivot, every]) ** 2) / 2.0)
        column -= np.einsum("snd,sd->nd", columns[:step], columns[:step, pivot, every])
        column = np.where(value > 1e-6, column / np.sqrt(np.maximum(value, 1e-6)), 0.0)
        columns[step] = column
        rest = np.maximum(rest - column**2, 0.0)
    columns -= columns.mean(axis=1, keepdims=True)
    F = np.ascontiguousarray(columns.transpose(2, 0, 1))
    axes = np.linalg.eigh(F @ F.transpose(0, 2, 1))[1][:, :, ::-1]
    F = axes.transpose(0, 2, 1)[:, :RANK] @ F
    norm = np.linalg.norm(F @ F.transpose(0, 2, 1), axis=(1, 2))
    return F / np.sqrt(np.where(norm > 0.0, norm, 1.0))[:, None, None].astype(np.float32)


def target_factor(y):
    """The centred factor of the class kernel, or of the Gaussian kernel of numbers: (n, q)."""
    if y.dtype.kind == "f":
        return factors(y[:, None])[0].T
    T = one_hot(y)
    T = T / np.sqrt(T.sum(axis=0))
    return (T - T.mean(axis=0)).astype(np.float32)


def one_hot(y):
    return (y[:, None] == np.unique(y)).astype(float)


def leading(P, M, share):
    """The leading columns of P as M leaves it."""
    values, axes = np.linalg.eigh(P.T @ M @ P)
    values = np.maximum(values[::-1], 0.0)
    count = share if share >= 1 else 1 + np.searchsorted(values.cumsum(), share * values.sum())
    return P @ axes[:, ::-1][:, : int(count)]


def taken(M, P, ridge):
    """B: M - BB' is the M with P taken off as well."""
    MP = M @ P
    S = P.T @ MP
    S += max(ridge, 1e-5 * np.trace(S) + 1e-12) * np.eye(len(S))
    return solve_triangular(np.linalg.cholesky(S), MP.T, lower=True).T


def cross_validated(K, T, used):
    """Of RIDGES that which predicts T from the kernel K best, by generalised cross-validation; and B for it."""
    values, axes = np.linalg.eigh(K)
    values = np.maximum(values, 0.0)
    part = np.square(axes.T @ T).sum(axis=1)
    lost = {ridge: ridge / (values + ridge) for ridge in RIDGES}
    allowed = [ridge for ridge in RIDGES if len(K) - lost[ridge].sum() <= used] or RIDGES[-1:]
    ridge = min(allowed, key=lambda ridge: lost[ridge] ** 2 @ part / (lost[ridge].sum() - 1.0) ** 2)
    share = 1.0 - lost[ridge]
    return ridge, (axes * np.sqrt(share))[:, share > 1e-3]


def greedy(F, T, m, how):
    """m features, one after another, each conditional on those before it."""
    d, r, n = F.shape
    flat = F.reshape(d * r, n)
    C0, G0 = (flat @ T).reshape(d, r, -1), F @ F.transpose(0, 2, 1)
    whole = np.linalg.norm(G0, axis=(1, 2))
    tuned = how.ridge == "gcv"
    ridge = {"gcv": RIDGES[-1], "200/n": 200.0 / n}.get(how.ridge, how.ridge)
    chosen, left, C, G, M, K = [], whole > 0.0, C0.copy(), G0.copy(), np.eye(n), np.zeros((n, n))
    for _ in range(m):
        if how.score == "gain":
            score = (C * np.linalg.solve(G + ridge * np.eye(r, dtype=G.dtype), C)).sum(axis=(1, 2))
        else:
            norm = whole if how.score == "norm" else np.maximum(np.linalg.norm(G, axis=(1, 2)), 0.1 * whole)
            score = np.square(C).sum(axis=(1, 2)) / np.where(left, norm, np.inf)
        k = int(np.where(left, score, -1.0).argmax())
        chosen.append(k)
        left[k] = False
        P = F[k].T.astype(float)
        if tuned:
            K += P @ P.T
            ridge, B = cross_validated(K, T, how.limit * n)
        else:
            B = taken(M, leading(P, M, how.columns), ridge)
        full = not tuned and n - np.trace(M) + np.square(B).sum() > how.limit * n
        if full and not how.restart:
            continue
        if full or tuned:
            C, G, M = C0.copy(), G0.copy(), np.eye(n)
        if full:
            continue
        M -= B @ B.T
        A = (flat @ B.astype(np.float32)).reshape(d, r, -1)
        C -= A @ (B.T @ T).astype(np.float32)
        if how.score != "norm":
            G -= A @ A.transpose(0, 2, 1)
    return chosen


def forward_search(X, y, m):
    deviation = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(deviation > 0.0, deviation, 1.0)
    Y = y[:, None] if y.dtype.kind == "f" else one_hot(y)
    return list(FastCan(m, verbose=0).fit(np.asfortranarray(X), Y).indices_)


def selections(X, y, m, methods):
    """Of every method its first m features, in order."""
    prepared = None
    for method in methods:
        if method in VARIANTS:
            prepared = prepared or (factors(X), target_factor(y))
            yield method, greedy(*prepared, m, VARIANTS[method])
        elif method == "fastcan":
            yield method, forward_search(X, y, m)
        else:
            yield method, list(land.select(X, y, n_features=m, method=method).indices)


def suppressors(strength, bend):
    """y is s; one feature is s + c, its partner c alone, which says nothing of y. Three such pairs."""

    def make(random):
        X = random.normal(size=(kernel_choice.SAMPLES, FEATURES))
        s, c = random.normal(size=(2, kernel_choice.SAMPLES, 3))
        X[:, 0:6:2], X[:, 1:6:2] = s + strength * c, c
        y = s.sum(axis=1) + 0.2 * random.normal(size=kernel_choice.SAMPLES)
        if bend == "maps":
            X[:, 0:6:2], X[:, 1:6:2] = np.exp(X[:, 0:6:2]), X[:, 1:6:2] ** 3
        if bend == "square":
            y = np.square(s).sum(axis=1) + 0.2 * random.normal(size=kernel_choice.SAMPLES)
        return X, y, 6

    return make


def blocks(effect):
    """100 blocks of 10 features, correlated by .8; the first feature of each of 10 blocks is true."""

    def make(random):
        common = np.repeat(random.normal(size=(kernel_choice.SAMPLES, FEATURES // 10)), 10, axis=1)
        X = np.sqrt(0.8) * common + np.sqrt(0.2) * random.normal(size=(kernel_choice.SAMPLES, FEATURES))
        y = effect(X[:, :100:10]).sum(axis=1) + random.normal(size=kernel_choice.SAMPLES)
        first = np.r_[np.arange(0, 100, 10), np.delete(np.arange(FEATURES), np.arange(0, 100, 10))]
        return X[:, first], y, 10

    return make


PLANTED = {
    "3 suppressor pairs, s + c": suppressors(1.0, None),
    "3 suppressor pairs, s + 2c": suppressors(2.0, None),
    "3 suppressor pairs, bent": suppressors(1.0, "maps"),
    "3 suppressor pairs, squares": suppressors(1.0, "square"),
    "blocks, straight": blocks(lambda x: x),
    "blocks, mixed": blocks(lambda x: np.hstack([x[:, :5], np.square(x[:, 5:8]) - 1.0, np.sin(2.0 * x[:, 8:])])),
    **kernel_choice.KINDS,
}


def show(values, base, digits):
    """Mean; if it is not the base, how much more than that, and the standard error of the difference."""
    text = f"{np.mean(values):.{digits}f}"
    if values is not base:
        more = np.subtract(values, base)
        text += f" ({more.mean():+.{digits}f} ± {more.std(ddof=1) / np.sqrt(len(more)):.{digits}f})"
    return text


def planted(tables, seed, methods):
    print("| planted, and found by |", " | ".join(methods), "|")
    print("|---|" + "--:|" * len(methods))
    for place, (name, make) in enumerate(PLANTED.items()):
        counts = {method: [] for method in methods}
        for table in range(tables):
            X, y, true = make(np.random.default_rng([seed, place, table]))
            for method, chosen in selections(X, y, true, methods):
                counts[method].append(sum(k < true for k in chosen))
            print(f"{name}: {table + 1} of {tables}   ", end="\r", file=sys.stderr)
        print(
            f"| {name}, of {true} |",
            " | ".join(show(counts[each], counts[methods[0]], 1) for each in methods),
            "|",
            flush=True,
        )


def real(folder, repeats, seed, methods, names):
    print("| data, learner | method |", " | ".join(f"m = {m}" for m in COUNTS), "|")
    print("|---|---|" + "--:|" * len(COUNTS))
    for name in names:
        file = loadmat(folder / "asu" / f"{name}.mat")
        X, y = file["X"].astype(np.float64), file["Y"].ravel().astype(int)
        right = {}
        for repeat in range(repeats):
            splits = StratifiedKFold(5, shuffle=True, random_state=1000 * seed + repeat).split(X, y)
            for fold, (train, test) in enumerate(splits):
                for method, chosen in selections(X[train], y[train], max(COUNTS), methods):
                    for m in COUNTS:
                        for learner, model in LEARNERS.items():
                            part = X[:, chosen[:m]]
                            fitted = make_pipeline(StandardScaler(), model).fit(part[train], y[train])
                            right.setdefault((learner, method, m), []).append(fitted.score(part[test], y[test]))
                print(f"{name}: split {5 * repeat + fold + 1} of {5 * repeats}   ", end="\r", file=sys.stderr)
        for learner in LEARNERS:
            for method in methods:
                cells = (show(right[learner, method, m], right[learner, methods[0], m], 3) for m in COUNTS)
                print(f"| {name}, {learner} | {method} |", " | ".join(cells), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=20, help="of each planted kind; 0: none [20]")
    parser.add_argument("--samples", type=int, default=200, help="of the planted tables [200]")
    parser.add_argument("--repeats", type=int, default=4, help="of 5 folds each [4]")
    parser.add_argument("--seed", type=int, default=1, help="of tables and folds [1]")
    parser.add_argument(
        "--methods", default=";".join(SHOWN), help="separated by ';', compared with the first; all: every variant"
    )
    parser.add_argument("--data", default="TOX-171,ALLAML,Prostate-GE,colon,warpAR10P")
    arguments = parser.parse_args()
    methods = [*SHOWN[:4], *VARIANTS] if arguments.methods == "all" else arguments.methods.split(";")
    kernel_choice.SAMPLES = arguments.samples
    if arguments.tables > 0:
        planted(arguments.tables, arguments.seed, methods)
    if "LAND_DATA" in os.environ and arguments.repeats > 0:
        real(Path(os.environ["LAND_DATA"]), arguments.repeats, arguments.seed, methods, arguments.data.split(","))


if __name__ == "__main__":
    main()
