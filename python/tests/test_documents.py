"""The examples in the documents are run, and print what the documents say."""

import doctest
import pathlib
import re
import runpy

import pytest

import land

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

DOCUMENTS = [
    *sorted((REPOSITORY / "docs" / "python").glob("*.md")),
    REPOSITORY / "docs" / "python.md",
    REPOSITORY / "docs" / "inference" / "stability.md",
]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def check(text, name, globs):
    test = doctest.DocTestParser().get_doctest(text, globs, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    examples = check("\n".join(blocks), path.name, {})
    if ">>>" in path.read_text():
        assert examples > 0


@pytest.mark.parametrize("thing", [land.LandSelector, land.evaluate, land.select], ids=lambda thing: thing.__name__)
def test_docstrings_run(thing):
    assert check(thing.__doc__, thing.__name__, {}) > 0


def test_reference_is_that_of_the_docstrings():
    script = REPOSITORY / "scripts" / "python_reference"
    reference = runpy.run_path(str(script))["reference"]()
    assert (REPOSITORY / "docs" / "python" / "reference.md").read_text() == reference, "run scripts/python_reference"
    for name in land.__all__:
        assert f"land.{name}" in reference
