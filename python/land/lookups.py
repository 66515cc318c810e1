"""Columns and features that the user named, by the rule of the command line: a name, or else a number."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _land

#: Features by their names or places, or a mask over all of them.
Features = str | int | Iterable[str | int] | Iterable[bool]


def find_one(where: str, option: str, wanted: str, names: Sequence[str]) -> int:
    return _land.find_column(where, option, wanted, list(names))


def find_all(
    where: str, option: str, wanted: Features | None, names: Sequence[str], count: int | None = None
) -> list[int]:
    """Positions among `count` features, which may have no names."""
    count = len(names) if count is None else count
    listed: list[Any] = [] if wanted is None else [wanted] if isinstance(wanted, (str, int)) else list(wanted)
    if any(isinstance(one, (bool, np.bool_)) for one in listed):
        return _masked(where, option, listed, count)
    found = []
    for one in listed:
        if isinstance(one, str):
            found.append(_land.find_feature(where, option, one, list(names), count))
        elif 0 <= operator.index(one) < count:
            found.append(operator.index(one))
        else:
            raise ValueError(f"{where}: {option} {one}: no such feature; features are numbered 0 to {count - 1}")
    return found


def _masked(where: str, option: str, mask: list[Any], count: int) -> list[int]:
    if len(mask) != count or not all(isinstance(one, (bool, np.bool_)) for one in mask):
        raise ValueError(
            f"{where}: {option}: a mask must have True or False for each of the {count} features; found {len(mask)} "
            "values" + ("" if all(isinstance(one, (bool, np.bool_)) for one in mask) else ", some of another kind")
        )
    return [place for place, chosen in enumerate(mask) if chosen]
