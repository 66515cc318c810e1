"""The target, whatever holds it: one value per sample. The type of the values says whether they are classes, not what
they look like; of numbers the library decides."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from . import _land


class TargetValues(NamedTuple):
    values: np.ndarray  #: float64 of numbers, or text with "" where a value is missing
    categorical: bool  #: classes by their type: text, or categories of whatever kind


def is_categorical(y: Any) -> bool:
    """Whether y is of a type made for categories: of pandas (whatever they hold), or a dictionary of pyarrow. Those of
    polars hold text, which is enough."""
    kind = getattr(y, "dtype", getattr(y, "type", None))
    arrow = getattr(kind, "pyarrow_dtype", kind)  # of pandas, with Arrow inside
    return str(kind) == "category" or str(arrow).startswith("dictionary<")


def class_names(y: Any) -> np.ndarray:
    """The values of what is categorical as text, "" where one is missing."""
    values = y.to_pylist() if hasattr(y, "to_pylist") else y
    return np.array([_class_name(value) for value in np.asarray(values, dtype=object)], dtype=object)


def values_of(y: Any, argument: str = "y") -> TargetValues:
    if is_categorical(y):
        return TargetValues(class_names(y), True)
    if hasattr(y, "to_pylist"):  # pyarrow
        y = y.to_pylist()
    if isinstance(y, np.ma.MaskedArray):
        y = np.where(np.ma.getmaskarray(y), np.array(None), y.data)
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(f"{argument}: has {values.ndim} dimensions, needs 1: a value for every sample")
    if values.dtype.kind in "biuf":
        return TargetValues(values.astype(np.float64), False)
    if values.dtype.kind in "SU":
        return TargetValues(values.astype(str), True)
    if values.dtype.kind not in "OT":
        raise ValueError(f"{argument}: values of type {values.dtype} are neither numbers nor text; convert them")
    values = values.astype(object)
    present = np.array([not _is_missing(value) for value in values], dtype=bool)
    if all(_is_number(value) for value in values[present]):
        numbers = np.full(len(values), np.nan)
        numbers[present] = values[present].astype(np.float64)
        return TargetValues(numbers, False)
    # Text among numbers may be a slip: the library looks at it.
    text = all(isinstance(value, str) for value in values[present])
    return TargetValues(np.array([_class_name(value) for value in values], dtype=object), text)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def _is_missing(value: Any) -> bool:
    # pandas.NA has no truth value, not even in comparisons.
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _class_name(value: Any) -> str:
    """Whole numbers without decimals, as the library names classes."""
    if _is_missing(value):
        return ""
    whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return str(int(value) if whole else value)


How = Literal["table", "ids", "order"]


class Survival(NamedTuple):
    """Times, and whether the event was seen then: of every sample."""

    time: Any
    event: Any
    names: tuple[str, str] = ("time", "event")


def as_survival(y: Any) -> Survival | None:
    """A structured array of a boolean and a number, as scikit-survival has it; None of anything else."""
    fields = getattr(getattr(y, "dtype", None), "fields", None)
    if not isinstance(y, np.ndarray) or not fields:
        return None
    kinds = {name: field[0].kind for name, field in fields.items()}
    if sorted("number" if kind in "fiu" else kind for kind in kinds.values()) != ["b", "number"]:
        raise ValueError("y: a structured array is survival, and has two fields: a boolean event and a time")
    event, time = sorted(kinds, key=lambda name: kinds[name] != "b")
    return Survival(y[time], y[event], (time, event))


def several(y: Any) -> dict[str, Any] | None:
    """The columns of a frame, of a matrix, or of a dict, if there are several; None of one target."""
    if isinstance(y, dict):
        return {str(name): values for name, values in y.items()}
    names = getattr(y, "column_names", getattr(y, "columns", None))  # pyarrow; pandas and polars
    if names is not None:
        if len(names) == 1:
            return None
        if len(set(names)) < len(names):
            raise ValueError("y: columns of the same name; each target needs its own")
        return {str(name): y[name] for name in names}
    if getattr(y, "ndim", 1) == 2 and y.shape[1] > 1:
        return {f"y{k}": y[:, k] for k in range(y.shape[1])}
    return None


def set_targets(table: _land.Table, y: Any, how: How = "order") -> None:
    """Whatever y is: one target, several, or survival. `how` it came to the samples: a column of theirs, joined on ids,
    or in order."""
    survival = y if isinstance(y, Survival) else as_survival(y)
    if survival is not None:
        set_target(table, survival.time, survival.names[0], how)
        set_target(table, survival.event, survival.names[1], how, also=True)
        table.make_survival()
        return
    columns = several(y)
    if columns is None:
        set_target(table, y, how=how)
        return
    for number, (name, values) in enumerate(columns.items()):
        set_target(table, values, name, how, also=number > 0)


def set_target(table: _land.Table, y: Any, name: str = "y", how: How = "order", also: bool = False) -> None:
    """One column of values."""
    values, categorical = values_of(y)
    name = str(getattr(y, "name", None) or name)
    if values.dtype.kind == "f":
        table.set_target_numbers(name, np.ascontiguousarray(values), how, also)
    else:
        table.set_target_text(name, [str(value) for value in values], categorical, how, also)
