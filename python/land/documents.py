"""JSON as the program writes it."""

from __future__ import annotations

import json
from typing import Any


def dumps(document: dict[str, Any]) -> str:
    """A line per field, and per element of the long lists."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
            elements = ",\n".join("    " + _compact(element) for element in value)
            lines.append(f"  {_compact(key)}: [\n{elements}\n  ]")
        else:
            lines.append(f"  {_compact(key)}: {_compact(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
