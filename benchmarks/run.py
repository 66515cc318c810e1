#!/usr/bin/env python3
"""Measures LAND and prints ratios, all from one run on one machine, as a Markdown table. `make bench` runs it.

What is compared runs in turn, several times, and the best time of each counts: others may use the machine too, and a
ratio of two best times forgives them. Nothing needs to be installed beyond what `scripts/setup bench` installs; NumPy
and scikit-learn come from this Python if it has them, else from a virtual environment that is made beside the data.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

import large_tables
from measuring import Failed, Table, best, in_turn, run, say

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = (
    "scoring",
    "codes",
    "pairs",
    "graphlets",
    "path",
    "program",
    "busy",
    "proteins",
    "genotypes",
    "enzymes",
    "growth",
)

# In its own process: imports first, then what is compared. Prints seconds and versions as JSON.
F_CLASSIF = """
import json, sys, time
import numpy, sklearn
from sklearn.feature_selection import f_classif
start = time.perf_counter()
X = numpy.load(sys.argv[1])
y = numpy.load(sys.argv[2])
F, p = f_classif(X, y)
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "numpy": numpy.__version__, "sklearn": sklearn.__version__}))
"""

LOAD_SVMLIGHT = """
import sys, time
from sklearn.datasets import load_svmlight_file
start = time.perf_counter()
load_svmlight_file(sys.argv[1])
print(time.perf_counter() - start)
"""

# Writes PLINK genotypes: calls at random with the frequencies of common SNPs, 20 of them with a shift in the cases.
GENOTYPES = """
import sys
import numpy
stem, snps, people = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = numpy.random.default_rng(1)
case = random.integers(0, 2, people)
width = (people + 3) // 4
with open(stem + ".bed", "wb") as bed:
    bed.write(bytes([0x6C, 0x1B, 1]))
    for first in range(0, snps, 4096):
        count = min(4096, snps - first)
        frequency = random.uniform(13, 128, (count, 1)) + numpy.zeros((1, people))
        if first == 0:
            frequency[:20] = 64 + 16 * case
        frequency = frequency.astype(numpy.uint8)
        drawn = (random.integers(0, 256, (count, people), dtype=numpy.uint8) < frequency for _ in "12")
        copies = sum(each.astype(numpy.uint8) for each in drawn)
        calls = numpy.pad(numpy.array([3, 2, 0], numpy.uint8)[copies], ((0, 0), (0, 4 * width - people)))
        bed.write((calls[:, 0::4] | calls[:, 1::4] << 2 | calls[:, 2::4] << 4 | calls[:, 3::4] << 6).tobytes())
with open(stem + ".bim", "w") as bim:
    bim.writelines(f"1 rs{k} 0 {k + 1} A G\\n" for k in range(snps))
with open(stem + ".fam", "w") as fam:
    fam.writelines(f"F{i} I{i} 0 0 1 {1 + case[i]}\\n" for i in range(people))
"""

BUSY_LOOP = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
print("busy", flush=True)
while True:
    pass
"""


