"""Proposition 1: where features are independent of each other, LAND selects them in the order of their relevance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import land

from .complexity import fitted_exponent
from .drawing import draw_means, figure
from .experiment import Experiment, Piece, Report, Row, Scale
from .markdown import table
from .planted import correlated, graded_target

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

_FEATURES = 100
_BLOCK = 10
#: Features that matter: each in a block of its own, where there are blocks.
_PLANTED = (0, 10, 20, 30, 40)
#: How many are selected: those that matter, and far into noise.
_SELECTED = (5, 20)
_NONE, _EQUAL, _BLOCKS = "none", "all alike", "in blocks of 10"
#: What is asked for of independent features: in how many tables the same order, and what overlap on average.
_MOSTLY, _OVERLAP = 0.9, 0.95


class Agreement(NamedTuple):
    overlap: float  #: the share of the first m by relevance that are selected as well
    same: bool  #: the first m by relevance are selected, and in this order
    tau: float  #: Kendall's, of the order of entry and that of relevance, over the selected features


def agreement(chosen: np.ndarray, relevance: np.ndarray, m: int) -> Agreement:
    """Of features `chosen` one after the other, up to `m`, with the `m` most relevant of all."""
    from scipy.stats import kendalltau

    first = np.argsort(-relevance, kind="stable")[:m]
    tau = kendalltau(np.arange(len(chosen)), -relevance[chosen]).statistic if len(chosen) > 1 else np.nan
    return Agreement(len(np.intersect1d(chosen, first)) / m, np.array_equal(chosen, first), float(tau))


def _orders(seed: int, correlation: str, rho: float, samples: int, repeats: int) -> list[Row]:
    """A table has the same random numbers for every `rho`."""
    rows = []
    for repeat in range(repeats):
        random = np.random.default_rng([seed, samples, repeat])
        X = correlated(samples, _FEATURES, _BLOCK if correlation == _BLOCKS else _FEATURES, rho, random)
        y = graded_target(X, _PLANTED, 0.8, random)
        relevance = land.score(X, y, refine=True).relevance
        path = land.select(X, y, n_features=max(_SELECTED))
        for m in _SELECTED:
            selection = path.truncate(m)
            assert selection.redundancy is not None
            found = agreement(selection.indices, relevance, m)
            others = selection.redundancy[~np.eye(len(selection), dtype=bool)]
            screened = np.argsort(-relevance, kind="stable")[:m]
            rows.append(
                {
                    "part": "order",
                    "correlation": correlation,
                    "rho": rho,
                    "n": samples,
                    "repeat": repeat,
                    "m": m,
                    "selected": len(selection),
                    "overlap": found.overlap,
                    "same": int(found.same),
                    "tau": found.tau,
                    "redundancy": others.mean(),
                    "planted_land": np.isin(_PLANTED, selection.indices).mean(),
                    "planted_screening": np.isin(_PLANTED, screened).mean(),
                }
            )
    return rows


def _measures(seed: int, repeats: int) -> list[Row]:
    """HSIC and NHSIC on the same heavy-tailed table: as it is, and as ranks."""
    rows = []
    for repeat in range(repeats):
        random = np.random.default_rng([seed, repeat])
        X = random.standard_t(2, size=(200, 300))
        y = graded_target(np.arctan(X), _PLANTED, 0.8, random)
        for transform in ("none", "rank"):
            normalised, plain = (
                land.select(X, y, n_features=max(_SELECTED), measure=measure, transform=transform)
                for measure in ("nhsic", "hsic")
            )
            rows.append(
                {
                    "part": "measure",
                    "repeat": repeat,
                    "transform": transform,
                    "m": max(_SELECTED),
                    "selected": len(normalised),
                    "overlap": len(np.intersect1d(normalised.indices, plain.indices)) / max(_SELECTED),
                    "same": int(np.array_equal(normalised.indices, plain.indices)),
                }
            )
    return rows


def _pieces(scale: Scale) -> list[Piece]:
    repeats = scale.count(50, 10)
    sizes = (100, 400, 1600) if scale.quick else (100, 200, 400, 800, 1600, 3200, 6400)
    rhos = (0.2, 0.5, 0.9) if scale.quick else (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
    kinds = [(_NONE, 0.0)] + [(correlation, rho) for correlation in (_EQUAL, _BLOCKS) for rho in rhos]
    pieces = [
        Piece(f"{correlation} {rho}, n = {n}", _orders, (scale.seed, correlation, rho, n, repeats))
        for correlation, rho in kinds
        for n in sizes
    ]
    return [*pieces, Piece("ranks", _measures, (scale.seed, repeats))]


def _report(rows: pandas.DataFrame, scale: Scale) -> Report:
    orders = rows[rows["part"] == "order"]
    return Report(
        f"""Tables of {_FEATURES} normal features, of which {len(_PLANTED)} explain the target, straight and squared in
