"""What the rows of the experiment beyond the paper show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..paired_tests import PairedTest, paired_test
from .beyond_methods import AUTO, METHODS, PERMUTATIONS, RIVALS, THINNED, VARIANTS
from .beyond_tables import HELD_OUT, KINDS, NOISE, Kind
from .drawing import figure, legend_below, style
from .experiment import Report, Scale
from .markdown import table
from .paired import paired_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ALPHA = 0.05  #: of `-m auto`, and of a test
#: Held-out samples of a real set for each training sample.
_TEST_SHARE = 0.25


def report(rows: pandas.DataFrame, scale: Scale) -> Report:
    made, noise, real = (rows[rows["part"] == part] for part in ("made up", "noise", "real"))
    made = with_useful(made)
    parts = [_kinds_described(made, scale), _weak(made), _variants(made), _rare(made), _auto(made, noise), _real(real)]
    return Report("\n".join(part for part in parts if part), _figure(made, real))


def with_useful(made: pandas.DataFrame) -> pandas.DataFrame:
    """`useful`: the true features found, but no more than tell all that there is to tell. Who does not repeat what is
    told already is not weak."""
    return made.assign(useful=np.minimum(made["found"], made["set"].map({kind.name: kind.enough for kind in KINDS})))


# --- made-up tables -----------------------------------------------------------------------------------------------


def _kinds_described(made: pandas.DataFrame, scale: Scale) -> str:
    lines = [(kind.name, kind.samples, kind.true, kind.asked_for, kind.words) for kind in KINDS]
    sizes = "a fifth of the features of the full version, no random forest, " if scale.quick else ""
    return f"""**Made-up tables.** {made["split"].nunique()} tables of each kind ({sizes}all generated; the features
that matter stand anywhere). Each method selects m features. The kernel machine that learns from them is judged on
{HELD_OUT:,} other samples: accuracy where the target is a class, else R2. Where a class is rare, the machine learns
from as many samples of the other class, and half of the held-out samples are of each.

{table(("kind", "samples", "true features", "m", "the target"), lines)}
The true features found, means:

{_means(made, "found", [kind.name for kind in KINDS])}
The score on held-out samples, means:

{_means(made, "score", [kind.name for kind in KINDS])}"""


def _means(rows: pandas.DataFrame, column: str, sets: Sequence[str]) -> str:
    """A line per method, a column per set."""
    means = rows.pivot_table(index="method", columns="set", values=column, aggfunc="mean")
    lines = [
        (method, *(float(means.at[method, one]) if one in means else np.nan for one in sets))
        for method in METHODS
        if method in means.index
    ]
    return table(("method", *sets), lines, digits=2)


def compared(own: pandas.DataFrame, column: str, first: str, second: str) -> PairedTest:
    """Over tables, which are independent: no correction is needed, and the two p are the same. Where all differences
    are the same and not 0, p is that of a sign test."""
    wide = own.pivot(index="split", columns="method", values=column)
    test = paired_test(wide[first].to_numpy(), wide[second].to_numpy(), 0.0)
    if not np.isnan(test.p_corrected) or not test.difference:
        return test
    p = 0.5 ** (wide[first] - wide[second]).count() if test.difference > 0.0 else 1.0
    return PairedTest(test.difference, p, p)


def is_clear(test: PairedTest, comparisons: int) -> bool:
    """The first is better, even as the best of so many comparisons (Bonferroni)."""
    return test.difference > 0.0 and test.p_corrected <= _ALPHA / comparisons


def _rivals(own: pandas.DataFrame) -> list[str]:
    return [name for name in RIVALS if name in set(own["method"])]


def best_rival(own: pandas.DataFrame, column: str) -> str:
    means = own.groupby("method")[column].mean()
    return str(means[_rivals(own)].idxmax())


def _weak(made: pandas.DataFrame) -> str:
    lines = []
    for kind in KINDS:
        own = made[made["set"] == kind.name]
        other = best_rival(own, "useful")
        test = compared(own, "useful", other, "land")
        lines.append(
            (
                kind.name,
                "weak" if kind.weak else "strong",
                _of(own, "land", kind),
                f"{other}: {_of(own, other, kind)}",
                f"{test.difference:+.1f}",
                test.p_corrected,
                "weak" if _is_weak(own) else "not shown",
            )
        )
    expected = [line for line in lines if line[1] == "weak"]
    shown = [line[0] for line in expected if line[-1] == "weak"]
    others = [line[0] for line in lines if line[1] == "strong" and line[-1] == "weak"]
    verdict = "confirmed" if len(shown) == len(expected) else "not confirmed"
    head = ("kind", "expected", "land finds", "the best other method finds", "more", "p", "land is")
    return f"""**Where NHSIC Lasso is weak.** Weak means that another method or option finds clearly more true features
