"""Batch jobs: `land score --part` for each part, as a queue runs them, then `land select --scores`."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import numpy as np
import pytest

import land

PROGRAM = os.environ.get("LAND_PROGRAM", str(pathlib.Path(__file__).resolve().parents[4] / "build" / "land"))
SELECT_ONLY = {
    "n_features",
    "method",
    "ridge",
    "landmarks",
    "plain_path",
    "bins",
    "neighbors",
    "permutations",
    "seed",
    "alpha",
}  # scores do not depend on them


class Kind:
    """Runs two jobs at a time, of one thread each, as a queue on a small cluster would."""

    name = "batch"

    def __enter__(self) -> Kind:
        if not os.path.exists(PROGRAM):
            pytest.skip(f"{PROGRAM} is not built")
        self._folder = tempfile.TemporaryDirectory(prefix="land-batch-")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def select(self, path: str, y: Any, *, parts: int, source: str | None = None, **options: Any) -> land.Selection:
        """`source` is the table that a block table at `path` was made from; batch jobs read it, not the blocks."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self._folder.name))
        common = [source or path, "--target", _target(folder, y), "--quiet", "--threads", "1"]
        common += _flags({key: value for key, value in options.items() if key not in SELECT_ONLY})
        scores = [str(folder / f"{part}.scores") for part in range(1, parts + 1)]
        with ThreadPoolExecutor(2) as queue:
            list(queue.map(lambda part: _score(common, part, parts, scores[part - 1]), range(1, parts + 1)))
        chosen = _flags({key: value for key, value in options.items() if key in SELECT_ONLY})
        _run("select", *common, *chosen, "--output", str(folder / "selected.json"), "--scores", *scores)
        return land.Selection.load(folder / "selected.json")


def _score(common: list[str], part: int, parts: int, output: str) -> None:
    _run("score", *common, "--part", f"{part}/{parts}", "--output", output)


def _run(*arguments: str) -> None:
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if run.returncode == 2:
        raise ValueError(run.stderr.strip().removeprefix("land: "))
    run.check_returncode()


def _target(folder: pathlib.Path, y: Any) -> str:
    """A file or column as it is; values in a file called y, which is the name that `land.select` gives them."""
    if isinstance(y, str):
        return y
    (folder / "y").write_text("".join(f"{value}\n" for value in np.asarray(y).tolist()))
    return str(folder / "y")


def _flags(options: Mapping[str, Any]) -> list[str]:
    """The options of `land.select` as the program spells them."""
    flags = []
    for key, value in options.items():
        flag = "--features" if key == "n_features" else "--" + key.replace("_", "-")
        if isinstance(value, bool):
            flags += [flag] if value else []
        elif isinstance(value, (list, tuple)):
            flags += [flag, ",".join(map(str, value))]
        elif value is not None:
            flags += [flag, str(value)]
    return flags
