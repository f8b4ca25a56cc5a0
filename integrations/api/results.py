"""A result as a body: counted by team, never by left and right."""

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework.exceptions import ValidationError

from integrations.api.fields import Body, Id, Number, One, several
from matches.models import Match
from rulebook.scoring import ResultKind

KINDS = [kind.value for kind in ResultKind if kind not in (ResultKind.BYE, ResultKind.ASSIGNED_LOSS)]
TWO_TO_ONE = {"sides": [{"team": 17, "wins": 2}, {"team": 21, "wins": 1}]}
Sides = Sequence[int]


class SideBody(Body):
    """What one team won; in pods `out_order` says when it went out, 1 first."""

    team = Id()
    wins = Number(max_value=99, required=False, default=0)
    out_order = Number(min_value=1, max_value=12, required=False, allow_null=True, default=None)


class ResultBody(Body):
    """How a match ended. Sides that are left out have won nothing. `loser` says who conceded, did not come or
    lost by penalty; `winner` who won where no games are counted."""

    kind = One(choices=KINDS, required=False, default=ResultKind.PLAYED.value)
    sides = several(SideBody, required=False, max_length=12, default=list)
    draws = Number(max_value=99, required=False, default=0, help_text="drawn games")
    loser = Id(required=False, allow_null=True, default=None, help_text="a team")
    winner = Id(required=False, allow_null=True, default=None, help_text="a team")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        teams = [side["team"] for side in attrs["sides"]]
        if len(set(teams)) < len(teams):
            raise ValidationError({"sides": "A team stands here twice."})
        if attrs["winner"] is not None and attrs["winner"] == attrs["loser"]:
            raise ValidationError({"winner": "A team cannot have won against itself."})
        return attrs


def sides_in_order(match: Match) -> list[int]:
    """The teams of the match, in the order of its sides."""
    return list(match.sides.order_by("index").values_list("team_id", flat=True))


def side_of(team_id: int | None, sides: Sides, field: str) -> int | None:
    """The side of the team; 400 for a team that does not play here."""
    if team_id is None:
        return None
    if team_id not in sides:
        raise ValidationError({field: f"Team {team_id} does not play in this match."})
    return sides.index(team_id)


def counted(said: Mapping[str, Any], sides: Sides) -> dict[str, Any]:
    """The result by sides, as the services take it; 400 for a team that does not play here."""
    told = {side_of(one["team"], sides, "sides"): one for one in said["sides"]}
    kind = ResultKind(said["kind"])
    out = [told.get(index, {}).get("out_order") for index in range(len(sides))]
    return {
        "kind": kind,
        "wins": [told.get(index, {}).get("wins", 0) for index in range(len(sides))],
        "draws": said["draws"],
        "loser": side_of(said["loser"], sides, "loser"),
        "winner": side_of(said["winner"], sides, "winner"),
        "out_order": out if any(out) else (),
    }
