"""Rulings: what being late costs, and what penalties do to the match."""

from django import forms

from rulebook.modes.blanks import Game
from rulebook.penalties import Given as Warned
from rulebook.penalties import Level, Play, lateness, level_with_history, ruling
from tournaments.asking.answering import Answer, Given, Question, count_field, counts_in, yes_field

LEVELS = [(play.value, play.value) for play in Play]
LATE = {
    Game.RIFTBOUND: ("Riftbound Tournament Rules 703.8 (2026-04-29)",),
    Game.MAGIC: ("Magic Infraction Procedure Guide 3.1 (2024-09-23)",),
}


class LatenessForm(forms.Form):
    game = forms.ChoiceField(label="Game", choices=[(g.value, g.value.capitalize()) for g in Game])
    minutes = count_field("Minutes late", most=600, usual=1)
    play = forms.ChoiceField(label="Level of play", choices=LEVELS, initial=Play.CASUAL.value)
    never = yes_field("Does not come at all")


def answer_lateness(given: Given) -> Answer:
    """The penalty for being late, whether the table gets the time back, and who is dropped."""
    game = Game(given["game"])
    found = lateness(game, given["minutes"] or 0, Play(given["play"]), comes=not given["never"])
    level = found.level.value.replace("-", " ") if found.level else "no penalty"
    lines = []
    if found.has_extension:
        lines.append("The table gets the lost time as an extension.")
    if found.drops_unless_reporting:
        lines.append("Whoever does not report before the next round is dropped.")
    facts = {
        "level": found.level,
        "has_extension": found.has_extension,
        "drops_unless_reporting": found.drops_unless_reporting,
    }
    return Answer(f"{level.capitalize()}.", tuple(lines), LATE[game], facts)


class PenaltyForm(forms.Form):
    level = forms.ChoiceField(
        label="Penalty", choices=[(one.value, one.value.replace("-", " ")) for one in Level]
    )
    penalised = forms.CharField(label="Which sides", initial="1", max_length=40, help_text="e.g. 1, or 1 2")
    sides = forms.IntegerField(label="Sides of the match", min_value=2, max_value=20, initial=2)
    game_runs = yes_field("A game is running")
    match_is_over = yes_field("The match is over already")
    same = count_field("Warnings for the same before", most=20)
    others = count_field("Other warnings before", most=20)
    play = forms.ChoiceField(label="Level of play", choices=LEVELS, initial=Play.COMPETITIVE.value)


def answer_penalty(given: Given) -> Answer:
    """The level with the warnings before it, and what it does to game and match."""
    before = [Warned("this", Level.WARNING)] * (given["same"] or 0)
    before += [Warned("another", Level.WARNING)] * (given["others"] or 0)
    level = level_with_history("this", Level(given["level"]), before, Play(given["play"]))
    sides = tuple(number - 1 for number in counts_in(given["penalised"]))
    found = ruling(
        given["sides"],
        [(side, level) for side in sides],
        game_runs=given["game_runs"],
        match_runs=not given["match_is_over"],
    )
    lines = []
    if level != given["level"]:
        lines.append("Enough warnings have added up.")
    for side in found.game_lost_by:
        which = "the next game" if found.next_game else "the running game"
        lines.append(f"Side {side + 1} loses {which}; teammates lose it too.")
    if found.game_is_draw:
        lines.append("Everybody is penalised: the game is drawn.")
    which = "the next match" if found.next_match else "the match"
    lines += [f"Side {side + 1} loses {which}." for side in found.match_lost_by]
    lines += [f"Side {side + 1} leaves the tournament and its standings." for side in found.leaves]
    facts = {
        "level": level,
        "game_lost_by": list(found.game_lost_by),
        "match_lost_by": list(found.match_lost_by),
        "game_is_draw": found.game_is_draw,
        "leaves": list(found.leaves),
    }
    return Answer(
        f"{level.value.replace('-', ' ').capitalize()}.",
        tuple(lines),
        (
            "Riftbound Tournament Rules 701.2, 702.1.b, 703.1.b (2026-04-29)",
            "Magic Infraction Procedure Guide 1.1 (2024-09-23)",
        ),
        facts,
    )


LATENESS = Question(
    "late",
    "Somebody comes late",
    "The penalty by minutes, game and level.",
    LatenessForm,
    answer_lateness,
    "being-late",
)
PENALTY = Question(
    "penalty",
    "What a penalty does",
    "To the game and the match, with warnings that add up as in Riftbound.",
    PenaltyForm,
    answer_penalty,
    "game-loss",
)
