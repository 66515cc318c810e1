"""JSON as the program writes it."""

from __future__ import annotations

import json
import os
from typing import Any, TypeVar

from . import _land

_Self = TypeVar("_Self", bound="Document")


class Document:
    """What has a JSON that the program writes, too."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def dumps(self) -> str:
        """The JSON, as the program writes it to FILE.json: a line per field, and per element of the long lists."""
        lines = []
        for key, value in self.document.items():
            if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
                elements = ",\n".join("    " + _compact(element) for element in value)
                lines.append(f"  {_compact(key)}: [\n{elements}\n  ]")
            else:
                lines.append(f"  {_compact(key)}: {_compact(value)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def save(self, path: os.PathLike[str] | str) -> None:
        """Writes the JSON. The file is there as a whole or not at all."""
        _land.write_atomically(os.fspath(path), self.dumps())

    @classmethod
    def loads(cls: type[_Self], text: str) -> _Self:
        """From the JSON itself."""
        return cls(json.loads(text))

    @classmethod
    def load(cls: type[_Self], path: os.PathLike[str] | str) -> _Self:
        """From a file of :meth:`save`, or of the program."""
        with open(path, encoding="utf-8") as file:
            try:
                return cls.loads(file.read())
            except ValueError as error:
                raise ValueError(f"{os.fspath(path)}: {error}") from None


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
