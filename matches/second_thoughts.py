"""What a team at the table may take back itself: a wrong tap, as long as nothing was built on it."""

from django.db import transaction

from journal.actors import Actor
from journal.locks import lock_one
from matches.games import games_of, undo_game
from matches.models import Game, Match, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState


@transaction.atomic
def take_back_own(*, match_id: int, team_id: int, actor: Actor, board_label: str = "") -> Game | None:
    """The last opening or end of a game is taken back by a team of the match; returns the open game, if any.

    An opening only by the side that chose it. Nothing once the match is reported, and nothing that staff
    noted in the running game: a restart, a starter named by a card, a subgame.
    """
    match = lock_one(Match, match_id)
    side = Side.objects.filter(match=match, team_id=team_id, is_live=True).first()
    if side is None:
        raise RuleBroken("not-your-match", "That team does not play at this table.")
    if match.state != MatchState.OPEN:
        raise RuleBroken("has-result", "The result is reported already; call a judge if a game is wrong.")
    games = games_of(match, board_label)
    if not games:
        raise RuleBroken("nothing-to-undo", "Nothing is noted at this table yet.")
    last = games[-1]
    opening = getattr(last, "opening", None)
    if last.subgames or (opening is not None and opening.replaced):
        raise RuleBroken("noted-by-staff", "A judge noted something in this game; call a judge to undo it.")
    is_other = opening is not None and opening.chooser not in (None, side.index)
    if last.state == Game.State.PLAYING and is_other:
        raise RuleBroken("not-your-choice", "The other team chose; only it can take the choice back.")
    return undo_game(match_id=match_id, actor=actor, board_label=board_label)
