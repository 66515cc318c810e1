"""Spark: both ways of reading, DataFrames, and the stage of a pipeline."""

import importlib.metadata
import os
import pathlib
import subprocess
import sys

import numpy as np
import pandas
import pyarrow.parquet
import pytest
from deadly_blocks import DeadlyBlocks
from marked_blocks import flip_bit, read_marks, repeated, small_data, write_blocks

import land
from land.remote import BlockFile

pytest.importorskip("pyspark")

import land.spark  # noqa: E402
import land.spark.cluster  # noqa: E402
from kinds.spark import session  # noqa: E402
from land.spark.readings import CellReading, DirectReading  # noqa: E402
from pyspark.ml.feature import StringIndexer, VectorAssembler  # noqa: E402
from pyspark.sql import functions  # noqa: E402

READS = ["direct", "cells"]
N_FEATURES = 4


@pytest.fixture(scope="module")
def spark():
    return session()


class Data:
    def __init__(self, folder):
        self.folder = folder
        self.source, self.y, self.cells = small_data(folder)
        self.path = write_blocks(folder / "blocks.parquet", self.cells)
        self.expected = land.select(self.source, self.y, n_features=N_FEATURES)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return Data(tmp_path_factory.mktemp("spark"))


def select(spark, path, y, **options):
    return land.spark.select(path, y, spark=spark, n_features=N_FEATURES, **options)


# The contract has the other parts of "direct".
@pytest.mark.parametrize(
    ("read", "parts"), [("direct", None), ("cells", 1), ("cells", 2), ("cells", 7), ("cells", 64), ("cells", None)]
)
def test_ways_of_reading(spark, data, read, parts):
    assert select(spark, data.path, data.y, read=read, parts=parts) == data.expected


@pytest.mark.parametrize("read", READS)
def test_a_folder_in_disorder(spark, data, read):
    folder = data.folder / f"{read}.blocks"
    folder.mkdir()
    rows = [*np.random.default_rng(0).permutation(len(data.cells.cells)).tolist(), 5, 5, 0]
    for k in range(3):
        write_blocks(folder / f"part-{k}.parquet", data.cells, rows[k::3])
    assert select(spark, str(folder), data.y, read=read, parts=3) == data.expected


def test_the_path_says_who_reads(spark, data):
    def reading(path, **read):
        return type(land.spark.SparkCluster(spark, path, parts=1, **read)._reading)

    uri = pathlib.Path(data.path).as_uri()
    assert reading(data.path) is reading(uri) is DirectReading
    assert reading(data.path, read="cells") is reading(uri, read="cells") is CellReading
    with pytest.raises(Exception, match="nowhere"):  # Spark knows no such file system
        reading("nowhere://host/blocks.parquet")


def test_a_frame_of_cells(spark, data):
    frame = spark.read.parquet(data.path)
    cluster = land.spark.SparkCluster(spark, frame, parts=2)
    assert land.remote.select(cluster, data.y, n_features=N_FEATURES) == data.expected


@pytest.mark.parametrize("read", READS)
def test_large_answers_come_by_several_jobs(spark, data, read, monkeypatch):
    monkeypatch.setattr(land.spark.cluster, "JOB_BYTES", 300_000)
    cluster = land.spark.SparkCluster(spark, data.path, parts=2, read=read)
    jobs = []
    answers = cluster._reading.answers
    monkeypatch.setattr(cluster._reading, "answers", lambda *given: jobs.append(given) or answers(*given))
    assert land.remote.select(cluster, data.y, n_features=N_FEATURES) == data.expected
    assert len(jobs) > 3
    assert cluster.workers > 2


def test_only_rows_that_are_needed_are_fetched(spark, data):
    """Spark would trip over the pages of another row, if it read them."""
    path = str(data.folder / "holes.parquet")
    pathlib.Path(path).write_bytes(pathlib.Path(data.path).read_bytes())
    wanted = [int(data.cells.firsts[k]) + 1 for k in (2, 30)]
    metadata = pyarrow.parquet.ParquetFile(path).metadata
    with open(path, "r+b") as file:
        for group in set(range(metadata.num_row_groups)) - {2, 30}:
            file.seek(metadata.row_group(group).column(3).data_page_offset)
            file.write(b"\xff" * 64)
    cluster = land.spark.SparkCluster(spark, path, parts=2, read="cells")
    assert len(list(cluster.fetch(wanted))) == 2
    with pytest.raises(Exception, match="(?s)Parquet|Thrift|TProtocol|FAILED_READ_FILE|read"):
        list(cluster.fetch([*wanted, int(data.cells.firsts[5])]))


