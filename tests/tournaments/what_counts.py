"""Everything of a tournament that counts now, as plain values: what an undo has to bring back."""

from typing import Any

from matches.models import Call, Chair, Line, Match, Report, Side
from teams.models import Seat, Team
from tournaments.models import Penalty, Round, Slot, Snapshot, StageEntry, Step, Tournament

SCRAPPED = {"round__state": "scrapped"}


def what_counts(tournament: Tournament) -> dict[str, Any]:
    """Rows without their ids, since what was given up is made anew; nothing void, scrapped or replaced."""
    own = {"tournament": tournament}
    matches = Match.objects.filter(**own).exclude(state="void").exclude(**SCRAPPED)
    sides = Side.objects.filter(match__in=matches, is_live=True)
    table = ("match__round__stage__number", "match__round__number", "match__table", "match__kind")
    return {
        "tournament": Tournament.objects.filter(pk=tournament.pk).values("state", "rules").get(),
        "teams": rows(Team.objects.filter(**own), "pk", "state", "entered_round", "left_round", "sits_out"),
        "seats": rows(Seat.objects.filter(**own, is_live=True), "team", "label", "player"),
        "rounds": rows(
            Round.objects.filter(stage__tournament=tournament).exclude(state="scrapped"),
            *("stage__number", "stage__state", "number", "state", "seed", "engine", "published_at"),
            *("started_at", "ends_at", "time_called_at", "closed_at"),
        ),
        "matches": rows(
            matches, "round__stage__number", "round__number", "table", "kind", "state", "extension_s"
        ),
        "sides": rows(sides, *table, "team", "index"),
        "chairs": rows(Chair.objects.filter(match__in=matches), *table, "player", "label", "position"),
        "lines": rows(
            Line.objects.filter(result__match__in=matches, result__is_current=True),
            *("side__team", "result__match__round__number", "result__board_label", "result__kind"),
            *("outcome", "wins", "draws", "half_points"),
        ),
        "reports": rows(Report.objects.filter(match__in=matches, is_current=True), "match", "side", "body"),
        "calls": rows(Call.objects.filter(match__in=matches, ended_at=None), "match", "kind"),
        "entries": rows(StageEntry.objects.filter(stage__tournament=tournament), "team", "seed", "place"),
        "slots": rows(
            Slot.objects.filter(stage__tournament=tournament), "node", "index", "team", "is_settled"
        ),
        "standings": standings(tournament),
        "penalties": rows(Penalty.objects.filter(**own, taken_back_at=None), "team", "level"),
        "steps": rows(Step.objects.filter(**own, state="waiting"), "kind", "due_at"),
    }


def rows(query: Any, *fields: str) -> list[str]:
    return sorted(repr(row) for row in query.order_by().values_list(*fields))


def standings(tournament: Tournament) -> dict[int, str]:
    """The newest digest after each closed round."""
    closed = Round.objects.filter(stage__tournament=tournament, state="closed", stage__number=1)
    snapshots = Snapshot.objects.filter(stage__tournament=tournament, after_round__in=closed.values("number"))
    return dict(snapshots.order_by("after_round", "version").values_list("after_round", "digest"))
