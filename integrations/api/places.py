"""Which row an address names, among the rows that are the caller's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from integrations.api.answers import MATCH_TOLD, NEW_TOURNAMENT_TOLD, ROUND_TOLD, TEAM_TOLD
from integrations.api.operations import Place
from integrations.callers import Caller
from matches.models import Call, Match
from rulebook.lifecycle import MatchState, RoundState
from teams.models import Player, Seat, Team
from tournaments.models import Announcement, DeckCheck, Invitation, Penalty, Round, Staff, Step, Tournament


def _tournaments(caller: Caller) -> QuerySet[Tournament]:
    return caller.own_tournaments().select_related("store")


def _own(caller: Caller) -> Any:
    return caller.own_tournaments().values("pk")


TOURNAMENT = Place("slug", "slug", _tournaments, lambda row: int(row.pk), NEW_TOURNAMENT_TOLD)
STORE = Place("slug", "slug", lambda caller: caller.own_stores(), lambda row: None)
TEAM = Place(
    "pk",
    "pk",
    lambda caller: Team.objects.filter(tournament__in=_own(caller)).select_related("tournament"),
    lambda row: int(row.tournament_id),
    TEAM_TOLD,
)
ROUND = Place(
    "pk",
    "pk",
    lambda caller: (
        Round.objects.filter(stage__tournament__in=_own(caller))
        .exclude(state=RoundState.SCRAPPED)
        .select_related("stage__tournament")
    ),
    lambda row: int(row.stage.tournament_id),
    ROUND_TOLD,
)
MATCH = Place(
    "pk",
    "pk",
    lambda caller: (
        Match.objects.filter(tournament__in=_own(caller))
        .exclude(state=MatchState.VOID)
        .select_related("tournament", "round__stage")
    ),
    lambda row: int(row.tournament_id),
    MATCH_TOLD,
)


def _place(model: Any, path: str) -> Place:
    """Rows that belong to a tournament by the path `path`."""
    column = f"{path}_id".split("__")

    def tournament_id(row: Any) -> int:
        for word in column:
            row = getattr(row, word)
        return int(row)

    related = path.rpartition("__")[0]

    def rows(caller: Caller) -> Any:
        found = model.objects.filter(**{f"{path}__in": _own(caller)})
        return found.select_related(path) if path == "tournament" else found.select_related(related)

    return Place("pk", "pk", rows, tournament_id)


CALL = _place(Call, "match__tournament")
PENALTY = _place(Penalty, "tournament")
ANNOUNCEMENT = _place(Announcement, "tournament")
DECK_CHECK = _place(DeckCheck, "round__stage__tournament")
STAFF_ROW = _place(Staff, "tournament")
INVITATION = _place(Invitation, "tournament")
STEP = _place(Step, "tournament")
SEAT = _place(Seat, "tournament")
PLAYER = Place(
    "pk",
    "pk",
    lambda caller: Player.objects.filter(store__in=caller.own_stores()).filter(erased_at=None),
    lambda row: None,
)


@dataclass(frozen=True, slots=True)
class Nowhere(Place):
    """An address that names no row; the operation says itself which rows are the caller's."""

    def find(self, caller: Caller, words: Mapping[str, Any]) -> Any:
        return None


NOWHERE = Nowhere("", "", lambda caller: Tournament.objects.none(), lambda row: None)
