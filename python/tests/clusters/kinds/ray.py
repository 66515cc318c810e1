"""Ray on this machine, with two worker processes."""

import os
import secrets
import sys

import land.ray

import land.remote


class Kind:
    name = "ray"

    def __enter__(self):
        import ray

        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # else it leaves one in the home folder
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=200 << 20,
            _node_ip_address="127.0.0.1",
            runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}},
        )
        return self

    def __exit__(self, *_):
        import ray

        ray.shutdown()

    def select(self, path, y, *, parts, source=None, **options):
        return land.remote.select(land.ray.RayCluster(path, parts), y, **options)
