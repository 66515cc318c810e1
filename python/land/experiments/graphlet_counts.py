"""How often each rooted graphlet occurs in each graph, in a store of `land graphlets`."""

from __future__ import annotations

import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import _land
from .._running import running
from ..tables import make_table
from .contact_graphs import as_text
from .motifs import RESIDUES

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

#: How many columns are expanded at a time.
_COLUMNS = 20_000


class GraphletCounts:
    """A store that is there as long as this is: selections map it, and nothing is copied."""

    def __init__(self, graphs: bytes) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="land-graphlets-")
        folder = pathlib.Path(self._folder.name)
        text = folder / "graphs.txt"
        text.write_bytes(graphs)
        self.path = os.fspath(folder / "graphlets.h5")
        subprocess.run([_program(), "graphlets", os.fspath(text), self.path, "--quiet"], check=True)
        with running(1, None) as run:
            self._table = make_table(self.path, run=run)
            self.classes = np.asarray(_land.target_values(self._table, {"task": "classification"})[1])
        self.names: list[str] = self._table.feature_names
        self._places = {name: place for place, name in enumerate(self.names)}

    @property
    def features(self) -> int:
        return len(self.names)

    def columns(self, indices: Sequence[int] | np.ndarray) -> np.ndarray:
        """Counts of these features, graphs by features."""
        return np.asarray(_land.columns(self._table, [int(index) for index in indices], 1)).T

    def sparse(self, indices: np.ndarray) -> csc_matrix:
        """The same of many features, compressed by columns."""
        from scipy.sparse import csc_matrix, hstack

        return hstack([csc_matrix(self.columns(part)) for part in _parts(indices)], format="csc")

    def different(self, least: int) -> np.ndarray:
        """The features that are not 0 in at least so many graphs, and of those that differ by a factor the first."""
        found: list[int] = []
        seen: set[bytes] = set()
        for part in _parts(np.arange(self.features)):
            for index, counts in zip(part, self.columns(part).T):
                if np.count_nonzero(counts) >= least:
                    # Division rounds the same quotients to the same bits.
                    key = hashlib.blake2b((counts / counts.max()).tobytes(), digest_size=16).digest()
                    if key not in seen:
                        seen.add(key)
                        found.append(int(index))
        return np.array(found, dtype=np.int64)

    def of_name(self, name: str) -> np.ndarray:
        """Counts in every graph; 0 of what never occurs."""
        return self.columns([self._places[name]])[:, 0] if name in self._places else np.zeros(len(self.classes))

    def sizes(self) -> np.ndarray:
        """How many vertices each graph has."""
        vertices = [place for name, place in self._places.items() if ":" not in name]
        return np.asarray(self.columns(vertices).sum(axis=1))

    def residues(self) -> np.ndarray:
        """Of each graph how many vertices are each of the 20 residues: graphs by residues."""
        return np.column_stack([self.of_name(str(label)) for label in range(len(RESIDUES))])


@functools.lru_cache(maxsize=1)
def counted(source: str, seed: int) -> GraphletCounts:
    """Graphs of `contact_graphs`. It takes a second or two, so that it is not kept from run to run."""
    return GraphletCounts(as_text(source, seed))


def _parts(indices: np.ndarray) -> Iterator[np.ndarray]:
    for first in range(0, len(indices), _COLUMNS):
        yield indices[first : first + _COLUMNS]


def _program() -> str:
    found = os.environ.get("LAND_PROGRAM") or shutil.which("land")
    if found is None:
        raise ValueError("graphlets are counted by the program `land`: put it on PATH, or name it by LAND_PROGRAM")
    return found
