"""Values with an index -> the order of a table's samples."""

from __future__ import annotations

from typing import Any

from . import _land
from .frames import is_range
from .targets import How, Survival


def has_labels(values: Any) -> bool:
    """Whether they have an index that is more than a count of the rows."""
    return hasattr(values, "iloc") and not is_range(values.index)


def by_ids(table: _land.Table, values: Any, argument: str) -> Any:
    """What has labels, in the order of the samples whose ids they are."""
    ids = table.sample_ids
    if not ids:
        raise ValueError(
            f"{table.path}: {argument} has an index, but the samples of the table have no ids; give "
            f"{argument}.to_numpy() if the order is the same"
        )
    labels = values.index.astype(str)
    if not labels.is_unique:
        raise ValueError(f"{argument}: the id {labels[labels.duplicated()][0]!r} occurs more than once")
    common = len(set(labels) & set(ids))
    if common < len(ids) or common < len(labels):
        raise ValueError(
            f"{table.path}: {common} of its {len(ids)} samples are among the {len(labels)} ids of {argument}; they "
            f"must be the same; give {argument}.to_numpy() if the order is the same"
        )
    return values.set_axis(labels).loc[ids]


def joined(table: _land.Table, values: Any, argument: str = "y") -> tuple[Any, How]:
    """The values, or each of several, in the order of the table, and how that was found: those without labels are in
    order."""
    if isinstance(values, Survival):
        time, how = joined(table, values.time, argument)
        event, _ = joined(table, values.event, argument)
        return values._replace(time=time, event=event), how
    if isinstance(values, dict):
        columns = {name: joined(table, column, argument) for name, column in values.items()}
        return {name: column for name, (column, _) in columns.items()}, next(
            (how for _, how in columns.values()), "order"
        )
    return (by_ids(table, values, argument), "ids") if has_labels(values) else (values, "order")
