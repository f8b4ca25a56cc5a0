"""Teams as pages and services read them: two queries, however many teams."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet

from teams.models import Player, Seat, Team


@dataclass(frozen=True, slots=True)
class Member:
    """One player on one seat."""

    label: str
    player_id: int
    name: str
    seat_id: int


@dataclass(frozen=True, slots=True)
class TeamCard:
    """A team as it is shown: its name, or its members' names, and who sits where."""

    id: int
    number: int
    name: str
    state: str
    members: tuple[Member, ...]
    is_complete: bool

    @property
    def shown_name(self) -> str:
        return self.name or " & ".join(member.name for member in self.members) or f"Team {self.number}"

    @property
    def is_out(self) -> bool:
        return self.state in (Team.State.WITHDRAWN, Team.State.DROPPED, Team.State.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class _Seated:
    """A member, and whether another person of that name has a seat in the tournament."""

    member: Member
    has_namesake: bool


def members_of(team_ids: Iterable[int]) -> dict[int, tuple[Member, ...]]:
    """Who sits in each team, by seat; of a team that has left, who sat there last."""
    return {
        team: tuple(one.member for one in seated)
        for team, seated in _newest(Seat.objects.all(), team_ids).items()
    }


def team_cards(teams: Sequence[Team], labels: Sequence[str]) -> dict[int, TeamCard]:
    """The teams as they are shown, by id. People of one name are told apart wherever one of them is shown: by
    town or club, by the end of an id, by the number of the team; two queries, a third where there are any."""
    if not teams:
        return {}
    ids = [team.pk for team in teams]
    twin = ExpressionWrapper(Q(player__folded__in=_shared_names(teams)), BooleanField())
    members = _told_apart(teams, _newest(Seat.objects.annotate(twin=twin), ids))
    return {
        team.pk: TeamCard(
            id=team.pk,
            number=team.number,
            name=team.name,
            state=team.state,
            members=members.get(team.pk, ()),
            is_complete={member.label for member in members.get(team.pk, ())} == set(labels),
        )
        for team in teams
    }


def _shared_names(teams: Sequence[Team]) -> "QuerySet[Seat, str]":
    """Names that several people in the tournament of the teams go by; found in one pass, as asking for each
    seat anew would grow with the square of the field."""
    return (
        Seat.objects.filter(
            tournament__in={team.tournament_id for team in teams},
            player__display_name="",
            is_reserve=False,
        )
        .order_by()
        .values("player__folded")
        .annotate(people=Count("player", distinct=True))
        .filter(people__gt=1)
        .values_list("player__folded", flat=True)
    )


def _newest(seats: "QuerySet[Seat]", team_ids: Iterable[int]) -> dict[int, tuple[_Seated, ...]]:
    """The seats of each team in order of their labels: the live one, else the one taken last."""
    newest: dict[int, dict[str, tuple[bool, int, _Seated]]] = defaultdict(dict)
    fields = ["team_id", "label", "is_live", "id", "player_id", "player__name", "player__display_name"]
    twins = ["twin"] if "twin" in seats.query.annotations else []
    found = seats.filter(team_id__in=list(team_ids), is_reserve=False).values_list(*fields, *twins)
    for team_id, label, is_live, seat_id, player_id, name, display_name, *twin in found:
        member = Member(label, player_id, display_name or name, seat_id)
        candidate = (is_live, seat_id, _Seated(member, bool(twin and twin[0] and not display_name)))
        known = newest[team_id].get(label)
        if known is None or candidate[:2] > known[:2]:
            newest[team_id][label] = candidate
    return {
        team: tuple(one for _, (_, _, one) in sorted(by_label.items())) for team, by_label in newest.items()
    }


def _told_apart(
    teams: Sequence[Team], seated: Mapping[int, Sequence[_Seated]]
) -> dict[int, tuple[Member, ...]]:
    people: dict[str, set[int]] = defaultdict(set)
    for one in (one for own in seated.values() for one in own):
        people[one.member.name.casefold()].add(one.member.player_id)
    alike = {
        one.member.player_id
        for own in seated.values()
        for one in own
        if one.has_namesake or len(people[one.member.name.casefold()]) > 1
    }
    marks = _marks(teams[0].tournament_id, alike) if alike else {}
    return {
        team: tuple(
            replace(one.member, name=f"{one.member.name} ({marks[one.member.player_id]})")
            if one.member.player_id in marks
            else one.member
            for one in own
        )
        for team, own in seated.items()
    }


def _marks(tournament_id: int, player_ids: Iterable[int]) -> dict[int, str]:
    """What tells each of these people, and their namesakes in the tournament, from the others."""
    wanted = list(Player.objects.filter(pk__in=player_ids).values_list("folded", "display_name"))
    alike = Q(player__folded__in=[name for name, _ in wanted]) | Q(
        player__display_name__in=[shown for _, shown in wanted if shown]
    )
    seats = Seat.objects.filter(alike, tournament_id=tournament_id, is_reserve=False)
    tried: dict[int, tuple[str, str, str]] = {}
    for seat in seats.select_related("player", "team").order_by("is_live", "id"):
        player = seat.player
        number = f"no. {seat.team.number}"
        end = f"…{player.external_id[-4:]}" if player.external_id else ""
        tried[player.pk] = (player.shown_name.casefold(), player.mark or seat.team.group or end, number)
    counts = Counter((name, mark) for name, mark, _ in tried.values())
    return {
        pk: mark if mark and counts[name, mark] == 1 else ", ".join(filter(None, (mark, number)))
        for pk, (name, mark, number) in tried.items()
    }