turn, each with 0.8 times the weight of the one before. "Screening" orders features by their NHSIC with the target,
each computed in double. Means over
{orders["repeat"].nunique()} tables, with standard errors; all tables are generated.

{_independent(orders)}
{_dependent(orders)}
{_ranks(rows[rows["part"] == "measure"])}""",
        _figure(orders),
    )


def _independent(orders: pandas.DataFrame) -> str:
    own = orders[orders["correlation"] == _NONE]
    sizes = sorted(own["n"].astype(int).unique())
    least, most = sizes[0], sizes[-1]
    lines = []
    for n in sizes:
        few, many = (own[(own["n"] == n) & (own["m"] == m)] for m in _SELECTED)
        lines.append(
            (
                n,
                _mean(few["overlap"]),
                float(few["same"].mean()),
                _mean(few["tau"]),
                float(few["redundancy"].mean()),
                _mean(many["overlap"]),
                _mean(many["tau"]),
            )
        )
    few = own[own["m"] == _SELECTED[0]]
    overlap = few.groupby("n")["overlap"].mean()
    same = few.groupby("n")["same"].mean()
    confirmed = overlap[most] >= max(_OVERLAP, overlap[least]) and same[most] >= _MOSTLY
    slope = fitted_exponent(sizes, few.groupby("n")["redundancy"].mean().to_numpy())
    head = (
        "samples",
        f"overlap, m = {_SELECTED[0]}",
        "same order",
        "tau",
        "mean R",
        f"overlap, m = {_SELECTED[1]}",
        "tau",
    )
    return f"""**Independent features.** The paper: both orders are the same. Here, with {most:,} samples, LAND selects
the {_SELECTED[0]} most relevant features in the order of their relevance in {same[most]:.0%} of the tables, with
{least:,} samples in {same[least]:.0%}: **{_verdict(confirmed)}**. Asked for are {_MOSTLY:.0%} with the most samples,
and an overlap of {_OVERLAP} that is no less than with the fewest. The proposition is about the population. In samples
the redundancy R of independent features is not 0, but falls with n to the power of {slope.value:.2f}. Features that
explain nothing have a relevance of 0 in the population, so that no order of theirs is right: of {_SELECTED[1]} features
most are such.

{table(head, lines)}"""


def _dependent(orders: pandas.DataFrame) -> str:
    most = int(orders["n"].max())
    own = orders[(orders["n"] == most) & (orders["m"] == _SELECTED[0])]
    base = own[own["correlation"] == _NONE].set_index("repeat")
    lines = [_line("none", 0.0, base)]
    verdicts = []
    for correlation in (_EQUAL, _BLOCKS):
        of_these = own[own["correlation"] == correlation]
        lost = {}
        for rho in sorted(of_these["rho"].unique()):
            of_rho = of_these[of_these["rho"] == rho]
            lines.append(_line(correlation, rho, of_rho))
            lost[float(rho)] = (base["overlap"] - of_rho.set_index("repeat")["overlap"]).dropna()
        clear = [rho for rho, less in lost.items() if is_clear(less)]
        where = f"clearly less at a rho of {', '.join(map(str, clear))}" if clear else "nowhere clearly less"
        largest = max(lost)
        verdicts.append(
            f"with a correlation of {largest} {correlation}, they share {_mean(lost[largest])} less of the first "
            f"{_SELECTED[0]} than without: **{_verdict(largest in clear)}** ({where})"
        )
    head = ("correlated", "rho", "overlap", "same order", "tau", "planted: LAND", "planted: screening")
    return f"""**Correlated features.** If the proposition needs independence, the orders part as correlation grows.
