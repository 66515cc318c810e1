"""What a reader of a result should know, as warnings of Python."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class LandWarning(UserWarning):
    """What a reader of the result should know: constant features, a target that looks like labels, and the like."""


def warn(messages: Iterable[str]) -> None:
    """Each once, at the line outside of this package that called it."""
    level = 1
    while _is_ours(level):
        level += 1
    for message in messages:
        warnings.warn(message, LandWarning, stacklevel=level + 1)


def _is_ours(level: int) -> bool:
    try:
        name = str(sys._getframe(level + 1).f_globals.get("__name__", ""))
    except ValueError:  # no frame is left
        return False
    return name == __package__ or name.startswith(f"{__package__}.")
