"""Prizes at the desk, from the payout table to what is paid."""

import pytest
from django.urls import reverse

from integrations.models import Payout, Prize
from journal.actors import COMMAND
from teams.models import User
from tests.small_event import played, running
from tournaments.cutting import finish_tournament
from tournaments.staff import appoint


@pytest.mark.django_db
def test_an_organizer_writes_the_table_awards_and_marks_as_paid(signed_in):
    tournament = running(2, planned_rounds=1)
    user = User.objects.create_user("olga")
    appoint(tournament_id=tournament.pk, user_id=user.pk, role="organizer", actor=COMMAND)
    client, page = signed_in(user), reverse("desk-prizes", args=[tournament.slug])

    def post(deed: str, **values: object) -> str:
        sent = {"back": page, **values}
        return client.post(reverse("deed", args=[tournament.slug, deed]), sent, follow=True).content.decode()

    rows = {"first_0": "1", "amount_0": "10,01", "first_1": "2", "last_1": "4", "what_1": "a box"}
    assert "payout table is saved" in post("set-payouts", currency="eur", **rows)
    assert list(Payout.objects.values_list("first", "last", "amount_minor", "currency", "what")) == [
        (1, 1, 1001, "EUR", ""),
        (2, 4, 0, "", "a box"),
    ]
    assert "such as 12 or 12.50" in post("set-payouts", first_0="1", amount_0="ten")
    assert "finish it first" in post("award-prizes")
    played(tournament)
    finish_tournament(tournament_id=tournament.pk, actor=COMMAND)
    assert "Award the prizes" in client.get(page).content.decode()
    assert "awarded to 2 teams" in post("award-prizes")
    first = Prize.objects.get(label="A")
    told = post("pay-prize", prize=first.pk, reference="SEPA-7")
    assert "5.01 EUR" in told
    assert "SEPA-7" in told
    assert "2 still to pay" in told
    assert "3 still to pay" in post("reopen-prize", prize=first.pk, reason="wrong person")
    assert "3 open rows are void" in post("void-prizes", reason="corrected")
    file = client.get(reverse("desk-prizes-file", args=[tournament.slug]))
    assert "void" in file.content.decode()
    assert "attachment" in file["Content-Disposition"]
