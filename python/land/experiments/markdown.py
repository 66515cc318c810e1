"""Tables of findings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], digits: int = 3) -> str:
    """Text stands left, numbers right. Floats have `digits` significant digits; None and NaN are empty."""
    rows = [list(row) for row in rows]
    right = [all(_is_number(row[c]) for row in rows) for c in range(len(head))]
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "|".join("--:" if one else "---" for one in right) + "|",
    ]
    lines += ["| " + " | ".join(_shown(value, digits) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _shown(value: Any, digits: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
