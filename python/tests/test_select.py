"""land.select: every layout gives the selection of the program, in place, with its messages."""

import json
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import land

SAME = ("selected", "redundancy", "dropped", "lambda", "path", "stopped", "certificate", "target", "options")


def essence(selection):
    return {key: selection.document[key] for key in SAME if key != "target"}


def test_is_what_the_program_gives(program, numbers, tmp_path):
    X, y = numbers
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    out = tmp_path / "out.json"
    subprocess.run(
        [program, "select", tmp_path / "X.npy", "--target", tmp_path / "y.npy", "-m", "12", "-q", "-o", out], check=True
    )
    expected = json.loads(out.read_text())
    in_memory = land.select(X, y, n_features=12)
    from_file = land.select(tmp_path / "X.npy", str(tmp_path / "y.npy"), n_features=12)
    for found in (in_memory, from_file):
        for key in SAME:
            if key != "target":
                assert found.document[key] == expected[key], key
        assert found.document["data"]["fingerprint"] == expected["data"]["fingerprint"]
    assert from_file.document["target"] == expected["target"]
    assert land.Selection.load(out).document == expected


def test_finds_the_planted_features(numbers):
    X, y = numbers
    found = land.select(X, y, n_features=5)
    # One of each pair of near copies.
    assert {index % 40 for index in found.indices[:3]} == {0, 1, 2}
    assert found.certificate["valid"]
    assert found.task == "regression"


@pytest.mark.parametrize("layout", ["fortran", "strided", "reversed", "transposed", "big-endian", "read-only", "list"])
def test_layouts_agree(numbers, layout):
    X, y = numbers
    read_only = X.copy()
    read_only.flags.writeable = False
    other = {
        "fortran": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=1)[:, ::2],
        "reversed": X[::-1][::-1],
        "transposed": np.ascontiguousarray(X.T).T,
        "big-endian": X.astype(">f8"),
        "read-only": read_only,
        "list": X.tolist(),
    }[layout]
    assert essence(land.select(other, y, n_features=8)) == essence(land.select(X, y, n_features=8))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int16", "int32", "int64", "uint8", "uint32", "bool"])
def test_types_agree(numbers, dtype):
    X, y = numbers
    whole = np.clip(np.round(3 * X), 0, 100).astype(dtype)
    found = land.select(whole, y, n_features=6)
    expected = land.select(whole.astype("float64"), y, n_features=6)
    assert found.names == expected.names
    np.testing.assert_allclose(found.coefficients, expected.coefficients, atol=1e-9)


@pytest.mark.parametrize("form", ["csc", "csr", "coo", "lil"])
@pytest.mark.parametrize("array", [scipy.sparse.csc_matrix, scipy.sparse.csc_array])
def test_sparse_is_dense(form, array):
    matrix = scipy.sparse.random(150, 80, 0.15, random_state=1, format="csc")
    y = np.asarray(matrix[:, 3].todense()).ravel() + 2 * np.asarray(matrix[:, 9].todense()).ravel()
    found = land.select(array(matrix).asformat(form), y, n_features=6)
    expected = land.select(matrix.toarray(), y, n_features=6)
    assert found.names == expected.names
    np.testing.assert_allclose(found.coefficients, expected.coefficients, atol=1e-9)


def test_sparse_counts_and_missing_values():
    counts = scipy.sparse.random(
        100, 30, 0.2, random_state=2, format="csc", data_rvs=lambda size: np.arange(1, size + 1) % 7 + 1
    ).astype("int64")
    y = counts[:, [4]].toarray().ravel().astype(float) + np.arange(100) % 3
    assert land.select(counts, y, n_features=3).names == land.select(counts.toarray(), y, n_features=3).names
    holes = counts.astype("float64")
    holes.data[5] = np.nan
    with pytest.raises(ValueError, match="missing"):
        land.select(holes, y)
    assert land.select(holes, y, missing="ignore", n_features=3).certificate["valid"]
    holes.data[5] = np.inf
    with pytest.raises(ValueError, match="X: row .*infinity"):
        land.select(holes, y)


