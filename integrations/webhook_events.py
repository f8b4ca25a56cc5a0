"""Which deed is which event, and what a message says of it: ids, numbers and names as on the wall."""

from collections.abc import Callable, Mapping
from typing import Any

from integrations.models import Prize
from journal.kinds import DeedKind
from journal.models import Deed
from matches.models import Match
from rulebook.modes import mode_of
from teams.models import Team
from teams.selectors import team_cards
from tournaments.models import Round, Tournament

EVENTS: Mapping[str, str] = {
    DeedKind.TOURNAMENT_CANCELLED: "tournament.cancelled",
    DeedKind.TEAM_REGISTERED: "team.registered",
    DeedKind.TEAM_PROMOTED: "team.promoted",
    DeedKind.TEAM_WITHDRAWN: "team.withdrawn",
    DeedKind.TEAM_CHECKED_IN: "team.checked_in",
    DeedKind.TEAM_DROPPED: "team.dropped",
    DeedKind.TEAM_DISQUALIFIED: "team.disqualified",
    DeedKind.TEAM_REINSTATED: "team.reinstated",
    DeedKind.TEAMS_IMPORTED: "teams.imported",
    DeedKind.ROUND_PAIRED: "round.paired",
    DeedKind.ROUND_PUBLISHED: "round.published",
    DeedKind.ROUND_STARTED: "round.started",
    DeedKind.TIME_CALLED: "round.time_called",
    DeedKind.ROUND_CLOSED: "round.closed",
    DeedKind.MATCH_REPORTED: "match.reported",
    DeedKind.MATCH_CONFIRMED: "match.confirmed",
    DeedKind.MATCH_CORRECTED: "match.corrected",
    DeedKind.MATCH_DISPUTED: "match.disputed",
    DeedKind.STANDINGS_FINAL: "standings.final",
    DeedKind.PRIZE_AWARDED: "prize.awarded",
}
# A result that does not count yet is between the two sides and the staff.
TELLS_RESULT = frozenset({"match.confirmed", "match.corrected"})

Data = dict[str, Any]


def payload_of(tournament: Tournament, deed: Deed) -> Data:
    """The message about the deed, ready for JSON; the same at every try but for names changed meanwhile."""
    event = EVENTS[deed.kind]
    _word, _, number = deed.subject.partition(":")
    about = ABOUT[event.partition(".")[0]]
    return {
        "type": event,
        "timestamp": deed.at.isoformat(),
        "data": {
            "tournament": {"id": tournament.pk, "slug": tournament.slug, "name": tournament.name},
            "number": deed.number,
            **about(tournament, deed, int(number) if number.isdecimal() else 0),
        },
    }


def _after(deed: Deed) -> Data:
    return deed.after if isinstance(deed.after, dict) else {}


def _itself(tournament: Tournament, deed: Deed, pk: int) -> Data:
    """Which tournament is all there is to say."""
    return {}


def _team(tournament: Tournament, deed: Deed, pk: int) -> Data:
    after = _after(deed)
    told: Data = {"team": _teams(tournament, [pk]).get(pk)}
    if "state" in after:
        told["state"] = after["state"]
    return told


def _imported(tournament: Tournament, deed: Deed, pk: int) -> Data:
    """How many came in by one list; who they are is read with a key that may."""
    after = _after(deed)
    return {"teams": len(after.get("teams", ()))}


def _round(tournament: Tournament, deed: Deed, pk: int) -> Data:
    """Only that there is a round: who meets whom is read with a key that may."""
    rnd = Round.objects.filter(pk=pk, stage__tournament=tournament).select_related("stage")
    return {"round": _round_words(rnd.defer("inputs", "output").first())}


def _match(tournament: Tournament, deed: Deed, pk: int) -> Data:
    found = Match.objects.filter(pk=pk, tournament=tournament).select_related("round__stage")
    match = found.defer("round__inputs", "round__output").first()
    if match is None:
        return {"match": None}
    ids = list(match.sides.order_by("index").values_list("team_id", flat=True))
    teams = _teams(tournament, ids)
    told: Data = {
        "match": {"id": match.pk, "kind": match.kind, "table": match.table},
        "round": _round_words(match.round),
        "teams": [teams[one] for one in ids if one in teams],
    }
    after = _after(deed)
    if EVENTS[deed.kind] in TELLS_RESULT and "wins" in after:
        told["result"] = {"kind": after["kind"], "wins": after["wins"], "draws": after["draws"]}
    return told


def _final(tournament: Tournament, deed: Deed, pk: int) -> Data:
    after = _after(deed)
    places = after.get("places", [])
    teams = _teams(tournament, [team for _, team in places])
    return {
        "teams": after.get("teams", len(places)),
        "places": [{"place": place, "team": teams.get(team)} for place, team in places],
    }


def _prize(tournament: Tournament, deed: Deed, pk: int) -> Data:
    after = _after(deed)
    rows = Prize.objects.filter(tournament=tournament, pk__in=after.get("prizes", ())).order_by("label", "pk")
    return {
        "team": _teams(tournament, [pk]).get(pk),
        "place": after.get("place"),
        "prizes": [
            {
                "id": row.pk,
                "seat": row.label,
                "amount_minor": row.amount_minor,
                "currency": row.currency,
                "what": row.what,
                "status": row.status,
            }
            for row in rows
        ],
    }


def _teams(tournament: Tournament, ids: list[int]) -> dict[int, Data]:
    teams = list(Team.objects.filter(tournament=tournament, pk__in=ids))
    cards = team_cards(teams, mode_of(tournament.mode).labels)
    return {pk: {"id": pk, "number": card.number, "name": card.shown_name} for pk, card in cards.items()}


def _round_words(rnd: Round | None) -> Data | None:
    if rnd is None:
        return None
    return {"id": rnd.pk, "stage": rnd.stage.number, "number": rnd.number, "bracket": rnd.bracket}


ABOUT: Mapping[str, Callable[[Tournament, Deed, int], Data]] = {
    "tournament": _itself,
    "team": _team,
    "teams": _imported,
    "round": _round,
    "match": _match,
    "standings": _final,
    "prize": _prize,
}
