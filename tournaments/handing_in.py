"""Deck lists: handed in by the player of a seat until the deadline, checked line by line, read by few."""

from datetime import datetime

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.deck_formats import DeckFormat, format_for, format_of
from rulebook.decklists import Problem, check_decklist, check_team_decks, read_decklist
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from teams.models import Decklist, Seat, Team
from tournaments.models import Tournament

MOST_LETTERS = 10_000


@transaction.atomic
def hand_in_decklist(*, seat_id: int, body: str, actor: Actor) -> Decklist:
    """The seat plays this list until another one is handed in, at the deadline at the latest.

    A list with problems is taken too: no program knows every card, so staff see the problems beside it.
    """
    seat = Seat.objects.select_related("tournament").filter(pk=seat_id, is_live=True).first()
    if seat is None:
        raise RuleBroken("not-found", "That seat is not taken any more; ask at the desk.")
    lock_one(Team, seat.team_id)
    check_open(seat.tournament, now())
    known = Decklist.objects.filter(seat=seat).first()
    if known is not None and known.locked_at is not None:
        raise RuleBroken("decklist-locked", "Your deck list is locked; ask a judge if it is wrong.")
    text = "\n".join(line.rstrip() for line in body.replace("\0", "").strip().splitlines())
    if not text:
        raise RuleBroken("decklist-empty", "Write one card a line, like: 3 Name of the card.")
    if len(text) > MOST_LETTERS:
        raise RuleBroken("decklist-too-long", f"A deck list has at most {MOST_LETTERS} letters.")
    saved, _ = Decklist.objects.update_or_create(
        seat=seat, defaults={"body": text, "submitted_at": now(), "locked_at": None}
    )
    record(
        tournament_id=seat.tournament_id,
        kind=DeedKind.DECKLIST_SUBMITTED,
        actor=actor,
        subject=f"team:{seat.team_id}",
        after={"seat": seat.label},
    )
    return saved


def check_open(tournament: Tournament, moment: datetime) -> None:
    """Deck lists are taken at `moment`; otherwise it is said why not."""
    if tournament.decklists_until is None:
        raise RuleBroken("no-decklists", "This tournament asks for no deck lists.")
    if moment >= tournament.decklists_until:
        raise RuleBroken("too-late", "The deadline for deck lists is past; go to the desk.")


def format_at(tournament: Tournament) -> DeckFormat:
    """What the lists of the tournament are checked by."""
    return format_of(tournament.deck_format or format_for(mode_of(tournament.mode)))


def problems_of(tournament: Tournament, body: str) -> tuple[Problem, ...]:
    """Every problem of one list, by line."""
    deck = format_at(tournament)
    return check_decklist(read_decklist(body, deck), deck)


def problems_between(tournament: Tournament, bodies: dict[str, str]) -> tuple[Problem, ...]:
    """What teammates may not both play, by seat label."""
    deck = format_at(tournament)
    decks = {label: read_decklist(body, deck) for label, body in bodies.items()}
    return check_team_decks(mode_of(tournament.mode), decks)
