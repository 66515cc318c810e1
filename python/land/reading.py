"""How files are read: the one list of what may be said about it, for every function that takes a path."""

from __future__ import annotations

from typing import Literal, TypedDict


class Reading(TypedDict, total=False):
    """How a file is read, as in the command line: keywords of every function that takes a path."""

    rows: Literal["samples", "features"]  #: what a row of the file is
    id: str  #: the column with the samples' ids
    array: str  #: the array of an .npz that holds the features
    target_array: str  #: the array of an .npz that holds the target
    zero_based: bool  #: the columns of svmlight text count from 0


def check_reading(reading: Reading) -> None:
    for key in reading:
        if key not in Reading.__annotations__:
            raise TypeError(f"unexpected keyword argument {key!r}")