in the same tables: a paired, one-tailed t-test over tables has a p of at most {_ALPHA} divided by the number of methods
compared (a sign test, where all tables differ by the same). Of true features that repeat each other no more are
counted than tell all that they tell: {_repeating()}. LAND was expected to be weak on {len(expected)} kinds, and
is on {len(shown)} of them ({listed(shown)}): **{verdict}**. Of the other kinds it is weak on {listed(others)}.

{table(head, lines, digits=2)}"""


def _repeating() -> str:
    return ", ".join(f"{kind.enough} of {kind.true} ({kind.name})" for kind in KINDS if kind.repeated)


def _of(own: pandas.DataFrame, method: str, kind: Kind) -> str:
    useful = own[own["method"] == method]["useful"]
    return f"{useful.mean():.1f} ± {useful.sem():.1f} of {kind.enough}"


def _is_weak(own: pandas.DataFrame) -> bool:
    rivals = _rivals(own)
    return any(is_clear(compared(own, "useful", name, "land"), len(rivals)) for name in rivals)


def _variants(made: pandas.DataFrame) -> str:
    comparisons = 2 * len(VARIANTS) * len(KINDS)  # more, and fewer
    lines = []
    for variant in VARIANTS:
        found = {1.0: [], -1.0: []}  # type: dict[float, list[str]]
        for kind in KINDS:
            own = made[made["set"] == kind.name]
            for sign, names in ((1.0, (variant, "land")), (-1.0, ("land", variant))):
                test = compared(own, "useful", *names)
                if is_clear(test, comparisons):
                    score = compared(own, "score", variant, "land").difference
                    found[sign].append(f"{kind.name} {sign * test.difference:+.1f} (score {score:+.2f})")
        lines.append((variant, listed(found[1.0]), listed(found[-1.0])))
    return f"""**What the options change.** The kinds on which an option finds clearly more or fewer true features than
`land` (p of at most {_ALPHA} divided by {comparisons} comparisons), with the mean differences. *mix*: kernels of three
widths, *rank*: ranks instead of values, *conditional*: greedily, what helps beside those chosen before.

{table(("option", "more", "fewer"), lines)}"""


def _rare(made: pandas.DataFrame) -> str:
    uneven = made[made["set"].isin(made[made["method"] == THINNED]["set"])]
    lines = []
    for name, own in uneven.groupby("set"):
        test = compared(own, "useful", THINNED, "land")
        reverse = compared(own, "useful", "land", THINNED)
        lines.append((str(name), f"{test.difference:+.2f}", test.p_corrected, reverse.p_corrected))
    head = ("kind", "more true features", "p, more", "p, fewer")
    return f"""**A rare class.** Leaving out samples of the other class until both are alike (*{THINNED}*) changes how
many true features LAND finds by:

{table(head, lines, digits=2)}"""


def share_interval(count: int, of: int) -> tuple[float, float]:
    """Of a share, exact (Clopper and Pearson), 95%."""
    from scipy.stats import binomtest

    interval = binomtest(count, of).proportion_ci(0.95)
    return float(interval.low), float(interval.high)


def _auto(made: pandas.DataFrame, noise: pandas.DataFrame) -> str:
    lines = []
    for kind in KINDS:
        own = made[(made["set"] == kind.name) & (made["method"] == AUTO)]
        land = made[(made["set"] == kind.name) & (made["method"] == "land")]
        lines.append(
            (
                kind.name,
                kind.true,
                float(own["found"].mean()),
                float((own["selected"] - own["found"]).mean()),
                float(land["found"].mean()),
                float((land["selected"] - land["found"]).mean()),
            )
        )
    some, tables = int((noise["selected"] > 0).sum()), len(noise)
    low, high = share_interval(some, tables)
    verdict = "confirmed" if low <= _ALPHA else "not confirmed"
    head = ("kind", "true features", "auto: true", "auto: others", "land, m: true", "land, m: others")
    return f"""**How many: `-m auto`.** With {PERMUTATIONS} permutations it should select anything from noise in at most
{_ALPHA:.0%} of the tables. With {NOISE.words} ({NOISE.samples} samples) it selects something in {some} of {tables}
tables: {some / tables:.1%}, with a 95% interval of {low:.1%} to {high:.1%}, which must not lie above {_ALPHA:.0%}:
**{verdict}**. How many features it keeps elsewhere, beside `land` with the m of the tables above:

