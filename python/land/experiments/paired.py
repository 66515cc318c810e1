"""Whether land is better than others on the same splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..paired_tests import paired_test
from .markdown import table

if TYPE_CHECKING:
    import pandas


def paired_table(
    rows: pandas.DataFrame, metric: str, test_share: float, *, first: str = "land", smaller: bool = False
) -> str:
    """`first` against each other method, as Markdown: the mean difference over splits, and one-tailed p both ways.

    `rows` has one row per `split` and `method`. p is that of Nadeau and Bengio (2003), since splits share training
    samples; p as if they did not stands beside it. `test_share`: held-out samples for each training sample."""
    wide = rows.pivot(index="split", columns="method", values=metric)
    sign = -1.0 if smaller else 1.0
    own = sign * wide[first].to_numpy()
    lines = []
    for other in sorted(set(wide.columns) - {first}):
        values = sign * wide[other].to_numpy()
        better, worse = paired_test(own, values, test_share), paired_test(values, own, test_share)
        lines.append((other, better.difference, better.p_corrected, worse.p_corrected, better.p_naive, worse.p_naive))
    head = (
        f"{first} less",
        f"difference in {metric}" + (" (positive: smaller)" if smaller else ""),
        "p, better",
        "p, worse",
        "naive p, better",
        "naive p, worse",
    )
    return table(head, lines, digits=2)
