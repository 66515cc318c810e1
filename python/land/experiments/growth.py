"""How the time of a selection grows with features, samples, bases and selected features: Fig. 1b and Table 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import land

from .complexity import Exponent, fitted_exponent
from .experiment import Piece, Row, Scale
from .markdown import table
from .planted import paper_example
from .timing import best_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: All pairs with full matrices, all pairs with the paper's factor, and what LAND does by default.
METHODS = ("naive", "nystrom", "land")
_WORDS = {
    "naive": "all pairs, full matrices (`exact=True, plain_path=True`)",
    "nystrom": "all pairs, the paper's factor (`bases=b, plain_path=True`)",
    "land": "the default: exact factors, pairs only where they are needed",
}
#: The paper's number of bases.
_BASES = 20
#: Of which powers each method's work is a product, by counting multiplications; for land this is the most there can be.
THEORY: Mapping[str, Mapping[str, int]] = {
    "naive": {"d": 1, "n": 2, "m": 1},
    "nystrom": {"d": 1, "n": 1, "b": 2, "m": 1},
    "land": {"d": 1, "n": 1, "m": 1},
}
#: How far an exponent may lie from the theory besides two standard errors: caches and fixed costs bend the lines.
_TOLERANCE = 0.1
#: Runs of a point: no more of them once they have taken so many seconds.
_RUNS, _SECONDS = 3, 10.0


class Point(NamedTuple):
    method: str
    d: int  #: features
    n: int  #: samples
    b: int  #: bases, 0 where there are none
    m: int  #: selected features


def curves(scale: Scale) -> list[Point]:
    """For Fig. 1b. Where a method would take minutes, it is left out."""
    features, samples = _grid(scale)
    most = {"naive": 2e8, "nystrom": 1e7} if scale.quick else {"naive": 5.2e9, "nystrom": 3.2e8}
    found = []
    for d in features:
        for n in samples:
            work = {"naive": 10 * d * n * n, "nystrom": 10 * d * n}
            for method in METHODS:
                if work.get(method, 0) <= most.get(method, 0):
                    found.append(Point(method, d, n, _BASES if method == "nystrom" else 0, 10))
    return found


def base(method: str, scale: Scale) -> Point:
    """From here one size at a time is varied."""
    if scale.quick:
        sizes = {"naive": (50, 200, 0, 10), "nystrom": (200, 800, _BASES, 10), "land": (4000, 800, 0, 10)}
    else:
        sizes = {"naive": (200, 400, 0, 20), "nystrom": (1000, 1000, _BASES, 20), "land": (8000, 1000, 0, 20)}
    return Point(method, *sizes[method])


def varied(start: Point, size: str, scale: Scale) -> list[Point]:
    """`start` with other values of one of its sizes. Of bases there are no more, as these would add no columns."""
    if size == "b":
        factors = (0.25, 0.5, 1.0) if scale.quick else (0.25, 0.35, 0.5, 0.7, 1.0)
    else:
        factors = (0.5, 1.0, 2.0) if scale.quick else (0.25, 0.5, 1.0, 2.0, 4.0)
    return [start._replace(**{size: round(factor * getattr(start, size))}) for factor in factors]


def pieces(scale: Scale) -> list[Piece]:
    points = curves(scale)
    for method in METHODS:
        for size in THEORY[method]:
            points += varied(base(method, scale), size, scale)
    return [
        Piece(f"{point.method}: d = {point.d}, n = {point.n}, b = {point.b}, m = {point.m}", timed, (point, scale.seed))
        for point in dict.fromkeys(points)
    ]


def timed(point: Point, seed: int) -> list[Row]:
    """On one thread, certificate included."""
    X, y = paper_example(point.n, point.d, [seed, point.n, point.d])
    best = best_of(_RUNS, lambda: land.select(X, y, n_features=point.m, threads=1, **options(point)), _SECONDS)
    work = best.result.document["work"]
    return [
        {
            "part": "time",
            **point._asdict(),
            "cpu_seconds": best.cpu,
            "wall_seconds": best.wall,
            "selected": len(best.result),
            "features": " ".join(map(str, best.result.indices)),
            "columns": best.result.document["factor"].get("mean_columns"),
            "full_pairs": work["pairs_by_stage"][-1],
            "all_pairs": work["pairs_full_algorithm"],
        }
    ]


def options(point: Point) -> dict[str, Any]:
    if point.method == "naive":
        return {"exact": True, "plain_path": True}
    return {"bases": point.b, "plain_path": True} if point.method == "nystrom" else {}


def findings(rows: pandas.DataFrame, scale: Scale) -> str:
    return f"{_curves_found(_rows_of(rows, curves(scale)))}\n{_exponents_found(rows, scale)}"


def _curves_found(rows: pandas.DataFrame) -> str:
    """Fig. 1b in words."""
    times = rows.pivot_table(index=["d", "n"], columns="method", values="cpu_seconds")
    chosen = rows.pivot(index=["d", "n"], columns="method", values="features")
    lines, same = [], []
    for other in METHODS[:-1]:
        both = times[times[other].notna()]
        ratio = both[other] / both["land"]
        lines.append((other, len(both), float(ratio.min()), float(ratio.max()), int((ratio < 1.0).sum())))
        same.append(f"as {other} at {(chosen[other] == chosen['land'])[both.index].sum()} of {len(both)}")
    d, n = times["naive"].dropna().index.max()
    largest = times.loc[(d, n)]
    slower = sum(line[-1] for line in lines)
    head = ("over land", "points", "least ratio of times", "largest", "points where land is slower")
    return f"""**Time against samples.** Ten features are selected on one thread, certificate included; seconds of the