{table(head, lines, digits=2)}"""


# --- real sets ----------------------------------------------------------------------------------------------------


def _real(real: pandas.DataFrame) -> str:
    from .beyond import REAL_SETS, STAND_IN
    from .data_sets import missing_note

    missing = missing_note(list(REAL_SETS))
    if real.empty:
        return missing
    sets = list(dict.fromkeys(real["set"]))
    kept = real[real["method"] == AUTO].groupby("set")["selected"].mean()
    stand_in = (
        "There is no real data here: the set is **generated**, two classes that 20 of 1,000 features tell apart. "
    )
    return f"""**Real sets.** {stand_in if sets == [STAND_IN] else ""}80/20 splits, {_splits(real)}; features are
selected from the training samples only, and m = {int(real["m"].max())}. The score is the accuracy, for TRIM32 the R2,
of the kernel machine on the held-out samples. Means:

{_means(real, "score", sets)}
{_median(real)}`-m auto` keeps {listed([f"{kept[name]:.1f} ({name})" for name in sets])} features on average.

{_tests(real, sets)}
{missing}"""


def _splits(real: pandas.DataFrame) -> str:
    counts = real.groupby("set")["split"].nunique()
    return (
        f"{counts.iloc[0]} of each set" if counts.nunique() == 1 else ", ".join(f"{k}: {v}" for k, v in counts.items())
    )


def _median(real: pandas.DataFrame) -> str:
    """One sample of TRIM32 is far from all others, and drives the mean."""
    own = real[real["set"] == "TRIM32"]
    if own.empty:
        return ""
    medians = own.groupby("method")["score"].median()
    best = ", ".join(f"{name} {medians[name]:.2f}" for name in METHODS if name in medians)
    return (
        f"One sample of TRIM32 is 7 standard deviations from the mean, and drives the mean R2. The medians: {best}.\n\n"
    )


def _tests(real: pandas.DataFrame, sets: Sequence[str]) -> str:
    better, worse, parts = [], [], []
    for name in sets:
        own = real[real["set"] == name]
        rivals = _rivals(own)
        wide = own.pivot(index="split", columns="method", values="score")
        for rival in rivals:
            land, other = wide["land"].to_numpy(), wide[rival].to_numpy()
            if paired_test(land, other, _TEST_SHARE).p_corrected < _ALPHA:
                better.append(f"{rival} ({name})")
            if paired_test(other, land, _TEST_SHARE).p_corrected < _ALPHA:
                worse.append(f"{rival} ({name})")
        parts.append(f"{name}:\n\n{paired_table(own[own['method'].isin(['land', *rivals])], 'score', _TEST_SHARE)}")
    count = sum(len(_rivals(real[real["set"] == name])) for name in sets)
    lines = "\n".join(parts)
    return f"""In {count} paired comparisons, corrected for the training samples that splits share, `land` is better at
p < {_ALPHA} than {len(better)}: {listed(better)}. It is worse than {len(worse)}: {listed(worse)}. At most about
{count * _ALPHA:.1f} of either would be expected by chance alone.

{lines}"""


# --- figure -------------------------------------------------------------------------------------------------------


def _figure(made: pandas.DataFrame, real: pandas.DataFrame) -> Figure:
    panels = 1 if real.empty else 2
    drawn, axes = figure(1, panels, (6.4, 5.0))
    order = ["land", *VARIANTS, THINNED, AUTO, *(name for name in RIVALS if name not in (*VARIANTS, THINNED))]
    shares = made.assign(share=made["useful"] / made["set"].map({kind.name: kind.enough for kind in KINDS}))
    _dots(axes[0, 0], shares, "share", [kind.name for kind in KINDS], order)
    axes[0, 0].set(xlabel="share of the true features found")
    axes[0, 0].set_title("Made-up tables", fontsize="medium")
    if panels == 2:
        land = real[real["method"] == "land"].set_index(["set", "split"])["score"]
        less = real["score"].to_numpy() - land.loc[list(zip(real["set"], real["split"]))].to_numpy()
        _dots(axes[0, 1], real.assign(less=less), "less", list(dict.fromkeys(real["set"])), order)
        axes[0, 1].set(xlabel="held-out score less that of land")
        axes[0, 1].set_title("Real sets", fontsize="medium")
    legend_below(drawn, axes[0, 0], columns=7)
    return drawn


def _dots(ax: Axes, rows: pandas.DataFrame, column: str, sets: Sequence[str], order: Sequence[str]) -> None:
    """A line of dots for each set: the mean of each method."""
    means = rows.groupby(["method", "set"])[column].mean()
    places = np.arange(len(sets))[::-1]
    for name in order:
        values = [means.get((name, one), np.nan) for one in sets]
        if np.isfinite(values).any():
            ax.plot(values, places, **{**style(name, order), "linestyle": "", "markersize": 7}, label=name)
    ax.set_yticks(places, sets)
    ax.grid(axis="y", color="0.9")
    ax.spines[["top", "right"]].set_visible(False)


def listed(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "none"
