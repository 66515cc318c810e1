"""The data that the paper used, as far as it is public: what is in the folder that LAND_DATA names."""

from __future__ import annotations

import functools
import os
import pathlib
from typing import Any, NamedTuple

import numpy as np


class File(NamedTuple):
    """A file below LAND_DATA."""

    path: str
    sha256: str | None  #: None: nobody here has seen it, so it cannot be downloaded safely
    source: str  #: where it comes from: a URL if `sha256` is known and it can be downloaded, else words


_ASU = "https://raw.githubusercontent.com/jundongl/scikit-feature/master/skfeature/data/"

FILES = {
    "AR10P": File(
        "asu/warpAR10P.mat",
        "92b5f7e72b5715ada8f2df16e6d8e5effd8e0034a53a656ed9ef76e3f727d413",
        _ASU + "warpAR10P.mat",
    ),
    "PIE10P": File(
        "asu/warpPIE10P.mat",
        "0d22b0e4fe224ea7347ae266370b6eb0d724d5fd0ad7da71261a58c24e08c3c2",
        _ASU + "warpPIE10P.mat",
    ),
    "PIX10P": File(
        "asu/pixraw10P.mat",
        "aa4b474244ae847dc2efdc868c0ff58fc3748a830c2ffdf760a1697cf72088f8",
        _ASU + "pixraw10P.mat",
    ),
    "ORL10P": File("asu/orlraws10P.mat", None, f"{_ASU}orlraws10P.mat"),
    "TOX": File(
        "asu/TOX-171.mat",
        "f52f57e61775b7830c84750456d7fadfd220d1cc8eed26419c3390eb9216cc84",
        _ASU + "TOX-171.mat",
    ),
    "CLL-SUB": File("asu/CLL-SUB-111.mat", None, f"{_ASU}CLL-SUB-111.mat"),
    "ALLAML": File(
        "asu/ALLAML.mat",
        "068afe0fe1021932e1e7d801294c267de8aeaa9d41899acfac024e72b0d44c1e",
        _ASU + "ALLAML.mat",
    ),
    "Prostate-GE": File(
        "asu/Prostate-GE.mat",
        "050b598534dbc662f23e30f39b41354b61d02ab8567837bcf9b1091c1c636ab4",
        _ASU + "Prostate-GE.mat",
    ),
    "madelon": File(
        "asu/madelon.mat",
        "7dc9c9ff8d902651948e2df7f9cb6ed38c5d91e4c4159914cecb1ddbc7def12c",
        _ASU + "madelon.mat",
    ),
    "TRIM32": File(
        "trim32/trim32_rat_18975.npz",
        "3afb917132cf4a011d6e1402f96911f2fb8fe3780a743248791115a07153d206",
        "GEO, GSE5680: 18,975 probes of 120 rats as X, the probe of TRIM32 as y, in an .npz",
    ),
    "p53": File(
        "p53/K8.data",
        None,
        "UCI Machine Learning Repository, 'p53 Mutants': the file K8.data of p53_new_2012.zip",
    ),
    "D&D": File(
        "graphs/DD.zip",
        "0ce3eca1f096ce77ff6fb2287b2b45d0d6991ca1f15734fc873a1003ac79c34d",
        "the graphs of Dobson and Doig as text, DD/DD.txt in a zip: see docs/graphlets.md for its form",
    ),
    "PRAD": File(
        "tcga_prad_cna/tcga_prad_cna.npz",
        "6354b250af1a75a15ef85dfb26575dee4a663fee51146b2dc0f4f56825f7cab6",
        "TCGA PRAD: copy numbers of genes in an .npz",
    ),
    "PRAD clinical": File(
        "tcga_prad_cna/tcga_prad_clinical.csv",
        "4cb9b6091752ff8407cb59519d3f519e3666969cc2b87025568c0583da88c01c",
        "TCGA PRAD: the clinical table, as in Bioconductor's curatedPCaData",
    ),
}


class MissingData(ValueError):
    """A file is not in LAND_DATA."""


def folder() -> pathlib.Path | None:
    named = os.environ.get("LAND_DATA")
    return pathlib.Path(named).expanduser() if named else None


def available(name: str) -> bool:
    below = folder()
    return below is not None and (below / FILES[name].path).is_file()


def path_of(name: str) -> pathlib.Path:
    below = folder()
    if below is None:
        raise MissingData(f"{name}: set LAND_DATA to a folder with {FILES[name].path} ({FILES[name].source})")
    path = below / FILES[name].path
    if not path.is_file():
        raise MissingData(f"{name}: {path} is not there; get it from: {FILES[name].source}")
    return path


def missing_note(names: list[str]) -> str:
    """A paragraph on those that are not available, with where to get them; nothing if all are."""
    absent = [name for name in names if not available(name)]
    if not absent:
        return ""
    lines = [f"- {name}: `{FILES[name].path}`, from {FILES[name].source}" for name in absent]
    return "Not run, since these files are not in `LAND_DATA`:\n\n" + "\n".join(lines) + "\n"


@functools.lru_cache(maxsize=2)
def load_matlab(name: str) -> tuple[np.ndarray, np.ndarray]:
    """X, samples by features, in double, and y, whole numbers, of a set of the ASU collection."""
    import scipy.io

    held: dict[str, Any] = scipy.io.loadmat(path_of(name))
    return np.asarray(held["X"], dtype=np.float64), held["Y"].ravel().astype(np.int64)


@functools.lru_cache(maxsize=1)
def load_trim32() -> tuple[np.ndarray, np.ndarray]:
    with np.load(path_of("TRIM32")) as held:
        return np.asarray(held["X"], dtype=np.float64), np.asarray(held["y"], dtype=np.float64).ravel()


def download() -> list[pathlib.Path]:
    """Fetches what is missing and has a checksum into LAND_DATA, through pooch. Returns what was fetched."""
    import pooch

    below = folder()
    if below is None:
        raise MissingData("set LAND_DATA to the folder that downloads go to")
    fetched = []
    for name, file in FILES.items():
        if available(name) or file.sha256 is None or not file.source.startswith("https://"):
            continue
        path = below / file.path
        pooch.retrieve(file.source, known_hash=f"sha256:{file.sha256}", fname=path.name, path=path.parent)
        fetched.append(path)
    return fetched