def test_unsorted_sparse_arrays_are_put_in_order():
    matrix = scipy.sparse.csc_matrix(
        (np.array([2.0, 1.0, 3.0, 4.0]), np.array([3, 0, 1, 1]), np.array([0, 2, 4])), shape=(6, 2)
    )
    indices = matrix.indices.copy()
    assert land.score(matrix, [0.5, 1.0, 2.0, 3.0, 5.0, 4.0]).relevance.shape == (2,)
    np.testing.assert_array_equal(matrix.indices, indices)  # the caller's are left as they were


def test_memory_is_that_of_the_array(tmp_path):
    """A mapped array of 160 MB is neither copied nor converted."""
    code = f"""
import numpy as np, resource, land
path = {str(tmp_path / "X.npy")!r}
X = np.lib.format.open_memmap(path, mode="w+", dtype="float32", shape=(200, 200000))
random = np.random.default_rng(0)
for row in X: row[:] = random.random(200000, dtype="float32")
X.flush(); del X
y = random.random(200)
land.select(random.random((200, 100)), y, n_features=5)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
X = np.load(path, mmap_mode="r")
land.select(X, y, n_features=5, threads=1)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    grown = float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
    # The mapped pages count as resident: 153 MB. A copy would be as much again.
    assert grown < 153 + 90


def test_targets_of_all_kinds(numbers):
    X, y = numbers
    words = np.where(y > 1, "high", np.where(y < -1, "low", "middle"))
    for target in (words, words.astype(object), list(words), words.astype("S")):
        found = land.select(X, target, n_features=3)
        assert found.task == "classification"
        assert found.document["target"]["classes"] == ["high", "low", "middle"]
    assert land.select(X, y > 0, n_features=3).task == "classification"
    assert land.select(X, np.round(y).clip(0, 4).astype(int), n_features=3).task == "classification"
    assert land.select(X, np.round(y).clip(0, 4).astype(int), n_features=3, task="regression").task == "regression"
    assert land.select(X, y[:, None], n_features=3).task == "regression"
    mixed = y.astype(object)
    mixed[3] = None
    with pytest.raises(ValueError, match=r"sample 3 \(counted from 0\): the target has no value.*drop_missing_target"):
        land.select(X, mixed)


def test_options_reach_the_library(numbers):
    X, y = numbers
    options = dict(n_features=4, measure="hsic", sigma=0.5, ridge=0.1, basis=[-1.0, 0.0, 1.0], task="regression")
    used = land.select(X, y, **options).document["options"]
    for key, value in options.items():
        assert used[{"n_features": "features"}.get(key, key)] == value
    assert used["factor"] == "nystrom"
    assert land.select(X, y, n_features=3, bases=10).document["options"]["basis"][0] == -5.0
    for kernel in ("laplace", "distance", "linear"):
        other = land.select(X, y, n_features=3, kernel=kernel)
        assert other.document["options"]["kernel"] == kernel
        assert other.indices.tolist() == land.select(X, y, n_features=3, kernel=kernel, exact=True).indices.tolist()
    assert land.select(X, y, n_features=3, exact=True).document["options"]["factor"] == "full"
    assert land.select(X, y, n_features=3, method="mr-nhsic").path == []
    plain = land.select(X, y, n_features=5, plain_path=True)
    assert plain.document["path"] == land.select(X, y, n_features=5).document["path"]


@pytest.mark.parametrize("classes", [False, True])
def test_ranks_without_ties_make_hsic_and_nhsic_one(classes):
    """All features have the same values then, in other orders, and so the same norm: it scales every relevance alike.
    Values as they are have norms of their own."""
    random = np.random.default_rng(7)
    X = random.standard_t(2, size=(150, 200))
    y = np.arctan(X[:, 0]) + np.arctan(X[:, 1]) ** 2 + np.arctan(X[:, 2]) + 0.2 * random.standard_normal(150)
    y = (y > np.median(y)).astype(int) if classes else y
    assert all(len(np.unique(column)) == 150 for column in X.T)

    def both(transform):
        return [land.select(X, y, n_features=20, measure=one, transform=transform) for one in ("nhsic", "hsic")]

    normalised, plain = both("rank")
    assert list(normalised.indices) == list(plain.indices) and len(plain) == 20
    assert [knot.event for knot in normalised.path] == [knot.event for knot in plain.path]
    ratios = np.array([knot.lambda_ for knot in plain.path]) / [knot.lambda_ for knot in normalised.path]
    assert ratios == pytest.approx(ratios[0], rel=1e-5)  # factors are exact to 2.5e-7
    assert ratios[0] != pytest.approx(1.0, rel=0.1)
    normalised, plain = both("none")
    assert list(normalised.indices) != list(plain.indices)


def test_more_features_than_there_are(numbers):
    X, y = numbers
    found = land.select(X[:, :5], y, n_features=50)
    assert 1 <= len(found) <= 5
    assert found.stopped in ("lambda_zero", "no_candidate")


def test_memory_changes_nothing(numbers):
    X, y = numbers
    assert essence(land.select(X, y, n_features=10, memory=4 << 30)) == essence(land.select(X, y, n_features=10))
    with pytest.raises(ValueError, match="^memory=1048576: too little"):
        land.select(X, y, memory=1 << 20)


def test_threads_change_nothing(numbers):
    X, y = numbers
    assert essence(land.select(X, y, threads=1)) == essence(land.select(X, y, threads=3))
    assert essence(land.select(X, y, threads=1)) == essence(land.select(X, y, threads=-1))
    for count in (0, -2):
        with pytest.raises(ValueError, match=f"threads={count}: must be at least 1, or -1 for all"):
            land.select(X, y, threads=count)


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(y=None), "no target"),
        (dict(y="Y"), "an array has no columns by name"),
        (dict(y=np.zeros(200)), "one class only"),
        (dict(y=np.arange(199.0)), "200 samples, but the target y has 199 values"),
        (dict(n_features=0), "at least 1 feature"),
        (dict(task="guess"), "choose one of auto, classification, regression"),
        (dict(missing="drop"), "choose one of error, mean, ignore, level"),
        (dict(sigma=-1.0), "width of the kernel"),
        (dict(bases=1), "at least 2 points"),
        (dict(bases=10, exact=True), "one of bases, basis and exact"),
        (dict(X=np.zeros((200, 2, 2))), "3 dimensions"),
        (dict(X=np.zeros((200, 3), dtype=complex)), "complex"),
        (dict(X=scipy.sparse.csc_matrix((200, 3), dtype=complex)), "complex"),
        (dict(X=np.zeros((200, 3), dtype="M8[D]")), "type datetime64"),
        (dict(X=np.full((200, 3), "a")), "X: ndarray with values that are no numbers"),
        (dict(X=np.full((200, 3), object())), "X: ndarray with values that are no numbers"),
        (dict(feature_names=["a"]), "1 feature names for 60 features"),
        (dict(nominal=[99]), "nominal=99: no such feature"),
        (dict(nominal="a"), "nominal='a': no such feature"),
        (dict(nominal=["f60"]), "nominal='f60': no such feature"),
        (dict(nominal=[True, False]), "nominal: a mask must have True or False for each of the 60 features; found 2"),
        (dict(nominal=[True] * 59 + [3]), "nominal: a mask .* of another kind"),
    ],
)
def test_bad_input_is_one_clear_line(numbers, change, message):
    X, y = numbers
    with pytest.raises(ValueError, match=message) as caught:
        land.select(**{"X": X, "y": y, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(n_features=[5]), r"n_features=\[5\]: a whole number is needed"),
        (dict(n_features=2.5), "n_features=2.5: a whole number"),
        (dict(ridge="wide"), "ridge='wide': a number is needed"),
        (dict(exact="yes"), "exact='yes': True or False"),
        (dict(basis=3), "basis=3: a sequence of numbers"),
        (dict(memory="1G"), "memory='1G': a whole number"),
        (dict(threads=1.5), "float"),
        (dict(nominal=[1.5]), "float"),
    ],
)
def test_wrong_types(numbers, change, message):
    X, y = numbers
    with pytest.raises(TypeError, match=message):
        land.select(X, y, **change)


def test_scalars_of_numpy_are_numbers(numbers):
    X, y = numbers
    given = dict(n_features=np.int32(4), sigma=np.float32(1), basis=np.array([-1.0, 0.0, 1.0]), plain_path=np.False_)
    assert land.select(X, y, **given).names == land.select(X, y, n_features=4, basis=[-1.0, 0.0, 1.0]).names


def test_masked_values_are_missing(numbers):
    X, y = numbers
    holes = np.where(X > 2, np.nan, X)
    masked = np.ma.masked_greater(X, 2)
    with pytest.raises(ValueError, match="missing"):
        land.select(masked, y)
    found = land.select(masked, y, n_features=4, missing="ignore")
    assert essence(found) == essence(land.select(holes, y, n_features=4, missing="ignore"))
    with pytest.raises(ValueError, match="the target has no value here, nor for 24 more of 200 samples"):
        land.select(X, np.ma.masked_greater(y, 2))


def test_bad_cells_are_named(numbers):
    X, y = numbers
    bad = X.copy()
    bad[7, 5] = np.nan
    with pytest.raises(ValueError, match="X: row 7, column 5"):
        land.select(bad, y)
    bad[7, 5] = np.inf
    with pytest.raises(ValueError, match="X: row 7, column 5 .*infinity"):
        land.select(bad, y, missing="mean")


def test_files(tmp_path, numbers):
    X, y = numbers
    with pytest.raises(FileNotFoundError, match="nothing.csv: cannot read the file"):
        land.select(tmp_path / "nothing.csv", "y")
    for name in ("nothing.parquet", "nothing.h5ad"):
        with pytest.raises(FileNotFoundError, match=name):
            land.select(tmp_path / name, "y")
    rows = "\n".join(",".join(map(repr, [float(v) for v in [t, *x]])) for t, x in zip(y, X))
    (tmp_path / "data.csv").write_text("Y," + ",".join(f"g{k}" for k in range(60)) + "\n" + rows + "\n")
    found = land.select(tmp_path / "data.csv", "Y", n_features=5)
    assert found.names == [f"g{k}" for k in land.select(X, y, n_features=5).indices]
    assert land.select(tmp_path / "data.csv", y, n_features=5).document["data"]["features"] == 61
    with pytest.raises(ValueError, match="data.csv"):
        land.select(tmp_path / "data.csv", "Z")
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        land.select(tmp_path / "data.csv", "Y", colour="red")
    with pytest.raises(TypeError, match="for files only"):
        land.select(X, y, rows="features")
    np.savez(tmp_path / "data.npz", A=X, b=y)
    named = land.select(tmp_path / "data.npz", n_features=5, array="A", target_array="b")
    assert named.indices.tolist() == land.select(X, y, n_features=5).indices.tolist()
    np.save(tmp_path / "T.npy", X.T)
    assert land.select(tmp_path / "T.npy", y, n_features=5, rows="features").names == named.names
    land.convert(X, tmp_path / "X.h5", y)
    assert essence(land.select(tmp_path / "X.h5", n_features=5)) == essence(land.select(X, y, n_features=5))


def test_nominal_features_have_no_order(numbers):
    X, y = numbers
    random = np.random.default_rng(3)
    groups = random.integers(0, 6, 200)
    effect = np.array([0.0, 3.0, -3.0, 1.0, -2.0, 2.0])
    target = effect[groups] + 0.3 * random.normal(size=200)
    data = np.column_stack([groups, X[:, :10]])
    as_number = land.score(data, target, refine=True).relevance[0]
    as_class = land.score(data, target, refine=True, nominal=[0]).relevance[0]
    assert as_class > 1.2 * as_number
    shuffled = np.column_stack([random.permutation(6)[groups], X[:, :10]])
    np.testing.assert_allclose(land.score(shuffled, target, refine=True, nominal=[0]).relevance[0], as_class, rtol=1e-9)
    assert land.select(data, target, n_features=3, nominal=[0]).names[0] == "f0"
    mask = np.arange(11) == 0
    for named in ("f0", ["f0"], mask, mask.tolist(), 0, np.array([0])):  # as LAND prints it, or a mask
        assert land.score(data, target, refine=True, nominal=named).relevance[0] == as_class


def test_defaults_are_those_of_the_library():
    import inspect

    defaults = land._land.defaults()
    for function in (land.select, land.score, land.neighbors, land.convert):
        for name, parameter in inspect.signature(function).parameters.items():
            if name in defaults and parameter.default is not None:
                assert parameter.default == defaults[name], (function, name)
