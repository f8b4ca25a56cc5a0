"""Around the games of a table: time is called, mulligans, who chooses next."""

from fractions import Fraction
from random import Random

from django import forms

from rulebook.end_of_round import AtTime, EndOfRound, end_of_round
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import AfterDraw, Declaring, MulliganKind
from rulebook.mulligans import free_mulligans, hand_after, most_mulligans
from rulebook.terms import Terms, terms_for
from rulebook.turns import (
    GameEnd,
    Opening,
    OpeningBy,
    PlayedGame,
    chair_codes,
    check_side,
    chooser_after,
    first_chooser,
    options_of,
    starting_with,
)
from tournaments.asking.answering import (
    Answer,
    Given,
    Question,
    cited,
    count_field,
    counts_in,
    mode_field,
    seat_in,
    seats_field,
    yes_field,
)

BETWEEN, RUNS, OVER = "between", "runs", "over"
MOMENTS = [
    (RUNS, "time has just been called in a running game"),
    (OVER, "the extra turns are over"),
    (BETWEEN, "the table is between two games"),
]


class TimeForm(forms.Form):
    mode = mode_field()
    best_of = forms.IntegerField(label="Best of", min_value=1, max_value=9, required=False)
    elimination = yes_field("Elimination: somebody has to win")
    moment = forms.ChoiceField(label="Now", choices=MOMENTS, initial=RUNS)
    wins = forms.CharField(
        label="Games won", max_length=40, help_text="side by side, e.g. 1 0", initial="0 0"
    )
    scores = forms.CharField(
        label="Points or life in the running game", max_length=40, required=False, help_text="e.g. 7 5"
    )
    slow_play_turns = count_field("Turns added for slow play", most=20)


def answer_time(given: Given) -> Answer:
    """What is played or who has won when time is called, by the mode."""
    mode, wins = mode_of(given["mode"]), counts_in(given["wins"])
    sides = len(wins) if mode.fewest_sides <= len(wins) <= mode.most_sides else None
    terms = terms_for(mode, best_of=given["best_of"], elimination=given["elimination"], sides=sides)
    if len(terms.boards) > 1:
        terms = terms.on_board(terms.boards[0])
    scores = counts_in(given["scores"]) if given["moment"] != BETWEEN else ()
    return time_answer(terms, wins, given["moment"], scores, slow_play_turns=given["slow_play_turns"] or 0)


def time_answer(
    terms: Terms,
    wins: tuple[int, ...],
    moment: str,
    scores: tuple[int, ...] = (),
    *,
    slow_play_turns: int = 0,
    names: tuple[str, ...] = (),
) -> Answer:
    """The answer for a table under these terms; `names` are those of its sides."""
    found = at_time(terms, wins, moment, scores, slow_play_turns=slow_play_turns)
    called = names or tuple(f"Side {number}" for number in range(1, terms.sides + 1))
    return Answer(
        _in_names(found, called),
        tuple(_what_follows(found, called, moment)),
        cited(mode_of(terms.mode), "end_of_round"),
        {
            "play": found.play,
            "turns": found.turns,
            "game_winner": found.game_winner,
            "game_is_draw": found.game_is_draw,
            "match_winner": found.match_winner,
            "match_is_draw": found.match_is_draw,
        },
    )


def at_time(
    terms: Terms, wins: tuple[int, ...], moment: str, scores: tuple[int, ...], *, slow_play_turns: int = 0
) -> EndOfRound:
    """The table as the rulebook judges it; the score is asked for once the extra turns are over."""
    if moment == OVER and not scores:
        raise RuleBroken("score-missing", "Write the points or life of every side in the running game.")
    if moment == RUNS:
        scores = scores or (0,) * terms.sides
    running = scores if moment != BETWEEN else None
    left = 0 if moment == OVER else None
    return end_of_round(terms, AtTime(wins, running, left, slow_play_turns))


def _in_names(found: EndOfRound, names: tuple[str, ...]) -> str:
    if found.match_winner is None:
        return found.sentence
    return f"{names[found.match_winner]} wins the match."


def _what_follows(found: EndOfRound, names: tuple[str, ...], moment: str) -> list[str]:
    lines = []
    if found.game_winner is not None:
        lines.append(f"The running game goes to {names[found.game_winner]}.")
    if found.game_is_draw:
        lines.append("The running game is drawn.")
    if moment == RUNS and found.turns:
        lines.append("When they are over, ask again with the score of the game.")
    return lines


class MulliganForm(forms.Form):
    mode = mode_field(usual="magic-1v1")
    taken = count_field("Mulligans taken", most=20, usual=1)
    players = forms.IntegerField(
        label="Players in the game",
        min_value=2,
        max_value=20,
        required=False,
        help_text="empty: the usual number",
    )
    hand_modifier = forms.IntegerField(
        label="Vanguard: cards more or less", min_value=-9, max_value=9, required=False
    )


HOW_DECLARED = {
    Declaring.ONE_BY_ONE: "One after the other in turn order, each once.",
    Declaring.DECLARE_THEN_TOGETHER: "Everybody declares in turn order, then all are taken at once.",
    Declaring.TEAM_DECLARES_THEN_TOGETHER: "The starting team declares first, its members in any order; "
    "then all mulligans are taken at once. A teammate may go on after the other has kept.",
    Declaring.TEAM_AFTER_TEAM: "The starting team takes all its mulligans before the other team begins.",
}


