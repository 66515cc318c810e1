"""How time grows: exponents from times at several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Exponent(NamedTuple):
    value: float
    error: float  #: its standard error; NaN for two sizes


def fitted_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> Exponent:
    """The slope of the least-squares line through the logarithms: seconds are about a constant times sizes**value."""
    x = np.log(np.asarray(sizes, dtype=float))
    t = np.log(np.asarray(seconds, dtype=float))
    x = x - x.mean()
    value = float(x @ t / (x @ x))
    if len(x) < 3:
        return Exponent(value, float("nan"))
    residual = t - t.mean() - value * x
    return Exponent(value, float(np.sqrt(residual @ residual / (len(x) - 2) / (x @ x))))
