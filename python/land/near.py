"""The features most redundant with one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .shown import SHOWN, shown


class Neighbors(NamedTuple):
    """The features most redundant with one: what :func:`land.neighbors` gives, and
    :attr:`Selection.neighbors` for each selected feature."""

    feature: str  #: the one that was asked for
    names: list[str]  #: of its neighbours, the nearest first
    indices: np.ndarray  #: theirs, among all features of X, those left out as well
    redundancy: np.ndarray  #: NHSIC with the feature: 1 for a copy
    features_refined: int | None = None  #: for how many features it was computed; a bound settled the others

    def __repr__(self) -> str:
        return shown(
            f"Neighbors({len(self.names)} of {self.feature}",
            len(self.names),
            [f"{name} {value:.4g}" for name, value in zip(self.names[:SHOWN], self.redundancy)],
        )

    def to_frame(self) -> Any:
        """A pandas DataFrame, a row per neighbour."""
        import pandas

        return pandas.DataFrame({"index": self.indices, "name": self.names, "redundancy": self.redundancy})
