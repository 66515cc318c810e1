"""Spark Connect, whose sessions have no context: the same, over however many tasks."""

import pytest

PARTS = [1, 2, 7, 64]


@pytest.mark.parametrize("read", ["direct", "cells"])
def test_any_number_of_parts(blocks, driver, read):
    pytest.importorskip("pyspark", "4", reason="a server of its own, in the package of pip, is of Spark 4")
    run = driver(blocks.path, blocks.target, "--remote", "local[2]", "--read", read, "--parts", *PARTS)
    for parts in PARTS:
        assert run.selection(parts) == blocks.selection
