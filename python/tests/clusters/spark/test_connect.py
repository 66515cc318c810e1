"""Spark Connect, whose sessions have no context: the same, over however many tasks."""

import pytest

READ = ["direct", "cells"]
PARTS = [1, 2, 7, 64]


def test_any_number_of_parts(blocks, driver):
    pytest.importorskip("pyspark", "4", reason="the package of pip has Connect's server since Spark 4")
    run = driver(blocks.path, blocks.target, "--remote", "local[2]", "--read", *READ, "--parts", *PARTS)
    for read in READ:
        for parts in PARTS:
            assert run.selection(read, parts) == blocks.selection
