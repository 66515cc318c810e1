"""How often each rooted graphlet occurs in each graph, in a store of `land graphlets`."""

from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Sequence

import numpy as np

from .. import _land
from .._running import running
from ..tables import make_table
from .contact_graphs import as_text


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

    def of_name(self, name: str) -> np.ndarray:
        """Counts in every graph; 0 of what never occurs."""
        return self.columns([self._places[name]])[:, 0] if name in self._places else np.zeros(len(self.classes))

    def labels(self) -> dict[int, np.ndarray]:
        """Of every label how many vertices of each graph have it."""
        places = [place for name, place in self._places.items() if ":" not in name]
        return dict(zip((int(self.names[place]) for place in places), self.columns(places).T))


@functools.lru_cache(maxsize=1)
def counted(source: str, seed: int) -> GraphletCounts:
    """Graphs of `contact_graphs`. It takes a second or two, so that it is not kept from run to run."""
    return GraphletCounts(as_text(source, seed))


def _program() -> str:
    found = os.environ.get("LAND_PROGRAM") or shutil.which("land")
    if found is None:
        raise ValueError("graphlets are counted by the program `land`: put it on PATH, or name it by LAND_PROGRAM")
    return found
