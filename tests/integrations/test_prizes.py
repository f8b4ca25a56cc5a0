"""What is won by place, how it is split, and what is paid."""

import csv
import io

import pytest

from integrations.models import Payout, Prize
from integrations.prizes import (
    Share,
    award_prizes,
    ledger_csv,
    pay_prize,
    reopen_prize,
    set_payouts,
    shared_out,
    split,
    void_open_prizes,
    void_prize,
)
from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from tests.small_event import played, running
from tournaments.cutting import finish_tournament
from tournaments.models import Tournament
from tournaments.standings import Place


def code_of(deed, **more) -> str:
    with pytest.raises(RuleBroken) as broken:
        deed(actor=COMMAND, **more)
    return broken.value.code


@pytest.mark.parametrize(
    ("table", "places", "expected"),
    [
        pytest.param([(1, 1, 100, "")], [1, 2], [(1, 100, "")], id="one place"),
        pytest.param([(1, 2, 100, "")], [1, 2, 3], [(1, 100, ""), (2, 100, "")], id="a range, each"),
        pytest.param(
            [(1, 1, 100, ""), (2, 2, 51, "")], [1, 1], [(1, 76, ""), (2, 75, "")], id="shared, odd cent first"
        ),
        pytest.param([(4, 4, 90, "")], [1, 2, 3, 3, 3], [(3, 30, ""), (4, 30, ""), (5, 30, "")], id="partly"),
        pytest.param(
            [(3, 4, 0, "a box")], [1, 2, 3, 3], [(3, 0, "a box"), (4, 0, "a box")], id="a thing each"
        ),
        pytest.param(
            [(1, 1, 0, "a cup"), (2, 2, 0, "a box")],
            [1, 1],
            [(1, 0, "a cup + a box, shared by 2 teams"), (2, 0, "a cup + a box, shared by 2 teams")],
            id="things together",
        ),
        pytest.param([(5, 8, 10, "")], [1, 2], [], id="nobody so low"),
    ],
)
def test_teams_on_a_shared_place_share_what_their_places_win(table, places, expected):
    payouts = [
        Payout(first=first, last=last, amount_minor=amount, currency="EUR", what=what)
        for first, last, amount, what in table
    ]
    ranking = [Place(position, place, position) for position, place in enumerate(places, 1)]
    won = shared_out(payouts, ranking)
    assert [(one.place.position, one.amount_minor, one.what) for one in won] == expected


def test_what_cannot_be_divided_goes_to_the_first_seat():
    assert split(1001, 2) == [501, 500]
    assert split(100, 3) == [34, 33, 33]
    assert split(1, 2) == [1, 0]


@pytest.mark.django_db
def test_prizes_are_awarded_once_paid_taken_back_and_listed():
    tournament = running(2, planned_rounds=1, cut=0)
    rows = [Share(1, 1, 10_001, "eur", "a cup"), Share(2, 3, 0, "", "=a box")]
    set_payouts(tournament_id=tournament.pk, rows=rows, actor=COMMAND)
    assert code_of(award_prizes, tournament_id=tournament.pk) == "not-finished"
    played(tournament)
    finish_tournament(tournament_id=tournament.pk, actor=COMMAND)
    made = award_prizes(tournament_id=tournament.pk, actor=COMMAND)
    assert [(p.place, p.label, p.amount_minor, p.currency, p.what) for p in made] == [
        (1, "", 0, "", "a cup"),
        (1, "A", 5001, "EUR", ""),
        (1, "B", 5000, "EUR", ""),
        (2, "", 0, "", "=a box"),
    ]
    awarded = Deed.objects.filter(kind="PrizeAwarded").order_by("number")
    assert [(deed.subject, deed.after["place"], len(deed.after["prizes"])) for deed in awarded] == [
        (f"team:{made[0].team_id}", 1, 3),
        (f"team:{made[3].team_id}", 2, 1),
    ]
    assert code_of(award_prizes, tournament_id=tournament.pk) == "prizes-awarded"
    assert code_of(set_payouts, tournament_id=tournament.pk, rows=[]) == "prizes-awarded"
    pay_prize(prize_id=made[1].pk, external_ref=" SEPA-7 ", actor=COMMAND)
    assert code_of(pay_prize, prize_id=made[1].pk) == "not-open"
    assert code_of(void_prize, prize_id=made[1].pk, reason="no") == "not-open"
    table = list(csv.reader(io.StringIO(ledger_csv(tournament).lstrip("\ufeff"))))
    assert table[2][3:] == ["A", table[2][4], "50.01", "EUR", "", "paid", "SEPA-7"]
    assert table[4][7] == "'=a box", "no spreadsheet takes it for a formula"
    reopen_prize(prize_id=made[1].pk, reason="wrong account", actor=COMMAND)
    assert code_of(void_prize, prize_id=made[1].pk, reason=" ") == "reason-missing"
    void_open_prizes(tournament_id=tournament.pk, reason="a result was corrected", actor=COMMAND)
    assert len(award_prizes(tournament_id=tournament.pk, actor=COMMAND)) == 4
    assert Prize.objects.filter(status="void").count() == 4


@pytest.mark.django_db
def test_a_payout_table_has_each_place_once_and_one_currency():
    tournament = Tournament.objects.get(pk=running(2).pk)
    for rows, code in (
        ([Share(0, 1, 5, "EUR")], "wrong-places"),
        ([Share(3, 2, 5, "EUR")], "wrong-places"),
        ([Share(1, 4, 5, "EUR"), Share(4, 5, 4, "EUR")], "place-twice"),
        ([Share(1, 1)], "nothing-won"),
        ([Share(1, 1, 5, "€")], "wrong-currency"),
        ([Share(1, 1, -5, "EUR")], "wrong-amount"),
        ([Share(1, 1, 5, "EUR"), Share(2, 2, 5, "USD")], "two-currencies"),
    ):
        assert code_of(set_payouts, tournament_id=tournament.pk, rows=rows) == code
    assert not Payout.objects.exists()
