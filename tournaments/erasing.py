"""A person is forgotten in every room; what was played stays."""

from django.db import transaction

from journal.actors import Actor
from journal.locks import lock_all
from matches.models import Chair
from teams.models import Player, Seat
from teams.people import erase_player
from tournaments.models import Penalty, Tournament, Upload


@transaction.atomic
def erase_person(*, player_id: int, actor: Actor) -> Player:
    """The player is erased; what he declared, notes on his penalties and the imported lists that held his
    name are empty too. Refused while his team plays."""
    entered = list(Seat.objects.filter(player_id=player_id).values_list("tournament_id", flat=True))
    lock_all(Tournament, entered)
    Chair.objects.filter(player_id=player_id).exclude(declared={}).update(declared={})
    Penalty.objects.filter(player_id=player_id).exclude(note="").update(note="")
    Upload.objects.filter(tournament__in=entered, applied_at__isnull=False).update(body=b"", choices={})
    return erase_player(player_id=player_id, actor=actor)
