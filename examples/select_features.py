"""Prints the ten features of a table that explain its target, and whether they were shown to be the optimum.

python select_features.py               data made up here
python select_features.py data.csv Y    a file, and the target's column in it
"""

import sys

import numpy as np

import land


def made_up():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 200))
    X[:, 100:] = X[:, :100] + 0.02 * random.normal(size=(300, 100))  # near copies
    return X, X[:, 0] * np.exp(X[:, 1]) + X[:, 2] + 0.1 * random.normal(size=300)


X, y = sys.argv[1:] or made_up()
selection = land.select(X, y, n_features=10)
for name, relevance in zip(selection.names, selection.relevance):
    print(f"{name}\t{relevance:.4f}")
print("certified:", selection.certificate["valid"])
