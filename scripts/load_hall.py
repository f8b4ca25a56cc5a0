"""The hall that `make load` measures, made and acted in by the services, in a process beside the servers.

Reads one word a line from its input and answers each with one line of JSON:
hall N DESKS    a tournament of N phones whose first round is a draft; links of all, sessions of the desks
publish         the round is published and its clock started
check           what became of the results
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from importlib import import_module  # noqa: E402

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402

from journal.actors import COMMAND  # noqa: E402
from journal.models import Deed  # noqa: E402
from matches.models import Match, Result  # noqa: E402
from rulebook.lifecycle import MatchKind  # noqa: E402
from teams.links import make_link  # noqa: E402
from teams.models import Seat, Store, User  # noqa: E402
from teams.people import add_players  # noqa: E402
from tournaments.models import Round, Staff, Tournament  # noqa: E402
from tournaments.pairing import pair_round  # noqa: E402
from tournaments.registration import register_teams  # noqa: E402
from tournaments.rounds import publish_round, start_round  # noqa: E402
from tournaments.setting_up import create_tournament, open_registration, start_tournament  # noqa: E402
from tournaments.staff import appoint  # noqa: E402

SLUG = "load"


def hall(phones: str, desks: str) -> dict[str, Any]:
    store = Store.objects.create(name="Load", slug=SLUG)
    made = create_tournament(
        store_id=store.pk,
        name="Load",
        slug=SLUG,
        mode="riftbound-2v2",
        best_of=3,
        planned_rounds=5,
        seed=1,
        actor=COMMAND,
    )
    open_registration(tournament_id=made.pk, actor=COMMAND)
    people = add_players(store_id=store.pk, names=[f"Player {n}" for n in range(int(phones))])
    pairs = zip(people[::2], people[1::2], strict=True)
    members = [{"A": a.pk, "B": b.pk} for a, b in pairs]
    register_teams(tournament_id=made.pk, members=members, actor=COMMAND)
    start_tournament(tournament_id=made.pk, actor=COMMAND)
    pair_round(tournament_id=made.pk, actor=COMMAND, seed=1)
    return {
        "slug": SLUG,
        "cookie": settings.SESSION_COOKIE_NAME,
        "links": {seat.pk: make_link(seat_id=seat.pk) for seat in Seat.objects.filter(tournament=made)},
        "tables": tables(made),
        "sessions": [session(made, number) for number in range(int(desks))],
    }


def tables(tournament: Tournament) -> list[list[int]]:
    """Of each table one seat of either team."""
    matches = Match.objects.filter(tournament=tournament, kind=MatchKind.TABLE).order_by("table")
    first = {seat.team_id: seat.pk for seat in Seat.objects.filter(tournament=tournament).order_by("-label")}
    return [
        [first[team] for team in match.sides.order_by("index").values_list("team_id", flat=True)]
        for match in matches
    ]


def session(tournament: Tournament, number: int) -> str:
    """A signed-in scorekeeper, without the form that counts tries."""
    user = User.objects.create_user(f"desk{number}", password=None)
    appoint(tournament_id=tournament.pk, user_id=user.pk, role=Staff.Role.SCOREKEEPER, actor=COMMAND)
    made = import_module(settings.SESSION_ENGINE).SessionStore()
    made[SESSION_KEY], made[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    made[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    made.create()
    return str(made.session_key)


def publish() -> dict[str, Any]:
    rnd = Round.objects.get(stage__tournament__slug=SLUG)
    publish_round(round_id=rnd.pk, actor=COMMAND)
    start_round(round_id=rnd.pk, actor=COMMAND)
    return {"ok": True}


def check() -> dict[str, Any]:
    """Matches by state, results by match, and whether the journal has no gap."""
    of_hall = Result.objects.filter(match__tournament__slug=SLUG, match__kind=MatchKind.TABLE)
    numbers = list(
        Deed.objects.filter(tournament__slug=SLUG).order_by("number").values_list("number", flat=True)
    )
    return {
        "confirmed": Match.objects.filter(
            tournament__slug=SLUG, kind=MatchKind.TABLE, state="confirmed"
        ).count(),
        "results": of_hall.count(),
        "double": sum(
            1 for count in Counter(of_hall.values_list("match_id", flat=True)).values() if count > 1
        ),
        "journal_ok": numbers == list(range(1, len(numbers) + 1)),
    }


WORDS: dict[str, Callable[..., dict[str, Any]]] = {"hall": hall, "publish": publish, "check": check}


if __name__ == "__main__":
    for line in sys.stdin:
        word, *more = line.split()
        print(json.dumps(WORDS[word](*more)), flush=True)
