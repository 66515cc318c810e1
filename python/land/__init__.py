"""LAND: the features that best explain a target without repeating each other. Nonlinear, exact, certified."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _land, pp
from ._land import CertificateError
from .commands import Scores, convert, methods, neighbors, score, select
from .land_warning import LandWarning
from .near import Neighbors
from .reading import Reading, Subset
from .selection import Knot, Selection

if TYPE_CHECKING:
    from .evaluation import Evaluation, evaluate
    from .selector import LandSelector
    from .selector_cv import LandSelectorCV
    from .stability_selection import Stability, stability

__version__ = _land.version()

__all__ = [
    "CertificateError",
    "Evaluation",
    "Knot",
    "LandSelector",
    "LandSelectorCV",
    "LandWarning",
    "Neighbors",
    "Reading",
    "Scores",
    "Selection",
    "Stability",
    "Subset",
    "convert",
    "evaluate",
    "methods",
    "neighbors",
    "pp",
    "score",
    "select",
    "stability",
]

# scikit-learn takes longer to import than all else here, and workers of a cluster have no use for it.
_MODULES = {
    "Evaluation": ".evaluation",
    "LandSelector": ".selector",
    "LandSelectorCV": ".selector_cv",
    "Stability": ".stability_selection",
    "evaluate": ".evaluation",
    "stability": ".stability_selection",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
