"""Block tables that only Spark reaches."""

import pytest
from land.spark import SparkCluster


def test_hdfs(large_blocks, standalone, driver, jars, tmp_path):
    from mini_hdfs import MiniHdfs

    with MiniHdfs(jars, tmp_path / "hdfs") as hdfs:
        address = hdfs.put(large_blocks.path)
        with pytest.raises(FileNotFoundError):
            SparkCluster(None, address, read="direct")
        assert hdfs.served() == [0, 0]
        run = driver(address, large_blocks.target, "--master", standalone)
        assert run.selection() == large_blocks.selection
        print(f"blocks that the datanodes have served: {hdfs.served()}")
        assert all(hdfs.served())


def test_s3(large_blocks, standalone, driver, jars):
    from object_store import BUCKET, object_store, settings

    with object_store(large_blocks.path) as url:
        pairs = [f"{key}={value}" for key, value in settings(jars, url).items()]
        run = driver(f"s3a://{BUCKET}/{large_blocks.path.name}", large_blocks.target, "--master", standalone, "--conf", *pairs)
        assert run.selection() == large_blocks.selection
