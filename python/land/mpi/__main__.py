"""``mpirun -n N python -m land.mpi BLOCKS.parquet``: a selection as a program."""

from __future__ import annotations

import argparse
import functools
import inspect
import os
import re
import sys
import warnings
from typing import Any

from .. import LandWarning, _land, remote
from .cluster import select, serve, tell

DESCRIPTION = """Select the features of a block table that explain a target, by all ranks of an MPI program.

Every rank reads and scores its share of the table; rank 0 solves. The result is that of `land select`, to the bit,
however many ranks there are."""

EXAMPLES = """examples:
  land convert expression.tsv blocks.parquet
  mpirun -n 8 python -m land.mpi blocks.parquet --target clinical.csv:grade -m 50 -o result.json
  srun -n 64 python -m land.mpi blocks.parquet --target y.npy -o result.json

The table must be on a disk that all ranks reach. Exit codes: 0, or 2 with one line that says what is wrong; then
nothing has been written."""

KINDS: dict[str, Any] = {"integer": int, "number": float, "text": str}
METAVARS = {"integer": "N", "number": "NUMBER", "text": "TEXT"}
SHORT = {"features": ["-m"]}


def main() -> int:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    if comm.rank > 0:
        serve(comm)
        return 0
    try:
        given = vars(_parser().parse_args())
        output = given.pop("output")
        _check_output(output)
        cells = remote.BlockFile(given.pop("blocks"))
    except BaseException as error:
        tell(comm, None)  # the others have nothing to do
        return _failed(error)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LandWarning)  # they are in the result
            selection = select(comm, cells, **given)
        assert selection is not None  # of rank 0
        for warning in selection.warnings:
            print(f"land.mpi: warning: {warning}", file=sys.stderr)
        engine = selection.document["engine"]
        print(
            f"land.mpi: selected {len(selection)} features; {engine['workers']} ranks, {engine['jobs']} jobs, "
            f"{engine['bytes_moved'] / 1e6:.1f} MB moved",
            file=sys.stderr,
        )
        if output is None:
            print(selection.dumps())
        else:
            selection.save(output)
    except BaseException as error:
        return _failed(error)
    return 0


def _failed(error: BaseException) -> int:
    """What is wrong with the input is said in a line; anything else goes on."""
    if not isinstance(error, (ValueError, OSError, RuntimeError)):
        raise error
    print(f"land.mpi: {error}", file=sys.stderr)
    return 2


def _check_output(path: str | None) -> None:
    """Before the work, not after it."""
    if path is None:
        return
    if not path.endswith(".json"):
        raise ValueError(f"--output {path}: a result is JSON here; end the name with .json")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise ValueError(f"--output {path}: there is no such folder; make it first")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m land.mpi",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,  # what is not given has the default of the library
        allow_abbrev=False,
    )
    parser.add_argument("blocks", metavar="BLOCKS", help="a block table: a .parquet, or a folder of them")
    target = "a file (text, .npy, .npz), or a column of one, joined on ids if both have any (default: the table's own)"
    parser.add_argument("-t", "--target", metavar="FILE[:COLUMN]", dest="y", help=target)
    parser.add_argument("-o", "--output", metavar="FILE", default=None, help="a .json file (default: standard output)")
    for option in _land.options_of("select"):
        if option["key"] != "target" and option["name"] in inspect.signature(remote.select).parameters:
            _add(parser, option)
    return parser


def _add(parser: argparse.ArgumentParser, option: dict[str, Any]) -> None:
    """An option as the table of `land select` has it."""
    key, kind = option["key"], option["kind"]
    names = [*SHORT.get(key, []), f"--{key}"]
    text = re.sub(r"(?::\w+:)?`+([^`]*)`+", r"\1", option["help"]).replace("%", "%%")
    if option["default"] not in (None, False):
        text += f" [{option['default']}]"
    if kind == "switch":
        parser.add_argument(*names, dest=option["name"], action="store_true", help=text)
        return
    takes: dict[str, Any] = {"type": KINDS.get(kind), "metavar": METAVARS.get(kind)}
    if kind == "choice":
        takes = {"choices": option["choices"]}
    elif kind == "numbers":
        counted = isinstance(option["default"], int)
        takes = {"type": _count_or_numbers if counted else _numbers, "metavar": "B|C1,..." if counted else "G1,G2,..."}
    if word := option["word"]:
        takes["type"] = functools.partial(_number_or, word)
    parser.add_argument(*names, dest=option["name"], help=text, **takes)


def _number_or(word: str, text: str) -> int | str:
    if text == word:
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number nor {word}") from None


def _numbers(words: str) -> list[float]:
    return [float(word) for word in words.removesuffix(",").split(",")]


def _count_or_numbers(words: str) -> int | list[float]:
    """Without a comma it is how many."""
    return _numbers(words) if "," in words else int(words)


if __name__ == "__main__":
    sys.exit(main())