With {most:,} samples,
{"; ".join(verdicts)}. Clear is a difference of more than two standard errors. "Planted" is the share of the
{len(_PLANTED)} features that explain the target among the first {_SELECTED[0]}.

{table(head, lines)}"""


def is_clear(less: pandas.Series) -> bool:
    """On average more than nothing, by two standard errors."""
    return bool(less.mean() > 2.0 * less.sem())


def _line(correlation: str, rho: float, own: pandas.DataFrame) -> tuple[object, ...]:
    return (
        correlation,
        float(rho),
        _mean(own["overlap"]),
        float(own["same"].mean()),
        _mean(own["tau"]),
        _mean(own["planted_land"]),
        _mean(own["planted_screening"]),
    )


def _ranks(rows: pandas.DataFrame) -> str:
    same = rows.groupby("transform")["same"].mean()
    tables = rows["repeat"].nunique()
    return f"""**Ranks.** Without ties all features have the same ranks, so their kernel matrices have the same norm,
and HSIC Lasso (not normalised) must select what LAND selects. Over {tables} heavy-tailed tables (t with 2 degrees of
freedom, 200 samples, 300 features, m = {int(rows["m"].max())}), both select the same features in the same order in
{same["rank"]:.0%} with `transform="rank"`, and in
{same["none"]:.0%} without: **{_verdict(same["rank"] == 1.0)}**.
"""


def _mean(values: pandas.Series) -> str:
    return f"{values.mean():.2f} ± {values.sem():.2f}"


def _verdict(holds: bool) -> str:
    return "confirmed" if holds else "not confirmed"


def _figure(orders: pandas.DataFrame) -> Figure:
    made, axes = figure(1, 3)
    few = orders[orders["m"] == _SELECTED[0]]
    for ax, correlation in zip(axes[0], (_EQUAL, _BLOCKS)):
        own = few[few["correlation"].isin((_NONE, correlation))]
        own = own.assign(line="rho = " + own["rho"].astype(str))
        order = [f"rho = {rho}" for rho in sorted(own["rho"].unique())]
        draw_means(ax, own, "n", "overlap", "line", order)
        ax.set(xscale="log", xlabel="samples", ylabel=f"overlap of the first {_SELECTED[0]}", ylim=(0, 1.05))
        ax.set_title(f"Correlated {correlation}", fontsize="medium")
        ax.legend(frameon=False, fontsize="small")
    ax = axes[0, 2]
    last = few[(few["n"] == few["n"].max()) & few["correlation"].isin((_NONE, _BLOCKS))]
    for column, name in (("planted_land", "land"), ("planted_screening", "screening")):
        draw_means(ax, last.assign(method=name), "rho", column, "method", ("land", "screening"))
    ax.set(xlabel=f"rho, {_BLOCKS}", ylabel="share of the planted features found", ylim=(0, 1.05))
    ax.set_title(f"{int(few['n'].max()):,} samples", fontsize="medium")
    ax.legend(frameon=False)
    return made


EXPERIMENT = Experiment(
    name="proposition1",
    title="Proposition 1: independent features are selected in the order of their relevance",
    paper="if features are independent of each other, LAND selects them in the order of their NHSIC with the target.",
    pieces=_pieces,
    report=_report,
)
