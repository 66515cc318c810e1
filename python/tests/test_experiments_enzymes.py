"""What the experiment on enzymes rests on: counts of graphlets, words for them, and nothing seen of held-out graphs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from land.experiments import contact_graphs, enzyme_findings
from land.experiments.catalogue import experiment
from land.experiments.experiment import Scale
from land.experiments.graphlet_counts import GraphletCounts
from land.experiments.judged_by_trees import Judging, Split, judge_number, judge_table, random_features, select
from land.experiments.judged_findings import findings
from land.experiments.motifs import RESIDUES, fit_of_residues, in_words
from land.experiments.set_measures import independence_rate

pytest.importorskip("lightgbm")

#: The graphs of docs/graphlets.md, twice.
EXAMPLE = b"4\n" + 2 * b"3 1\n5 1 1\n7 2 0 2\n9 1 1\n2 0\n5 1 1\n5 1 0\n"


def graphs(number, labels=4):
    """Each as its class, the labels of its vertices, and its edges. Those of class 0 have label 1 more often."""
    random = np.random.default_rng(5)
    made = []
    for place in range(number):
        size = int(random.integers(8, 16))
        shares = np.ones(labels)
        shares[1] += 2 * (place % 2 == 0)
        own = random.choice(labels, size=size, p=shares / shares.sum())
        edges = [pair for pair in itertools.combinations(range(size), 2) if random.random() < 0.25]
        made.append((place % 2, own, edges))
    return made


def as_text(made):
    lines = [str(len(made))]
    for kind, labels, edges in made:
        lines.append(f"{len(labels)} {kind}")
        for vertex, label in enumerate(labels):
            touched = [end for start, end in edges if start == vertex]
            lines.append(" ".join(map(str, (label, len(touched), *touched))))
    return "\n".join(lines).encode()


@pytest.fixture(scope="module", autouse=True)
def with_program(program):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAND_PROGRAM", program)
        patch.delenv("LAND_DATA", raising=False)
        yield


@pytest.fixture(scope="module")
def made():
    return graphs(80)


@pytest.fixture(scope="module")
def counts(with_program, made):
    return GraphletCounts(as_text(made))


# --- counts -------------------------------------------------------------------------------------------------------


def test_counts_are_those_of_the_document():
    counts = GraphletCounts(EXAMPLE)
    assert counts.classes.tolist() == 2 * [1, 0]
    assert counts.features == 11 and counts.of_name("5").tolist() == 2 * [1, 2]
    assert counts.columns([counts.names.index("5.5:01"), counts.names.index("9")]).tolist() == 2 * [[0, 1], [2, 0]]
    assert counts.of_name("9.9:01").tolist() == 4 * [0]


def test_sizes_and_residues_are_those_of_the_graphs(made, counts):
    assert counts.classes.tolist() == [kind for kind, _, _ in made]
    assert counts.sizes().tolist() == [len(labels) for _, labels, _ in made]
    residues = counts.residues()
    assert residues.shape == (80, 20)
    assert residues.tolist() == [np.bincount(labels, minlength=20).tolist() for _, labels, _ in made]


def test_sparse_counts_are_the_counts(counts, monkeypatch):
    monkeypatch.setattr("land.experiments.graphlet_counts._COLUMNS", 7)
    some = np.arange(5, counts.features, 41)
    assert len(some) > 14
    assert np.array_equal(counts.sparse(some).toarray(), counts.columns(some))


def test_different_features_occur_often_enough_and_differ_other_than_by_a_factor(counts):
    X = counts.columns(np.arange(counts.features))
    often = np.flatnonzero((X != 0).sum(axis=0) >= 20)
    unit = X[:, often] / np.sqrt((X[:, often] ** 2).sum(axis=0))
    same = unit.T @ unit > 1.0 - 1e-9
    first = often[[not same[:place, place].any() for place in range(len(often))]]
    assert 0 < len(first) < len(often) < counts.features
    assert counts.different(20).tolist() == first.tolist()


def test_trees_of_all_features_need_no_copies_nor_rare_ones(counts):
    split = Split(0, np.arange(60), np.arange(60, 80))
    few, every = counts.sparse(counts.different(20)).tocsr(), counts.sparse(np.arange(counts.features)).tocsr()
    assert few.shape[1] < every.shape[1] / 2
    judging = Judging(trees=30)
    of_few, of_every = (judge_table(X, counts.classes, split, "all", 1, judging) for X in (few, every))
    assert of_few["auc"] == of_every["auc"] and 0.5 < of_few["auc"] < 1.0


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, words",
    [
        ("7", "Gly"),
        ("81", "label 81"),
        ("7.5:01", "a pair, the root first: Gly - Gln"),
        ("5.5.7:02-12", "a path of three, the root at an end: Gln - Gly - Gln"),
        ("7.5.5:01-02", "a path of three, the root in the middle: Gln - Gly - Gln"),
        ("8.3.15:01-02-12", "a triangle, the root first: His, Asp, Ser"),
        ("0.1.2.3:02-13-23", "a path of four, the root at an end: Ala - Asn - Asp - Arg"),
        ("0.1.2.3:01-02-13", "a path of four, the root next to an end: Asn - Ala - Arg - Asp"),
        ("0.1.2.3:01-02-03", "a star of four, the root in the centre: Ala with Arg, Asn, Asp"),
        ("0.1.2.3:02-12-23", "a star of four, the root at a tip: Asn with Ala, Arg, Asp"),
        ("0.1.2.3:01-02-13-23", "a ring of four, the root first: Ala - Arg - Asp - Asn - the first"),
        (
            "0.1.2.3:02-12-13-23",
            "a triangle with a tail, the root in the tail: tail Ala, at the corner Asn of the triangle with Arg, Asp",
        ),
        (
            "0.1.2.3:01-02-03-12",
            "a triangle with a tail, the root where the tail begins: tail Asp, at the corner Ala of the triangle with "
            "Arg, Asn",
        ),
        (
            "0.1.2.3:01-02-12-13",
            "a triangle with a tail, the root away from the tail: tail Asp, at the corner Arg of the triangle with "
            "Ala, Asn",
        ),
        (
            "0.1.2.3:01-02-03-12-13",
            "two triangles that share an edge, the root on the edge: edge Ala - Arg, tips Asn, Asp",
        ),
        (
            "0.1.2.3:01-02-12-13-23",
            "two triangles that share an edge, the root at a tip: edge Arg - Asn, tips Ala, Asp",
        ),
        ("0.1.2.3:01-02-03-12-13-23", "four that all touch, the root first: Ala, Arg, Asn, Asp"),
    ],
)
def test_a_graphlet_in_words(name, words):
    assert in_words(name) == words


def test_no_two_graphlets_have_the_same_words(counts):
    """All kinds of graphlets, with labels that repeat."""
    assert {name.partition(":")[0].count(".") for name in counts.names} == {0, 1, 2, 3}
    assert len({in_words(name) for name in counts.names}) == counts.features


def test_residues_fit_in_their_order_only():
    counts = np.array(list(RESIDUES.values())) * 100.0
    assert fit_of_residues(counts) == pytest.approx(1.0)
    assert fit_of_residues(counts[::-1]) < 0.5


# --- splits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["land", "mr-nhsic", "mrmr", "lasso"])
def test_a_selection_is_that_of_a_store_with_the_training_graphs_alone(made, counts, method):
    train = np.flatnonzero(np.arange(80) % 5 != 2)
    judging = Judging((3, 8))
    alone = GraphletCounts(as_text([made[place] for place in train]))
    assert alone.features < counts.features
    found = select(counts.path, None, train, method, judging)
    expected = select(alone.path, None, np.arange(len(train)), method, judging)
    assert [len(found[m]) for m in (3, 8)] == [3, 8]
    for m in (3, 8):
        assert [counts.names[k] for k in found[m]] == [alone.names[k] for k in expected[m]]
    everything = select(counts.path, None, np.arange(80), method, judging)
    assert any(found[m].tolist() != everything[m].tolist() for m in (3, 8))  # held-out graphs would matter


def test_random_features_are_drawn_anew_in_each_split():
    judging = Judging((5, 20))
    first, again, other = (random_features(1000, 1, Split(k, [], []), judging) for k in (0, 0, 1))
    assert [len(set(first[m])) for m in (5, 20)] == [5, 20]
    assert set(first[5]) < set(first[20])
    assert first[20].tolist() == again[20].tolist() != other[20].tolist()


def test_one_number_is_judged_as_it_is():
    y = np.array([0, 1, 0, 0, 1, 1])
    split = Split(0, np.array([0, 1]), np.array([2, 3, 4, 5]))
    row = judge_number(np.array([9.0, 0.0, 1.0, 2.0, 1.5, 3.0]), y, split, "size")
    assert row["auc"] == 0.75 and row["selected"] == 1 and np.isnan(row["m"])


def test_independence_rate_is_its_definition():
    random = np.random.default_rng(1)
    X = random.standard_normal((50, 4)).astype(np.float32) + 1000.0
    X[:, 1] = 2.0 * X[:, 0]
    rho = np.abs(np.corrcoef(X.astype(float).T))
    assert independence_rate(X) == pytest.approx(1.0 - np.triu(rho, 1).sum() / 12, rel=1e-12)
    assert independence_rate(np.ones((50, 3))) == 1.0  # constant columns are correlated with none


@pytest.fixture(scope="module")
def rows(with_program):
    """Of one split of the made-up graphs."""
    from land.experiments.enzymes import split_rows

    return pd.DataFrame(split_rows(contact_graphs.MADE_UP, 1, 0, Judging((5, 20), trees=20)))


def test_a_split_has_every_method_and_what_needs_no_selection(rows):
    splits = rows[rows["part"] == "split"]
    of_sizes = splits[splits["m"].notna()].groupby("method")["m"].agg(list)
    assert of_sizes.to_dict() == dict.fromkeys(("land", "mr-nhsic", "mrmr", "lasso", "random"), [5.0, 20.0])
    trivial = splits[splits["m"].isna()].set_index("method")["selected"]
    assert trivial.drop(enzyme_findings.ALL).to_dict() == {"20 residues": 20, "size by trees": 1, "size itself": 1}
    assert set(splits["train"]) == {108} and set(splits["test"]) == {12}


def test_the_planted_site_is_found_and_described(rows):
    motifs = rows[rows["part"] == "motif"].set_index("words")
    site = motifs.loc["a triangle, the root first: Asp, His, Ser"]
    assert len(motifs) == 20 and site["in_enzymes"] > 2.0 and site["in_others"] < 0.5 and site["auc"] > 0.9


def test_motifs_are_described_by_held_out_graphs(counts):
    from land.experiments.enzymes import motif_rows
    from sklearn.metrics import roc_auc_score

    test = np.arange(50, 80)
    [row] = motif_rows(counts, Split(3, np.arange(50), test), np.array([counts.names.index("1")]))
    enzyme, own, sizes = counts.classes[test] == 0, counts.of_name("1")[test], counts.sizes()[test]
    assert (row["split"], row["graphlet"], row["words"]) == (3, "1", "Arg")
    assert row["in_enzymes"] == own[enzyme].mean() and row["in_others"] == own[~enzyme].mean()
    assert row["auc"] == roc_auc_score(enzyme, own) > 0.6
    assert row["auc_per_vertex"] == roc_auc_score(enzyme, own / sizes) != row["auc"]


# --- findings -----------------------------------------------------------------------------------------------------


def judged_rows(auc, splits=20):
    """Rows of these methods, or of methods and sizes, that vary a little over splits."""
    random = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {
                "split": split,
                "method": key[0],
                "m": key[1],
                "train": 90,
                "test": 10,
                "selected": 20,
                "distinct": 20,
                "independence": np.nan if np.isnan(key[1]) else 0.8 + 0.01 * random.standard_normal(),
                "auc": value + 0.01 * random.standard_normal(),
            }
            for split in range(splits)
            for key, value in auc.items()
        ]
    )


def few_of(land_20, land_100, residues):
    nan = float("nan")
    auc = {("land", 20): land_20, ("land", 100): land_100}
    for name, value in (("20 residues", residues), ("size by trees", 0.7), ("size itself", 0.7)):
        auc[name, nan] = value
    auc[enzyme_findings.ALL, nan] = 0.95
    return enzyme_findings.few_found(judged_rows(auc), 1_000_000)


def test_few_features_suffice_if_they_beat_counts_without_selection_and_many_are_not_better():
    assert "**confirmed**" in few_of(0.9, 0.9, residues=0.8)
    assert "**not confirmed**" in few_of(0.9, 0.9, residues=0.9)
    assert "**not confirmed**" in few_of(0.85, 0.9, residues=0.8)
    text = few_of(0.85, 0.9, residues=0.8)
    assert "99.998% fewer" in text and "worse than all (100 trees), land with 100" in text


@pytest.mark.parametrize("mrmr, verdict", [(0.8, "confirmed"), (0.9, "not confirmed"), (0.95, "not confirmed")])
def test_land_is_compared_with_its_rivals_only(mrmr, verdict):
    """`lasso` is as good as land, which does not matter unless all others do."""
    auc = {("land", 10): 0.9, ("mr-nhsic", 10): 0.8, ("mrmr", 10): mrmr, ("lasso", 10): 0.9}
    rows = judged_rows(auc)
    rows = pd.concat([rows, rows.assign(m=20)])
    order = ("land", "mr-nhsic", "mrmr", "lasso")
    text = findings(rows, order, (10, 20), ("mr-nhsic", "mrmr"))
    assert f"a larger AUC than mr-nhsic and mrmr is **{verdict}**" in text
    assert "the largest AUC of all is **not confirmed**" in findings(rows, order, (10, 20))


def test_one_split_has_means_without_errors():
    rows = judged_rows({("land", 10): 0.9, ("land", 20): 0.9, ("mrmr", 10): 0.8, ("mrmr", 20): 0.8}, splits=1)
    text = findings(rows, ("land", "mrmr"), (10, 20), ("mrmr",))
    assert "nan" not in text and "±" not in text and "**not confirmed**" in text


def test_motifs_of_most_splits_come_first():
    rows = pd.DataFrame(
        [
            {"words": words, "in_enzymes": 4.0, "in_others": 2.0, "auc": auc, "auc_per_vertex": 0.5}
            for words, auc in (("His", 0.7), ("Gly", 0.8), ("His", 0.9), ("Cys", 0.85))
        ]
    )
    found = enzyme_findings.means_of_motifs(rows)
    assert found["words"].tolist() == ["His", "Cys", "Gly"] and found["splits"].tolist() == [2, 1, 1]
    assert found["auc"].tolist() == pytest.approx([0.8, 0.85, 0.8])


def test_without_data_times_are_left_and_it_says_what_is_missing():
    enzymes = experiment("enzymes")
    assert {piece.name.partition(",")[0] for piece in enzymes.pieces(Scale())} == {"time"}
    times = pd.DataFrame(
        [
            {
                "part": "time",
                "data": contact_graphs.MADE_UP,
                "method": method,
                "m": 100,
                "samples": 120,
                "features": features,
                "threads": 1,
                "wall_seconds": 1.0,
                "cpu_seconds": 0.5,
                "selected": 100,
            }
            for method in ("land", "mr-nhsic", "mrmr")
            for features in (1000, 10_000)
        ]
    )
    text = enzymes.report(times, Scale()).findings
    assert "graphs/DD.zip" in text and "Dobson and Doig" in text and "from 120 made-up graphs" in text
