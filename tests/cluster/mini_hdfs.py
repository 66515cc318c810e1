"""HDFS on this machine, in a JVM that Python holds."""

from __future__ import annotations

import json
import pathlib
import urllib.request
from types import TracebackType
from typing import Any

BLOCK_BYTES = 1 << 20  # the least that HDFS takes
DATANODES = 2


class MiniHdfs:
    """A namenode and two datanodes. Every block is on one of them only."""

    def __init__(self, jars: pathlib.Path, folder: pathlib.Path) -> None:
        from pyspark import SparkConf
        from pyspark.java_gateway import launch_gateway

        classes = next(jars.glob("hadoop-client-minicluster-*.jar"))
        self._gateway = launch_gateway(SparkConf().set("spark.driver.extraClassPath", str(classes)))
        self._jvm: Any = self._gateway.jvm
        settings = self._jvm.org.apache.hadoop.conf.Configuration()
        settings.setInt("dfs.blocksize", BLOCK_BYTES)
        builder = self._jvm.org.apache.hadoop.hdfs.MiniDFSCluster.Builder(settings, self._jvm.java.io.File(str(folder)))
        self._cluster = builder.numDataNodes(DATANODES).build()
        settings.setInt("dfs.replication", 1)
        self._cluster.waitActive()

    def put(self, file: pathlib.Path) -> str:
        """The address of a copy of a file."""
        path = self._jvm.org.apache.hadoop.fs.Path
        there = path(f"/{file.name}")
        files = self._cluster.getFileSystem()
        files.copyFromLocalFile(path(str(file)), there)
        return str(files.makeQualified(there).toString())

    def served(self) -> list[int]:
        """How many blocks each datanode has served so far."""
        page = f"http://127.0.0.1:{self._cluster.getDataNodes()[0].getInfoPort()}/jmx"
        with urllib.request.urlopen(f"{page}?qry=Hadoop:service=DataNode,name=DataNodeActivity-*") as answer:
            return [node["BlocksRead"] for node in json.load(answer)["beans"]]

    def __enter__(self) -> MiniHdfs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cluster.shutdown()
        self._gateway.shutdown()
        self._gateway.proc.stdin.close()  # ends the JVM
        self._gateway.proc.wait()
