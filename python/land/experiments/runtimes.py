"""Runtimes: selections from tables of the shapes of the paper's Table 3, on this machine."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import TYPE_CHECKING

import numpy as np

from .drawing import figure, legend_below, style
from .experiment import Experiment, Piece, Report, Row, Scale
from .markdown import table
from .measured_run import Measured, measured
from .stored_tables import Shape, check_room, forget, store_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

METHODS = ("mr-nhsic", "mrmr", "land")
SHAPES = (
    Shape("p53", 26_120, 5_408, counts=False),
    Shape("prostate cancer", 302, 276_322, counts=False),
    Shape("enzymes", 13_794, 1_062_420, counts=True),
)
_QUICK = (
    Shape("p53", 1000, 400, counts=False),
    Shape("prostate cancer", 100, 8000, counts=False),
    Shape("enzymes", 500, 10_000, counts=True),
)
#: Seconds on the paper's cluster, as far as they are known here: by method, samples and features.
_PAPER = {("land", 13_794, 1_062_420): 10_800.0}

_PLANTED = _SELECTED = 100
#: Runs from the page cache: no more of them once they have taken so many seconds.
_RUNS, _SECONDS = 3, 60.0
#: Whether the store was in the page cache.
_COLD, _WARM = "cold", "warm"


def paper_seconds(method: str, samples: int, features: int) -> float | None:
    return _PAPER.get((method, samples, features))


def _timed(shape: Shape, seed: int, runs: int) -> list[Row]:
    folder = pathlib.Path(tempfile.gettempdir())
    check_room(shape, folder)
    about = {"shape": shape.name, "samples": shape.samples, "features": shape.features}
    with tempfile.TemporaryDirectory(prefix="land-runtimes-", dir=folder) as own:
        stored = store_of(shape, _PLANTED, seed, pathlib.Path(own))
        rows: list[Row] = [
            {
                "part": "table",
                "values": "counts of a byte" if shape.counts else "float32",
                "store_megabytes": stored.path.stat().st_size / 1e6,
                "generate_seconds": stored.generated,
                "convert_seconds": stored.converted,
            }
        ]
        for method in METHODS:
            rows += _runs(stored.path, method, runs)
    return [about | row for row in rows]


def _runs(store: pathlib.Path, method: str, runs: int) -> list[Row]:
    """One that reads the disk, and some after it."""
    forget(store)
    cold = measured(store, method, _SELECTED)
    warm: list[Measured] = []
    while len(warm) < runs and sum(run.wall for run in warm) < _SECONDS:
        warm.append(measured(store, method, _SELECTED))
    assert all(run.indices == cold.indices for run in warm)
    return [_row(method, _COLD, [cold]), _row(method, _WARM, warm)]


def _row(method: str, cache: str, runs: list[Measured]) -> Row:
    """Of the fastest; memory is the most of all."""
    fastest = min(runs, key=lambda run: run.wall)
    return {
        "part": "time",
        "method": method,
        "cache": cache,
        "m": _SELECTED,
        "threads": os.cpu_count(),
        "runs": len(runs),
        "wall_seconds": fastest.wall,
        "cpu_seconds": fastest.cpu,
        "peak_megabytes": max(run.peak for run in runs),
        "own_megabytes": max(run.own for run in runs),
        "read_megabytes": fastest.read,
        "selected": len(fastest.indices),
        "planted": sum(index < _PLANTED for index in fastest.indices),
    }


def _pieces(scale: Scale) -> list[Piece]:
    runs = 1 if scale.quick else _RUNS
    return [Piece(shape.name, _timed, (shape, scale.seed, runs)) for shape in (_QUICK if scale.quick else SHAPES)]


# --- findings -----------------------------------------------------------------------------------------------------


def _report(rows: pandas.DataFrame, scale: Scale) -> Report:
    times = rows[rows["part"] == "time"]
    text = f"{_tables(rows[rows['part'] == 'table'], scale)}\n{_protocol(times)}\n\n{_times(times)}\n{_paper(times)}"
    return Report(text, _figure(times))


def _tables(made: pandas.DataFrame, scale: Scale) -> str:
    lines = [
        (
            row.shape,
            int(row.samples),
            int(row.features),
            row.values,
            _gigabytes(row.store_megabytes),
            float(row.generate_seconds),
            float(row.convert_seconds),
        )
        for row in made.itertuples()
    ]
    head = ("shape", "samples", "features", "values", "store, GB", "made in, s", "store written in, s")
    shapes = "small ones" if scale.quick else "those of the paper's tables, of p53 that of the training part"
    return f"""**All tables are generated**: noise, in which {_PLANTED} features tell two classes apart, by their mean
or by their variance. The shapes are {shapes}. Each table is written as a store once.

{table(head, lines)}"""


def _protocol(times: pandas.DataFrame) -> str:
    first = times.iloc[0]
    return f"""**Runs.** {first["m"]:.0f} features are selected from the store, with {first["threads"]:.0f} threads
