"""Rows of an experiment in a CSV, which is whole after every piece: one that was stopped goes on from there."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING

from .. import _land
from .experiment import Row, Scale

if TYPE_CHECKING:
    import pandas

#: Of each row, before its own: how it was made.
_OF_PIECE = ("scale", "seed", "piece", "piece_seconds")


class KeptRows:
    """Those in `path`, if it is there. Rows of another scale or seed are refused: they would be another experiment."""

    def __init__(self, path: pathlib.Path, scale: Scale) -> None:
        import pandas

        self._path = path
        self._scale = scale
        self._parts: list[pandas.DataFrame] = []
        self.done: set[str] = set()
        if path.exists():
            kept = pandas.read_csv(path, float_precision="round_trip")
            self._check(kept)
            self.done = set(kept["piece"])
            self._parts.append(kept)

    def add(self, piece: str, seconds: float, rows: list[Row]) -> None:
        import pandas

        own = pandas.DataFrame(rows)
        for at, (name, value) in enumerate(
            zip(_OF_PIECE, (self._scale.word, self._scale.seed, piece, round(seconds, 3)))
        ):
            own.insert(at, name, value)
        self._parts.append(own)
        self.done.add(piece)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        _land.write_atomically(os.fspath(self._path), self.frame().to_csv(index=False))

    def frame(self) -> pandas.DataFrame:
        import pandas

        if len(self._parts) > 1:
            self._parts = [pandas.concat(self._parts, ignore_index=True)]
        return self._parts[0] if self._parts else pandas.DataFrame(columns=list(_OF_PIECE))

    def seconds(self) -> float:
        """Of all pieces."""
        return float(self.frame().drop_duplicates("piece")["piece_seconds"].sum())

    def _check(self, kept: pandas.DataFrame) -> None:
        missing = [name for name in _OF_PIECE if name not in kept]
        if missing:
            raise ValueError(f"{self._path}: this is no CSV of an experiment, it has no column {missing[0]!r}")
        for name, own in (("scale", self._scale.word), ("seed", self._scale.seed)):
            others = sorted(set(kept[name]) - {own})
            if others:
                raise ValueError(
                    f"{self._path} has rows of {name} {others[0]}, not {own}: give another --results, or --fresh to "
                    "begin anew"
                )
