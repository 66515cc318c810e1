"""Spark's own cluster on this machine, from the package of pip, which lacks the scripts that start it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
from collections.abc import Iterator

from service import Service

HERE = pathlib.Path(__file__).parent


def environment() -> dict[str, str]:
    """For everything that starts Spark: this Python, and the modules of this folder, on loopback."""
    folders = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(folders),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        # JVMs that live for seconds: what they would compile better, and collect in parallel, costs a third more.
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }


def spark_home() -> pathlib.Path:
    import pyspark

    return pathlib.Path(pyspark.__file__).parent


@contextlib.contextmanager
def standalone_spark(folder: pathlib.Path, workers: int = 2) -> Iterator[str]:
    """The address of a master with workers of one core each."""
    start = [str(spark_home() / "bin" / "spark-class")]
    own = {**environment(), "SPARK_HOME": str(spark_home()), "SPARK_DAEMON_MEMORY": "256m"}
    anywhere = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with contextlib.ExitStack() as running:
        command = [*start, "org.apache.spark.deploy.master.Master", *anywhere]
        master = running.enter_context(Service("master", command, folder, r"Starting Spark master at (\S+)", own))
        for number in range(workers):
            name = f"worker{number}"
            room = ["--cores", "1", "--memory", "1536m", "--work-dir", str(folder / name)]
            command = [*start, "org.apache.spark.deploy.worker.Worker", *anywhere, *room, master.told]
            running.enter_context(Service(name, command, folder, r"Successfully registered with master (\S+)", own))
        yield master.told