def answer_mulligan(given: Given) -> Answer:
    """The hand and the cards to the bottom after so many mulligans."""
    mode = mode_of(given["mode"])
    players, modifier = given["players"] or mode.players, given["hand_modifier"] or 0
    if not mode.fewest_sides <= Fraction(players, mode.players_per_side) <= mode.most_sides:
        raise RuleBroken("wrong-number-of-players", f"{mode.name} is not played by {players}.")
    hand = hand_after(mode, given["taken"] or 0, players=players, hand_modifier=modifier)
    if mode.mulligan.kind is MulliganKind.SET_ASIDE_TWO:
        sentence = f"Set aside up to two cards, draw as many, then recycle them: a hand of {hand.kept}."
    elif hand.to_bottom:
        sentence = f"Draw {hand.drawn}, put {hand.to_bottom} on the bottom: a hand of {hand.kept}."
    else:
        sentence = f"Draw {hand.drawn} and keep them all."
    most = most_mulligans(mode, players=players, hand_modifier=modifier)
    free = free_mulligans(mode, players=players)
    lines = [HOW_DECLARED[mode.mulligan.declaring], f"At most {most} mulligan{'s' * (most != 1)}."]
    if free:
        lines.append("The first one costs no card.")
    lines += [note for note in mode.notes if note.startswith("Doubt") and "mulligan" in note]
    facts = {"drawn": hand.drawn, "to_bottom": hand.to_bottom, "kept": hand.kept, "free": free, "most": most}
    return Answer(sentence, tuple(lines), cited(mode, "mulligan", "opening_hand"), facts)


WON, DRAWN, PENALTY, FORFEIT, FIRST = "won", "drawn", "penalty", "forfeit", "first"


class ChooserForm(forms.Form):
    mode = mode_field()
    before = forms.ChoiceField(
        label="Before this game",
        choices=[
            (FIRST, "nothing: it is game one"),
            (WON, "a side won"),
            (DRAWN, "the game was drawn"),
            (PENALTY, "a game was lost by a penalty"),
            (FORFEIT, "a game was lost by a penalty before it began"),
        ],
    )
    winner = forms.IntegerField(label="Which side won it", min_value=1, max_value=20, required=False)
    chose_before = forms.IntegerField(
        label="Which side chose in it", min_value=1, max_value=20, required=False
    )
    started = seats_field("Who took its first turn", required=False, hint="e.g. 2B, after a drawn game")
    playoff = yes_field("Elimination at a high level of play", "side 1 is the better seed")


def answer_chooser(given: Given) -> Answer:
    """Who chooses who starts, and what may be chosen."""
    mode = mode_of(given["mode"])
    terms = terms_for(mode, elimination=given["playoff"], high_level=given["playoff"])
    terms = terms.on_board(terms.boards[0])
    chooser, order, by = _chooser(terms, given)
    if by is OpeningBy.KEPT:
        kept = f": {', '.join(order)}" if order else ""
        sentence = f"Nobody chooses; the order of the game before is kept{kept}."
    elif by is OpeningBy.FIXED:
        sentence = f"Nobody chooses: {chair_codes(terms)[0]} starts."
    elif chooser is None:
        sentence = "A random side chooses, or whoever wins a roll at the table."
    else:
        sentence = f"Side {chooser + 1} chooses."
    options = options_of(terms, chooser or 0) if by is not OpeningBy.KEPT else ()
    lines = [f"It may choose: {', '.join(one.label for one in options)}."] if options else []
    if options:
        lines.append("Without a choice it takes the first turn itself.")
    blanks = ("first_chooser", "playoff_chooser", "options", "after_loss", "after_draw")
    facts = {"chooser": chooser, "by": by, "order": list(order), "options": [one.key for one in options]}
    return Answer(sentence, tuple(lines), cited(mode, *blanks), facts)


def _chooser(terms: Terms, given: Given) -> tuple[int | None, tuple[str, ...], OpeningBy]:
    before = given["before"]
    if before == FIRST:
        side, by = first_chooser(terms, rng=Random(0), higher_seed=0)
        return (None if by is OpeningBy.RANDOM else side), (), by
    chose = given["chose_before"] - 1 if given["chose_before"] else None
    order = starting_with(terms, seat_in(given["started"])) if given["started"] else chair_codes(terms)
    opening = Opening(chose, OpeningBy.AGREED, None, order, is_default=False)
    if before == DRAWN:
        right = chooser_after(terms, PlayedGame(opening, None, is_draw=True))
        if right.by is OpeningBy.RANDOM and mode_of(terms.mode).after_draw is AfterDraw.PREVIOUS_CHOOSER:
            raise RuleBroken("chooser-missing", "Say which side chose in the drawn game.")
        if right.by is OpeningBy.KEPT and not given["started"]:
            return None, (), right.by
        if right.chooser is not None:
            check_side(terms, right.chooser)
    else:
        if given["winner"] is None:
            raise RuleBroken("winner-missing", "Say which side won the game before.")
        ends = {PENALTY: GameEnd.PENALTY, FORFEIT: GameEnd.PENALTY_BEFORE_IT_BEGAN}
        end = ends.get(before, GameEnd.PLAYED)
        right = chooser_after(terms, PlayedGame(opening, given["winner"] - 1, False, end))
    return right.chooser, right.order or (), right.by


TIME = Question(
    "time",
    "Time was called",
    "What is still played, or who has won, by the mode and the state of the table.",
    TimeForm,
    answer_time,
    "time-is-called",
)
MULLIGAN = Question(
    "mulligan",
    "Mulligans",
    "How many cards are drawn and go to the bottom, and who declares when.",
    MulliganForm,
    answer_mulligan,
    "setup-mulligans",
)
CHOOSER = Question(
    "who-chooses",
    "Who chooses who starts",
    "In game one, after a loss, a draw or a penalty, and in a playoff.",
    ChooserForm,
    answer_chooser,
    "who-chooses",
)
