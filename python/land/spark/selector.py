"""LAND as a stage of a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.feature import VectorSlicer
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasFeaturesCol, HasLabelCol, HasOutputCol
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame

from .._running import DEFAULTS
from ..selection import Selection
from .select import select


def _widths(value: Any) -> Any:
    """One width, several, or "mix"."""
    if isinstance(value, str):
        return value
    return float(value) if isinstance(value, (int, float)) else TypeConverters.toListFloat(value)


def _bins(value: Any) -> Any:
    """How many, or where to cut."""
    return value if isinstance(value, int) else TypeConverters.toListFloat(value)


def _option(name: str, doc: str, converter: Callable[[Any], Any]) -> Param[Any]:
    return Param(Params._dummy(), name, doc, converter)


# What land.select calls each parameter that is not Spark's.
_OPTIONS = {
    "numFeatures": "n_features",
    "task": "task",
    "method": "method",
    "measure": "measure",
    "kernel": "kernel",
    "sigma": "sigma",
    "valuesAs": "transform",
    "ridge": "ridge",
    "landmarks": "landmarks",
    "bins": "bins",
    "missing": "missing",
}


class LandSelector(
    Estimator["LandSelectorModel"],
    HasFeaturesCol,
    HasLabelCol,
    HasOutputCol,
    DefaultParamsReadable,
    DefaultParamsWritable,
):
    """An estimator that finds the features that best explain the label without repeating each other.

    Its model puts those features, the first selected first, into a vector of their own. Parameters that are not Spark's
    are those of :func:`land.select`; ``valuesAs`` is its ``transform``, which here is what models do.

    Examples
    --------
    >>> selector = LandSelector(idCol="id", numFeatures=10)  # doctest: +SKIP
    >>> model = Pipeline(stages=[assembler, selector, classifier]).fit(frame)  # doctest: +SKIP
    >>> model.stages[1].selection.names  # doctest: +SKIP
    """

    _input_kwargs: dict[str, Any]  # of keyword_only

    idCol = _option("idCol", "what tells samples apart, and orders them", TypeConverters.toString)
    numFeatures = _option("numFeatures", "how many features", TypeConverters.toInt)
    task = _option("task", "what the label holds: auto, classification or regression", TypeConverters.toString)
    method = _option(
        "method", "how to choose: land, mrmr, lasso, ...; land.methods() lists all", TypeConverters.toString
    )
    measure = _option("measure", "nhsic or hsic", TypeConverters.toString)
    kernel = _option("kernel", "what dependence is: gaussian, laplace, distance or linear", TypeConverters.toString)
    sigma = _option("sigma", "width of the kernel, in standard deviations; several, or mix", _widths)
    valuesAs = _option("valuesAs", "none, or rank: normal scores of ranks instead of values", TypeConverters.toString)
    ridge = _option("ridge", "above 0: correlated features share", TypeConverters.toFloat)
    landmarks = _option("landmarks", "of qpfs: features that stand for all; 0: all of them", TypeConverters.toInt)
    bins = _option("bins", "levels of methods that count, or where to cut", _bins)
    missing = _option("missing", "what to do about NaN: error, mean, ignore or level", TypeConverters.toString)
    parts = _option("parts", "tasks at a time; 0: as many as Spark runs", TypeConverters.toInt)

    @keyword_only
    def __init__(
        self,
        *,
        featuresCol: str = "features",
        labelCol: str = "label",
        outputCol: str = "selected",
        idCol: str = "id",
        numFeatures: int = DEFAULTS["n_features"],
        task: str = DEFAULTS["task"],
        method: str = DEFAULTS["method"],
        measure: str = DEFAULTS["measure"],
        kernel: str = DEFAULTS["kernel"],
        sigma: float | Sequence[float] | str = DEFAULTS["sigma"],
        valuesAs: str = DEFAULTS["transform"],
        ridge: float = DEFAULTS["ridge"],
        landmarks: int = DEFAULTS["landmarks"],
        bins: int | Sequence[float] = DEFAULTS["bins"],
        missing: str = DEFAULTS["missing"],
        parts: int = 0,
    ) -> None:
        super().__init__()
        self._setDefault(outputCol="selected", idCol="id", parts=0)
        self._setDefault(**{name: DEFAULTS[option] for name, option in _OPTIONS.items()})
        self._set(**self._input_kwargs)

    def _fit(self, dataset: DataFrame) -> LandSelectorModel:
        value = self.getOrDefault
        selection = select(
            dataset,
            value("labelCol"),
            idCol=value("idCol"),
            featuresCol=value("featuresCol"),
            parts=value("parts") or None,
            **{option: value(name) for name, option in _OPTIONS.items()},
        )
        model = LandSelectorModel()
        model._set(featuresCol=value("featuresCol"), outputCol=value("outputCol"), document=selection.dumps())
        return model._resetUid(self.uid)  # as Spark's models have it


class LandSelectorModel(Model, HasFeaturesCol, HasOutputCol, DefaultParamsReadable, DefaultParamsWritable):
    """The features that were selected."""

    document: Param[str] = Param(Params._dummy(), "document", "the selection as JSON", TypeConverters.toString)

    @property
    def selection(self) -> Selection:
        return Selection.loads(self.getOrDefault("document"))

    def _transform(self, dataset: DataFrame) -> DataFrame:
        selection = self.selection
        if not len(selection):
            raise ValueError("no features were selected, so there is nothing to transform to")
        slicer = VectorSlicer(
            inputCol=self.getOrDefault("featuresCol"),
            outputCol=self.getOrDefault("outputCol"),
            indices=[int(index) for index in selection.indices],
        )
        sliced: DataFrame = slicer.transform(dataset)
        return sliced
