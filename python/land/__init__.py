"""LAND: the features that best explain a target without repeating each other. Nonlinear, exact, certified."""

from . import _land, pp
from ._land import CertificateError
from .commands import Scores, convert, neighbors, score, select
from .land_warning import LandWarning
from .near import Neighbors
from .reading import Reading, Subset
from .selection import Knot, Selection
from .selector import LandSelector
from .selector_cv import LandSelectorCV

__version__ = _land.version()

__all__ = [
    "CertificateError",
    "Knot",
    "LandSelector",
    "LandSelectorCV",
    "LandWarning",
    "Neighbors",
    "Reading",
    "Scores",
    "Selection",
    "Subset",
    "convert",
    "neighbors",
    "pp",
    "score",
    "select",
]
