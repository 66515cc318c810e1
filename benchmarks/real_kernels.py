#!/usr/bin/env python3
"""Whether another kernel, or ranks, predict better on real data: accuracy, or R2, of a learner on held-out samples.

    LAND_DATA=FOLDER python benchmarks/real_kernels.py [--repeats 4]

TOX-171 and AR10P (classes) and TRIM32 (numbers), by support vector machines. 5 folds, features selected inside each;
the same folds for all. Needs the package `land` and the data: LAND_DATA/asu and LAND_DATA/trim32.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np
from kernel_choice import KERNELS
from scipy.io import loadmat
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import land

WIDTHS = ("width 1", "mix", "rank", "mix, rank")
COUNTS = (10, 20, 50)


def classes(path):
    file = loadmat(path)
    return file["X"].astype(np.float64), file["Y"].ravel().astype(int)


def tables(folder):
    yield "TOX-171, accuracy", *classes(folder / "asu" / "TOX-171.mat")
    yield "AR10P, accuracy", *classes(folder / "asu" / "warpAR10P.mat")
    with np.load(folder / "trim32" / "trim32_rat_18975.npz") as file:
        yield "TRIM32, R2", file["X"].astype(np.float64), file["y"].astype(np.float64)


def judge(X, y, options, repeats):
    """Of every m the mean over splits, and its standard error."""
    numbers = y.dtype.kind == "f"
    learner = make_pipeline(StandardScaler(), SVR(C=1.0) if numbers else SVC(C=10.0))
    if numbers:
        learner = TransformedTargetRegressor(learner, transformer=StandardScaler())
    found = land.evaluate(
        X,
        y,
        n_features=COUNTS,
        repeats=repeats,
        learner=learner,
        task="regression" if numbers else "classification",
        **options,
    )
    for m in COUNTS:
        if numbers:
            values = 1.0 - found.values("mse", "land", m) / y.var()
        else:
            values = found.values("accuracy", "land", m)
        yield f"{values.mean():.3f} ({values.std(ddof=1) / np.sqrt(len(values)):.3f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=4, help="of 5 folds each [4]")
    arguments = parser.parse_args()
    if "LAND_DATA" not in os.environ:
        sys.exit("LAND_DATA: set it to the folder of the real data")
    print("| data, measure | kernel |", " | ".join(f"m = {m}" for m in COUNTS), "|")
    print("|---|---|" + "--:|" * len(COUNTS))
    for name, X, y in tables(Path(os.environ["LAND_DATA"])):
        for kernel in WIDTHS:
            print(
                f"| {name} | {kernel} |", " | ".join(judge(X, y, KERNELS[kernel], arguments.repeats)), "|", flush=True
            )


if __name__ == "__main__":
    main()
