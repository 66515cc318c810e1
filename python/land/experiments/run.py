"""Runs an experiment: the pieces that are not yet kept, then its report."""

from __future__ import annotations

import os
import pathlib
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import threadpoolctl

from .. import _land
from ..land_warning import LandWarning
from .experiment import Experiment, Piece, Row, Scale
from .kept_rows import KeptRows
from .machine import machine, versions
from .markdown import wrapped

_PACKAGES = ("numpy", "scipy", "scikit-learn", "lightgbm")
#: What libraries of other processes read when they are loaded: each process has one core.
_ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
}


def run(experiment: Experiment, scale: Scale, folder: pathlib.Path, *, jobs: int, command: str, fresh: bool) -> None:
    """Leaves NAME.csv, NAME.png and NAME.md in `folder`. Ctrl-C loses no more than the pieces that are under way."""
    path = folder / f"{experiment.name}.csv"
    if fresh:
        path.unlink(missing_ok=True)
    kept = KeptRows(path, scale)
    pieces = experiment.pieces(scale)
    _check_names(pieces)
    todo = [piece for piece in pieces if piece.name not in kept.done]
    with _Progress(experiment.name, len(pieces), len(pieces) - len(todo)) as progress:
        for piece, seconds, rows in _results(todo, 1 if experiment.timed else jobs):
            kept.add(piece.name, seconds, rows)
            progress.advance(piece.name)
    own = kept.frame()
    rows_of_these = own[own["piece"].isin([piece.name for piece in pieces])]
    if rows_of_these.empty:
        raise ValueError(f"{experiment.name}: there is nothing to run; set LAND_DATA to the folder with the data")
    report = experiment.report(rows_of_these.reset_index(drop=True), scale)
    report.figure.savefig(folder / f"{experiment.name}.png", dpi=120, metadata={"Software": None})
    text = _document(experiment, scale, report.findings, command, kept.seconds())
    _land.write_atomically(os.fspath(folder / f"{experiment.name}.md"), text)


def _document(experiment: Experiment, scale: Scale, findings: str, command: str, seconds: float) -> str:
    quick = "\n**The small version (`--quick`): it shows that the experiment works, no more.**\n" if scale.quick else ""
    return f"""# {experiment.title}
{quick}
{wrapped(f"The paper: {experiment.paper}")}

{wrapped(findings)}

![{experiment.title}]({experiment.name}.png)

Every row is in [{experiment.name}.csv]({experiment.name}.csv).

- Command: `{command}`
- Machine: {machine()}
- Time: {_duration(seconds)}, all pieces one after the other
- Versions: {versions(*_PACKAGES)}
"""


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _check_names(pieces: list[Piece]) -> None:
    assert len({piece.name for piece in pieces}) == len(pieces), "two pieces of one name"


def _timed(piece: Piece) -> tuple[float, list[Row]]:
    """BLAS has one thread: matrices are small, and its threads wait for each other where the machine is busy."""
    import scipy.linalg  # noqa: F401  # has a BLAS of its own, which has to be there to be limited

    begin = time.perf_counter()
    with warnings.catch_warnings(), threadpoolctl.threadpool_limits(1, user_api="blas"):
        warnings.simplefilter("ignore", LandWarning)  # what the data of an experiment is like is known
        rows = piece.work(*piece.arguments)
    return time.perf_counter() - begin, rows


def _results(todo: list[Piece], jobs: int) -> Iterator[tuple[Piece, float, list[Row]]]:
    """In the order in which they are done. One job runs here, several in processes of a thread each."""
    if jobs == 1:
        for piece in todo:
            yield piece, *_timed(piece)
        return
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        under_way = {executor.submit(_timed, piece): piece for piece in todo}
        for future in as_completed(under_way):
            yield under_way[future], *future.result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Progress:
    """A bar on a terminal; nothing in a pipe."""

    def __init__(self, name: str, total: int, done: int) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(total=total, initial=done, desc=name, unit="piece", disable=not sys.stderr.isatty())

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def advance(self, piece: str) -> None:
        self._bar.set_postfix_str(piece, refresh=False)
        self._bar.update()
