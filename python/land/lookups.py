"""Columns and features that the user named, by the rule of the command line: a name, or else a number."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence

from . import _land


def find_one(where: str, option: str, wanted: str, names: Sequence[str]) -> int:
    return _land.find_column(where, option, wanted, list(names), len(names), "column")


def find_all(
    where: str, option: str, wanted: Iterable[str | int], names: Sequence[str], count: int | None = None
) -> list[int]:
    """Positions among `count` features, which may have no names."""
    count = len(names) if count is None else count
    found = []
    for one in wanted:
        if isinstance(one, str):
            found.append(_land.find_column(where, option, one, list(names), count, "feature"))
        elif 0 <= operator.index(one) < count:
            found.append(operator.index(one))
        else:
            raise ValueError(f"{where}: {option} {one}: no such feature; features are numbered 0 to {count - 1}")
    return found