processor, the least of up to {_RUNS} runs (one, if it takes {_SECONDS:.0f} s or more). {_described()}
Sizes at which a method would take minutes are left out.

At the largest table of naive ({int(n):,} samples, {int(d):,} features) naive takes {largest["naive"]:.3g} s, nystrom
{largest["nystrom"]:.3g} s and land {largest["land"]:.3g} s. {_slower(slower)}

{table(head, lines)}
land selects the same features in the same order {" points, and ".join(same)} points.
"""


def _described() -> str:
    return "All three are LAND: " + "; ".join(f"*{name}* is {words}" for name, words in _WORDS.items()) + "."


def _slower(points: int) -> str:
    if points == 0:
        return "land is the fastest at every point."
    return f"land is not the fastest everywhere: it loses {points} of the comparisons below."


def exponents(rows: pandas.DataFrame, method: str, scale: Scale) -> dict[str, Exponent]:
    """Of each size that the method's work depends on, by what the default path was timed at."""
    found = {}
    for size in THEORY[method]:
        own = _rows_of(rows, varied(base(method, scale), size, scale))
        found[size] = fitted_exponent(own[size].to_numpy(), own["cpu_seconds"].to_numpy())
    return found


def judged(found: Exponent, theory: float) -> str:
    """The exponent lies "above" or "below" if it differs by more than the tolerance and two standard errors. It is
    "unclear" if it is too large but not by so much, or if its error alone is more than the tolerance."""
    margin = _TOLERANCE + 2.0 * found.error
    if found.value > theory + margin:
        return "above"
    if found.value < theory - margin:
        return "below"
    clear = found.value <= theory + _TOLERANCE and found.error <= _TOLERANCE
    return "as counted" if clear else "unclear"


