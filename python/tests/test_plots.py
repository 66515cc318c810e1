"""Pictures: an Axes in and out, and what is on it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import land


@pytest.fixture(scope="module")
def selection(dropping):
    return land.select(*dropping, n_features=15)


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_axes_in_and_out(selection):
    for name in ("plot_path", "plot_relevance", "plot_redundancy"):
        plot = getattr(selection, name)
        ax = plot()
        assert isinstance(ax, plt.Axes)
        _, given = plt.subplots()
        assert plot(ax=given) is given
        given.figure.canvas.draw()


def test_path_shows_every_feature_that_entered(selection):
    ax = selection.plot_path(top=4)
    entered = {knot.index for knot in selection.path if knot.event == "enter"}
    assert len(ax.lines) == len(entered)
    assert len(ax.get_legend().get_texts()) == 4
    ends = np.array([line.get_ydata()[-1] for line in ax.lines])
    np.testing.assert_allclose(np.sort(ends[~np.isnan(ends)]), np.sort(selection.coefficients))


def test_relevance_shows_names_in_order(selection):
    ax = selection.plot_relevance(top=6)
    assert [label.get_text() for label in ax.get_yticklabels()] == selection.names[:6]
    assert ax.patches[0].get_width() == selection.relevance[0]


def test_redundancy_is_clustered(selection):
    ax = selection.plot_redundancy()
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(shown) == sorted(selection.names)
    order = [selection.names.index(name) for name in shown]
    image = ax.images[0].get_array()
    expected = selection.redundancy[np.ix_(order, order)].copy()
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_allclose(image.filled(np.nan), expected, atol=1e-12)
    tree = ax.figure.axes[1]
    assert len(tree.collections[0].get_paths()) == len(selection) - 1  # a fork for all but one


def test_few_features_and_no_path(numbers):
    X, y = numbers
    for count in (1, 2, 3):
        found = land.select(X, y, n_features=count)
        for ax in (found.plot_path(), found.plot_relevance(), found.plot_redundancy()):
            ax.figure.canvas.draw()
    most = land.select(X, y, n_features=4, method="mr-nhsic")
    most.plot_relevance()
    with pytest.raises(ValueError, match="no path"):
        most.plot_path()
    with pytest.raises(ValueError, match="no redundancies"):
        most.plot_redundancy()
