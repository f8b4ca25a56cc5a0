"""A whole tournament as one file: nothing is lost on the way into another store."""

import json
from typing import Any

import pytest

from journal.actors import COMMAND, user_actor
from journal.models import Deed
from matches.models import Match
from rulebook.errors import RuleBroken
from teams.models import Link, Store
from teams.people import add_player
from tests.admin.hall import staff_user
from tests.pages import halls
from tournaments.corrections import correct_result
from tournaments.cutting import make_cut
from tournaments.file_import import import_tournament
from tournaments.models import Snapshot, Tournament
from tournaments.standings import standings_of, swiss_stage
from tournaments.tournament_file import export_tournament
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def busy() -> Tournament:
    """Nine teams, two rounds with a bye, a drop, a correction by a person, a cut and links to seats."""
    tournament = halls.running(9, 2, cut=4, planned_rounds=2)
    anna = staff_user("anna")
    match = Match.objects.filter(tournament=tournament, kind="table").order_by("pk").first()
    assert match is not None
    correct_result(match_id=match.pk, wins=(0, 2), actor=user_actor(anna.pk), reason="slip misread")
    last = tournament.teams.order_by("-number").first()
    assert last is not None
    drop_team(team_id=last.pk, actor=COMMAND)
    make_cut(tournament_id=tournament.pk, actor=COMMAND, size=4, tie_decision="by lot")
    halls.paired(tournament)
    tournament.refresh_from_db()
    return tournament


def elsewhere() -> Store:
    """Another store, whose rows have other ids."""
    store = Store.objects.create(name="Far Away", slug="far-away")
    for number in range(7):
        add_player(store_id=store.pk, name=f"Stranger {number}")
    return store


def without_place(text: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(text)
    for key in ("slug", "store"):
        told["tournament"].pop(key)
    return told


def test_an_imported_export_exports_the_same_and_stands_the_same() -> None:
    tournament = busy()
    text = export_tournament(tournament)
    copy = import_tournament(text=text, store_id=elsewhere().pk)
    assert copy.slug == f"{tournament.slug}-2"
    assert without_place(export_tournament(copy)) == without_place(text)

    def stands(one: Tournament) -> list[tuple[Any, ...]]:
        numbers = dict(one.teams.values_list("pk", "number"))
        return [
            (row.rank, numbers[row.entrant], row.points, row.figures)
            for row in standings_of(swiss_stage(one))
        ]

    assert stands(copy) == stands(tournament)

    def journal(one: Tournament) -> list[tuple[Any, ...]]:
        return list(
            Deed.objects.filter(tournament=one).values_list("number", "kind", "at", "actor", "reason")
        )

    *taken_over, imported = journal(copy)
    assert taken_over == journal(tournament)
    assert imported[:2] == (len(taken_over) + 1, "TournamentImported")
    snapshot = Snapshot.objects.filter(stage__tournament=copy).order_by("-pk").first()
    assert snapshot is not None
    assert snapshot.digest


def test_the_journal_of_an_import_speaks_of_its_own_teams_and_goes_on() -> None:
    copy = import_tournament(text=export_tournament(busy()), store_id=elsewhere().pk)
    ids = {f"team:{pk}" for pk in copy.teams.values_list("pk", flat=True)}
    told = Deed.objects.filter(tournament=copy, subject__startswith="team:").values_list("subject", flat=True)
    assert told
    assert set(told) <= ids
    players = {pk for team in copy.teams.all() for pk in team.seats.values_list("player_id", flat=True)}
    seats = Deed.objects.filter(tournament=copy, kind="TeamRegistered").values_list("after__seats", flat=True)
    assert {pk for one in seats for pk in one.values()} == players
    before = copy.deeds.count()
    drop_team(team_id=copy.teams.filter(state="playing").order_by("number")[0].pk, actor=COMMAND)
    newest = copy.deeds.order_by("-number").first()
    assert newest is not None
    assert newest.number == copy.deeds.count() > before


def test_players_of_the_store_are_known_by_their_external_id() -> None:
    tournament = halls.registering(2)
    player = tournament.teams.get(number=1).seats.get(label="A").player
    type(player).objects.filter(pk=player.pk).update(source="shop", external_id="77", contact="a@example.org")
    store = elsewhere()
    known = add_player(store_id=store.pk, name="Known here", source="shop", external_id="77")
    text = export_tournament(tournament)
    copy = import_tournament(text=text, store_id=store.pk)
    assert copy.teams.get(number=1).seats.get(label="A").player == known
    assert "a@example.org" not in text
    assert "a@example.org" in export_tournament(tournament, with_contacts=True)


def test_no_link_and_no_hash_is_in_the_file() -> None:
    from teams.links import make_link

    tournament = halls.registering(2)
    token = make_link(seat_id=tournament.teams.get(number=1).seats.get(label="A").pk)
    text = export_tournament(tournament)
    assert token not in text
    assert Link.objects.get().token_hash not in text


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "other"}, "file-unknown"),
        ({"schema": 99}, "file-schema"),
        ({"deeds": [{"number": 2}]}, "file-broken"),
        ({"seats": [{"team": 40, "label": "A", "player": 1}]}, "file-broken"),
    ],
    ids=["another file", "a later schema", "a gap in the journal", "a seat of no team"],
)
def test_a_file_that_does_not_fit_leaves_nothing(change: dict[str, Any], code: str) -> None:
    told = json.loads(export_tournament(halls.registering(2)))
    before = Tournament.objects.count()
    with pytest.raises(RuleBroken) as refused:
        import_tournament(text=json.dumps({**told, **change}), store_id=elsewhere().pk)
    assert refused.value.code == code
    assert Tournament.objects.count() == before
