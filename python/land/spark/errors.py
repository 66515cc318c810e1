"""What workers complain about, out of the traces of the JVM."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

_BAD_INPUT = re.compile(r"^ValueError: (.+)$", re.MULTILINE)
_NO_MODULE = re.compile(r"^ModuleNotFoundError: (No module named '(?:land|pyarrow|numpy)\b.*)$", re.MULTILINE)
_PATH_EXISTS = re.compile(r"PATH_ALREADY_EXISTS\] .*?Path (\S+) already exists")
_NO_PATH = re.compile(r"PATH_NOT_FOUND\] .*?: (\S+?)\.?(?:\s|$)")


@contextlib.contextmanager
def readable_errors() -> Iterator[None]:
    """Errors of Spark that bad input has caused, in one line."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        text = str(error)
        if found := _BAD_INPUT.findall(text):
            raise ValueError(found[-1]) from None
        if found := _NO_MODULE.findall(text):
            raise ImportError(f"Spark's workers: {found[-1]}; docs/distributed/spark.md says how to ship it") from None
        if found := _NO_PATH.findall(text):
            raise FileNotFoundError(f"{found[0]}: cannot read the file: No such file or directory") from None
        if found := _PATH_EXISTS.findall(text):
            raise FileExistsError(f"{found[0]}: is there already; delete it, or choose another name") from None
        raise
