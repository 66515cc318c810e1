"""Workers that die with work in their hands: it is done again by others, and the outcome is the same to the bit."""

import os
import pathlib
import re
import signal
import time

import pytest

PATIENCE = 120  # seconds


def parent_of(process):
    return int(re.search(r"^PPid:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.MULTILINE)[1])


def hold_of(marks, driver, enough=3):
    """A process that has done a few cells of a task and is not through with it, and the JVM above it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and driver.process.poll() is None:
        found = marks.all()
        if found and sum(mark.process == found[-1].process for mark in found) >= enough:
            return found[-1].process, parent_of(found[-1].parent)
        time.sleep(0.02)
    raise AssertionError(f"no worker has marked {enough} cells: {driver.log[-4000:]}")


@pytest.mark.parametrize("read", ["direct", "cells"])
def test_an_executor_that_is_killed(blocks, standalone, driver, tmp_path, read):
    from marked_cells import Marks

    marks = Marks(tmp_path)
    run = driver(blocks.path, blocks.target, "--master", standalone, "--read", read, "--marks", tmp_path)
    process, executor = hold_of(marks, run)
    assert b"CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{executor}/cmdline").read_bytes()
    os.kill(executor, signal.SIGKILL)

    assert run.selection(read) == blocks.selection
    assert "Lost executor" in run.log
    print(f"{len(marks.done_again())} cells were done again")
    lost = {mark.cell for mark in marks.all() if mark.process == process}
    assert lost and lost <= set(marks.done_again())
    workers = {mark.process for mark in marks.all()}
    assert len(workers) > 1 and run.process.pid not in workers and os.getpid() not in workers


@pytest.mark.parametrize("read", ["direct", "cells"])
def test_a_worker_that_crashes(blocks, standalone, driver, tmp_path, read):
    from marked_cells import BEFORE_CRASH, Marks

    marks = Marks(tmp_path)
    run = driver(blocks.path, blocks.target, "--master", standalone, "--read", read, "--marks", tmp_path, "--crash")
    assert run.selection(read) == blocks.selection
    assert marks.crashed and "Lost task" in run.log
    print(f"{len(marks.done_again())} cells were done again")
    assert len(marks.done_again()) >= BEFORE_CRASH
