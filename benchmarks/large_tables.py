"""A table that is larger than memory may be, and how time and memory grow with features, samples and selected ones."""

import json
import math
import os
import shutil

from measuring import Failed, best, in_turn, run, say

# The shape of the paper's largest experiment, which took a cluster 3 hours.
FEATURES, SAMPLES = 1_062_420, 13_794


def forget(path):
    """Takes a file out of the page cache."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def make_counts(bench, store, features, samples):
    if store.exists():
        return
    say(f"Making {store}")
    shape = ["--features", features, "--samples", samples, "--type", "counts"]
    run([bench.land, "generate", "table", store, *shape, "--quiet"])


def enzymes(bench):
    store = bench.data / "enzymes.h5"
    if bench.quick or (not store.exists() and shutil.disk_usage(bench.data).free < 20e9):
        say("  skipped: it takes 15 GB and minutes")
        return
    make_counts(bench, store, FEATURES, SAMPLES)
    truth = json.loads(store.with_suffix(".truth.json").read_text())
    planted = set(truth["linear"] + truth["nonlinear"])

    def cold(action):
        forget(store)
        return action()

    def cat():
        return run(["sh", "-c", 'cat "$0" > /dev/null', store])

    def select():
        return bench.select(store, None, "--memory", "4G")

    rounds = min(bench.rounds, 2)
    apart = in_turn(rounds, cat=lambda: cold(cat), land=lambda: cold(select))
    cat()
    cached = in_turn(rounds, land=select)["land"]
    fastest = min(cached, key=lambda each: each.wall)
    if not fastest.result["certificate"]["valid"]:
        raise Failed("the certificate does not hold")
    name = f"{FEATURES:,} counts x {SAMPLES:,}"
    stages = ", ".join(f"{key} {value:.2f}" for key, value in fastest.result["seconds"].items() if key != "total")
    wall = {who: best(runs, lambda each: each.wall) for who, runs in apart.items()}
    bench.table.add(
        f"{name}, cold: time over cat of the file",
        wall["land"] / wall["cat"],
        "x",
        ("<=", 2),
        f"{wall['land']:.1f} against {wall['cat']:.1f} s",
    )
    bench.table.add(
        "the same, cached: time per element and core",
        fastest.wall * 2e9 / (FEATURES * SAMPLES),
        " ns",
        ("<=", 1.2),
        f"{fastest.wall:.1f} s ({stages})",
    )
    peak = max(each.peak_bytes for each in cached + apart["land"])
    bench.table.add("the same: peak memory over --memory 4G", peak / 2**32, "x", ("<=", 1.1), f"{peak / 1e9:.2f} GB")
    found = len(planted & {feature["index"] for feature in fastest.result["selected"]})
    bench.table.add(f"the same: found of {len(planted)} planted features", found, "", (">=", len(planted)))


def exponent(sizes, values):
    """The slope of log(value) over log(size)."""
    x = [math.log(size) for size in sizes]
    y = [math.log(value) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def growth(bench):
    largest = 100_000 if bench.quick else 1_000_000
    counts = bench.data / f"1000x{largest}.h5"
    make_counts(bench, counts, largest, 1_000)
    axes = (
        (
            "features (300 samples, m = 100)",
            ("<=", 1),
            [(d, bench.make_table(300, d), 100) for d in (10_000, 100_000, largest)],
        ),
        (
            "samples (1,000 features, m = 100)",
            None,
            [(n, bench.make_table(n, 1_000), 100) for n in (100, 1_000, 10_000, 100_000)],
        ),
        (
            f"selected features (counts, 1,000 samples x {largest:,})",
            ("<=", 1),
            [(m, (counts, None), m) for m in (10, 50, 100, 500)],
        ),
    )
    for axis, target, points in axes:
        fastest = []
        for _, (path, y), selected in points:
            runs = in_turn(min(bench.rounds, 3), land=lambda: bench.select(path, y, features=selected))["land"]
            fastest.append(min(runs, key=lambda each: each.wall))
            if not fastest[-1].result["certificate"]["valid"]:
                raise Failed(f"{path}, m = {selected}: the certificate does not hold")
        sizes = [size for size, _, _ in points]
        walls = [each.wall for each in fastest]
        peaks = [each.peak_bytes for each in fastest]
        bench.table.add(
            f"Exponent of time in {axis}",
            exponent(sizes, walls),
            "",
            target,
            ", ".join(f"{size:,}: {wall:.2f} s" for size, wall in zip(sizes, walls)),
        )
        bench.table.add(
            f"Exponent of peak memory in {axis}",
            exponent(sizes, peaks),
            "",
            None,
            ", ".join(f"{size:,}: {peak / 1e6:,.0f} MB" for size, peak in zip(sizes, peaks)),
        )
