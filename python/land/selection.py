"""The result of a selection: what `land select -o FILE.json` writes, with the path, the certificate and plots."""

from __future__ import annotations

import copy
import html
import operator
from collections.abc import Iterator
from typing import Any, NamedTuple, SupportsIndex, overload

import numpy as np

from . import plots
from .documents import Document
from .near import Neighbors

_SCHEMA = 1
_CHANCE = ("p_fwer", "expected_by_chance", "q")
_ASIDE = ("version", "command", "work", "engine", "seconds", "warnings")  # how it was computed and what was said of it


class Knot(NamedTuple):
    """A point of the path where the active set changes."""

    lambda_: float
    event: str  #: "enter", "drop" or "end"
    index: int | None  # type: ignore[assignment]  #: who enters or drops; at the end who would enter, or None
    indices: np.ndarray  #: the active set, in order of entry
    coefficients: np.ndarray  #: theirs, at this lambda


class Selection(Document):
    """Features that best explain a target without repeating each other.

    Made by :func:`land.select`, :meth:`load` and :meth:`loads`. It is a sequence of the names: ``len()``, ``in``,
    iteration, ``selection[0]`` and ``selection[:3]`` are those of :attr:`names`. Two are equal if everything in them is
    but how they were computed and what was said of it: the fields ``version``, ``command``, ``work``, ``engine``,
    ``seconds`` and ``warnings`` of the document, and the reasons in ``left_out``.

    Attributes
    ----------
    names : list of str
        Of the selected features, in order of entry.
    indices : ndarray of int
        Theirs, counted from 0 over all features of ``X``, those left out as well: ``X[:, selection.indices]`` are the
        selected columns of an array.
    coefficients : ndarray of float
        At the end of the path; NaN for methods without one.
    scores : ndarray of float
        What the method chose each by, where that is neither of these; else NaN.
    figures : dict
        Numbers that the method alone has, by name.
    relevance : ndarray of float
        NHSIC of each with the target.
    redundancy : ndarray of float or None
        NHSIC among the selected, a matrix.
    identical : list of list of str, or None
        Of each, the names of its copies: features equal to it up to sign, shift and scale. None for
        methods that find none.
    neighbors : list of Neighbors, or None
        Of each, the features most redundant with it; None unless they were asked for. After :meth:`truncate` those of
        features that had dropped are not known, and empty.
    p_fwer, expected_by_chance, q : ndarray of float or None
        What permutations say of the relevance of each, whatever was selected before it; NaN where they say nothing,
        None if there were none. docs/inference.md says what they mean.
    permutations : dict or None
        What these rest on: how many were made, and the largest relevance of each.
    path : list of Knot
        The knots of the regularisation path, lambda falling; empty for methods without one.
    lambda_ : float or None
        At the end of the path.
    stopped : str or None
        ``"m_reached"``, ``"lambda_reached"``, ``"lambda_zero"`` or ``"no_candidate"``.
    certificate : dict or None
        The conditions of optimality, recomputed and checked apart from the solver; ``certificate["valid"]``.
    task : str
        ``"classification"``, ``"regression"`` or ``"survival"``: what was chosen.
    warnings : list of str
        What a reader of the result should know.
    document : dict
        Everything, as in the JSON (docs/output.md).
    """

    def __init__(self, document: dict[str, Any]) -> None:
        if "results" in document:
            raise ValueError("results of several targets: give one of them, as land.Selection(document['results'][0])")
        if document.get("schema_version") != _SCHEMA or "selected" not in document:
            raise ValueError(
                f"this is no selection of schema_version {_SCHEMA}: found {document.get('schema_version')!r}"
            )
        super().__init__(document)
        selected = document["selected"]
        self.names: list[str] = [feature["name"] for feature in selected]
        self.indices = np.array([feature["index"] for feature in selected], dtype=np.int64)
        self.relevance = np.array([feature["relevance"] for feature in selected], dtype=np.float64)
        self.coefficients = _numbers(selected, "coefficient")
        self.scores = _numbers(selected, "score")
        self.permutations: dict[str, Any] | None = document.get("permutations")
        chance = [None if self.permutations is None else _numbers(selected, key) for key in _CHANCE]
        self.p_fwer, self.expected_by_chance, self.q = chance
        self.figures: dict[str, float] = document.get("figures", {})
        redundancy = document["redundancy"]
        self.redundancy: np.ndarray | None = None
        if redundancy is not None:
            self.redundancy = np.array(redundancy, dtype=np.float64).reshape(len(selected), len(selected))
        self.identical: list[list[str]] | None = None
        if redundancy is not None:
            self.identical = [feature["identical_names"] for feature in selected]
        self.neighbors: list[Neighbors] | None = None
        if document["options"]["neighbors"]:
            self.neighbors = [_neighbors(feature) for feature in selected]
        self.lambda_: float | None = document["lambda"]
        self.stopped: str | None = document["stopped"]
        self.certificate: dict[str, Any] | None = document["certificate"]
        self.task: str = document["target"]["task"]
        self.warnings: list[str] = list(document["warnings"])

    # --- the path -------------------------------------------------------------------------------------------------

    @property
    def path(self) -> list[Knot]:
        knots = []
        for step in self.document["path"] or []:
            indices = np.array([index for index, _ in step["coefficients"]], dtype=np.int64)
            values = np.array([alpha for _, alpha in step["coefficients"]], dtype=np.float64)
            knots.append(Knot(step["lambda"], step["event"], step["index"], indices, values))
        return knots

    def truncate(self, n_features: int) -> Selection:
        """The selection of fewer features, from the path already computed: what ``n_features`` would have given.

        It is not the first of those selected: features drop. Taken are the active set and its coefficients at the
        first knot with ``n_features`` members where another would enter. Where the path ended before that, it is this
        selection.
        """
        if operator.index(n_features) < 1:
            raise ValueError(f"n_features={n_features}: ask for at least 1 feature")
        if self.document["path"] is None:
            return self._most_relevant(n_features)
        asked = self.document["options"]["features"]
        if self.stopped == "m_reached" and n_features > asked:
            raise ValueError(
                f"n_features={n_features}: the path was computed for {asked} features only; select again for more"
            )
        at = self._end_of(n_features)
        if at is None or at == len(self.document["path"]) - 1:
            return Selection(copy.deepcopy(self.document))
        return Selection(self._cut(at, n_features))

    def _end_of(self, n_features: int) -> int | None:
        for at, step in enumerate(self.document["path"]):
            entering = step["event"] == "enter"
            active = len(step["coefficients"]) - entering
            if active == n_features and (entering or (step["event"] == "end" and step["index"] is not None)):
                return at
        return None

    def _cut(self, at: int, n_features: int) -> dict[str, Any]:
        whole = self.document
        known, redundancy = self._entered()
        path = copy.deepcopy(whole["path"][: at + 1])
        end = path[-1]
        end["event"] = "end"
        end["coefficients"] = [pair for pair in end["coefficients"] if pair[0] != end["index"]]
        entered = {step["index"]: step["lambda"] for step in path if step["event"] == "enter"}
        active = [index for index, _ in end["coefficients"]]
        selected = []
        for rank, (index, alpha) in enumerate(end["coefficients"], start=1):
            feature = {**known[index], "rank": rank, "coefficient": alpha, "lambda_entered": entered[index]}
            # Neighbours are not known of those that had dropped at the end.
            selected.append({key: feature.get(key) for key in whole["selected"][0]})
        order = list(active)
        dropped = []
        for index in sorted(set(entered) - set(active)):
            order.append(index)
            feature = {key: value for key, value in known[index].items() if key != "neighbors"}
            dropped.append({**feature, "redundancy": [redundancy[index, other] for other in order]})
        cut = {
            **copy.deepcopy({key: whole[key] for key in whole if key not in ("path", "selected", "redundancy")}),
            "selected": selected,
            "redundancy": [[redundancy[a, b] for b in active] for a in active],
            "dropped": dropped,
            "lambda": end["lambda"],
            "path": path,
            "stopped": "m_reached",
        }
        cut["options"]["features"] = n_features
        return {key: cut[key] for key in whole}

    def _entered(self) -> tuple[dict[int, dict[str, Any]], dict[tuple[int, int], float]]:
        """What is known of everything that ever entered, and of their pairs."""
        of_the_end = ("rank", "coefficient", "lambda_entered", "redundancy")
        order: list[int] = []
        known = {}
        redundancy = {}
        for position, feature in enumerate(self.document["selected"] + self.document["dropped"]):
            known[feature["index"]] = {key: value for key, value in feature.items() if key not in of_the_end}
            order.append(feature["index"])
            row = feature.get("redundancy") or self.document["redundancy"][position]
            for other, value in zip(order, row):
                redundancy[feature["index"], other] = redundancy[other, feature["index"]] = value
        return known, redundancy

    def _most_relevant(self, n_features: int) -> Selection:
        if n_features > self.document["options"]["features"]:
            raise ValueError(f"n_features={n_features}: only {len(self)} were selected; select again for more")
        document = copy.deepcopy(self.document)
        document["selected"] = document["selected"][:n_features]
        document["options"]["features"] = n_features
        return Selection(document)

    def to_frame(self) -> Any:
        """A pandas DataFrame, a row per selected feature in order of entry."""
        import pandas

        columns = [
            "rank",
            "index",
            "name",
            "relevance",
            "coefficient",
            "lambda_entered",
            "identical",
            "identical_names",
        ]
        if self.permutations is not None:
            columns += _CHANCE
        rows = [[feature[column] for column in columns] for feature in self.document["selected"]]
        return pandas.DataFrame(rows, columns=columns).set_index("rank")

    # --- pictures -------------------------------------------------------------------------------------------------

    def plot_path(self, ax: Any = None, *, top: int = 10) -> Any:
        """Coefficients against lambda; the ``top`` largest at the end are named. Takes and returns an Axes."""
        return plots.plot_path(self, ax, top)

    def plot_relevance(self, ax: Any = None, *, top: int = 30) -> Any:
        """Relevance and coefficient of the first ``top`` features. Takes and returns an Axes."""
        return plots.plot_relevance(self, ax, top)

    def plot_redundancy(self, ax: Any = None) -> Any:
        """Redundancy among the selected: a heat map in the order of a dendrogram. Takes and returns an Axes."""
        return plots.plot_redundancy(self, ax)

    # --- as text --------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @overload
    def __getitem__(self, place: SupportsIndex) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: SupportsIndex | slice) -> str | list[str]:
        return self.names[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self._outcome() == other._outcome()

    def _outcome(self) -> dict[str, Any]:
        """What came out. The program and this package say it in other words: --exclude there, exclude here."""
        document = {key: value for key, value in self.document.items() if key not in _ASIDE}
        left_out = [{**one, "reason": None} for one in document["data"].get("left_out", [])]
        return {**document, "data": {**document["data"], "left_out": left_out}}

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:5]) + (", ..." if len(self) > 5 else "")
        told = "".join(f"; {line}" for line in self._told())
        warned = "".join(f"; warning: {message}" for message in self.warnings)
        return f"Selection({len(self)} of {self.document['data']['features']} features: {shown}{told}{warned})"

    def _told(self) -> list[str]:
        """How samples and target were joined, if they were, what was left out, and what a cluster did."""
        lines = []
        matched = self.document["data"]["matched"]
        if matched["how"] == "ids":
            column = "" if matched["id_column"] is None else f" (column {matched['id_column']!r})"
            lines.append(
                f"joined on ids: {matched['common']} of {matched['samples']} samples, {matched['common']} of "
                f"{matched['target_values']} values of the target{column}"
            )
        for left_out in self.document["data"]["left_out"]:
            noun = left_out["what"] if left_out["count"] != 1 else left_out["what"].removesuffix("s")
            lines.append(f"left out {left_out['count']} {noun} {left_out['reason']}")
        engine = self.document.get("engine") or {"jobs": 0}
        if engine["jobs"] > 0:
            lines.append(
                f"{engine['name']}, {engine['workers']} at a time: {engine['jobs']} jobs, "
                f"{engine['bytes_moved'] / 1e6:.1f} MB moved, {engine['seconds']:.1f} s of waiting"
            )
        return lines

    def _certified(self) -> str:
        if self.certificate is None:
            return "no certificate: the most relevant features, repeated or not"
        if not self.certificate["valid"]:
            return "the certificate FAILED"
        return f"certified optimum (largest violation {self.certificate['max_violation']:.1e} of max f)"

    def _repr_html_(self) -> str:
        data = self.document["data"]
        head = (
            f"<p><b>{len(self)} of {data['features']:,} features</b>, {data['samples']:,} samples, "
            f"target {html.escape(self.document['target']['name'])} ({self.task}); {self._certified()}</p>"
        )
        told = "".join(f"<p>{html.escape(line)}</p>" for line in self._told())
        warned = "".join(f"<p><b>Warning:</b> {html.escape(message)}</p>" for message in self.warnings)
        rows = []
        for feature in self.document["selected"][:20]:
            alpha = "" if feature["coefficient"] is None else f"{feature['coefficient']:.4g}"
            copies = len(feature["identical"] or ())
            rows.append(
                f"<tr><td>{feature['rank']}</td><td style='text-align:left'>{html.escape(feature['name'])}</td>"
                f"<td>{feature['relevance']:.4g}</td><td>{alpha}</td><td>{copies or ''}</td></tr>"
            )
        more = f"<p>and {len(self) - 20} more</p>" if len(self) > 20 else ""
        return (
            f"{head}{told}{warned}<table><thead><tr><th>rank</th><th style='text-align:left'>feature</th>"
            "<th>relevance</th><th>coefficient</th><th>copies</th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>{more}"
        )


def _numbers(selected: list[dict[str, Any]], field: str) -> np.ndarray:
    values = [feature.get(field) for feature in selected]
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _neighbors(feature: dict[str, Any]) -> Neighbors:
    found = feature["neighbors"] or []
    return Neighbors(
        feature["name"],
        [one["name"] for one in found],
        np.array([one["index"] for one in found], dtype=np.int64),
        np.array([one["redundancy"] for one in found], dtype=np.float64),
    )
