"""A program that is the desk: for each line on its input, the slug of a tournament, it plays a whole round by
the forms of the desk and prints the seconds that each request took."""

import json
import os
import sys
import time

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from django.test import Client  # noqa: E402

from matches.models import Match  # noqa: E402
from rulebook.lifecycle import MatchKind, RoundState  # noqa: E402
from teams.models import User  # noqa: E402
from tournaments.models import Round, Staff, Tournament  # noqa: E402

took: list[tuple[str, float]] = []


def post(client: Client, address: str, **form: object) -> None:
    began = time.perf_counter()
    answer = client.post(address, form)
    took.append((address, round(time.perf_counter() - began, 2)))
    assert answer.status_code == 302, (address, answer.status_code)


def play(slug: str) -> None:
    """Pair, publish, start, every result, close: nothing waits for a broker."""
    took.clear()
    tournament = Tournament.objects.get(slug=slug)
    user = User.objects.create(username=f"desk-{slug}")
    Staff.objects.create(tournament=tournament, user=user, role="organizer")
    client = Client(HTTP_HOST="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    desk = f"/desk/{slug}"
    post(client, f"{desk}/do/pair/")
    rnd = Round.objects.get(stage__tournament=tournament, state=RoundState.PAIRED)
    post(client, f"{desk}/do/publish/", round=rnd.pk)
    post(client, f"{desk}/do/start-round/", round=rnd.pk)
    for match in Match.objects.filter(round=rnd, kind=MatchKind.TABLE):
        post(client, f"{desk}/tables/{match.pk}/", wins_0=2, wins_1=0, draws=0, kind="played")
    began = time.perf_counter()
    assert client.get(f"{desk}/").status_code == 200
    took.append((desk, round(time.perf_counter() - began, 2)))
    post(client, f"{desk}/do/close/", round=rnd.pk)
    rnd.refresh_from_db()
    assert rnd.state == RoundState.CLOSED, rnd.state
    sys.stdout.write(f"{json.dumps(took)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # What is read once per process is read; the first request of a site is no measure.
    Client(HTTP_HOST="localhost").get("/desk/")
    for line in sys.stdin:
        play(line.strip())
