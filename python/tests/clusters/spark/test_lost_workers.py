"""Workers that die with work in their hands: it is done again by others, and the outcome is the same to the bit."""

import os
import pathlib
import re
import signal
import time

READ = ["direct", "cells"]
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


def start(driver, blocks, standalone, folder, *options):
    """A driver that selects in both ways, and the marks of each."""
    from marked_cells import Marks

    for read in READ:
        (folder / read).mkdir()
    given = ["--master", standalone, "--read", *READ, "--marks", folder, *options]
    return driver(blocks.path, blocks.target, *given), {read: Marks(folder / read) for read in READ}


def test_an_executor_that_is_killed(blocks, standalone, driver, tmp_path):
    run, marks = start(driver, blocks, standalone, tmp_path)
    victims = {}
    for read in READ:
        victims[read], executor = hold_of(marks[read], run)
        assert b"CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{executor}/cmdline").read_bytes()
        os.kill(executor, signal.SIGKILL)

    assert run.ends() == 0, run.log[-4000:]
    assert run.log.count("Lost executor") >= len(READ)
    for read in READ:
        assert run.selection(read) == blocks.selection
        lost = {mark.cell for mark in marks[read].all() if mark.process == victims[read]}
        again = marks[read].done_again()
        print(f"{read}: {len(again)} cells were done again")
        assert lost and lost <= set(again)
        workers = {mark.process for mark in marks[read].all()}
        assert len(workers) > 1 and run.process.pid not in workers


def test_a_worker_that_crashes(blocks, standalone, driver, tmp_path):
    from marked_cells import BEFORE_CRASH

    run, marks = start(driver, blocks, standalone, tmp_path, "--crash")
    assert run.ends() == 0, run.log[-4000:]
    assert run.log.count("Lost task") >= len(READ)
    for read in READ:
        assert run.selection(read) == blocks.selection
        again = marks[read].done_again()
        print(f"{read}: {len(again)} cells were done again")
        assert marks[read].crashed
        assert len(again) >= BEFORE_CRASH
