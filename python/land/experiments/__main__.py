"""The experiments of the paper, one command each."""

from __future__ import annotations

import argparse
import os
import pathlib
import shlex
import sys
from collections.abc import Sequence

from . import data_sets
from .catalogue import NAMES, experiment
from .experiment import Scale
from .run import run

_EPILOG = """\
Experiments that need data take it from the folder that LAND_DATA names. `download` fetches there what is to be had at a
URL, and compares checksums; docs/paper.md says where to get the rest. What is done is kept in RESULTS/NAME.csv: after
Ctrl-C the same command goes on from there.

  python -m land.experiments list
  LAND_DATA=~/data python -m land.experiments download
  python -m land.experiments synthetic --quick
  LAND_DATA=~/data python -m land.experiments benchmarks --splits 20
  LAND_DATA=~/data python -m land.experiments all
"""


def main(words: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if words is None else list(words)
    arguments = _parser().parse_args(words)
    if arguments.name == "list":
        for name in NAMES:
            print(f"{name:<14}{experiment(name).title}")
        return 0
    scale = Scale(quick=arguments.quick, seed=arguments.seed, splits=arguments.splits)
    folder = arguments.results or pathlib.Path("results", "quick" if scale.quick else "")
    command = ("LAND_DATA=FOLDER " if data_sets.folder() else "") + shlex.join(
        ["python", "-m", "land.experiments", *words]
    )
    try:
        if arguments.name == "download":
            for path in data_sets.download():
                print(path)
            return 0
        for name in NAMES if arguments.name == "all" else (arguments.name,):
            run(experiment(name), scale, folder, jobs=arguments.jobs, command=command, fresh=arguments.fresh)
            print(folder / f"{name}.md")
    except KeyboardInterrupt:
        print("land.experiments: interrupted; the same command goes on with what is left", file=sys.stderr)
        return 130
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"land.experiments: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m land.experiments",
        description="Runs an experiment of the paper, and writes a CSV, a figure and the findings.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "name",
        choices=("list", "download", "all", *NAMES),
        metavar="NAME",
        help=f"list, download, all, {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--quick", action="store_true", help="a small version, in minutes; generated data where none is"
    )
    parser.add_argument("--splits", type=_positive, metavar="N", help="splits of each data set (as many as the paper)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which splits, and which made-up data (1)")
    parser.add_argument(
        "--results", type=pathlib.Path, metavar="FOLDER", help="where to write (results, or results/quick with --quick)"
    )
    parser.add_argument(
        "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="processes (all cores); times take one"
    )
    parser.add_argument("--fresh", action="store_true", help="begin anew, instead of going on with what is kept")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: a number of at least 1 is needed")
    return number


if __name__ == "__main__":
    sys.exit(main())
