"""Cells that cannot be scored end the job, in one line that says where, and leave nothing that looks like a result."""

import re

import numpy as np
from marked_blocks import flip_bit, write_blocks

from land.remote import CellList


def test_a_bit_that_has_flipped(blocks, driver, tmp_path):
    path = write_blocks(tmp_path / "damaged.parquet", blocks.cells)
    flip_bit(path, blocks.cells, 5)

    run = driver(path, blocks.target, "--master", "local[2]", "--read", "cells")
    assert run.ends() != 0
    first, last = blocks.cells.firsts[5:7]
    where = f"{path}: row 5 (features {first} to {last - 1})"
    what = "a cell of a block table: damaged on the way: its checksum does not match; send it again"
    assert f"\nValueError: {where}: {what}\n" in run.log
    assert not run.out.exists()


def test_a_value_that_is_missing(blocks, driver, tmp_path):
    X = blocks.X.copy()
    X[7, 321] = np.nan
    np.save(tmp_path / "lacking.npy", X)
    cells = CellList.of(str(tmp_path / "lacking.npy"), missing="ignore", cell_bytes=1 << 14)
    path = write_blocks(tmp_path / "lacking.parquet", cells)

    run = driver(path, blocks.target, "--master", "local[2]", "--read", "direct", "--missing", "error")
    assert run.ends() != 0
    where = re.escape(str(tmp_path / "lacking.npy"))
    assert re.search(rf"^ValueError: {where}: 1 missing values, the first in feature f321; ", run.log, re.MULTILINE)
    assert not run.out.exists()
