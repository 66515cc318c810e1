"""What is used, and how files are read: the one list of what may be said about it, for every function."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypedDict

#: Names, patterns of the shell ("ENSG*"), or "@FILE": a file with one of them a line.
Names = str | Iterable[str]
#: Ids as names are given; or places, counted from 0, or a mask over all samples.
Samples = str | Iterable[str] | Iterable[int] | Iterable[bool]


class Subset(TypedDict, total=False):
    """What is left out, of objects and files alike. They apply in this order, each to what those before have left."""

    include: Names  #: these features alone: names, patterns such as "ENSG*", or "@FILE" with one of these a line
    exclude: Names  #: not these features
    samples: Samples  #: these samples alone: ids (as include has names), places counted from 0, or a mask
    exclude_samples: Samples  #: not these samples
    drop_missing_target: bool  #: leave out samples whose target is missing, else they are refused
    mind: float  #: leave out samples that lack more than this share of their values
    geno: float  #: leave out features that lack more than this share of their values
    min_distinct: int  #: leave out features with fewer different values


class Reading(Subset, total=False):
    """How a file is read, as in the command line, and all of :class:`Subset`: keywords of every function."""

    rows: Literal["samples", "features"]  #: what a row of the file is
    id: str  #: the column with the samples' ids
    match: Literal["same", "common"]  #: ids of table and target's file: the same on both sides, or those in common
    by_position: bool  #: take the target's file in order, whatever ids there are
    target_id: str  #: the column of ids in the target's file; by default the one whose ids match best
    na: Names  #: more words for missing values in text
    delimiter: str  #: what separates the columns of text: a character, or "tab", "comma", ...; by default it is found
    names: str | os.PathLike[str]  #: a file of feature names, one a line, for a table without
    array: str  #: the array of an .npz that holds the features
    target_array: str  #: the array of an .npz that holds the target
    zero_based: bool  #: the columns of svmlight text count from 0
    maf: float  #: leave out genotypes whose rarer allele is rarer than this among the founders


def check_reading(reading: Reading) -> None:
    for key in reading:
        if key not in Reading.__annotations__:
            raise TypeError(f"unexpected keyword argument {key!r}")


def for_files_only(reading: Reading) -> list[str]:
    return [key for key in reading if key not in Subset.__annotations__]


def choice_of(reading: Subset) -> dict[str, Any]:
    """What is said about features by their names."""
    return {key: value for key, value in reading.items() if key in ("include", "exclude")}
