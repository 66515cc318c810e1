"""Batch jobs: parts that are scored apart give the whole, by hand and with Slurm, Snakemake and Nextflow.

Slurm is started for the tests if it is installed; LAND_SLURM=1 makes it an error that it cannot be.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import land

from .kinds.batch import Kind

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "examples" / "batch"
SLURM_NODE = REPOSITORY / "tests" / "cluster" / "slurm_node"


def run(*command: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=120, **options)


def outcome(path: pathlib.Path) -> dict[str, Any]:
    """All of the document but how long it took, what was typed and on how many threads."""
    document = json.loads(path.read_text())
    return {key: value for key, value in document.items() if key not in ("command", "engine", "seconds")}


class Table:
    """X.npy and y.npy in a folder of their own, where `land` is found in PATH."""

    def __init__(self, folder: pathlib.Path, program: str, X: np.ndarray, y: np.ndarray) -> None:
        self.folder = folder
        np.save(folder / "X.npy", X)
        np.save(folder / "y.npy", y)
        (folder / "bin").mkdir()
        (folder / "bin" / "land").symlink_to(program)
        self.environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "FEATURES": "10"}

    def run(self, *command: Any) -> subprocess.CompletedProcess[str]:
        return run(*command, cwd=self.folder, env=self.environment)

    def score(self, part: int, parts: int) -> str:
        self.run(*f"land score X.npy -t y.npy --part {part}/{parts} -o {part}.scores".split()).check_returncode()
        return f"{part}.scores"

    def select(self, *scores: str) -> subprocess.CompletedProcess[str]:
        return self.run(*"land select X.npy -t y.npy -m 10 -q -o selected.json --scores".split(), *scores)

    def whole(self) -> dict[str, Any]:
        self.run(*"land select X.npy -t y.npy -m 10 -q -o whole.json".split()).check_returncode()
        return outcome(self.folder / "whole.json")

    def times(self, names: str) -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in self.folder.glob(names)}


@pytest.fixture
def table(tmp_path: pathlib.Path, program: str, numbers: tuple[np.ndarray, np.ndarray]) -> Table:
    return Table(tmp_path, program, *numbers)


@pytest.fixture(scope="module")
def batch() -> Iterator[Kind]:
    with Kind() as kind:
        yield kind


@pytest.mark.parametrize("parts", [1, 2, 7, 64])  # 64 is more than there are features
@pytest.mark.parametrize("options", [{}, {"method": "mr-nhsic"}, {"bases": 20, "ridge": 0.1}, {"missing": "ignore"}])
def test_parts_are_the_whole(table: Table, batch: Kind, numbers: Any, parts: int, options: dict[str, Any]) -> None:
    X, y = numbers[0].copy(), numbers[1]
    if "missing" in options:
        X[3, 50] = np.nan
    path = str(table.folder / "X.npy")
    np.save(path, X)
    assert batch.select(path, y, parts=parts, n_features=10, **options) == land.select(
        path, y, n_features=10, **options
    )


def test_bad_values_are_refused_by_the_part_that_has_them(table: Table, batch: Kind, numbers: Any) -> None:
    X, y = numbers[0].copy(), numbers[1]
    X[3, 50] = np.nan
    np.save(table.folder / "X.npy", X)
    with pytest.raises(ValueError, match=r"^\S*X\.npy: row 3, column 50 .* the value is missing"):
        batch.select(str(table.folder / "X.npy"), y, parts=4)
    assert table.score(1, 4) == "1.scores"


def refusal(table: Table, *scores: str) -> str:
    refused = table.select(*scores)
    assert refused.returncode == 2 and not (table.folder / "selected.json").exists()
    assert refused.stderr.startswith("land: ") and refused.stderr.count("\n") == 1
    return refused.stderr


def test_missing_part_is_named(table: Table) -> None:
    scores = [table.score(part, 4) for part in (1, 2, 3, 4)]
    assert "3.scores: cannot read the file: No such file" in refusal(table, *scores[:2], "gone/3.scores", scores[3])
    first = json.loads((table.folder / "3.scores").read_bytes()[16:].split(b"}")[0] + b"}")["first"]
    assert f"features {first} to " in refusal(table, *scores[:2], scores[3])
    assert table.select(*scores).returncode == 0


def test_scores_of_something_else_are_refused(table: Table, numbers: Any) -> None:
    X, y = numbers
    scores = [table.score(part, 2) for part in (1, 2)]
    np.save(table.folder / "y.npy", y[::-1])
    assert "1.scores: made for another target" in refusal(table, *scores)
    np.save(table.folder / "y.npy", y)
    np.save(table.folder / "X.npy", X + np.arange(200)[:, None])
    assert "has changed; make it again with land score" in refusal(table, *scores)
    np.save(table.folder / "X.npy", X[:, :-1])
    assert "60 features x 200 samples, X.npy has 59 x 200" in refusal(table, *scores)
    np.save(table.folder / "X.npy", X)
    assert table.select(*scores).returncode == 0


def test_unlike_machines_give_the_same_selection(table: Table) -> None:
    scores = [table.score(part, 2) for part in (1, 2)]
    alike = (table.folder / "2.scores").read_bytes()
    table.environment["LAND_SIMD"] = "scalar"
    table.score(2, 2)
    del table.environment["LAND_SIMD"]
    assert (table.folder / "2.scores").read_bytes() != alike  # the last digits of scores are those of the machine
    assert table.select(*scores).returncode == 0
    found, whole = outcome(table.folder / "selected.json"), table.whole()
    assert [found[key] for key in ("selected", "redundancy", "path")] == [
        whole[key] for key in ("selected", "redundancy", "path")
    ]


class Slurm:
    """A Slurm of one node, seen from the folder of a table."""

    def __init__(self, table: Table, settings: pathlib.Path) -> None:
        self.table = table
        table.environment["SLURM_CONF"] = str(settings)

    def submit(self, parts: int) -> tuple[str, str]:
        """The numbers of the array and of the job that selects."""
        submitted = self.table.run(EXAMPLES / "slurm" / "submit.sh", "X.npy", "y.npy", parts, "out.json")
        assert submitted.returncode == 0, submitted.stderr
        score, select = submitted.stdout.split()[1::2]
        return score, select

    def sbatch(self, script: str, *options: str) -> str:
        arguments = ["X.npy", "y.npy", "3", "out.json"]
        submitted = self.table.run("sbatch", "--parsable", *options, EXAMPLES / "slurm" / script, *arguments)
        assert submitted.returncode == 0, submitted.stderr
        return submitted.stdout.strip()

    def states(self, job: str) -> list[str]:
        """How the job, or each of its array, ended, once all have."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            shown = self.table.run("scontrol", "--oneliner", "show", "job", job).stdout
            states = [field.split("=")[1] for field in shown.split() if field.startswith("JobState=")]
            if states and not {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING"} & set(states):
                return sorted(states)
            time.sleep(0.2)
        raise TimeoutError(self.table.run("squeue").stdout)


@pytest.fixture(scope="module")
def slurm_settings() -> Iterator[pathlib.Path]:
    folder = tempfile.mkdtemp(prefix="land-slurm-")
    started = run(SLURM_NODE, "start", folder)
    try:
        if started.returncode != 0:
            if os.environ.get("LAND_SLURM") == "1":
                pytest.fail(started.stderr)
            pytest.skip(started.stderr.strip())
        yield pathlib.Path(folder) / "slurm.conf"
    finally:
        run(SLURM_NODE, "stop", folder)
        shutil.rmtree(folder)


@pytest.fixture
def slurm(table: Table, slurm_settings: pathlib.Path) -> Slurm:
    return Slurm(table, slurm_settings)


def test_slurm_selects(slurm: Slurm) -> None:
    score, select = slurm.submit(3)
    assert slurm.states(score) == ["COMPLETED"] * 3
    assert slurm.states(select) == ["COMPLETED"]
    assert outcome(slurm.table.folder / "out.json") == slurm.table.whole()
    again = slurm.table.run(EXAMPLES / "slurm" / "submit.sh", "X.npy", "y.npy", 3, "out.json")
    assert again.returncode == 2 and "out.json exists" in again.stderr


def test_slurm_does_not_select_after_a_failed_part(slurm: Slurm, numbers: Any) -> None:
    X = numbers[0].copy()
    X[3, 59] = np.nan
    np.save(slurm.table.folder / "X.npy", X)
    score, select = slurm.submit(3)
    assert slurm.states(select) == ["CANCELLED"]
    assert slurm.states(score) == ["COMPLETED", "COMPLETED", "FAILED"]
    parts = slurm.table.folder / "out.json.parts"
    assert "row 3, column 59" in (parts / "score-3.log").read_text()
    assert not (slurm.table.folder / "out.json").exists() and not (parts / "3-of-3.scores").exists()


def test_slurm_makes_a_lost_part_again(slurm: Slurm) -> None:
    score, select = slurm.submit(3)
    assert slurm.states(select) == ["COMPLETED"]
    (slurm.table.folder / "out.json").unlink()
    (slurm.table.folder / "out.json.parts" / "2-of-3.scores").unlink()
    kept = slurm.table.times("out.json.parts/*.scores")

    refused = slurm.sbatch("select.sbatch", "--output=refused.log")
    assert slurm.states(refused) == ["FAILED"] and not (slurm.table.folder / "out.json").exists()
    assert "2-of-3.scores: cannot read the file" in (slurm.table.folder / "refused.log").read_text()

    assert slurm.states(slurm.sbatch("score.sbatch", "--array=2")) == ["COMPLETED"]
    assert slurm.states(slurm.sbatch("select.sbatch")) == ["COMPLETED"]
    assert kept.items() < slurm.table.times("out.json.parts/*.scores").items()
    assert outcome(slurm.table.folder / "out.json") == slurm.table.whole()


def needed(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


def test_snakemake_makes_only_what_is_not_there(table: Table) -> None:
    example = EXAMPLES / "snakemake"
    command = [needed("snakemake"), "--snakefile", example / "Snakefile", "--configfile", example / "config.yaml"]
    command += ["--cores", 2, "--config", "features=10", "parts=3", "out=out.json"]
    assert table.run(*command).returncode == 0
    assert outcome(table.folder / "out.json") == table.whole()
    made = table.times("out.json.parts/*") | table.times("out.json")
    assert len(made) == 4

    again = table.run(*command)
    assert again.returncode == 0 and "Nothing to be done" in again.stderr
    assert table.times("out.json.parts/*") | table.times("out.json") == made

    damaged = table.folder / "out.json.parts" / "2-of-3.scores"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    refused = table.run(*command)
    assert refused.returncode != 0 and "land: out.json.parts/2-of-3.scores: the file is damaged" in refused.stderr
    assert not (table.folder / "out.json").exists()

    assert table.run(*command, "--forcerun", "out.json.parts/2-of-3.scores").returncode == 0
    changed = set(table.times("out.json.parts/*").items()) - set(made.items())
    assert [name for name, _ in changed] == ["2-of-3.scores"]
    assert outcome(table.folder / "out.json") == table.whole()


def test_nextflow_selects_and_resumes(table: Table) -> None:
    command = [needed("nextflow"), "run", EXAMPLES / "nextflow" / "main.nf", "-ansi-log", "false", "-resume"]
    command += ["--data", "X.npy", "--target", "y.npy", "--parts", 3, "--features", 10, "--out", "out.json"]
    assert table.run(*command).stdout.count("Submitted process") == 4
    assert outcome(table.folder / "out.json") == table.whole()
    again = table.run(*command).stdout
    assert again.count("Cached process") == 4 and "Submitted" not in again
