"""Inside a game: who may fight where, who acts for a team, the last point, and who leaves."""

from django import forms

from rulebook import combat
from rulebook.acting import may_play
from rulebook.communication import permissions
from rulebook.conquest import Gain, How, ScoringTurn, score
from rulebook.errors import RuleBroken
from rulebook.leaving import begin_contest, concede, next_turn
from rulebook.modes import mode_of
from rulebook.modes.blanks import Game
from rulebook.terms import terms_for
from rulebook.turns import starting_with
from tournaments.asking.answering import (
    LONGEST_LINE,
    Answer,
    Given,
    Question,
    cited,
    count_field,
    joined,
    mode_field,
    seat_in,
    seats_field,
    seats_in,
    yes_field,
)

HERE = "this battlefield"


class CombatForm(forms.Form):
    mode = mode_field(game=Game.RIFTBOUND)
    player = seats_field("Whose unit", hint="e.g. 1A")
    units = seats_field("Who has units there", required=False, hint="e.g. 1B, 2A")
    combat = seats_field("Between whom a combat is staged or fought there", required=False)
    by_playing = yes_field("The unit is played there, not moved")


def answer_combat(given: Given) -> Answer:
    """Whether a unit may go to a battlefield: a combat is between exactly two players."""
    terms = terms_for(mode_of(given["mode"]))
    there = combat.Field(frozenset(seats_in(given["units"])), frozenset(seats_in(given["combat"])))
    board = combat.Board(terms, {HERE: there})
    found = combat.may_enter(board, seat_in(given["player"]), HERE, by_playing=given["by_playing"])
    lines = [found.reason] if found.reason else []
    if found.instead:
        lines.append(f"The unit goes to the {found.instead} instead.")
    return Answer(
        "Yes, it may." if found.is_allowed else "No, it may not.",
        tuple(lines),
        ("Riftbound Core Rules 449.2.b, 464 (text 003)",),
        {"is_allowed": found.is_allowed, "reason": found.reason, "instead": found.instead},
    )


class ActingForm(forms.Form):
    mode = mode_field()
    player = seats_field("Who wants to play a card", hint="e.g. 1B")
    turn_player = seats_field("Whose turn it is", hint="e.g. 1A")
    priority = seats_field("Who has priority", required=False, hint="empty: whose turn it is")
    invited_by = seats_field("Who invited the teammate", required=False)


def answer_acting(given: Given) -> Answer:
    """Whether a player may play a card without speed now, and what teammates may tell and show."""
    mode = mode_of(given["mode"])
    terms = terms_for(mode)
    turn = seat_in(given["turn_player"])
    found = may_play(
        terms,
        seat_in(given["player"]),
        turn_player=turn,
        priority=seat_in(given["priority"] or turn),
        invited_by=seat_in(given["invited_by"]) if given["invited_by"] else None,
    )
    told = tuple(one.sentence for one in permissions(mode))
    return Answer(
        f"{'Yes' if found.is_allowed else 'No'}. {found.reason}",
        told,
        cited(mode, "communication"),
        {"is_allowed": found.is_allowed, "reason": found.reason},
    )


class LastPointForm(forms.Form):
    mode = mode_field(game=Game.RIFTBOUND)
    points = count_field("Points of the side now", most=50, usual=10)
    battlefield = forms.CharField(label="Which battlefield scores", initial="A", max_length=LONGEST_LINE)
    how = forms.ChoiceField(label="How", choices=[(one.value, one.value) for one in How])
    scored = forms.CharField(
        label="Scored already this turn", required=False, max_length=LONGEST_LINE, help_text="e.g. B"
    )
    held_by_ally = forms.CharField(
        label="Held by a teammate at the scoring step", required=False, max_length=LONGEST_LINE
    )


def answer_last_point(given: Given) -> Answer:
    """A point, a card or nothing, and whether that wins."""
    mode = mode_of(given["mode"])
    in_play = frozenset("ABC"[: mode.battlefields.in_play])
    turn = ScoringTurn(
        given["points"] or 0,
        mode.track.goal,
        in_play,
        held_by_ally=_fields(given["held_by_ally"], in_play),
        scored=_fields(given["scored"], in_play),
    )
    after, gain = score(turn, given["battlefield"].strip().upper(), How(given["how"]))
    words = {
        Gain.POINT: f"One point: the side has {after.points}.",
        Gain.CARD: "No point: a card is drawn, for the last point by conquering needs every battlefield.",
        Gain.NOTHING: "Nothing: it scores once a turn for a side, never where a teammate held it.",
    }
    lines = [f"The battlefields in play are called {joined(sorted(in_play))} here."]
    if gain is Gain.POINT and after.points >= turn.goal:
        lines.insert(0, "That is the goal; it wins with strictly more than every opponent.")
    cites = ("Riftbound Core Rules 466 (1.3)", "Riftbound Core Rules 491.8.b, 491.8.g.1 (text 003)")
    return Answer(words[gain], tuple(lines), cites, {"gain": gain, "points": after.points})


def _fields(text: str, in_play: frozenset[str]) -> frozenset[str]:
    named = frozenset(seats_in(text))
    if named - in_play:
        raise RuleBroken("unknown-battlefield", f"Call the battlefields {joined(sorted(in_play))}.")
    return named


class LeavingForm(forms.Form):
    mode = mode_field(usual="magic-ffa")
    sides = forms.IntegerField(label="Sides", min_value=2, max_value=20, required=False)
    starter = seats_field("Who took the first turn", required=False, hint="e.g. 1A")
    leaving = seats_field("Who leaves or loses", hint="in this order, e.g. 3A, 2A")
    turn = seats_field("Whose turn it is", required=False, hint="e.g. 3A")


def answer_leaving(given: Given) -> Answer:
    """Who is still in the game, whose turn comes next, or who has won."""
    mode = mode_of(given["mode"])
    terms = terms_for(mode, sides=given["sides"])
    terms = terms.on_board(terms.boards[0])
    order = starting_with(terms, seat_in(given["starter"])) if given["starter"] else None
    game = begin_contest(terms, order)
    for position in seats_in(given["leaving"]):
        if game.is_over:
            break
        game = concede(game, position)
    lines = [f"Out, in this order: {joined(game.out)}."]
    if game.winners:
        sentence = f"The game is over: {joined(game.winners)} win{'s' * (len(game.winners) == 1)}."
    elif game.is_draw:
        sentence = "The game is drawn: nobody is left."
    else:
        sentence = f"The game goes on with {joined(game.in_game)}."
        if given["turn"]:
            lines.append(f"The next turn is that of {next_turn(game, seat_in(given['turn']))}.")
    facts = {"in_game": list(game.in_game), "out": list(game.out), "winners": list(game.winners)}
    return Answer(sentence, tuple(lines), cited(mode, "member_loss", "notes"), facts)


COMBAT = Question(
    "combat",
    "May a unit go there",
    "Riftbound: a combat is between exactly two players.",
    CombatForm,
    answer_combat,
    "rift-combat",
)
ACTING = Question(
    "acting",
    "Who may act for a team",
    "Playing a card in a teammate's turn, and what teammates may tell and show.",
    ActingForm,
    answer_acting,
    "rift-invitation",
)
LAST_POINT = Question(
    "scoring",
    "Does this battlefield score",
    "Riftbound: once a turn for a side, and what the last point needs.",
    LastPointForm,
    answer_last_point,
    "rift-last-point",
)
LEAVING = Question(
    "leaving",
    "Somebody leaves the game",
    "Who goes with them, who is still in, whose turn comes next.",
    LeavingForm,
    answer_leaving,
    "winning-free-for-all",
)