def test_a_task_whose_process_dies_is_done_again(spark, data):
    marks = str(data.folder / "marks")
    cluster = land.spark.SparkCluster(spark, DeadlyBlocks(data.path, marks), parts=2)
    assert land.remote.select(cluster, data.y, n_features=N_FEATURES) == data.expected
    readers = {process for process, what in read_marks(marks) if what == "7"}
    assert pathlib.Path(marks + ".killed").exists()
    assert "0" in repeated(read_marks(marks))
    assert len(readers) > 1


def test_settings_are_put_back(spark, data):
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "777")
    before = {row["key"]: row["value"] for row in spark.sql("SET").collect()}
    select(spark, data.path, data.y, read="cells", parts=2)
    assert {row["key"]: row["value"] for row in spark.sql("SET").collect()} == before
    assert before["spark.sql.execution.arrow.maxRecordsPerBatch"] == "777"


def error_of(kind, act, *given, **options):
    with pytest.raises(kind) as caught:
        act(*given, **options)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


@pytest.mark.parametrize("read", READS)
def test_bad_block_tables_in_one_line(spark, data, read):
    damaged = write_blocks(data.folder / "damaged.parquet", data.cells)
    flip_bit(damaged, data.cells, 4)
    message = error_of(ValueError, select, spark, damaged, data.y, read=read, parts=2)
    assert message.startswith(f"{damaged}: row 4 (features ")
    other = str(data.folder / "other.parquet")
    pandas.DataFrame({"a": [1.0]}).to_parquet(other)
    assert "not a block table" in error_of(ValueError, select, spark, other, data.y, read=read, parts=2)
    headless = write_blocks(data.folder / "headless.parquet", data.cells, range(1, 5))
    assert "without its first row" in error_of(ValueError, select, spark, headless, data.y, read=read, parts=2)
    nowhere = str(data.folder / "nowhere.parquet")
    assert nowhere in error_of(FileNotFoundError, select, spark, nowhere, data.y, read=read, parts=2)


def test_a_file_that_workers_lose(spark, data):
    path = write_blocks(data.folder / "lost.parquet", data.cells)
    cluster = land.spark.SparkCluster(spark, path, parts=2)
    os.remove(path)
    assert f"{path}: cannot be read" in error_of(ValueError, land.remote.select, cluster, data.y)


class Samples:
    """150 samples, shuffled; f5 has categories."""

    def __init__(self, spark, folder):
        self.folder = folder
        random = np.random.default_rng(6)
        X = random.normal(size=(150, 40))
        X[:, 5] = random.integers(0, 3, 150)
        self.names = [f"g{k}" for k in range(40)]
        y = X[:, 3] ** 2 + X[:, 7] + (X[:, 5] == 1) + 0.1 * random.normal(size=150)
        self.pandas = pandas.DataFrame(X, columns=self.names).assign(label=y)
        shuffled = self.pandas.assign(id=[f"s{k:03d}" for k in range(150)]).sample(frac=1, random_state=1)
        self.frame = spark.createDataFrame(shuffled).repartition(3).cache()
        self.expected = land.select(self.pandas, "label", n_features=N_FEATURES)

    def vectors(self):
        assembled = VectorAssembler(inputCols=self.names, outputCol="features").transform(self.frame)
        return assembled.select("id", "label", "features")


@pytest.fixture(scope="module")
def samples(spark, tmp_path_factory):
    return Samples(spark, tmp_path_factory.mktemp("frames"))


def test_columns_of_numbers(samples):
    assert land.spark.select(samples.frame, "label", idCol="id", n_features=N_FEATURES) == samples.expected


def test_vectors(samples):
    assert land.spark.select(samples.vectors(), "label", idCol="id", n_features=N_FEATURES) == samples.expected


def test_categories_of_a_pipeline(samples):
    words = samples.frame.withColumn("word", functions.concat(functions.lit("level "), "g5"))
    indexed = StringIndexer(inputCol="word", outputCol="index").fit(words).transform(words)
    columns = [*samples.names[:5], "index", *samples.names[6:]]
    frame = VectorAssembler(inputCols=columns, outputCol="features").transform(indexed)
    expected = land.select(
        samples.pandas.rename(columns={"g5": "index"}), "label", n_features=N_FEATURES, nominal=["index"]
    )
    found = land.spark.select(frame, "label", idCol="id", n_features=N_FEATURES)
    assert found.names == expected.names
    assert found.document["data"]["nominal_features"] == 1


