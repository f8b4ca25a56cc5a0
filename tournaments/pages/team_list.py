"""The list of teams at the desk: searched on the server, a page at a time, in a fixed number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from rulebook.lifecycle import TeamState
from teams.models import Player, Team
from teams.names import folded
from teams.selectors import TeamCard, members_of, team_cards
from tournaments.models import SignUp, Tournament
from tournaments.pages.entering import Question, Typed, questions_about
from tournaments.solos import is_looking, listed_teams

A_PAGE = 200


@dataclass(frozen=True, slots=True)
class TeamList:
    """One page of the teams that were found, and everybody who looks for a partner."""

    cards: tuple[TeamCard, ...]
    solos: tuple[TeamCard, ...]
    words: str
    page: int
    found: int
    total: int
    waiting: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.found // A_PAGE))

    @property
    def page_numbers(self) -> range:
        return range(1, self.pages + 1)

    @property
    def first(self) -> int:
        return (self.page - 1) * A_PAGE + 1

    @property
    def last(self) -> int:
        return min(self.page * A_PAGE, self.found)

    @property
    def is_whole(self) -> bool:
        """All teams are on the page, so that they can be filtered there."""
        return self.pages == 1 and not self.words

    @property
    def looking(self) -> frozenset[int]:
        return frozenset(card.id for card in self.solos)


@dataclass(frozen=True, slots=True)
class SignedUp:
    """Teams that have not confirmed their address, and public entries under a name the store knows."""

    pending: frozenset[int]
    questions: tuple[tuple[SignUp, Question], ...]


def teams_listed(tournament: Tournament, labels: Sequence[str], asked: Mapping[str, str]) -> TeamList:
    """The page `asked` for, of the teams whose number is `q` or in whose names it is."""
    teams = list(listed_teams(tournament))
    words = asked.get("q", "").strip()
    found = _found(teams, words) if words else teams
    number = asked.get("page", "1")
    page = int(number) if number.isdecimal() and len(number) < 6 else 1
    page = min(max(page, 1), max(1, -(-len(found) // A_PAGE)))
    solos = [team for team in teams if is_looking(team)]
    shown = found[(page - 1) * A_PAGE : page * A_PAGE]
    cards = team_cards([*shown, *(team for team in solos if team not in shown)], labels)
    return TeamList(
        cards=tuple(cards[team.pk] for team in shown),
        solos=tuple(cards[team.pk] for team in solos),
        words=words,
        page=page,
        found=len(found),
        total=len(teams) - len(solos),
        waiting=sum(team.state == TeamState.WAITLISTED for team in teams),
    )


def signed_up(tournament: Tournament) -> SignedUp:
    """What of the public entries still waits for somebody."""
    rows = list(
        SignUp.objects.filter(tournament=tournament, released_at=None).filter(
            Q(confirmed_at=None) | ~Q(asks=[])
        )
    )
    wanted = {player: row for row in rows for player in row.asks}
    names = Player.objects.in_bulk(wanted) if wanted else {}
    people = {str(pk): Typed(player.name) for pk, player in names.items()}
    questions = questions_about(tournament, people, but=names) if people else []
    return SignedUp(
        frozenset(row.team_id for row in rows if row.is_pending),
        tuple((wanted[int(question.label)], question) for question in questions),
    )


def _found(teams: Sequence[Team], words: str) -> list[Team]:
    wanted = folded(words)
    if wanted.lstrip("#").isdecimal():
        return [team for team in teams if str(team.number) == wanted.lstrip("#")]
    members = members_of(team.pk for team in teams)
    return [
        team
        for team in teams
        if wanted in folded(team.name)
        or any(wanted in folded(member.name) for member in members.get(team.pk, ()))
    ]
