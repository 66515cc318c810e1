"""Whether land is better than others on the same splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..paired_tests import paired_test
from .markdown import table

if TYPE_CHECKING:
    import pandas


class Comparison(NamedTuple):
    """Of the first method with another. p is one-tailed, and NaN where the differences do not vary."""

    other: str
    difference: float  #: the mean over splits, positive where the first is better
    p_better: float  #: that the first is better, by Nadeau and Bengio (2003), since splits share training samples
    p_worse: float
    naive_better: float  #: as if splits did not
    naive_worse: float

    def sign(self, level: float) -> int:
        """1 if the first is better by the corrected test, -1 if it is worse, 0 if they cannot be told apart."""
        return int(self.p_better < level) - int(self.p_worse < level)


def comparisons(
    rows: pandas.DataFrame, metric: str, test_share: float, *, first: str = "land", smaller: bool = False
) -> list[Comparison]:
    """Of `first` with each other method. `rows` has one row per `split` and `method`. `test_share`: held-out samples
    for each training sample. `smaller`: the smaller the metric, the better."""
    wide = rows.pivot(index="split", columns="method", values=metric)
    sign = -1.0 if smaller else 1.0
    own = sign * wide[first].to_numpy()
    found = []
    for other in sorted(set(wide.columns) - {first}):
        values = sign * wide[other].to_numpy()
        better, worse = paired_test(own, values, test_share), paired_test(values, own, test_share)
        found.append(
            Comparison(other, better.difference, better.p_corrected, worse.p_corrected, better.p_naive, worse.p_naive)
        )
    return found


def paired_table(
    rows: pandas.DataFrame, metric: str, test_share: float, *, first: str = "land", smaller: bool = False
) -> str:
    """The same as Markdown."""
    head = (
        f"{first} less",
        f"difference in {metric}" + (" (positive: smaller)" if smaller else ""),
        "p, better",
        "p, worse",
        "naive p, better",
        "naive p, worse",
    )
    return table(head, comparisons(rows, metric, test_share, first=first, smaller=smaller), digits=2)
