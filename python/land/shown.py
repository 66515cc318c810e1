"""How records show themselves: the first few of what they hold."""

from __future__ import annotations

SHOWN = 5


def shown(head: str, count: int, first: list[str]) -> str:
    return f"{head}: {', '.join(first)}{', ...' if count > len(first) else ''})"
