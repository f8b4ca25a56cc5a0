"""What a posted form names: rows of this tournament only, and how a service becomes a deed of the desk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import Http404
from django.shortcuts import get_object_or_404

from matches.models import Match
from teams.models import Team
from tournaments.models import Round
from tournaments.pages.desk_scene import Desk
from tournaments.pages.scenes import name_of
from tournaments.staff import Can

Asked = Mapping[str, str]
Run = Callable[[Desk, Asked], str]


@dataclass(frozen=True, slots=True)
class DeskDeed:
    """`run` calls the service and returns what is said afterwards."""

    can: Can
    run: Run


def own_round(desk: Desk, asked: Asked) -> Round:
    """The round of this tournament the form names; 404 for any other."""
    rounds = Round.objects.filter(stage__tournament=desk.tournament).select_related("stage")
    return get_object_or_404(rounds, pk=number_in(asked, "round"))


def own_team(desk: Desk, asked: Asked) -> Team:
    """The team of this tournament the form names; 404 for any other."""
    return get_object_or_404(Team, tournament=desk.tournament, pk=number_in(asked, "team"))


def own_match(desk: Desk, asked: Asked) -> Match:
    """The match of this tournament the form names; 404 for any other."""
    matches = Match.objects.filter(tournament=desk.tournament).select_related("round__stage")
    return get_object_or_404(matches, pk=number_in(asked, "match"))


def number_in(asked: Asked, name: str) -> int:
    """The id in the form; 404 where it is none."""
    text = asked.get(name, "")
    if not text.isdecimal() or len(text) > 18:
        raise Http404
    return int(text)


def is_plural(name: str) -> bool:
    """Semifinals are, the Final is; waves of two brackets are two."""
    return name.casefold().endswith(("finals", "pods")) or " and " in name


def of_whole(service: Callable[..., object], said: str, *, with_reason: bool = False) -> Run:
    """The service is called for the whole tournament."""

    def run(desk: Desk, asked: Asked) -> str:
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(tournament_id=desk.tournament.pk, actor=desk.actor, **more)
        return said

    return run


def of_round(service: Callable[..., object], said: str, *, with_reason: bool = False) -> Run:
    """The service is called for the round the form names; `{round}` is its name, `{is_}`, `{has}` and
    `{takes}` go with it."""

    def run(desk: Desk, asked: Asked) -> str:
        rnd = own_round(desk, asked)
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(round_id=rnd.pk, actor=desk.actor, **more)
        name = name_of(rnd)
        many = is_plural(name)
        return said.format(
            round=name,
            is_="are" if many else "is",
            has="have" if many else "has",
            takes="take" if many else "takes",
        )

    return run


def of_team(service: Callable[..., Team], said: str, *, with_reason: bool = False) -> Run:
    """The service is called for the team the form names; `{team}` is its name."""

    def run(desk: Desk, asked: Asked) -> str:
        team = own_team(desk, asked)
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(team_id=team.pk, actor=desk.actor, **more)
        return said.format(team=team)

    return run