and in a process of its own. "mr-nhsic" takes the most relevant features by NHSIC; "mrmr" weighs mutual information, of
five levels of each feature; "land" makes its certificate as well. All three are LAND's own. Seconds are those from the
name of the file to the selection. Cold: the store was taken out of the page cache before. Warm: the fastest of up to
{_RUNS} runs after it, no more of them once they have taken {_SECONDS:.0f} s. "Read" is what came from the disk. Peak
memory counts pages of the mapped store, which the system takes back when something else needs them; "own" does not,
and is the most that was seen in a hundred looks a second. Python's own memory is in both."""


def _times(times: pandas.DataFrame) -> str:
    lines = []
    for (shape, method), own in times.groupby(["shape", "method"], sort=False):
        warm, cold = (own[own["cache"] == cache].iloc[0] for cache in (_WARM, _COLD))
        lines.append(
            (
                shape,
                method,
                float(warm["wall_seconds"]),
                float(warm["cpu_seconds"]),
                _gigabytes(warm["read_megabytes"]),
                float(cold["wall_seconds"]),
                _gigabytes(cold["read_megabytes"]),
                _gigabytes(max(warm["peak_megabytes"], cold["peak_megabytes"])),
                _gigabytes(max(warm["own_megabytes"], cold["own_megabytes"])),
                int(warm["planted"]),
                paper_seconds(str(method), int(warm["samples"]), int(warm["features"])),
            )
        )
    head = (
        "shape",
        "method",
        "warm, s",
        "of the processor, s",
        "read warm, GB",
        "cold, s",
        "read cold, GB",
        "peak memory, GB",
        "own, GB",
        f"of {_PLANTED} planted",
        "the paper's cluster, s",
    )
    return table(head, lines)


def _gigabytes(megabytes: float) -> float:
    return float(megabytes) / 1000.0


def _paper(times: pandas.DataFrame) -> str:
    known = "An empty cell is a figure that is not known here: it stands in Table 3 of the paper."
    found = [row for row in times.itertuples() if paper_seconds(row.method, row.samples, row.features)]
    if not found:
        return f"**The paper's figures.** {known}\n"
    seconds = {row.cache: row.wall_seconds for row in found}
    one = found[0]
    paper = paper_seconds(one.method, one.samples, one.features)
    assert paper is not None
    verdict = "confirmed" if max(seconds.values()) < paper else "not confirmed"
    return f"""**The paper's figures.** {known} One is known: about three hours of a cluster for LAND on {one.shape},
{paper:,.0f} s. Here it takes {seconds[_WARM]:.3g} s warm and {seconds[_COLD]:.3g} s cold, about
{_times_less(paper, seconds[_WARM])} and {_times_less(paper, seconds[_COLD])} times less. That one machine is faster
than the cluster was: **{verdict}**. The comparison is of a shape alone. The paper's table was a real one, how many
features it took is not known here, and the time of a path depends on how clear the signal is: the further it goes into
noise, the more pairs it has to look at.
"""


def _times_less(paper: float, seconds: float) -> str:
    """To two digits, as the paper's figure is a round one."""
    return f"{float(f'{paper / seconds:.2g}'):,.0f}"


def _figure(times: pandas.DataFrame) -> Figure:
    """A line for each shape; filled: warm, hollow: cold."""
    made, axes = figure(1, 1, (7.5, 4.0))
    ax = axes[0, 0]
    shapes = list(dict.fromkeys(times["shape"]))
    for t, method in enumerate(METHODS):
        own = times[times["method"] == method]
        look = {**style(method, METHODS), "linestyle": "", "markersize": 8}
        for cache, fill, label in ((_WARM, "full", method), (_COLD, "none", None)):
            of_cache = own[own["cache"] == cache].set_index("shape")["wall_seconds"]
            places = np.arange(len(shapes))[::-1] + 0.2 * (1 - t)
            ax.plot(of_cache[shapes], places, **look, fillstyle=fill, label=label)
            for place, (_, row) in zip(places, own[own["cache"] == cache].iterrows()):
                seconds = paper_seconds(method, row["samples"], row["features"])
                if seconds and cache == _WARM:
                    ax.plot(seconds, place, "*", color="tab:red", markersize=13, label=f"{method}, the paper's cluster")
    ax.set(xscale="log", xlabel="seconds (filled: store in the page cache; hollow: read from the disk)")
    ax.set_yticks(np.arange(len(shapes))[::-1], shapes)
    ax.grid(axis="x", color="0.9")
    ax.spines[["top", "right"]].set_visible(False)
    legend_below(made, ax, columns=4)
    return made


EXPERIMENT = Experiment(
    name="runtimes",
    title="Runtimes at the shapes of the paper's Table 3",
    paper="Table 3 has seconds of MR-NHSIC, mRMR and LAND on a cluster, for p53, prostate cancer and enzymes: tables "
    "of up to 1,062,420 features and 13,794 samples.",
    pieces=_pieces,
    report=_report,
    timed=True,
)
