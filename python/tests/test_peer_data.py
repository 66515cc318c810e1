"""The data that pyHSICLasso is tested with, if LAND_DATA says where they are."""

import os
import pathlib

import numpy as np
import pytest

import land


@pytest.fixture
def folder():
    path = pathlib.Path(os.environ.get("LAND_DATA", "")) / "pyhsiclasso"
    if not os.environ.get("LAND_DATA") or not path.is_dir():
        pytest.skip("LAND_DATA is not set to a folder with pyhsiclasso/")
    return path


def test_planted_features_are_found(folder):
    X, y = np.load(folder / "X_in.npy").T, np.load(folder / "Y_in.npy").ravel()
    found = land.select(X, y, n_features=5)
    # 1099 and 1299 are near copies of 99 and 299.
    assert found.indices.tolist() == [1099, 99, 199, 1299, 299]
    assert found.certificate["valid"]
    # HSICLasso().regression(5, B=0, M=1).get_index_score() of pyHSICLasso 1.4.2
    theirs = [0.09747591614723206, 0.05130879953503609, 0.03238512575626373, 0.013254114426672459, 0.003696904517710209]
    np.testing.assert_allclose(found.coefficients, theirs, rtol=0, atol=1e-6)
    paper = land.select(X, y, n_features=5, measure="hsic")
    assert paper.indices.tolist() == [1099, 99, 199, 299, 1405]


# By coefficient, of HSICLasso().classification(10, B=0, M=1) of pyHSICLasso 1.4.2, then with discrete_x=True.
VANILLA = {
    "v1423": 0.10933856666088104,
    "v513": 0.08749493211507797,
    "v249": 0.08127091079950333,
    "v1582": 0.07112686336040497,
    "v765": 0.05962938815355301,
    "v1671": 0.05832018330693245,
    "v1772": 0.05307804048061371,
    "v897": 0.034224458038806915,
    "v780": 0.01934007927775383,
    "v1473": 0.016340238973498344,
}
DISCRETE = {
    "v765": 0.1114090159535408,
    "v1423": 0.09381204098463058,
    "v513": 0.08052278310060501,
    "v249": 0.06142355874180794,
    "v1582": 0.056757304817438126,
    "v1671": 0.03557644039392471,
    "v1772": 0.023882539942860603,
    "v897": 0.021981485188007355,
    "v780": 0.010969549417495728,
    "v267": 0.0062688966281712055,
}


@pytest.mark.parametrize("nominal, theirs", [(None, VANILLA), (range(2000), DISCRETE)])
def test_classes_of_the_tables(folder, nominal, theirs):
    for name in ("csv_data.csv", "tsv_data.tsv"):
        found = land.select(folder / name, "class", n_features=10, nominal=nominal)
        order = np.argsort(-found.coefficients)
        assert [found.names[k] for k in order] == list(theirs)
        np.testing.assert_allclose(found.coefficients[order], list(theirs.values()), rtol=0, atol=1e-6)
