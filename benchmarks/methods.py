#!/usr/bin/env python3
"""What every method costs on one table: seconds of the whole program, as a Markdown table.

    python3 benchmarks/methods.py [--build build] [--features 276322] [--samples 302] [-m 100] [--methods land,cmim,...]

The table is made by `land generate table`, two classes, and read from the disk cache. Best of three, seconds of the
clock and of all processors. Methods that are meant for fewer features say so.
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXTRA = {"qpfs": ["--landmarks", "50"], "qpfs-mi": ["--landmarks", "50"]}
ROUNDS = 3
LONG = 20.0  # seconds, after which once is enough


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command):
    """Seconds of the clock and of processors, the best of some runs; or the message of a refusal."""
    best = None
    for _ in range(ROUNDS):
        clock, processors = time.perf_counter(), spent()
        run = subprocess.run(command, capture_output=True, text=True)
        taken = time.perf_counter() - clock, spent() - processors
        if run.returncode == 2:
            return run.stderr.strip()
        run.check_returncode()
        best = taken if best is None else min(best, taken)
        if taken[0] > LONG:
            break
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", metavar="DIR")
    parser.add_argument("--features", type=int, default=276322)
    parser.add_argument("--samples", type=int, default=302)
    parser.add_argument("-m", type=int, default=100)
    parser.add_argument("--methods", default="")
    arguments = parser.parse_args()
    land = str(arguments.build / "land")
    listed = subprocess.run([land, "methods"], capture_output=True, text=True, check=True).stdout
    names = arguments.methods.split(",") if arguments.methods else [line.split()[0] for line in listed.splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/table.npy"
        size = ["--features", str(arguments.features), "--samples", str(arguments.samples)]
        subprocess.run([land, "generate", "table", table, *size], check=True, capture_output=True)
        print(f"| method, {arguments.samples} x {arguments.features:,}, m = {arguments.m} | seconds | of processors |")
        print("|---|--:|--:|")
        for name in names:
            command = [land, "select", table, "--target", f"{folder}/table.y.npy", "-m", str(arguments.m), "-q"]
            found = measure([*command, "--method", name, *EXTRA.get(name, []), "-o", f"{folder}/out.json"])
            words = " ".join([f"`{name}`", *(f"`{word}`" for word in EXTRA.get(name, []))])
            if isinstance(found, str):
                print(f"| {words} | refused | {found.split(':', 2)[-1].strip()} |", flush=True)
            else:
                print(f"| {words} | {found[0]:.2f} | {found[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
