"""Rows inserted together are those that `bulk_create` makes, on either database."""

import pytest

from journal.inserting import insert_alike
from matches.models import Match, Side
from rulebook.lifecycle import MatchKind, RoundState
from tests.day import new_day
from tournaments.models import Round

pytestmark = pytest.mark.django_db

WHYS = ['Both have 3 points, "so far".', "{a,b}", "", "NULL", "back\\slash 'n' Ünïcode 卓"]


def test_rows_inserted_together_are_those_that_bulk_create_makes() -> None:
    day = new_day(4, rounds=1, mode="magic-1v1")
    first, second = (
        Round.objects.create(
            stage=day.swiss,
            number=number,
            state=RoundState.PAIRED,
            seed=1,
            engine="none",
            inputs={},
            output={},
            paired_at=day.tournament.created_at,
        )
        for number in (8, 9)
    )
    tables, kinds = [3, None, 1, 2, 7], [MatchKind.TABLE, MatchKind.BYE, *[MatchKind.TABLE] * 3]
    terms = {"mode": "it's", "list": [1, None, "x,y"], "deep": {"a": 1.5}}
    Match.objects.bulk_create(
        Match(tournament=day.tournament, round=first, kind=kind, table=table, terms=terms, why=why)
        for kind, table, why in zip(kinds, tables, WHYS, strict=True)
    )
    each = {"kind": kinds, "table": tables, "why": WHYS}
    ids = insert_alike(
        Match, each, {"tournament_id": day.tournament.pk, "round_id": second.pk, "terms": terms}
    )
    columns = [f.attname for f in Match._meta.concrete_fields if f.attname not in ("id", "round_id")]
    made = {row["id"]: row for row in Match.objects.filter(round=second).values("id", *columns)}
    assert [made[pk]["table"] for pk in ids] == tables
    told = Match.objects.filter(round=first).order_by("id").values(*columns)
    assert [{key: made[pk][key] for key in columns} for pk in ids] == list(told)
    several = [{"n": n, "word": 'a"b'} for n in range(2)]
    own = insert_alike(
        Match,
        {"terms": several, "table": [20, 21]},
        {"tournament_id": day.tournament.pk, "round_id": second.pk},
    )
    assert [Match.objects.get(pk=pk).terms for pk in own] == several
    assert insert_alike(Side, {"match_id": [], "team_id": []}, {"round_id": second.pk}) == []
    with pytest.raises((ValueError, TypeError)):
        insert_alike(Side, {"match_id": [ids[0]], "tame_id": [1]}, {"round_id": second.pk})
