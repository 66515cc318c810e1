"""Threads, signals, processes: how the work runs."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import land

thread_count = land.threads.thread_count
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

SLOW = """
import numpy as np, land
X = np.random.default_rng(0).normal(size=(1500, 1500))
print("ready", flush=True)
land.select(X, X[:, 0], exact=True, n_features=100)
print("done", flush=True)
"""


def run(code, **options):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, **options).stdout


def test_ctrl_c_interrupts():
    process = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and out == ""
    assert process.returncode == -signal.SIGINT
    assert time.monotonic() - begin < 20


def test_other_threads_run_meanwhile():
    X = np.random.default_rng(0).normal(size=(400, 4000))
    gaps = []
    worker = threading.Thread(target=land.score, args=(X, X[:, 0]), kwargs={"refine": True})
    begin = last = time.monotonic()
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        now = time.monotonic()
        gaps.append(now - last)
        last = now
    assert len(gaps) > 10 and max(gaps) < 0.5 * (last - begin)


def test_no_threads_at_import():
    assert (
        run(
            "import threading, os, sklearn.feature_selection; before = len(os.listdir('/proc/self/task'))\n"
            "import land; print(len(os.listdir('/proc/self/task')) - before, threading.active_count())",
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        == "0 1\n"
    )


def child(queue):
    X = np.random.default_rng(0).normal(size=(100, 50))
    queue.put(land.select(X, X[:, 0], n_features=3, threads=2).names)


def test_works_after_fork(numbers):
    X, y = numbers
    land.select(X, y, n_features=3, threads=2)  # threads have been, and gone
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    names = queue.get(timeout=60)
    process.join(60)
    assert process.exitcode == 0 and names[0] == "f0"


def test_works_in_loky_workers(numbers):
    from joblib import Parallel, delayed

    X, y = numbers
    expected = land.select(X, y, n_features=5).names
    for found in Parallel(n_jobs=2)(delayed(land.select)(X, y, n_features=5) for _ in range(4)):
        assert found.names == expected


@pytest.fixture
def many(monkeypatch):
    """As if there were 8 processors, and nothing in the environment."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert thread_count(None) == 8


def test_threads_follow_the_environment(many, monkeypatch):
    for value, count in (("1", 1), ("3", 3), ("2,4", 2), ("99", 8), ("0", 1), ("many", 8)):
        monkeypatch.setenv("OMP_NUM_THREADS", value)
        assert thread_count(None) == count
        assert thread_count(7) == 7 and thread_count(-1) == 8


def test_threads_follow_threadpoolctl(many):
    from threadpoolctl import threadpool_info, threadpool_limits

    assert [info["num_threads"] for info in threadpool_info() if info["user_api"] == "land"] == [8]
    for limits in (2, {"land": 2}):
        with threadpool_limits(limits=limits):
            assert thread_count(None) == 2 and thread_count(5) == 5
        assert thread_count(None) == 8
    with threadpool_limits(limits=1, user_api="blas"):
        assert thread_count(None) == 8


def test_limits_reach_the_work(numbers, monkeypatch):
    from threadpoolctl import threadpool_limits

    X, y = numbers
    used = []
    original = land._land.select
    monkeypatch.setattr(land._land, "select", lambda *a: used.append(a[2]) or original(*a))
    with threadpool_limits(limits=1):
        land.select(X, y, n_features=2)
    assert used == [1]


def test_threads_of_joblib_share_the_processors(many):
    from joblib import Parallel, delayed

    assert Parallel(n_jobs=3, backend="threading")(delayed(thread_count)(None) for _ in range(6)) == [1] * 6
    assert Parallel(n_jobs=1, backend="threading")(delayed(thread_count)(None) for _ in range(2)) == [8] * 2
    assert thread_count(None) == 8
    # A thread of one's own is no worker.
    found = []
    thread = threading.Thread(target=lambda: found.append(thread_count(None)))
    thread.start()
    thread.join()
    assert found == [8]


def test_processes_of_joblib_share_the_processors():
    from joblib import Parallel, cpu_count, delayed

    counts = Parallel(n_jobs=2, backend="loky")(delayed(thread_count)(None) for _ in range(4))
    assert all(2 * count <= max(2, cpu_count()) for count in counts)