def test_missing_values_of_a_frame(samples):
    gap = functions.when(samples.frame["id"] == "s007", None).otherwise(samples.frame["g3"])
    gappy = samples.pandas.copy()
    gappy.loc[7, "g3"] = np.nan
    expected = land.select(gappy, "label", n_features=N_FEATURES, missing="mean")
    frame = samples.frame.withColumn("g3", gap)
    found = land.spark.select(frame, "label", idCol="id", n_features=N_FEATURES, missing="mean")
    assert found == expected
    message = error_of(ValueError, land.spark.select, frame, "label", idCol="id")
    assert message.startswith("X: feature 'g3', id 's007': the value is missing; ")


def row_groups(folder):
    return [
        [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]
        for file in map(pyarrow.parquet.ParquetFile, pathlib.Path(folder).glob("*.parquet"))
    ]


def test_convert_samples(spark, samples):
    path = str(samples.folder / "samples.blocks")
    land.spark.convert(samples.frame, path, idCol="id", labelCol="label", cell_bytes=16 * 150 * 8)
    groups = row_groups(path)
    assert sum(groups, []) == [1, 1, 1]
    assert list(BlockFile(path).firsts) == [0, 16, 32, 40]
    for read in READS:
        assert select(spark, path, None, read=read, parts=2) == samples.expected
    y = samples.pandas["label"].set_axis([f"s{k:03d}" for k in range(150)])
    assert select(spark, path, y, parts=2).names == samples.expected.names
    assert "is there already" in error_of(FileExistsError, land.spark.convert, samples.frame, path, idCol="id")


def test_convert_features(spark, samples):
    values = samples.pandas.drop(columns="label")
    turned = pandas.DataFrame({"gene": values.columns, "values": [values[name].tolist() for name in values]})
    path = str(samples.folder / "features.blocks")
    land.spark.convert(spark.createDataFrame(turned), path, nameCol="gene", cell_bytes=16 * 150 * 8)
    assert sum(row_groups(path), []) == [1, 1, 1]
    by_name = values[sorted(values.columns)]
    y = samples.pandas["label"].to_numpy()
    expected = land.select(by_name.to_numpy(), y, feature_names=list(by_name.columns), n_features=N_FEATURES)
    assert select(spark, path, y, parts=2) == expected
    doubled = spark.createDataFrame(pandas.concat([turned, turned[:2]]))
    assert "2 features have the name of another" in error_of(
        ValueError, land.spark.convert, doubled, path + "2", nameCol="gene"
    )
    assert not os.path.exists(path + "2")


def test_convert_a_file(spark, data):
    path = str(data.folder / "converted.parquet")
    land.spark.convert(data.source, path)
    assert select(spark, path, data.y, parts=2) == data.expected


def test_frames_that_do_not_fit(spark, samples):
    frame = samples.frame
    cases = {
        "a DataFrame has no order": (frame, {}),
        "idCol='zz': the DataFrame has no such column": (frame, {"idCol": "zz"}),
        "must be whole numbers or text, not double": (frame, {"idCol": "g1"}),
        "the id 's000' occurs more than once": (frame.union(frame), {"idCol": "id"}),
        "column 'id' holds no numbers": (frame, {"idCol": "id", "featuresCol": ["id"]}),
        "holds neither vectors nor arrays": (frame, {"idCol": "id", "featuresCol": "g1"}),
        "id 's007' has no label": (
            frame.withColumn("label", functions.when(frame["id"] != "s007", frame["label"])),
            {"idCol": "id"},
        ),
        "id 's007' has 1 features, others have 2": (
            frame.select(
                "id",
                "label",
                functions.when(frame["id"] == "s007", functions.array("g1"))
                .otherwise(functions.array("g1", "g2"))
                .alias("features"),
            ).orderBy("label"),
            {"idCol": "id"},
        ),
    }
    for message, (bad, given) in cases.items():
        assert message in error_of(ValueError, land.spark.select, bad, "label", **given)


