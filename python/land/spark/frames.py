"""What DataFrames of Spark hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from typing_extensions import TypeIs


def is_frame(source: Any) -> TypeIs[DataFrame]:
    """Of a classic session or of Connect: those have no class in common before Spark 4."""
    return type(source).__module__.startswith("pyspark.sql.") and type(source).__name__ == "DataFrame"


def check_column(frame: DataFrame, option: str, name: str) -> None:
    if name not in frame.columns:
        raise ValueError(f"{option}={name!r}: the DataFrame has no such column; it has {', '.join(frame.columns[:20])}")


def is_number(kind: Any) -> bool:
    from pyspark.sql.types import BooleanType, NumericType

    return isinstance(kind, (BooleanType, NumericType))


def is_vector(kind: Any) -> bool:
    from pyspark.ml.linalg import VectorUDT

    return isinstance(kind, VectorUDT)


def as_array(frame: DataFrame, option: str, name: str) -> Column:
    """A column of vectors or arrays as arrays of doubles."""
    from pyspark.ml.functions import vector_to_array
    from pyspark.sql.types import ArrayType

    check_column(frame, option, name)
    kind = frame.schema[name].dataType
    if is_vector(kind):
        return vector_to_array(frame[name])
    if isinstance(kind, ArrayType) and is_number(kind.elementType):
        return frame[name].cast("array<double>")
    raise ValueError(
        f"{option}={name!r}: holds neither vectors nor arrays of numbers; its type is {kind.simpleString()}"
    )
