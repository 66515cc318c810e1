#!/usr/bin/env python3
"""Which kernel finds what: planted features found at m = their number, in tables of eight kinds, as a Markdown table.

    python benchmarks/kernel_choice.py [--repeats 20]

Every kind is drawn anew in each repeat, 200 samples of 1,000 features, from a fixed seed. Needs the package `land`.
"""

import argparse
import sys

import numpy as np

import land

SAMPLES = 200
FEATURES = 1000

KERNELS = {
    "width 1": {},
    "mix": {"sigma": "mix"},
    "rank": {"transform": "rank"},
    "mix, rank": {"sigma": "mix", "transform": "rank"},
    "laplace": {"kernel": "laplace"},
    "distance": {"kernel": "distance"},
    "linear": {"kernel": "linear"},
}


def normal(random):
    return random.normal(size=(SAMPLES, FEATURES))


def weak_linear(random):
    X = normal(random)
    return X, X[:, :20].sum(axis=1) + 2.0 * random.normal(size=SAMPLES), 20


def wiggly(random):
    X = normal(random)
    return X, np.sin(4.0 * X[:, :2]).sum(axis=1) + 0.3 * random.normal(size=SAMPLES), 2


def heavy_tails(random):
    X = random.standard_t(2, size=(SAMPLES, FEATURES))
    return X, np.tanh(X[:, :10]).sum(axis=1) + random.normal(size=SAMPLES), 10


def mixed_types(random):
    X = normal(random)
    X[:, 0] = random.integers(0, 2, SAMPLES)
    X[:, 1] = random.poisson(2.0, SAMPLES)
    X[:, 2] = random.integers(0, 3, SAMPLES)
    y = 2.0 * X[:, 0] + X[:, 1] + np.abs(X[:, 2] - 1.0) * 2.0 + X[:, 3] ** 2 + np.sin(3.0 * X[:, 4])
    return X, y + 0.5 * random.normal(size=SAMPLES), 5


def weak_classes(random):
    X = normal(random)
    y = random.integers(0, 2, SAMPLES)
    X[:, :10] += 0.5 * y[:, None]
    return X, y, 10


def variance(random):
    X = normal(random)
    y = random.integers(0, 2, SAMPLES)
    X[:, :10] *= np.where(y == 1, 1.8, 1.0)[:, None]
    return X, y, 10


def lognormal(random):
    Z = normal(random)
    return np.exp(2.0 * Z), Z[:, :10].sum(axis=1) + random.normal(size=SAMPLES), 10


def cauchy(random):
    X = random.standard_cauchy(size=(SAMPLES, FEATURES))
    y = random.integers(0, 2, SAMPLES)
    X[:, :10] += 2.0 * y[:, None]
    return X, y, 10


KINDS = {
    "20 weak linear effects": weak_linear,
    "sin 4x": wiggly,
    "heavy tails (t, 2 degrees)": heavy_tails,
    "mixed types": mixed_types,
    "two classes, weak shifts": weak_classes,
    "two classes, variances": variance,
    "lognormal features": lognormal,
    "Cauchy features, two classes": cauchy,
}


def found(X, y, planted, options):
    selection = land.select(X, y, n_features=planted, **options)
    return sum(index < planted for index in selection.indices)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=20, help="tables of each kind [20]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| features planted, and found by | of |", " | ".join(KERNELS), "|")
    print("|---|--:|" + "--:|" * len(KERNELS))
    for place, (name, make) in enumerate(KINDS.items()):
        counts = {kernel: [] for kernel in KERNELS}
        for repeat in range(arguments.repeats):
            X, y, planted = make(np.random.default_rng([arguments.seed, place, repeat]))
            for kernel, options in KERNELS.items():
                counts[kernel].append(found(X, y, planted, options))
            print(f"{name}: {repeat + 1} of {arguments.repeats}", end="\r", file=sys.stderr)
        print(
            f"| {name} | {planted} |",
            " | ".join(f"{np.mean(counts[kernel]):.2f}" for kernel in KERNELS),
            "|",
            flush=True,
        )


if __name__ == "__main__":
    main()
