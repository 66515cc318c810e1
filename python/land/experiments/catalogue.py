"""All experiments, in the order of the paper."""

from __future__ import annotations

import importlib

from .experiment import Experiment

#: Names, which are those of modules here: each has one EXPERIMENT.
NAMES = ("synthetic", "benchmarks", "p53", "prostate", "enzymes", "runtimes", "proposition1", "beyond")


def experiment(name: str) -> Experiment:
    found = importlib.import_module(f".{name}", __package__).EXPERIMENT
    assert isinstance(found, Experiment)
    return found
