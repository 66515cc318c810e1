"""Cells that cannot be scored end the job, in one line that says where, and leave nothing that looks like a result."""

import re

import numpy as np


def test_a_bit_that_has_flipped(blocks, driver, tmp_path):
    damaged = tmp_path / "damaged.parquet"
    data = bytearray(blocks.path.read_bytes())
    cell = blocks.cells[5]
    assert data.count(cell) == 1
    data[data.index(cell) + len(cell) // 2] ^= 1
    damaged.write_bytes(data)

    run = driver(damaged, blocks.target, "--master", "local[2]", "--read", "cells")
    assert run.ends() != 0
    assert (
        f"\nValueError: {damaged}: row 5: a cell of a block table: damaged on the way: its checksum does not match; send "
        "it again\n" in run.log
    )
    assert not run.out.exists()


def test_a_value_that_is_missing(blocks, driver, tmp_path):
    from block_tables import write_blocks

    X = blocks.X.copy()
    X[7, 321] = np.nan
    path = tmp_path / "missing.parquet"
    write_blocks(path, X, cell_bytes=25 * 800, missing="ignore")

    run = driver(path, blocks.target, "--master", "local[2]", "--read", "direct", "--missing", "error")
    assert run.ends() != 0
    assert re.search(r"^ValueError: X: 1 missing values, the first in feature f321; choose .+$", run.log, re.MULTILINE)
    assert not run.out.exists()