def _exponents_found(rows: pandas.DataFrame, scale: Scale) -> str:
    """Table 1, measured."""
    lines, doubts = [], []
    for method in METHODS:
        start = base(method, scale)
        for size, found in exponents(rows, method, scale).items():
            values = [getattr(point, size) for point in varied(start, size, scale)]
            theory = THEORY[method][size]
            word = judged(found, theory)
            shown = f"{found.value:.2f} ± {found.error:.2f}"
            at_most = f"at most {theory}" if method == "land" else str(theory)
            lines.append((method, size, f"{values[0]:,} to {values[-1]:,}", at_most, shown, word))
            doubts += [f"{method} in {size} ({word})"] if word in ("above", "unclear") else []
    verdict = f"not confirmed for {', '.join(doubts)}" if doubts else "confirmed"
    head = ("method", "in", "from, to", "counted", "fitted", "")
    starts = "; ".join(_place(base(method, scale)) for method in METHODS)
    lazy = _rows_of(rows, varied(base("land", scale), "m", scale))
    return f"""**Exponents.** One size at a time is varied from a base point ({starts}), and a line is fitted
through the logarithms of sizes and processor seconds; with it stands its standard error. Counted is what the
multiplications grow with: m d pairs of n^2 (naive) or n b^2 (nystrom) each. The default evaluates only pairs that could
matter, so that the same count, with the rank of a feature's kernel for b, is a bound of its work. An exponent is above
or below the count if it differs by more than {_TOLERANCE} and two standard errors; it is unclear if it is above by more
than {_TOLERANCE} only, or if its standard error is more than {_TOLERANCE}. No exponent is above its count:
**{verdict}**. An exponent is below its count where work that does not grow with the size weighs as much: the kernel of
every feature is made once, whatever m is. b ends at the paper's {_BASES}, as factors drop columns that add nothing: of
{_bases_from_to(rows, scale)}. The default evaluated {_pairs(lazy)} of all pairs to the end.

{table(head, lines)}"""


def _place(point: Point) -> str:
    sizes = [f"{size} = {getattr(point, size):,}" for size in ("d", "n", "b", "m") if getattr(point, size)]
    return f"{point.method}: {', '.join(sizes)}"


def _bases_from_to(rows: pandas.DataFrame, scale: Scale) -> str:
    own = _rows_of(rows, varied(base("nystrom", scale), "b", scale)).sort_values("b")
    return ", ".join(f"{b} bases {columns:.0f} are left" for b, columns in zip(own["b"], own["columns"]))


def _pairs(own: pandas.DataFrame) -> str:
    shares = own["full_pairs"] / own["all_pairs"]
    return f"{shares.min():.2%} to {shares.max():.2%}"


def _grid(scale: Scale) -> tuple[Sequence[int], Sequence[int]]:
    """Features and samples of Fig. 1b."""
    if scale.quick:
        return (50, 500), (100, 200, 400, 800)
    return (200, 2000, 20_000), (100, 200, 400, 800, 1600, 3200, 6400)


def _rows_of(rows: pandas.DataFrame, points: Sequence[Point]) -> pandas.DataFrame:
    """Those of the points; the sizes are whole numbers again, which a CSV with other rows has not."""
    own = rows[rows["part"] == "time"].astype(dict.fromkeys(("d", "n", "b", "m"), int))
    return own[[Point(*point) in points for point in own[list(Point._fields)].itertuples(index=False)]]


def panels(scale: Scale) -> int:
    return len(_grid(scale)[0])


def draw(axes: Sequence[Axes], rows: pandas.DataFrame, scale: Scale) -> None:
    """Fig. 1b: an Axes for each number of features."""
    from .drawing import draw_means

    own = _rows_of(rows, curves(scale))
    features, samples = _grid(scale)
    for ax, d in zip(axes, features):
        draw_means(ax, own[own["d"] == d], "n", "cpu_seconds", "method", METHODS, errors=False)
        ax.set(xscale="log", yscale="log", xlabel="samples", ylabel="processor seconds")
        ax.set_xticks(samples, [f"{n:,}" for n in samples], fontsize="small")
        ax.minorticks_off()
        ax.set_title(f"{d:,} features, m = 10", fontsize="medium")
        ax.legend(frameon=False, fontsize="small")
