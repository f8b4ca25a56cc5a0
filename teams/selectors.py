"""Teams as pages and services read them: two queries, however many teams."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from teams.models import Seat, Team


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


def members_of(team_ids: Iterable[int]) -> dict[int, tuple[Member, ...]]:
    """Who sits in each team, by seat; of a team that has left, who sat there last. Namesakes get a mark."""
    newest: dict[int, dict[str, tuple[bool, int, Member]]] = defaultdict(dict)
    seats = Seat.objects.filter(team_id__in=list(team_ids), is_reserve=False).values_list(
        "team_id", "label", "is_live", "id", "player_id", "player__name", "player__display_name"
    )
    for team_id, label, is_live, seat_id, player_id, name, display_name in seats:
        candidate = (is_live, seat_id, Member(label, player_id, display_name or name, seat_id))
        known = newest[team_id].get(label)
        if known is None or candidate[:2] > known[:2]:
            newest[team_id][label] = candidate
    return {
        team: tuple(member for _, (_, _, member) in sorted(by_label.items()))
        for team, by_label in newest.items()
    }


def team_cards(teams: Sequence[Team], labels: Sequence[str]) -> dict[int, TeamCard]:
    """The teams as they are shown, by id; people of one name are told apart by their team's number."""
    members = _told_apart(teams, members_of(team.pk for team in teams))
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


def _told_apart(
    teams: Sequence[Team], members: dict[int, tuple[Member, ...]]
) -> dict[int, tuple[Member, ...]]:
    people: dict[str, set[int]] = defaultdict(set)
    for seated in members.values():
        for member in seated:
            people[member.name.casefold()].add(member.player_id)
    doubles = {name for name, ids in people.items() if len(ids) > 1}
    if not doubles:
        return members
    numbers = {team.pk: team.number for team in teams}
    return {
        team_id: tuple(
            Member(m.label, m.player_id, f"{m.name} (#{numbers[team_id]})", m.seat_id)
            if m.name.casefold() in doubles
            else m
            for m in seated
        )
        for team_id, seated in members.items()
    }
