"""A pasted decklist, checked by its shape: what is wrong on which line."""

from django import forms

from rulebook.deck_formats import FORMATS, format_of
from rulebook.decklists import check_decklist, check_team_decks, read_decklist
from rulebook.modes import mode_of
from tournaments.asking.answering import LONGEST_TEXT, Answer, Given, Question, mode_field


class DeckForm(forms.Form):
    format = forms.ChoiceField(
        label="Format",
        choices=[(one.key, f"{one.name}, {one.edition}") for one in FORMATS.values()],
        initial="riftbound-constructed-2026-04",
    )
    body = forms.CharField(
        label="The list",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text="One card a line, such as 3 Fury Rune. A section begins with its name and a colon.",
    )
    teammate = forms.CharField(
        label="The teammate's list",
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Only where teammates may not register the same.",
    )
    mode = mode_field()


def answer_deck(given: Given) -> Answer:
    """Every problem of the list, and of what two teammates may not share."""
    deck = format_of(given["format"])
    own = read_decklist(given["body"], deck)
    problems = list(check_decklist(own, deck))
    if given["teammate"].strip():
        problems += check_team_decks(
            mode_of(given["mode"]), {"A": own, "B": read_decklist(given["teammate"], deck)}
        )
    count = len(problems)
    sentence = f"{count} problem{'s' * (count != 1)}." if count else "The shape of this list is right."
    counts = ", ".join(f"{s.name} {own.count(s.key)}" for s in deck.sections if own.count(s.key))
    told = tuple(f"Line {one.line}: {one.sentence}" if one.line else one.sentence for one in problems)
    facts = {
        "is_right": not problems,
        "counts": {section.key: own.count(section.key) for section in deck.sections},
        "problems": [{"line": p.line, "code": p.code, "sentence": p.sentence} for p in problems],
    }
    lines = (*told, f"Counted: {counts}.") if counts else told
    return Answer(sentence, lines, tuple(deck.citation.split("; ")), facts)


DECK = Question(
    "decklist",
    "Check a decklist",
    "Counts, copies and sideboard by format and edition. Card names are not checked.",
    DeckForm,
    answer_deck,
)
