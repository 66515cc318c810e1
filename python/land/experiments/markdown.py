"""Tables and paragraphs of findings."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
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


def wrapped(text: str, width: int = 120) -> str:
    """With the lines of each paragraph filled anew. Tables, lists, headings and pictures stay as they are."""
    parts = re.split(r"\n{2,}", text.strip())
    return "\n\n".join(
        part
        if part.startswith(("|", "- ", "#", "!"))
        else textwrap.fill(part, width, break_long_words=False, break_on_hyphens=False)
        for part in parts
    )


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, Real) and not isinstance(value, bool))


def _shown(value: Any, digits: int) -> str:
    if isinstance(value, Integral) and not isinstance(value, bool):
        return f"{int(value):,}"
    if value is None:
        return ""
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if math.isnan(number):
            return ""
        return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.{digits}g}"
    return str(value)
