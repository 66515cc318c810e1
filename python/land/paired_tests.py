"""Whether one method is better than another on the same splits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class PairedTest(NamedTuple):
    """A paired, one-tailed t-test: is the first better than the second? NaN where the differences do not vary."""

    difference: float  #: the mean over splits, positive if the first is better
    p_naive: float  #: as if splits were independent, which they are not: they share training samples
    p_corrected: float  #: after Nadeau and Bengio (2003)


def paired_test(first: np.ndarray, second: np.ndarray, test_share: float) -> PairedTest:
    """`test_share`: held-out samples for each training sample. Larger is better; splits with a NaN are left out."""
    from scipy.stats import t

    difference = first - second
    difference = difference[~np.isnan(difference)]
    count = len(difference)
    if count < 2:
        return PairedTest(float(difference.mean()) if count else np.nan, np.nan, np.nan)
    mean = float(difference.mean())
    variance = float(difference.var(ddof=1))
    if variance == 0.0:
        return PairedTest(mean, np.nan, np.nan)
    naive = mean / np.sqrt(variance / count)
    corrected = mean / np.sqrt(variance * (1.0 / count + test_share))
    return PairedTest(mean, float(t.sf(naive, count - 1)), float(t.sf(corrected, count - 1)))
