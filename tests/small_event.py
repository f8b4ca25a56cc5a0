"""A small tournament of two-player teams, made by the services, for tests that need one to look at."""

from typing import Any

from journal.actors import COMMAND
from matches.results import enter_result
from rulebook.lifecycle import MatchKind
from teams.models import Store
from teams.people import add_players
from tournaments.models import Round, Tournament
from tournaments.pairing import pair_round
from tournaments.registration import register_team
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament


def registered(teams: int = 4, *, slug: str = "friday", **announced: Any) -> Tournament:
    """A tournament that takes registrations, with that many complete teams."""
    store, _ = Store.objects.get_or_create(slug="corner", defaults={"name": "The Corner"})
    made = create_tournament(
        store_id=store.pk,
        name=slug.title(),
        slug=slug,
        mode="riftbound-2v2",
        actor=COMMAND,
        seed=11,
        **{"planned_rounds": 3, "best_of": 3, **announced},
    )
    open_registration(tournament_id=made.pk, actor=COMMAND)
    people = add_players(store_id=store.pk, names=[f"{slug} {n}" for n in range(2 * teams)])
    for first, second in zip(people[::2], people[1::2], strict=True):
        register_team(tournament_id=made.pk, members={"A": first.pk, "B": second.pk}, actor=COMMAND)
    return Tournament.objects.get(pk=made.pk)


def running(teams: int = 4, **announced: Any) -> Tournament:
    """A tournament that has started, with no round yet."""
    return start_tournament(tournament_id=registered(teams, **announced).pk, actor=COMMAND)


def drafted(tournament: Tournament) -> Round:
    """The next round, which only staff see."""
    return pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=3)


def started(tournament: Tournament) -> Round:
    """The next round, whose clock runs."""
    publish_round(round_id=drafted(tournament).pk, actor=COMMAND)
    rnd = Round.objects.get(stage__tournament=tournament, state=Round.State.PUBLISHED)
    return start_round(round_id=rnd.pk, actor=COMMAND)


def played(tournament: Tournament) -> Round:
    """The next round, closed: the first side of every table has won 2-0."""
    rnd = started(tournament)
    for match in rnd.matches.filter(kind=MatchKind.TABLE):
        enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)
    return close_round(round_id=rnd.pk, actor=COMMAND)