def test_a_pipeline(samples, tmp_path):
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.regression import LinearRegression

    assembler = VectorAssembler(inputCols=samples.names, outputCol="features")
    selector = land.spark.LandSelector(idCol="id", numFeatures=3)
    pipeline = Pipeline(stages=[assembler, selector, LinearRegression(featuresCol="selected")])
    pipeline.save(str(tmp_path / "pipeline"))
    stage = Pipeline.load(str(tmp_path / "pipeline")).getStages()[1]
    assert stage.extractParamMap() == selector.extractParamMap()
    model = pipeline.fit(samples.frame)
    expected = land.select(samples.pandas, "label", n_features=3)
    assert model.stages[1].selection == expected
    model.save(str(tmp_path / "model"))
    loaded = PipelineModel.load(str(tmp_path / "model"))
    assert loaded.stages[1].selection == expected
    rows = loaded.transform(samples.frame).orderBy("id").select("selected").collect()
    assert np.array_equal([row[0].toArray() for row in rows], samples.pandas[expected.names].to_numpy())


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({"sigma": "mix", "valuesAs": "rank"}, {"sigma": "mix", "transform": "rank"}),
        ({"sigma": [0.5, 2]}, {"sigma": [0.5, 2]}),
        ({"kernel": "linear", "measure": "hsic"}, {"kernel": "linear", "measure": "hsic"}),
        ({"method": "mrmr", "bins": 3}, {"method": "mrmr", "bins": 3}),
        ({"method": "cmim", "bins": [-1, 1]}, {"method": "cmim", "bins": [-1, 1]}),
    ],
    ids=str,
)
def test_a_selector_takes_the_options_of_select(samples, tmp_path, given, options):
    selector = land.spark.LandSelector(idCol="id", numFeatures=3, **given)
    selector.save(str(tmp_path / "selector"))
    loaded = land.spark.LandSelector.load(str(tmp_path / "selector"))
    expected = land.select(samples.pandas, "label", n_features=3, **options)
    assert loaded.fit(samples.vectors()).selection == expected


def test_cross_validation(samples):
    from pyspark.ml import Pipeline
    from pyspark.ml.evaluation import RegressionEvaluator
    from pyspark.ml.regression import LinearRegression
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    selector = land.spark.LandSelector(idCol="id")
    validator = CrossValidator(
        estimator=Pipeline(stages=[selector, LinearRegression(featuresCol="selected")]),
        estimatorParamMaps=ParamGridBuilder().addGrid(selector.numFeatures, [1, 4]).build(),
        evaluator=RegressionEvaluator(),
        numFolds=2,
        parallelism=2,
        seed=0,
    )
    best = validator.fit(samples.vectors().cache()).bestModel.stages[0].selection
    assert best == land.select(samples.pandas, "label", n_features=len(best))


CONNECT = """
import sys
import numpy as np
import land.spark
from pyspark.sql import SparkSession

path, target, expected = sys.argv[1:]
spark = SparkSession.builder.remote("local[2]").config("spark.log.level", "OFF").getOrCreate()
assert "connect" in type(spark).__module__
y = np.load(target)
for read in "direct", "cells":
    found = land.spark.select(path, y, spark=spark, read=read, n_features=4)
    assert found == land.Selection.load(expected), read
frame = spark.range(60).selectExpr("id", "cast(id % 7 as double) as a", "cast(id % 2 as double) as label")
frame = frame.selectExpr("*", "label + a / 10 as b")
assert land.spark.select(frame, "label", idCol="id", n_features=1).names == ["b"]
try:
    land.spark.select(frame.selectExpr("id", "label", "if(id = 3, null, a) as a"), "label", idCol="id")
except ValueError as error:
    assert str(error).startswith("X: feature 'a', id '3': the value is missing"), error
else:
    raise AssertionError("a missing value is not refused")
"""


@pytest.mark.skipif(
    importlib.metadata.version("pyspark") < "4", reason="a local server of Connect needs a download before Spark 4"
)
def test_connect(data, tmp_path):
    """In a process of its own: one has sessions of one kind."""
    pytest.importorskip("grpc_status")
    data.expected.save(tmp_path / "expected.json")
    np.save(tmp_path / "y.npy", data.y)
    arguments = [data.path, str(tmp_path / "y.npy"), str(tmp_path / "expected.json")]
    run = subprocess.run(
        [sys.executable, "-c", CONNECT, *arguments], capture_output=True, text=True, timeout=180, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
