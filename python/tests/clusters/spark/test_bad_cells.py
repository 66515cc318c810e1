"""Cells that cannot be scored end the job, in one line that says where, and leave nothing that looks like a result."""

import re

import numpy as np
import pytest


@pytest.mark.parametrize("read", ["direct", "cells"])
def test_a_bit_that_has_flipped(blocks, driver, tmp_path, read):
    damaged = tmp_path / "damaged.parquet"
    data = bytearray(blocks.path.read_bytes())
    cell = blocks.cells[5]
    assert data.count(cell) == 1
    data[data.index(cell) + len(cell) // 2] ^= 1
    damaged.write_bytes(data)

    run = driver(damaged, blocks.target, "--master", "local[2]", "--read", read)
    assert run.ends() != 0
    assert re.search(
        rf"^ValueError: \S*{damaged}: row 5: a cell of a block table: damaged on the way: its checksum does not match; "
        "send it again$",
        run.log,
        re.MULTILINE,
    ), run.log[-4000:]
    assert not run.out.exists()


@pytest.mark.parametrize("read", ["direct", "cells"])
def test_a_value_that_is_missing(blocks, driver, tmp_path, read):
    from block_tables import write_blocks

    X = blocks.X.copy()
    X[7, 321] = np.nan
    path = tmp_path / "missing.parquet"
    write_blocks(path, X, cell_bytes=25 * 400, missing="ignore")

    run = driver(path, blocks.target, "--master", "local[2]", "--read", read, "--missing", "error")
    assert run.ends() != 0
    assert re.search(r"^ValueError: X: 1 missing values, the first in feature f321; choose .*$", run.log, re.MULTILINE)
    assert not run.out.exists()
