"""Warnings of the library are seen: as warnings of Python, and in what is shown of a selection."""

import warnings

import numpy as np
import pytest

import land


@pytest.fixture
def constant(numbers):
    X, y = numbers
    return np.column_stack([X, np.ones(len(X))]), y


def test_each_is_a_warning_at_the_line_of_the_caller(constant):
    X, y = constant
    with pytest.warns(land.LandWarning) as caught:
        found = land.select(X, y, n_features=3)
    assert [str(one.message) for one in caught] == found.warnings == ["1 constant feature was left out"]
    assert caught[0].filename == __file__
    assert issubclass(land.LandWarning, UserWarning)
    with pytest.warns(land.LandWarning, match="constant") as caught:
        land.LandSelector(3).fit(X, y)
    assert caught[0].filename == __file__ and len(caught) == 1


def test_they_are_shown(constant):
    X, y = constant
    with pytest.warns(land.LandWarning):
        found = land.select(X, y, n_features=3)
    assert repr(found).endswith("; warning: 1 constant feature was left out)")
    assert "<b>Warning:</b> 1 constant feature was left out" in found._repr_html_()
    found.warnings[:] = ["a < b"]
    assert "a &lt; b" in found._repr_html_()


def test_they_can_be_errors_or_silent(constant):
    X, y = constant
    with warnings.catch_warnings():
        warnings.simplefilter("error", land.LandWarning)
        with pytest.raises(land.LandWarning, match="constant"):
            land.select(X, y)
        warnings.simplefilter("ignore", land.LandWarning)
        land.select(X, y)
