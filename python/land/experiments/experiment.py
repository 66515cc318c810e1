"""What an experiment is: pieces of work, whose rows are kept, and a report on all rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Row = dict[str, Any]  #: numbers and text: a line of the CSV


class Piece(NamedTuple):
    """Work that is done as a whole or again."""

    name: str  #: of no other piece of the experiment
    work: Callable[..., list[Row]]  #: a function of a module: another process may call it
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Scale:
    """How much of an experiment is run."""

    quick: bool = False
    seed: int = 1
    splits: int | None = None  #: of each data set; None: as many as the paper, or a few if quick

    @property
    def word(self) -> str:
        return "quick" if self.quick else "full"

    def count(self, full: int, quick: int) -> int:
        """How many splits, of which there are `full` in the paper."""
        return self.splits or (quick if self.quick else full)


class Report(NamedTuple):
    """What the rows show."""

    findings: str  #: Markdown
    figure: Figure


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    paper: str  #: what the paper shows, in a sentence or two
    pieces: Callable[[Scale], list[Piece]]
    report: Callable[[pandas.DataFrame, Scale], Report]
    timed: bool = False  #: pieces are timed: one after the other, each with all threads
