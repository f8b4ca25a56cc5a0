"""Each rule of scripts/gate.py catches its offender and lets the honest neighbour pass."""

from pathlib import PurePosixPath

import pytest

from scripts.gate import offences_in

OFFENDERS = [
    pytest.param("clock", "from django.utils import timezone\nat = timezone.now()", id="timezone-now"),
    pytest.param(
        "clock", "from django.utils import timezone as tz\nfield(default=tz.now)", id="as-a-default"
    ),
    pytest.param("clock", "from django.utils.timezone import now\nat = now()", id="imported-by-name"),
    pytest.param("clock", "from django.utils import timezone\nat = timezone.localdate()", id="localdate"),
    pytest.param("clock", "from django.utils import timezone\nat = timezone.localtime()", id="localtime"),
    pytest.param("clock", "import datetime\nat = datetime.datetime.now(tz=zone)", id="datetime-now"),
    pytest.param("clock", "import datetime as dt\nat = dt.datetime.utcnow()", id="datetime-utcnow"),
    pytest.param("clock", "from datetime import datetime\nat = datetime.today()", id="datetime-today"),
    pytest.param("clock", "from datetime import date\nat = date.today()", id="date-today"),
    pytest.param("clock", "import time\nat = time.time()", id="time-time"),
    pytest.param("clock", "from time import time\nat = time()", id="time-by-name"),
    pytest.param("clock", "at = models.DateTimeField(auto_now=True)", id="auto-now"),
    pytest.param("clock", "at = models.DateTimeField(auto_now_add=True)", id="auto-now-add"),
    pytest.param(
        "clock", "from django.db.models.functions import Now\nrows.update(at=Now())", id="database-now"
    ),
    pytest.param("locks", "row = Match.objects.select_for_update().get(pk=1)", id="plain-lock"),
    pytest.param("locks", "lock = Match.objects.select_for_update", id="lock-without-a-call"),
    pytest.param("chance", "import random\nrandom.shuffle(teams)", id="shuffle"),
    pytest.param("chance", "from random import choice\nfirst = choice(sides)", id="choice-by-name"),
    pytest.param("chance", "import random\nx = random.random()", id="random-random"),
    pytest.param("chance", "import random\nrng = random.Random()", id="no-seed"),
    pytest.param("signals", "from django.dispatch import receiver", id="receiver"),
    pytest.param("signals", "from django.db.models.signals import post_save", id="post-save"),
    pytest.param("signals", "from django.db.models import signals", id="signals-module"),
    pytest.param("save", "class Team(models.Model):\n    def save(self): ...", id="save"),
    pytest.param("save", "class Person(AbstractUser):\n    async def asave(self): ...", id="asave"),
    pytest.param("imports", "def pair():\n    from tournaments.models import Round", id="from-import"),
    pytest.param("imports", "class A:\n    def b(self):\n        import json", id="in-a-method"),
    pytest.param("doors", "from tournaments.pages.desk import desk", id="pages-of-another-room"),
    pytest.param("doors", "import tournaments.tasks", id="tasks"),
    pytest.param("doors", "from teams.admin import TeamAdmin", id="own-admin-from-a-service"),
]
NEIGHBOURS = [
    pytest.param("from journal import clock\nat = clock.now()", id="the-clock"),
    pytest.param(
        "from django.utils import timezone\nat = timezone.localtime(at, zone)", id="localtime-of-a-time"
    ),
    pytest.param("import time\nbegan = time.perf_counter()", id="a-stopwatch"),
    pytest.param("from datetime import datetime\nat = datetime.fromisoformat(text)", id="a-parsed-time"),
    pytest.param("now = 3\nat = now", id="a-name-called-now"),
    pytest.param("import random\nrng = random.Random(seed)\nrng.shuffle(teams)", id="a-seeded-source"),
    pytest.param("import secrets\ntoken = secrets.token_urlsafe(32)", id="a-token"),
    pytest.param("from celery.signals import setup_logging", id="the-signals-of-celery"),
    pytest.param("class TeamForm(ModelForm):\n    def save(self): ...", id="a-form-that-saves"),
    pytest.param("from journal.locks import lock\nimport json", id="imports-at-the-top"),
    pytest.param("from tournaments.services import pair_round", id="a-service"),
]


@pytest.mark.parametrize(("rule", "text"), OFFENDERS)
def test_an_offender_is_named_with_its_rule_and_line(rule: str, text: str) -> None:
    found = offences_in(PurePosixPath("teams/services.py"), text)
    assert rule in {offence.rule for offence in found}
    assert all(1 <= offence.line <= text.count("\n") + 1 for offence in found)


@pytest.mark.parametrize("text", NEIGHBOURS)
def test_an_honest_neighbour_passes(text: str) -> None:
    assert offences_in(PurePosixPath("teams/services.py"), text) == []


def test_only_the_clock_itself_may_read_the_time() -> None:
    text = "from django.utils import timezone\nat = timezone.now()"
    assert offences_in(PurePosixPath("journal/clock.py"), text) == []
    assert offences_in(PurePosixPath("teams/clock.py"), text) != []


def test_a_migration_may_repeat_a_default_of_django() -> None:
    text = "import django.utils.timezone\nfield(default=django.utils.timezone.now)"
    assert offences_in(PurePosixPath("teams/migrations/0001_initial.py"), text) == []
    assert offences_in(PurePosixPath("teams/models.py"), text) != []


def test_only_the_lock_helper_may_lock() -> None:
    text = "rows.select_for_update(of=('self',), no_key=True)"
    assert offences_in(PurePosixPath("journal/locks.py"), text) == []
    assert offences_in(PurePosixPath("matches/locks.py"), text) != []


@pytest.mark.parametrize(
    "text", ["import secrets\nx = secrets.randbelow(6)", "import uuid\nx = uuid.uuid4()"]
)
def test_the_rulebook_has_no_hidden_chance(text: str) -> None:
    assert [offence.rule for offence in offences_in(PurePosixPath("rulebook/turns.py"), text)] == ["chance"]


def test_a_model_module_has_no_save_whatever_its_base_is_called() -> None:
    text = "class Team(Numbered):\n    def save(self): ..."
    assert [offence.rule for offence in offences_in(PurePosixPath("teams/models.py"), text)] == ["save"]
    assert offences_in(PurePosixPath("teams/forms.py"), text) == []


def test_a_door_may_import_itself_and_any_service_but_no_other_door() -> None:
    desk = PurePosixPath("tournaments/pages/desk.py")
    assert offences_in(desk, "from tournaments.pages.forms import PairForm") == []
    assert offences_in(desk, "from integrations.services import make_key") == []
    assert [found.rule for found in offences_in(desk, "from tournaments.api import Rounds")] == ["doors"]


def test_the_switchboard_may_import_doors() -> None:
    assert offences_in(PurePosixPath("config/urls.py"), "from tournaments.pages import urls") == []


def test_an_app_may_load_its_checks_when_django_is_ready() -> None:
    text = "class TeamsConfig(AppConfig):\n    def ready(self):\n        from teams import checks"
    assert offences_in(PurePosixPath("teams/apps.py"), text) == []
    assert [found.rule for found in offences_in(PurePosixPath("teams/checks.py"), text)] == ["imports"]