def test_progress(numbers, capsys):
    X = np.random.default_rng(0).normal(size=(400, 3000))
    seen = []
    land.score(X, X[:, 0], refine=True, progress=lambda *news: seen.append(news))
    assert seen and all(stage == "scoring" and 0 <= done <= total == 3000 for stage, done, total in seen)
    land.score(X, X[:, 0], refine=True, progress=True)
    assert "scoring" in capsys.readouterr().err

    def fail(*_):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        land.score(X, X[:, 0], refine=True, progress=fail)


def test_what_does_not_fit_is_refused():
    code = """
import resource, numpy as np, land
X = np.random.default_rng(0).normal(size=(6000, 30))
land.select(X[:100], X[:100, 0], n_features=2, threads=1)
size = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (size + (200 << 20), -1))
try:
    land.select(X, X[:, 0], exact=True, threads=1)
except ValueError as error:  # the limit is known beforehand
    print(error)
"""
    assert run(code) == "exact=True: three matrices of 6000 x 6000 take 823M, which do not fit this machine's memory\n"


def test_libraries_are_bundled():
    """Of an installed wheel: HDF5 and the others are its own, not those of the machine."""
    folder = os.path.join(os.path.dirname(os.path.dirname(land.__file__)), "land_select.libs")
    if not os.path.isdir(folder):
        pytest.skip("not installed from a repaired wheel")
    code = "import land; print(open('/proc/self/maps').read())"
    mapped = {line.split()[-1] for line in run(code).splitlines() if ".so" in line}
    used = [path for path in mapped if "libhdf5" in path or "libfmt" in path or "libzip" in path]
    assert len(used) == 3
    assert all(os.path.realpath(path).startswith(os.path.realpath(folder)) for path in used)


USER = """
import numpy as np
import land

X = np.zeros((5, 3))
selection = land.select(X, X[:, 0], n_features=2, sigma=0.5)
names: list[str] = selection.truncate(1).names
nearest: list[str] = land.neighbors(X, "f0", 2).names
selector = land.LandSelector(n_features_to_select=3).fit(X, X[:, 0]).truncate(1)
first: str = selection[0]
every: list[str] = [name for name in selection[:2]]
land.score("data.csv", "y", rows="features", id="sample", zero_based=False, nominal=[True, False])
land.pp.select(None, "cell_type", task="classification", sigma=0.5, exclude="MT-*")
land.select(X, X[:, 0], include=["f1", "f2"], samples=[0, 1, 2], exclude_samples=[True, False], min_distinct=3)
copies: list[str] = [name for names in selection.identical or [] for name in names]
near: list[str] = [name for found in selection.neighbors or [] for name in found.names]
metrics: list[str] = land.evaluate(X, X[:, 0], methods="land", n_features=(2, 3), samples=[0, 1, 2]).metrics
"""


def test_types_are_known_to_checkers(tmp_path):
    def mypy(text):
        (tmp_path / "user.py").write_text(text)
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / "user.py"]
        return subprocess.run(command, capture_output=True, text=True)

    assert mypy(USER).returncode == 0
    wrong = {
        'land.select(X, n_features="5")': "arg-type",
        "selection.certificates": "attr-defined",
        'land.select("data.csv", rows="columns")': "arg-type",
        'land.convert("data.csv", "data.h5", colour="red")': "call-arg",
        'land.score("data.csv", "y", match="some")': "arg-type",
        "land.score(X, X[:, 0], exclude=[3])": "list-item",
        'land.pp.select(None, "cell_type", sigmas=2.0)': "call-arg",
    }
    lines = mypy(USER + "\n".join(wrong)).stdout.splitlines()
    assert [line.rsplit("[")[-1].rstrip("]") for line in lines if ": error:" in line] == list(wrong.values())
    inside = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            REPOSITORY / "pyproject.toml",
            "--cache-dir",
            tmp_path / "cache",
            "-p",
            "land",
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert inside.returncode == 0, inside.stdout
    assert "def select" in open(os.path.join(os.path.dirname(land.__file__), "_land.pyi")).read()
