"""The order of a line: by score, by chance among equals, and by nothing that differs between machines."""

from random import Random

from rulebook.pairing.brackets import Line
from rulebook.pairing.field import field_of
from tests.pairing.fields import Event


def test_the_line_is_what_a_draw_for_each_place_one_by_one_gives() -> None:
    for seed in range(20):
        *_, (swiss, _) = Event(40 + seed, 5, seed).play()
        field = field_of(swiss, Random(0))
        rng, again = Random(seed), Random(seed)
        keys = [again.random() - score for score in field.scores]
        assert Line(field, rng).order == sorted(range(len(keys)), key=keys.__getitem__)
        assert rng.getstate() == again.getstate(), "what is drawn next is the same too"
        keys = [again.random() - score for score in field.scores]
        some = list(range(seed, len(keys), 2))
        assert Line(field, rng, some).order == sorted(some, key=keys.__getitem__)


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
