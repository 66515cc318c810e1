"""examples/select_features.py runs, on data of its own and on a file."""

import pathlib
import subprocess
import sys

import numpy as np

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "select_features.py"


def printed(*arguments):
    run = subprocess.run([sys.executable, EXAMPLE, *arguments], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


def test_example_runs(tmp_path, numbers):
    lines = printed()
    assert len(lines) == 11 and lines[-1] == "certified: True"
    assert {line.split("\t")[0] for line in lines[:3]} <= {"f0", "f1", "f2", "f100", "f101", "f102"}

    X, y = numbers
    names = [f"x{k}" for k in range(X.shape[1])] + ["y"]
    np.savetxt(tmp_path / "data.csv", np.column_stack([X, y]), delimiter=",", header=",".join(names), comments="")
    lines = printed(tmp_path / "data.csv", "y")
    assert len(lines) == 11 and lines[0].startswith("x")
