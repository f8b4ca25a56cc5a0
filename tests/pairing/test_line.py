"""The order of a line: by score, by chance among equals, and by nothing that differs between machines."""

import subprocess
import sys
from random import Random

from rulebook.pairing.brackets import Line
from rulebook.pairing.draws import MANY, by_score_and_chance
from rulebook.pairing.field import field_of
from scripts.gate import ROOT
from tests.pairing.fields import Event


def test_many_are_drawn_as_few_are_each_by_a_number_of_its_own() -> None:
    for seed in range(5):
        rng, again = Random(seed), Random(seed)
        scores = [again.randrange(9) for _ in range(MANY + seed)]
        rng.setstate(again.getstate())
        keys = [again.random() - score for score in scores]
        assert by_score_and_chance(scores, rng) == sorted(range(len(keys)), key=keys.__getitem__)
        assert rng.getstate() == again.getstate(), "what is drawn next is the same too"
        keys = [again.random() - score for score in scores]
        some = list(range(seed, len(keys), 2))
        assert by_score_and_chance(scores, rng, some) == sorted(some, key=keys.__getitem__)


def test_a_process_that_pairs_no_large_field_does_not_load_numpy() -> None:
    script = "import sys, rulebook.pairing.swiss; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0


def test_of_a_pair_that_has_met_the_line_names_the_table() -> None:
    *_, (swiss, _) = Event(16, 5, 1).play()
    line = Line(field_of(swiss, Random(0)), Random(7))
    met = {frozenset((one.id, other)) for one in swiss.entrants for other in one.met}
    again = [
        2 * table
        for table, pair in enumerate(line.pairs())
        if frozenset(line.field.ids[place] for place in pair) in met
    ]
    assert line.clashes() == again
    assert again
