"""LAND as a stage of a pipeline."""

from __future__ import annotations

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
    are those of :func:`land.select`.

    Examples
    --------
    >>> selector = LandSelector(idCol="id", numFeatures=10)  # doctest: +SKIP
    >>> model = Pipeline(stages=[assembler, selector, classifier]).fit(frame)  # doctest: +SKIP
    >>> model.stages[1].selection.names  # doctest: +SKIP
    """

    _input_kwargs: dict[str, Any]  # of keyword_only

    idCol: Param[str] = Param(
        Params._dummy(), "idCol", "what tells samples apart, and orders them", TypeConverters.toString
    )
    numFeatures: Param[int] = Param(Params._dummy(), "numFeatures", "how many features", TypeConverters.toInt)
    task: Param[str] = Param(
        Params._dummy(), "task", "what the label holds: auto, classification or regression", TypeConverters.toString
    )
    method: Param[str] = Param(Params._dummy(), "method", "land or mr-nhsic", TypeConverters.toString)
    sigma: Param[float] = Param(
        Params._dummy(), "sigma", "width of the kernel, in standard deviations", TypeConverters.toFloat
    )
    ridge: Param[float] = Param(Params._dummy(), "ridge", "above 0: correlated features share", TypeConverters.toFloat)
    missing: Param[str] = Param(
        Params._dummy(), "missing", "what to do about NaN: error, mean, ignore or level", TypeConverters.toString
    )
    parts: Param[int] = Param(
        Params._dummy(), "parts", "tasks at a time; 0: as many as Spark runs", TypeConverters.toInt
    )

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
        sigma: float = DEFAULTS["sigma"],
        ridge: float = DEFAULTS["ridge"],
        missing: str = "error",
        parts: int = 0,
    ) -> None:
        super().__init__()
        self._setDefault(
            outputCol="selected",
            idCol="id",
            numFeatures=DEFAULTS["n_features"],
            task=DEFAULTS["task"],
            method=DEFAULTS["method"],
            sigma=DEFAULTS["sigma"],
            ridge=DEFAULTS["ridge"],
            missing="error",
            parts=0,
        )
        self._set(**self._input_kwargs)

    def _fit(self, dataset: DataFrame) -> LandSelectorModel:
        value = self.getOrDefault
        selection = select(
            dataset,
            value("labelCol"),
            idCol=value("idCol"),
            featuresCol=value("featuresCol"),
            n_features=value("numFeatures"),
            task=value("task"),
            method=value("method"),
            sigma=value("sigma"),
            ridge=value("ridge"),
            missing=value("missing"),
            parts=value("parts") or None,
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
