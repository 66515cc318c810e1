"""Block tables that only Spark reaches."""

import pathlib

import pytest
from land.spark import SparkCluster


def test_hdfs(jars, large_blocks, standalone, driver, tmp_path):
    from mini_hdfs import MiniHdfs

    with MiniHdfs(jars, tmp_path / "hdfs") as hdfs:
        address = hdfs.put(pathlib.Path(large_blocks.path))
        with pytest.raises(FileNotFoundError):
            SparkCluster(None, address, read="direct")
        assert hdfs.served() == [0, 0]
        run = driver(address, large_blocks.target, "--master", standalone)
        assert run.selection() == large_blocks.selection
        print(f"blocks that the datanodes have served: {hdfs.served()}")
        assert all(hdfs.served())


def test_s3(jars, large_blocks, standalone, driver):
    from object_store import BUCKET, object_store, settings

    with object_store(pathlib.Path(large_blocks.path)) as url:
        pairs = [f"{key}={value}" for key, value in settings(jars, url).items()]
        run = driver(f"s3a://{BUCKET}/blocks.parquet", large_blocks.target, "--master", standalone, "--conf", *pairs)
        assert run.selection() == large_blocks.selection
