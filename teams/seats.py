"""Who sits where in one team. Nothing here asks what state the tournament is in."""

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team


def check_labels(labels: Sequence[str], members: Sequence[tuple[str, int]]) -> None:
    """The members sit on seats the mode has, one a seat, one seat a person; otherwise `RuleBroken`."""
    known = " and ".join(labels)
    for label, _ in members:
        if not label:
            raise RuleBroken("seat-missing", "Choose a seat.")
        if label not in labels:
            raise RuleBroken("unknown-seat", f"There is no seat {label}; this mode has {known}.", seat=label)
    seats = [label for label, _ in members]
    if len(set(seats)) < len(seats):
        raise RuleBroken("seat-twice", "Two players were given the same seat; give each a seat of his own.")
    people = [player for _, player in members]
    if len(set(people)) < len(people):
        raise RuleBroken("player-twice", "One player cannot take two seats; choose another person.")


def check_store(store_id: int, player_ids: Sequence[int]) -> dict[int, Player]:
    """The players by id, all known to the store and not erased; otherwise `RuleBroken("unknown-player")`."""
    found = {p.pk: p for p in Player.objects.filter(store_id=store_id, pk__in=player_ids, erased_at=None)}
    missing = [pk for pk in player_ids if pk not in found]
    if missing:
        raise RuleBroken(
            "unknown-player", "This store does not know that player; add the player first.", ids=missing
        )
    return found


def seat_players(team: Team, members: Mapping[str, int]) -> list[Seat]:
    """The members sit on live seats of the team; `RuleBroken("seat-taken")` names who plays in another
    team."""
    try:
        with transaction.atomic():
            return Seat.objects.bulk_create(
                Seat(team=team, tournament_id=team.tournament_id, label=label, player_id=player)
                for label, player in members.items()
            )
    except IntegrityError as error:
        raise _taken(team, members) from error


def _taken(team: Team, members: Mapping[str, int]) -> RuleBroken:
    taken = (
        Seat.objects.filter(tournament_id=team.tournament_id, player_id__in=members.values(), is_live=True)
        .select_related("player", "team")
        .first()
    )
    if taken is None:
        return RuleBroken("seat-taken", "That seat is taken; reload the page and look who sits there.")
    return RuleBroken(
        "player-in-another-team",
        f"{taken.player.shown_name} already plays in {taken.team}; withdraw that team first.",
        player=taken.player_id,
        team=taken.team_id,
    )


def swap(team: Team) -> None:
    """The players on A and B have changed seats."""
    seats = list(Seat.objects.filter(team=team, is_live=True, is_reserve=False).order_by("label"))
    if [seat.label for seat in seats] != ["A", "B"]:
        raise RuleBroken("nothing-to-swap", "Only a complete team of A and B can change seats.")
    first, second = seats
    # In three steps, since at no moment may two live seats carry one label.
    Seat.objects.filter(pk=first.pk).update(is_live=False, label="B")
    Seat.objects.filter(pk=second.pk).update(label="A")
    Seat.objects.filter(pk=first.pk).update(is_live=True)


def vacate(team: Team) -> None:
    """The team's seats are not live: its members may play in another team."""
    Seat.objects.filter(team=team, is_live=True).update(is_live=False)


def reseat(team: Team) -> None:
    """The newest seat of each label is live again; refused when a member meanwhile plays in another team."""
    newest: dict[str, Seat] = {}
    for seat in Seat.objects.filter(team=team, is_reserve=False).order_by("id"):
        newest[seat.label] = seat
    try:
        with transaction.atomic():
            Seat.objects.filter(pk__in=[seat.pk for seat in newest.values()], is_live=False).update(
                is_live=True
            )
    except IntegrityError as error:
        raise _taken(team, {label: seat.player_id for label, seat in newest.items()}) from error


def is_complete(team: Team, labels: Sequence[str]) -> bool:
    """Every seat of the mode is taken."""
    live = Seat.objects.filter(team=team, is_live=True, is_reserve=False).values_list("label", flat=True)
    return set(live) == set(labels)


def seat_many(teams: Sequence[Team], members: Sequence[Mapping[str, int]]) -> None:
    """The members of all teams sit on live seats, in one statement; a person seated elsewhere refuses them
    all."""
    rows = [
        Seat(team=team, tournament_id=team.tournament_id, label=label, player_id=player)
        for team, seated in zip(teams, members, strict=True)
        for label, player in seated.items()
    ]
    try:
        with transaction.atomic():
            Seat.objects.bulk_create(rows)
    except IntegrityError as error:
        raise _taken(teams[0], {str(index): row.player_id for index, row in enumerate(rows)}) from error
