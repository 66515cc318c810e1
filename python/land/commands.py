"""What can be done with a table: the functions of the package."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _land
from ._running import DEFAULTS, Progress, options_in, running
from .land_warning import warn
from .lookups import Features, find_used
from .near import Neighbors
from .reading import Reading
from .selection import Selection
from .shown import SHOWN, shown
from .tables import make_table
from .target_columns import column_names

if TYPE_CHECKING:
    from typing_extensions import Unpack


def methods() -> dict[str, str]:
    """What ``method`` of :func:`select` may be, with a line on each."""
    return dict(_land.methods())


def select(
    X: Any,
    y: Any = None,
    *,
    survival: Any = None,
    n_features: int | Literal["auto"] = DEFAULTS["n_features"],
    task: str = DEFAULTS["task"],
    adjust: Any = None,
    method: str = DEFAULTS["method"],
    measure: str = DEFAULTS["measure"],
    kernel: str = DEFAULTS["kernel"],
    sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
    transform: str = DEFAULTS["transform"],
    ridge: float = DEFAULTS["ridge"],
    landmarks: int = DEFAULTS["landmarks"],
    bases: int | None = None,
    basis: Sequence[float] | None = None,
    exact: bool = DEFAULTS["exact"],
    plain_path: bool = DEFAULTS["plain_path"],
    bins: int | Sequence[float] = DEFAULTS["bins"],
    neighbors: int = DEFAULTS["neighbors"],
    permutations: int = DEFAULTS["permutations"],
    seed: int = DEFAULTS["seed"],
    alpha: float = DEFAULTS["alpha"],
    missing: str | None = None,
    nominal: Features | None = None,
    feature_names: Sequence[str] | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **reading: Unpack[Reading],
) -> Selection:
    """Select the features that best explain a target without repeating each other.

    Parameters
    ----------
    X : array, sparse matrix, data frame, AnnData or path
        Samples by features. NumPy arrays (float32, float64, integers, either order, memory maps) and scipy's CSC
        matrices are used where they lie. Data frames of pandas, polars and pyarrow; files of every format that the
        program `land` reads, Parquet, Feather and .h5ad by their names.
    y : array, Series, or str
        The target. A str is a column of the frame (of ``obs`` for AnnData); for a file a column of it, another file,
        or ``"FILE:COLUMN"``. A pandas Series is joined on the index of a pandas ``X``. Several targets, which one pass
        over the data scores, are a matrix, a frame, a dict of columns, or a list of names of columns. A structured
        array of a boolean and a number is survival.
    survival : (time, event), optional
        Survival is the target, instead of ``y``: two arrays, or the names of two columns of ``X``; for a file also
        ``"FILE:TIME,EVENT"``. An event is 1, True or a word such as "DECEASED"; what was censored is 0, False,
        "LIVING".
    n_features : int or "auto"
        How many features. Fewer come back when nothing more helps: see :attr:`Selection.stopped`. "auto": as many as
        are more relevant than chance alone would make any.
    task : {"auto", "classification", "regression"}
        What the target holds. "auto": text, categories of whatever kind, booleans, two distinct values and at most 10
        distinct whole numbers are classes.
    adjust : names, path, array, Series or DataFrame, optional
        Covariates, such as batch or age, to take out of every kernel, so that nothing is selected that follows them
        alone. Names of columns of ``X`` (of ``obs`` for AnnData), which are features no more; a path, or
        ``"FILE:COLUMN,..."``, joined on sample ids as the target's file is; or values of every sample. Text and
        categories are nominal, as are numbers that ``task`` would take for classes.
    method : str
        How features are selected: :func:`land.methods` says what each does.
    measure : {"nhsic", "hsic"}
        Normalised, or the original HSIC Lasso.
    sigma : float or sequence of float
        Width of the Gaussian or Laplacian kernel, in standard deviations of a feature. Gaussians of several widths are
        added up; "mix" is (0.3, 1, 3), which also sees what wiggles.
    transform : {"none", "rank"}
        "rank": normal scores of ranks instead of values, of features and of a numeric target. For heavy tails.
    ridge : float
        Elastic net: correlated features share instead of one standing for all.
    landmarks : int
        For qpfs: approximate the matrix of all pairs from P features, drawn by a fixed rule; 0: all pairs.
    exact : bool
        Full n x n kernel matrices: the slow reference. One of ``exact``, ``bases`` and ``basis`` at most.
    bases : int, optional
        The paper's approximation with so many points, evenly on [-5, 5].
    basis : sequence of float, optional
        The same at points of your own.
    plain_path : bool
        The textbook algorithm, which evaluates every pair: slow, same answer.
    bins : int or sequence of float
        Levels of numbers, for methods that count: so many bins of equal frequency, or a sequence of cut points in
        standard deviations from the mean.
    permutations : int
        How many times the target is permuted over all features, for p-values and q-values of marginal relevance; 1000
        is usual.
    seed : int
        Which permutations: the same for the same seed.
    alpha : float
        For ``n_features="auto"``: how often chance alone may bring a feature.
    neighbors : int
        With every selected feature, how many of the features most redundant with it are named, in one more pass:
        :attr:`Selection.neighbors`.
    missing : {"error", "mean", "ignore", "level", "drop-feature"}, optional
        What to do about NaN and nulls; by default an error, for genotypes "ignore". "drop-feature" leaves out the
        features that have any.
    nominal : names, indices or mask, optional
        Features that are categories without an order; they take the class kernel. Categorical columns of data frames do
        by themselves. In files of text they may hold words, and "auto" is all features of few words.
    feature_names : sequence of str, optional
        Names for the features of an array.
    memory : int, optional
        Bytes that the whole process may take, pages of mapped files included: what does not fit is read again. The
        result does not depend on it.
    threads : int, optional
        -1: all that the process may use. By default no more than OMP_NUM_THREADS, threadpoolctl and joblib allow. The
        result does not depend on it.
    progress : bool or callable
        True: bars of tqdm.auto. A callable is called with (stage, done, total), total 0 if it is not known.
    **reading
        What is left out, of whatever ``X`` is: :class:`Subset`. How a file is read: :class:`Reading`.

    Returns
    -------
    Selection
        Of several targets a dict of one for each, by the targets' names.

    Raises
    ------
    ValueError
        For bad input, in one line that says what was found and what to do.
    FileNotFoundError, MemoryError
        As their names say.
    CertificateError
        The certificate is not valid, so there is no result: please report it.

    Warns
    -----
    LandWarning
        For each of :attr:`Selection.warnings`.

    Examples
    --------
    >>> import numpy as np
    >>> import land
    >>> X = np.random.default_rng(0).normal(size=(200, 1000))
    >>> y = X[:, 3] ** 2 + np.sin(2 * X[:, 7])
    >>> selection = land.select(X, y, n_features=5)
    >>> selection.names[:2]
    ['f3', 'f7']
    >>> selection.certificate["valid"]
    True

    A column of a data frame; text and categories are classes:

    >>> import pandas as pd
    >>> frame = pd.DataFrame(X).add_prefix("gene").assign(group=np.where(X[:, 7] > 0, "left", "right"))
    >>> land.select(frame, "group", n_features=1).names
    ['gene7']
    """
    options = options_in(locals(), "select")
    with running(threads, progress, memory) as run:
        table = make_table(
            X,
            y,
            survival=survival,
            nominal=nominal,
            feature_names=feature_names,
            missing=missing,
            reading=reading,
            run=run,
            adjust=adjust,
        )
        if table.targets < 2 and not isinstance(y, dict) and column_names(X, y) is None:
            selection = Selection.loads(_land.select(table, options, run.threads, run.report))
            warn(selection.warnings)
            return selection
        texts = _land.select_several(table, options, run.threads, run.report)
    # Type checkers are told of one target: what y is at run time, they cannot see.
    return _by_target(texts)  # type: ignore[return-value]


def _by_target(texts: list[str]) -> dict[str, Selection]:
    selections = [Selection.loads(text) for text in texts]
    warn(list(dict.fromkeys(warning for selection in selections for warning in selection.warnings)))
    return {selection.document["target"]["name"]: selection for selection in selections}


class Scores(NamedTuple):
    """Relevances of all features that are used: what :func:`land.score` gives."""

    names: list[str]  #: of the features, without those left out
    relevance: (
        np.ndarray
    )  #: an upper bound of each feature's NHSIC with the target; NaN if it is constant, or explained by covariates
    error: np.ndarray  #: the relevance is too large by at most this
    task: str  #: "classification", "regression" or "survival"
    indices: np.ndarray  #: of the features among all of X, those left out as well
    p_fwer: np.ndarray | None = None  #: how often permutations have any feature as relevant; NaN where not known
    expected_by_chance: np.ndarray | None = None  #: how many features as relevant chance alone brings, on average
    q: np.ndarray | None = None  #: the least share of false ones, about, in a list of features that has this one

    def __repr__(self) -> str:
        first = np.argsort(-self.relevance, kind="stable")[:SHOWN]  # NaN last
        return shown(
            f"Scores({len(self.names)} features, {self.task}; most relevant",
            len(self.names),
            [f"{self.names[k]} {self.relevance[k]:.4g}" for k in first],
        )

    def to_frame(self) -> Any:
        """A pandas DataFrame, a row per feature."""
        import pandas

        columns = {"index": self.indices, "name": self.names, "relevance": self.relevance, "error": self.error}
        if self.q is not None:
            columns.update(p_fwer=self.p_fwer, expected_by_chance=self.expected_by_chance, q=self.q)
        return pandas.DataFrame(columns)


def score(
    X: Any,
    y: Any = None,
    *,
    survival: Any = None,
    refine: bool = DEFAULTS["refine"],
    permutations: int = DEFAULTS["permutations"],
    seed: int = DEFAULTS["seed"],
    task: str = DEFAULTS["task"],
    adjust: Any = None,
    measure: str = DEFAULTS["measure"],
    kernel: str = DEFAULTS["kernel"],
    sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
    transform: str = DEFAULTS["transform"],
    bases: int | None = None,
    basis: Sequence[float] | None = None,
    exact: bool = DEFAULTS["exact"],
    missing: str | None = None,
    nominal: Features | None = None,
    feature_names: Sequence[str] | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **reading: Unpack[Reading],
) -> Scores:
    """The relevance of every feature, with a bound of its error.

    ``refine=False`` takes one pass, and the bounds are mostly within half a per cent; ``refine=True`` computes every
    relevance from its own factor in double. With ``permutations``, which refines, p-values and q-values of every
    feature come with it. The other parameters are those of :func:`land.select`.
    """
    options = options_in(locals(), "score")
    with running(threads, progress, memory) as run:
        table = make_table(
            X,
            y,
            survival=survival,
            nominal=nominal,
            feature_names=feature_names,
            missing=missing,
            reading=reading,
            run=run,
            adjust=adjust,
        )
        result = _land.score(table, options, run.threads, run.report)
    warn(result["warnings"])
    constant = result["relevance"] < 0.0
    names = table.feature_names or [table.feature_name(k) for k in range(table.features)]
    return Scores(
        list(names),
        np.where(constant, np.nan, result["relevance"]),
        np.where(constant, np.nan, result["error"]),
        result["task"],
        np.array(table.feature_numbers, dtype=np.int64),
        *(result[name] if permutations else None for name in ("p_fwer", "expected_by_chance", "q")),
    )


def neighbors(
    X: Any,
    feature: str | int,
    k: int = DEFAULTS["k"],
    *,
    adjust: Any = None,
    measure: str = DEFAULTS["measure"],
    kernel: str = DEFAULTS["kernel"],
    sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
    transform: str = DEFAULTS["transform"],
    bases: int | None = None,
    basis: Sequence[float] | None = None,
    exact: bool = DEFAULTS["exact"],
    missing: str | None = None,
    nominal: Features | None = None,
    feature_names: Sequence[str] | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **reading: Unpack[Reading],
) -> Neighbors:
    """The ``k`` features most redundant with ``feature`` (a name, or a number from 0), over all that are not left out.

    Exact: every feature is bounded, and those that could be among the ``k`` are computed in double. The other
    parameters are those of :func:`land.select`.
    """
    options = options_in(locals(), "neighbors")
    with running(threads, progress, memory) as run:
        table = make_table(
            X,
            nominal=nominal,
            feature_names=feature_names,
            missing=missing,
            reading=reading,
            run=run,
            adjust=adjust,
        )
        index = find_used(table, "feature", feature)
        found = _land.neighbors(table, index, options, run.threads, run.report)
    return Neighbors(
        found["feature"],
        found["name"],
        np.array(found["index"], dtype=np.int64),
        np.array(found["redundancy"], dtype=np.float64),
        found["features_refined"],
    )


def convert(
    X: Any,
    path: str | os.PathLike[str],
    y: Any = None,
    *,
    missing: str | None = None,
    nominal: Features | None = None,
    memory: int = DEFAULTS["memory"],
    feature_names: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **reading: Unpack[Reading],
) -> None:
    """Write a store: features encoded once, used in place by ``land.select(path)``. Or a block table, if the path ends
    in ``.parquet``: for clusters, see :mod:`land.remote`.

    ``X`` and ``y`` are those of :func:`land.select`. Files may be larger than memory: .npy is gone through in windows
    of ``memory`` bytes, Parquet and Feather a few columns at a time.
    """
    options = options_in(locals(), "convert")
    path = os.fspath(path)
    if not path.endswith((".h5", ".parquet")):
        raise ValueError(f"{path}: the name of a store must end in .h5, that of a block table in .parquet")
    with running(threads, progress, memory) as run:
        table = make_table(
            X,
            y,
            nominal=nominal,
            feature_names=feature_names,
            missing=missing,
            reading=reading,
            run=run,
            in_passing=True,
        )
        _land.convert(table, path, options, run.threads, run.report)