class Bench:
    def __init__(self, arguments):
        self.quick = arguments.quick
        self.skip_plain = arguments.skip_plain or arguments.quick
        self.rounds = arguments.rounds or (2 if self.quick else 5)
        self.land = arguments.build / "land"
        self.micro = arguments.build / "benchmarks" / "land_bench"
        self.data = arguments.data
        self.table = Table()
        self.facts = {}
        self.python = None
        for program in (self.land, self.micro):
            if not program.exists():
                raise Failed(f"{program} is not there: run `make bench`, which builds it, or say --build DIR")
        self.data.mkdir(parents=True, exist_ok=True)

    # What is measured on.

    def find_python(self):
        """A Python that has NumPy and scikit-learn."""
        if self.python is not None:
            return self.python
        imports = ["-c", "import numpy, sklearn.feature_selection"]
        venv = self.data / "venv"
        for candidate in (sys.executable, venv / "bin" / "python"):
            if (
                pathlib.Path(candidate).exists()
                and subprocess.run([candidate, *imports], capture_output=True).returncode == 0
            ):
                self.python = candidate
                return self.python
        say(f"Making a virtual environment with numpy and scikit-learn: {venv}")
        run([sys.executable, "-m", "venv", "--clear", venv])
        self.python = venv / "bin" / "python"
        run([self.python, "-m", "pip", "install", "--quiet", "numpy", "scikit-learn"])
        run([self.python, *imports])
        return self.python

    def make_table(self, samples, features):
        """Paths of a sample-major .npy and its target: 15 mean shifts of 0.8, 15 variance ratios of 2, seed 1."""
        path = self.data / f"{samples}x{features}.npy"
        target = path.with_suffix(".y.npy")
        if not (path.exists() and target.exists() and path.stat().st_size >= 4 * samples * features):
            say(f"Making {path}")
            run(
                [
                    self.land,
                    "generate",
                    "table",
                    path,
                    "--features",
                    features,
                    "--samples",
                    samples,
                    "--seed",
                    1,
                    "--mean-shifts",
                    15,
                    "--shift",
                    0.8,
                    "--variance-ratios",
                    15,
                    "--ratio",
                    2,
                    "--quiet",
                ]
            )
        with open(path, "rb") as file:  # from now on in the page cache, for everybody alike
            while file.read(1 << 24):
                pass
        return path, target

    def select(self, path, target, *options, features=100):
        """Runs `land select` on two threads; the finished process with its JSON as `result`."""
        with tempfile.TemporaryDirectory(dir=self.data) as folder:
            output = pathlib.Path(folder) / "result.json"
            finished = run(
                [
                    self.land,
                    "select",
                    path,
                    *(["--target", target] if target else []),
                    "-m",
                    features,
                    "--threads",
                    2,
                    "--quiet",
                    "-o",
                    output,
                    *options,
                ]
            )
            finished.result = json.loads(output.read_text())
        return finished

    def f_classif(self, path, target):
        finished = run([self.find_python(), "-c", F_CLASSIF, path, target])
        finished.result = json.loads(finished.output)
        self.facts["NumPy, scikit-learn"] = f"{finished.result['numpy']}, {finished.result['sklearn']}"
        return finished

    def rates(self, pattern):
        """Best items per second of each micro-benchmark whose name matches, repetitions in random turn."""
        finished = run(
            [
                self.micro,
                f"--benchmark_filter={pattern}",
                "--benchmark_format=json",
                f"--benchmark_repetitions={3 if self.quick else 9}",
                "--benchmark_min_time=0.05",
                "--benchmark_enable_random_interleaving=true",
            ]
        )
        report = json.loads(finished.output)
        self.facts["SIMD target"] = report["context"]["simd_target"]
        self.facts["Compiler"] = report["context"]["compiler"]
        rates = {}
        for line in report["benchmarks"]:
            if line.get("error_occurred"):
                raise Failed(f"{line['name']}: {line['error_message']}")
            if line["run_type"] == "iteration":
                name = re.sub(r"/real_time$", "", line["run_name"])
                rates[name] = max(rates.get(name, 0.0), line["items_per_second"])
        if not rates:
            raise Failed(f"no micro-benchmark matches {pattern}")
        return rates

    # The parts.

    def scoring(self):
        for samples, bound in ((302, 4), (2000, 4), (26120, 5)):
            if self.quick and samples == 26120:
                continue
            rates = self.rates(f"^(vector_exp|score/|read_and_score/).*n:{samples}/")

            def rate(name, workers):
                return rates[f"{name}/n:{samples}/workers:{workers}"]

            def nanoseconds(name, workers):
                return f"{1e9 / rate(name, workers):.3f}"

            def add(what, name, workers, target):
                self.table.add(
                    f"Scoring over one exp per element, n = {samples:,}, {what}",
                    rate("vector_exp", workers) / rate(name, workers),
                    "x",
                    target,
                    f"{nanoseconds(name, workers)} against {nanoseconds('vector_exp', workers)} ns an element",
                )

            add("two classes, two threads", "score/two_classes", 2, ("<=", bound))
            add("two classes, one thread", "score/two_classes", 1, ("<=", bound))
            add("two classes, two threads, with reading", "read_and_score/two_classes", 2, None)
            add("five classes, two threads", "score/five_classes", 2, None)
            add("numeric target, two threads", "score/numbers", 2, None)
            self.table.add(
                f"Scoring, two threads against one, n = {samples:,}",
                rate("score/two_classes", 2) / rate("score/two_classes", 1),
                "x",
                (">=", 1.8),
                f"one exp: {rate('vector_exp', 2) / rate('vector_exp', 1):.3g}x",
            )

    def codes(self):
        for levels in (16,) if self.quick else (3, 16, 64):
            rates = self.rates(f"^(histogram|score_codes/).*levels:{levels}/")
            for classes, target in (("two", ("<=", 2)), ("five", None)):
                scores = rates[f"score_codes/{classes}_classes/levels:{levels}/workers:1"]
                histogram = rates[f"histogram/levels:{levels}/workers:1"]
                self.table.add(
                    f"Scoring codes over a byte histogram, {levels} levels, n = 10,000, {classes} classes",
                    histogram / scores,
                    "x",
                    target,
                    f"{1e9 / scores:.3f} against {1e9 / histogram:.3f} ns an element, one thread",
                )

    def pairs(self):
        rates = self.rates("^(pair_products_4x4|fma_peak)/")
        for workers, target in ((1, (">=", 55)), (2, None)):
            products = rates[f"pair_products_4x4/workers:{workers}"]
            peak = rates[f"fma_peak/workers:{workers}"]
            self.table.add(
                "Full pairs, share of the FMA peak, n = 26,120, 16 columns, "
                f"{'one thread' if workers == 1 else 'two threads'}",
                100 * products / peak,
                " %",
                target,
                f"{products / 1e9:.1f} of {peak / 1e9:.1f} billion a second",
            )

    def graphlets(self):
        """On the graphs that LAND_GRAPHS names, or on made-up ones."""
        rates = self.rates("^(plain_)?graphlets/")
        plain = rates["plain_graphlets/iterations:1"]
        for workers, target in ((1, None), (2, (">=", 20))):
            fast = rates[f"graphlets/workers:{workers}"]
            self.table.add(
                f"Counting graphlets, faster than a plain counter, {'one thread' if workers == 1 else 'two threads'}",
                fast / plain,
                "x",
                target,
                f"{fast:,.0f} against {plain:,.1f} graphs a second",
            )

    def path(self):
        what = "Lazy path, 100,000 x 500"
        path, target = self.make_table(500, 100000)
        lazy = in_turn(self.rounds, lazy=lambda: self.select(path, target))["lazy"]
        work = lazy[0].result["work"]
        full = work["pairs_by_stage"][-1]
        if self.skip_plain:
            self.table.add(
                f"{what}: fewer full R evaluations than the plain path would make",
                work["pairs_full_algorithm"] / full,
                "x",
                (">=", 50),
                f"{full:,} against {work['pairs_full_algorithm']:,}",
            )
            return
        say("    the plain path, once: this takes minutes")
        plain = self.select(path, target, "--plain-path").result
        plain_full = plain["work"]["pairs_by_stage"][-1]
        self.table.add(
            f"{what}: fewer full R evaluations than the plain path made",
            plain_full / full,
            "x",
            (">=", 50),
            f"{full:,} against {plain_full:,} (by count of knots: {work['pairs_full_algorithm']:,})",
        )
        seconds = best(lazy, lambda each: each.result["seconds"]["path"])
        self.table.add(
            f"{what}: less time in the path than the plain one",
            plain["seconds"]["path"] / seconds,
            "x",
            (">=", 20),
            f"{seconds:.3f} against {plain['seconds']['path']:.1f} s",
        )

        def chosen(result):
            return [feature["index"] for feature in result["selected"]]

        def events(result):
            return [(knot["event"], knot["index"]) for knot in result["path"]]

        if any(chosen(each.result) != chosen(plain) or events(each.result) != events(plain) for each in lazy):
            raise Failed("the lazy and the plain path select differently")
        difference = max(
            (abs(a["coefficient"] - b["coefficient"]) for a, b in zip(lazy[0].result["selected"], plain["selected"])),
            default=0.0,
        )
        self.table.add(
            f"{what}: same features, order and events as the plain path; coefficients differ by",
            difference,
            "",
            ("<=", 1e-9),
            f"{len(chosen(plain))} features, {len(plain['path'])} knots",
        )

    def program(self):
        shapes = (
            # samples, features, factor faster than f_classif, over mr-nhsic, peak over file
            (302, 276322, (">=", 4), ("<=", 1.7), ("<=", 1.3)),
            (2000, 100000, (">=", 3), ("<=", 2), None),
            (26120, 5408, None, None, None),
        )
        for samples, features, faster, over_relevance, memory in shapes[:1] if self.quick else shapes:
            path, target = self.make_table(samples, features)
            name = f"{samples:,} x {features:,}"
            say(f"  {name}")
            runs = in_turn(
                self.rounds,
                land=lambda: self.select(path, target),
                linear=lambda: self.f_classif(path, target),
                relevance=lambda: self.select(path, target, "--method", "mr-nhsic"),
            )
            fastest = min(runs["land"], key=lambda each: each.wall)
            land = fastest.wall
            inside = best(runs["linear"], lambda each: each.result["seconds"])
            whole = best(runs["linear"], lambda each: each.wall)
            relevance = best(runs["relevance"], lambda each: each.wall)
            stages = fastest.result["seconds"]
            # f_classif's best depends on how much of the memory happens to be at hand: medians say what is usual.
            usual = statistics.median(each.wall for each in runs["land"])
            usual_linear = statistics.median(each.result["seconds"] for each in runs["linear"])
            detail = (
                f"{land:.3f} s (score {stages['score']:.2f}, path {stages['path']:.2f}, "
                f"certify {stages['certify']:.2f}) against {inside:.3f} s; "
                f"medians {usual:.3f} and {usual_linear:.3f} s; whole Python process {whole:.3f} s"
            )
            if faster is not None:
                self.table.add(
                    f"Whole program, {name}: faster than np.load + f_classif", inside / land, "x", faster, detail
                )
            else:
                self.table.add(
                    f"Whole program, {name}: time over np.load + f_classif", land / inside, "x", ("<=", 1.7), detail
                )
            size = path.stat().st_size
            peak = max(each.peak_bytes for each in runs["land"])
            self.table.add(
                f"Peak memory over the file, {name}",
                peak / size,
                "x",
                memory,
                f"{peak / 1e6:.0f} of {size / 1e6:.0f} MB, the mapped file included",
            )
            self.table.add(
                f"`land` over `mr-nhsic`, whole program, {name}",
                land / relevance,
                "x",
                over_relevance,
                f"{land:.3f} against {relevance:.3f} s",
            )
            if not all(each.result["certificate"]["valid"] for each in runs["land"]):
                raise Failed(f"{name}: the certificate does not hold")

    def busy(self):
        core = max(os.sched_getaffinity(0))
        for samples, features in ((302, 276322),) if self.quick else ((302, 276322), (26120, 5408)):
            path, target = self.make_table(samples, features)

            def beside_busy_loop():
                with subprocess.Popen([sys.executable, "-c", BUSY_LOOP, str(core)], stdout=subprocess.PIPE) as other:
                    try:
                        other.stdout.readline()
                        return self.select(path, target)
                    finally:
                        other.kill()

            runs = in_turn(self.rounds, quiet=lambda: self.select(path, target), busy=beside_busy_loop)
            cpu = {name: best(several, lambda each: each.cpu) for name, several in runs.items()}
            worst = max(each.cpu for each in runs["busy"])
            self.table.add(
                f"CPU time with the other core busy, {samples:,} x {features:,}",
                cpu["busy"] / cpu["quiet"],
                "x",
                ("<=", 1.3),
                f"{cpu['busy']:.3f} (worst {worst:.3f}) against {cpu['quiet']:.3f} s; "
                f"wall clock {best(runs['busy'], lambda each: each.wall):.3f} "
                f"against {best(runs['quiet'], lambda each: each.wall):.3f} s",
            )

    # The report.

    def proteins(self):
        """Graphlets of the D&D proteins: a million sparse counts. The graphs are those of the folder LAND_DATA."""
        archive = pathlib.Path(os.environ.get("LAND_DATA", "")) / "graphs" / "DD.zip"
        if not archive.exists():
            say("  skipped: LAND_DATA names no folder with graphs/DD.zip")
            return
        graphs = self.data / "DD.txt"
        if not graphs.exists():
            with zipfile.ZipFile(archive) as files:
                graphs.write_bytes(files.read("DD/DD.txt"))
        text, store = self.data / "proteins.svm", self.data / "proteins.h5"
        if not text.exists():
            run([self.land, "graphlets", graphs, text, "--threads", 2, "--quiet"])
        if not store.exists():
            run([self.land, "convert", text, store, "--threads", 2, "--quiet"])
        runs = in_turn(
            self.rounds,
            text=lambda: self.select(text, None),
            store=lambda: self.select(store, None),
            words=lambda: run(["wc", "-w", text]),
        )
        loaded = float(run([self.find_python(), "-c", LOAD_SVMLIGHT, text]).output)
        fastest = min(runs["text"], key=lambda each: each.wall)
        result = fastest.result
        data = result["data"]
        if not (result["certificate"]["valid"] and result["selected"] == runs["store"][0].result["selected"]):
            raise Failed("text and store differ, or the certificate does not hold")
        name = f"{data['features']:,} counts of {data['samples']:,} proteins"
        words = best(runs["words"], lambda each: each.wall)
        from_store = best(runs["store"], lambda each: each.wall)
        stages = ", ".join(f"{key} {value:.2f}" for key, value in result["seconds"].items() if key != "total")
        self.table.add(
            f"From text, {name}: time over wc -w",
            fastest.wall / words,
            "x",
            ("<=", 1),
            f"{fastest.wall:.2f} s ({stages}) against {words:.2f} s",
        )
        self.table.add(
            "the same: faster than load_svmlight_file alone", loaded / fastest.wall, "x", (">=", 10), f"{loaded:.1f} s"
        )
        self.table.add("From the store: time over wc -w", from_store / words, "x", ("<=", 0.5), f"{from_store:.2f} s")
        peak = max(each.peak_bytes for each in runs["text"])
        self.table.add(
            "Peak memory, from text", peak / 1e9, " GB", ("<=", 1), f"{data['distinct_features']:,} distinct"
        )

    def genotypes(self):
        """Packed genotypes against plink1.9 --assoc on the same file."""
        if shutil.which("plink1.9") is None:
            say("  skipped: plink1.9 is not installed; scripts/setup bench installs it")
            return
        for people in (427,) if self.quick else (427, 10000):
            snps = 358499
            stem = self.data / f"genotypes{people}"
            if not stem.with_suffix(".fam").exists():
                say(f"Making {stem}.bed")
                run([self.find_python(), "-c", GENOTYPES, stem, snps, people])
            with tempfile.TemporaryDirectory(dir=self.data) as folder:
                plink = [
                    "plink1.9",
                    "--bfile",
                    stem,
                    "--assoc",
                    "--allow-no-sex",
                    "--threads",
                    2,
                    "--out",
                    f"{folder}/out",
                ]
                runs = in_turn(
                    self.rounds, land=lambda: self.select(stem.with_suffix(".bed"), None), plink=lambda: run(plink)
                )
            fastest = min(runs["land"], key=lambda each: each.wall)
            other = best(runs["plink"], lambda each: each.wall)
            stages = ", ".join(
                f"{key} {value:.2f}" for key, value in fastest.result["seconds"].items() if key != "total"
            )
            if not fastest.result["certificate"]["valid"]:
                raise Failed(f"{people} samples: the certificate does not hold")
            self.table.add(
                f"Genotypes, {snps:,} SNPs x {people:,}: time over plink1.9 --assoc",
                fastest.wall / other,
                "x",
                ("<=", 1),
                f"{fastest.wall:.2f} s ({stages}) against {other:.2f} s",
            )

    def enzymes(self):
        large_tables.enzymes(self)

    def growth(self):
        large_tables.growth(self)

    def machine(self):
        model = "unknown"
        cpuinfo = pathlib.Path("/proc/cpuinfo")
        if cpuinfo.exists():
            found = re.search(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), re.MULTILINE)
            model = found.group(1) if found else model
        if not self.facts.get("SIMD target"):
            self.rates("^fma_peak/workers:1")
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        facts = {
            "Processor": model,
            "Cores": str(len(os.sched_getaffinity(0))),
            **self.facts,
            "Program": f"{run([self.land, '--version']).output.strip()}, {commit.stdout.strip() or 'no commit'}",
            "Date": time.strftime("%Y-%m-%d"),
        }
        return "\n".join(f"- {name}: {value}" for name, value in facts.items())

    def report(self, load_before):
        command = " ".join(["python3", "benchmarks/run.py", *sys.argv[1:]])
        return (
            f"# Measured\n\n{self.machine()}\n- Load before: {load_before:.2f}\n"
            f"- Best of {self.rounds} runs in turn{', quick subset' if self.quick else ''}: `{command}`\n\n"
            f"{self.table.markdown()}\n\n{self.table.missed} of {self.table.aimed} targets missed.\n"
        )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a subset that takes about a minute, best of 2")
    parser.add_argument("--skip-plain", action="store_true", help="leave out the plain path, which takes minutes")
    parser.add_argument("--only", metavar="PART,...", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="runs of each program [5; quick: 2]")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="write the table to a file, too")
    parser.add_argument(
        "--build", type=pathlib.Path, default=ROOT / "build", metavar="DIR", help="where land was built [build]"
    )
    parser.add_argument(
        "--data",
        type=pathlib.Path,
        metavar="DIR",
        default=pathlib.Path(os.environ.get("LAND_BENCH_DATA", "/tmp/land-bench")),
        help="where the tables (2 GB; enzymes 15, growth 3 more) are kept and found again "
        "[$LAND_BENCH_DATA or /tmp/land-bench]",
    )
    arguments = parser.parse_args()
    arguments.only = arguments.only.split(",")
    for part in arguments.only:
        if part not in PARTS:
            parser.error(f"--only: '{part}' is none of {', '.join(PARTS)}")
    return arguments


def main():
    arguments = parse_arguments()
    load_before = os.getloadavg()[0]
    failures = []
    try:
        bench = Bench(arguments)
    except Failed as failure:
        sys.exit(f"benchmarks/run.py: {failure}")
    for part in PARTS:
        if part in arguments.only:
            say(part)
            try:
                getattr(bench, part)()
            except Failed as failure:
                failures.append(f"{part}: {failure}")
                say(f"  FAILED: {failure}")
    report = bench.report(load_before)
    report += "".join(f"\nFAILED: {failure}\n" for failure in failures)
    print(report)
    if arguments.output:
        arguments.output.write_text(report)
    # A target that was missed is a number in the table; an answer that is wrong is a failure.
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
