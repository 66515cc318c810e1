"""S3 on this machine, and what makes Spark speak to it."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator

BUCKET = "land"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}


@contextlib.contextmanager
def object_store(file: pathlib.Path) -> Iterator[str]:
    """The address of a store that has a copy of a file in its bucket."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        store = boto3.client("s3", endpoint_url=address, **KEYS)
        store.create_bucket(Bucket=BUCKET)
        store.upload_file(str(file), BUCKET, file.name)
        yield address
    finally:
        server.stop()


def settings(jars: pathlib.Path, address: str) -> dict[str, str]:
    """Of Spark."""
    needed = sorted(str(jar) for jar in jars.glob("*.jar") if "minicluster" not in jar.name)
    return {
        "spark.jars": ",".join(needed),
        "spark.hadoop.fs.s3a.endpoint": address,
        "spark.hadoop.fs.s3a.endpoint.region": KEYS["region_name"],
        "spark.hadoop.fs.s3a.access.key": KEYS["aws_access_key_id"],
        "spark.hadoop.fs.s3a.secret.key": KEYS["aws_secret_access_key"],
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
    }
