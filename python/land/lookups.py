"""Columns and features that the user named, by the rule of the command line: a name, or else a number."""

from __future__ import annotations

import bisect
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
            raise ValueError(f"{where}: {option}={one}: no such feature; features are numbered 0 to {count - 1}")
    return found


def as_words(wanted: Features | None) -> list[str] | None:
    """As the command line has them; None of a mask."""
    listed: list[Any] = [] if wanted is None else [wanted] if isinstance(wanted, (str, int)) else list(wanted)
    if any(isinstance(one, (bool, np.bool_)) for one in listed):
        return None
    return [one if isinstance(one, str) else str(operator.index(one)) for one in listed]


def check_places(where: str, option: str, wanted: Features | None, table: _land.Table) -> None:
    """A place that is the name of another feature was taken for that one."""
    listed: list[Any] = [wanted] if isinstance(wanted, (str, int)) else list(wanted or [])
    places = [operator.index(one) for one in listed if not isinstance(one, str)]
    names = table.feature_names if places else []
    for place in places:
        if str(place) in names and names.index(str(place)) != place:
            raise ValueError(f"{where}: {option}={place}: another feature has that name; give names")


def find_used(table: _land.Table, option: str, wanted: str | int) -> int:
    """The position, among the features that are used, of one by its name, else by its number among all."""
    names = table.feature_names or [table.feature_name(k) for k in range(table.features)]
    if isinstance(wanted, str) and not (wanted.isdecimal() and wanted not in names):
        return (
            names.index(wanted)
            if wanted in names
            else _land.find_feature(table.path, option, wanted, names, table.features)
        )
    number = int(wanted)
    numbers = table.feature_numbers
    at = bisect.bisect_left(numbers, number)
    if at < len(numbers) and numbers[at] == number:
        return at
    if len(numbers) == numbers[-1] + 1:
        raise ValueError(f"{table.path}: {option}={number}: no such feature; features are numbered 0 to {numbers[-1]}")
    raise ValueError(f"{table.path}: {option}={number}: no such feature, or it is left out")


def _masked(where: str, option: str, mask: list[Any], count: int) -> list[int]:
    if len(mask) != count or not all(isinstance(one, (bool, np.bool_)) for one in mask):
        raise ValueError(
            f"{where}: {option}: a mask must have True or False for each of the {count} features; found {len(mask)} "
            "values" + ("" if all(isinstance(one, (bool, np.bool_)) for one in mask) else ", some of another kind")
        )
    return [place for place, chosen in enumerate(mask) if chosen]
