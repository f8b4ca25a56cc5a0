"""A tournament from its first draft to its last state."""

import re
import secrets
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils.text import slugify

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import open_journal, record
from journal.zones import known_zones
from rulebook import modes, policies
from rulebook.deck_formats import format_of
from rulebook.errors import RuleBroken
from rulebook.lifecycle import OVER, RoundState, StageState, TeamState, TournamentState, check_move
from rulebook.options import options_for
from rulebook.pairing.pod_sizes import Leftover, PodPolicy, pod_policy_of
from teams.models import Seat, Store, Team
from teams.names import clean_name
from tournaments.bracket_plan import check_cut
from tournaments.combinations import check_combinations
from tournaments.drawing import hall_of
from tournaments.first_stage import check_format, open_first_stage
from tournaments.following import follow_plan
from tournaments.models import Round, Staff, Stage, Step, Tournament

MOST_NAMED = 8
SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}")
EDITABLE = frozenset(
    {
        "name",
        "level",
        "policy",
        "cut_policy",
        "best_of",
        "planned_rounds",
        "cut",
        "cut_method",
        "format",
        "keeps_results",
        "round_minutes",
        "late_policy",
        "last_late_round",
        "hide_never_played",
        "options",
        "draft_rounds",
        "last_round_by_standing",
        "pod_policy",
        "hall",
        "tables_in_a_row",
        "feature_table",
        "shows_standings",
        "zone",
        "capacity",
        "signs_up",
        "hold_hours",
        "starts_at",
        "confirm_after_s",
        "opening_after_s",
        "decklists_until",
        "deck_format",
    }
)
# Once play has begun these decide about results already there.
FROZEN_AT_START = frozenset({"policy", "best_of", "level", "options", "format", "draft_rounds"})


@transaction.atomic
def create_tournament(
    *,
    store_id: int,
    name: str,
    mode: str,
    actor: Actor,
    planned_rounds: int,
    slug: str = "",
    organizer_id: int | None = None,
    seed: int | None = None,
    **announced: Any,
) -> Tournament:
    """The tournament exists as a draft with a journal; `announced` are fields of EDITABLE."""
    record_of_mode = modes.mode_of(mode)
    store = Store.objects.filter(pk=store_id).first()
    if store is None:
        raise RuleBroken("unknown-store", "Choose the store that runs the tournament.")
    shown = clean_name(name, "tournament name")
    _known_fields(announced)
    tournament = Tournament(
        store=store,
        name=shown,
        slug=slug or free_slug(shown),
        mode=mode,
        edition=record_of_mode.edition,
        planned_rounds=planned_rounds,
        seed=secrets.randbits(62) if seed is None else seed,
        created_at=now(),
        **{
            "policy": "riftbound" if record_of_mode.game == "riftbound" else "magic",
            "best_of": record_of_mode.best_of,
            "zone": store.zone,
            **announced,
        },
    )
    if not SLUG.fullmatch(tournament.slug):
        raise RuleBroken("wrong-slug", "An address has at most 80 letters a-z, digits and dashes.")
    if Tournament.objects.filter(slug=tournament.slug).exists():
        raise RuleBroken("slug-taken", f"The address {tournament.slug} is taken; choose another one.")
    _check(tournament)
    tournament.save(force_insert=True)
    open_journal(tournament.pk)
    if organizer_id is not None:
        Staff.objects.create(tournament=tournament, user_id=organizer_id, role=Staff.Role.ORGANIZER)
    _record(tournament, DeedKind.TOURNAMENT_CREATED, actor, after={"mode": mode})
    return tournament


@transaction.atomic
def change_tournament(*, tournament_id: int, actor: Actor, **changes: Any) -> Tournament:
    """The tournament has the new settings; what decides about results already there is frozen at the
    start."""
    _known_fields(changes)
    if "name" in changes:
        changes["name"] = clean_name(changes["name"], "tournament name")
    tournament = lock_one(Tournament, tournament_id)
    changes = {key: value for key, value in changes.items() if getattr(tournament, key) != value}
    if not changes:
        return tournament
    if tournament.state in OVER:
        raise RuleBroken(
            "tournament-over", f"{tournament.name} is {tournament.state}; its settings stay as they are."
        )
    frozen = FROZEN_AT_START & changes.keys()
    if tournament.state == TournamentState.RUNNING and frozen:
        words = ", ".join(sorted(frozen)).replace("_", " ")
        raise RuleBroken(
            "frozen-at-start", f"{words} cannot change after the start; go back to registration first."
        )
    if changes.keys() & {"cut_method", "cut_policy"}:
        _no_bracket_yet(tournament)
    before = {key: _plain(getattr(tournament, key)) for key in changes}
    for key, value in changes.items():
        setattr(tournament, key, value)
    _check(tournament)
    tournament.save(update_fields=list(changes))
    if tournament.state == TournamentState.RUNNING:
        _follow_rounds(tournament)
    follow_plan(tournament)
    _record(
        tournament,
        DeedKind.TOURNAMENT_CHANGED,
        actor,
        before=before,
        after={key: _plain(value) for key, value in changes.items()},
    )
    return tournament


@transaction.atomic
def open_registration(*, tournament_id: int, actor: Actor) -> Tournament:
    """Teams may register in what was a draft, and the public sees the tournament from now on."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.DRAFT:
        raise RuleBroken(
            "no-draft", f"{tournament.name} is {tournament.state}; only of a draft registration is opened."
        )
    Tournament.objects.filter(pk=tournament_id, announced_at=None).update(announced_at=now())
    return _move(tournament_id, TournamentState.REGISTRATION, DeedKind.REGISTRATION_OPENED, actor)


@transaction.atomic
def start_tournament(*, tournament_id: int, actor: Actor, seeds: Sequence[int] = ()) -> Tournament:
    """Every complete team plays, the rules are frozen, and the first stage waits for its first round.

    `seeds` are the teams of an elimination, best first; without them they are drawn by lot."""
    tournament = lock_one(Tournament, tournament_id)
    check_move(tournament.name, TournamentState(tournament.state), TournamentState.RUNNING)
    mode = modes.mode_of(tournament.mode)
    _no_solos_left(tournament)
    complete = complete_teams(tournament)
    checked_in = list(complete.filter(state=TeamState.CHECKED_IN).values_list("pk", flat=True))
    playing = complete.update(state=TeamState.PLAYING)
    if playing < 2:
        raise RuleBroken(
            "not-enough-teams",
            f"{tournament.name} has {playing} complete team{'' if playing == 1 else 's'}; "
            "register at least two.",
            teams=playing,
        )
    tournament.rules = {"mode": mode.as_dict(), "policy": policies.policy_of(tournament.policy).as_dict()}
    tournament.edition = mode.edition
    tournament.state = TournamentState.RUNNING
    tournament.save(update_fields=["rules", "edition", "state"])
    open_first_stage(tournament, seeds)
    follow_plan(tournament)
    _record(
        tournament,
        DeedKind.TOURNAMENT_STARTED,
        actor,
        before={"checked_in": checked_in},
        after={"teams": playing},
    )
    return tournament


@transaction.atomic
def reopen_registration(
    *, tournament_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None
) -> Tournament:
    """The tournament is back at registration, nobody less checked in than before the start; refused once a
    round is there that was not scrapped."""
    tournament = lock_one(Tournament, tournament_id)
    check_move(tournament.name, TournamentState(tournament.state), TournamentState.REGISTRATION)
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=RoundState.SCRAPPED)
    if rounds.exists():
        raise RuleBroken(
            "rounds-exist", "Scrap the paired round first; with results confirmed the start stands."
        )
    playing = Team.objects.filter(tournament=tournament, state=TeamState.PLAYING)
    playing.filter(pk__in=_were_here(tournament)).update(state=TeamState.CHECKED_IN)
    playing.update(state=TeamState.REGISTERED)
    Stage.objects.filter(tournament=tournament).update(state=StageState.WAITING)
    Tournament.objects.filter(pk=tournament_id).update(rules=None)
    return _move(
        tournament_id, TournamentState.REGISTRATION, DeedKind.REGISTRATION_REOPENED, actor, reason, undoes
    )


def _were_here(tournament: Tournament) -> list[int]:
    """The teams that were checked in when the tournament started last."""
    starts = Deed.objects.filter(tournament=tournament, kind=DeedKind.TOURNAMENT_STARTED)
    last = starts.order_by("-number").first()
    return list((last.before or {}).get("checked_in", ())) if last is not None else []


@transaction.atomic
def cancel_tournament(*, tournament_id: int, actor: Actor, reason: str = "") -> Tournament:
    """The tournament does not take place, or not to its end."""
    return _move(
        tournament_id, TournamentState.CANCELLED, DeedKind.TOURNAMENT_CANCELLED, actor, reason=reason
    )


@transaction.atomic
def revive_tournament(*, tournament_id: int, actor: Actor, reason: str = "") -> Tournament:
    """A cancelled tournament is what it was before, with its teams and rounds, and the clock calls time in a
    round that plays."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.CANCELLED:
        raise RuleBroken(
            "not-cancelled", f"{tournament.name} is {tournament.state}; only a cancelled one is revived."
        )
    Step.objects.filter(
        *(Q(tournament=tournament), Q(kind=Step.Kind.TIME), Q(state=Step.State.CANCELLED)),
        *(Q(round__state=RoundState.RUNNING), Q(round__ends_at__isnull=False)),
    ).update(state=Step.State.WAITING)
    before = _before_it_was_cancelled(tournament)
    return _move(tournament_id, before, DeedKind.TOURNAMENT_REOPENED, actor, reason=reason)


def _before_it_was_cancelled(tournament: Tournament) -> TournamentState:
    last = tournament.deeds.filter(kind=DeedKind.TOURNAMENT_CANCELLED).order_by("-number").first()
    return TournamentState((last.before or {})["state"]) if last is not None else TournamentState.DRAFT


def _no_solos_left(tournament: Tournament) -> None:
    """Nobody looks for a partner any more; who does is named."""
    waiting = Team.objects.filter(
        tournament=tournament, is_solo=True, state__in=[TeamState.REGISTERED, TeamState.CHECKED_IN]
    )
    seats = Seat.objects.filter(team__in=waiting, is_live=True).select_related("player")
    names = [seat.player.shown_name for seat in seats.order_by("team__number")]
    if names:
        who = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
        raise RuleBroken(
            "solos-left",
            f"Still looking for a partner: {who}. Join two into a team, or withdraw them, before the start.",
        )


def complete_teams(tournament: Tournament) -> Any:
    """Registered teams whose every seat is taken."""
    labels = modes.mode_of(tournament.mode).labels
    waiting = Team.objects.filter(
        tournament=tournament, state__in=[TeamState.REGISTERED, TeamState.CHECKED_IN]
    )
    for label in labels:
        waiting = waiting.filter(seats__label=label, seats__is_live=True, seats__is_reserve=False)
    return Team.objects.filter(pk__in=list(waiting.values_list("pk", flat=True)))


def free_slug(name: str) -> str:
    """An address made from the name that no tournament has yet."""
    stem = slugify(name)[:60] or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def _move(
    tournament_id: int,
    to: TournamentState,
    kind: DeedKind,
    actor: Actor,
    reason: str = "",
    undoes: Deed | None = None,
) -> Tournament:
    tournament = lock_one(Tournament, tournament_id)
    before = TournamentState(tournament.state)
    check_move(tournament.name, before, to)
    tournament.state = to
    tournament.save(update_fields=["state"])
    follow_plan(tournament, again=kind != DeedKind.REGISTRATION_OPENED)
    _record(
        tournament, kind, actor, before={"state": before}, after={"state": to}, reason=reason, undoes=undoes
    )
    return tournament


def _follow_rounds(tournament: Tournament) -> None:
    """The running Swiss stage has as many planned rounds as the tournament says, at least those already
    there."""
    stage = Stage.objects.filter(tournament=tournament, number=1, state=StageState.RUNNING).first()
    if stage is None or stage.method != Stage.Method.SWISS:
        return
    last = stage.rounds.exclude(state=RoundState.SCRAPPED).order_by("-number").first()
    if last is not None and last.number > tournament.planned_rounds:
        raise RuleBroken(
            "rounds-exist", f"Round {last.number} is there already; plan at least {last.number} rounds."
        )
    Stage.objects.filter(pk=stage.pk).update(planned_rounds=tournament.planned_rounds)


def _no_bracket_yet(tournament: Tournament) -> None:
    begun = tournament.stages.filter(method__in=Stage.BRACKETS).exclude(state=StageState.WAITING)
    if begun.exists():
        raise RuleBroken("cut-made", "The bracket is made; undo the cut before you play it another way.")


def _check(tournament: Tournament) -> None:
    mode = modes.mode_of(tournament.mode)
    policies.policy_of(tournament.policy)
    if tournament.cut_policy:
        policies.policy_of(tournament.cut_policy)
    options_for(mode, tournament.options)
    hall_of(tournament.hall)
    if tournament.pod_policy:
        _check_pods(mode, pod_policy_of(tournament.pod_policy))
    if tournament.zone not in known_zones():
        raise RuleBroken(
            "unknown-zone", f"There is no time zone {tournament.zone}; write it like Europe/Berlin."
        )
    ZoneInfo(tournament.zone)
    _check_numbers(tournament)
    if tournament.cut or tournament.cut_method:
        check_cut(tournament, tournament.cut)
    check_format(tournament)
    check_combinations(tournament, mode)


def _check_numbers(tournament: Tournament) -> None:
    if not 1 <= tournament.planned_rounds <= 30:
        raise RuleBroken("wrong-rounds", "Plan between 1 and 30 Swiss rounds.")
    if not 1 <= tournament.best_of <= 9 or tournament.best_of % 2 == 0:
        raise RuleBroken("wrong-best-of", "A match is best of 1, 3, 5, 7 or 9.")
    if not 1 <= tournament.tables_in_a_row <= 50:
        raise RuleBroken("wrong-row", "A row of the hall has between 1 and 50 tables.")
    if tournament.feature_table is not None and tournament.feature_table < 1:
        raise RuleBroken("wrong-feature-table", "Tables are numbered from 1.")
    if not 1 <= tournament.round_minutes <= 600:
        raise RuleBroken("wrong-minutes", "A round lasts between 1 and 600 minutes.")
    if not 0 <= tournament.confirm_after_s <= 7200 or not 0 <= tournament.opening_after_s <= 7200:
        raise RuleBroken("wrong-seconds", "The clock waits for at most 7200 seconds; 0 is for ever.")
    if tournament.deck_format:
        format_of(tournament.deck_format)
    if not 1 <= tournament.hold_hours <= 240:
        raise RuleBroken("wrong-hours", "A place is held for 1 to 240 hours.")
    if tournament.capacity is not None and tournament.capacity < 2:
        raise RuleBroken("wrong-capacity", "A tournament has room for at least two teams.")


def _check_pods(mode: modes.Mode, policy: PodPolicy) -> None:
    """Every pod the policy can make is one the mode can play."""
    smaller = policy.leftover in (Leftover.SHORT_LOW, Leftover.SHORT_HIGH)
    fewest = policy.size - smaller
    most = policy.size + (policy.leftover is Leftover.LONG_LOW)
    if mode.sides == 2 or fewest < mode.fewest_sides or most > mode.most_sides:
        raise RuleBroken(
            "wrong-pods", f"{mode.name} cannot be played with this policy: {policy.name.lower()}."
        )


def _known_fields(fields: dict[str, Any]) -> None:
    unknown = fields.keys() - EDITABLE
    if unknown:
        raise TypeError(f"not a setting of a tournament: {', '.join(sorted(unknown))}")


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | bool | None) else str(value)


def _record(tournament: Tournament, kind: DeedKind, actor: Actor, **more: Any) -> None:
    record(tournament_id=tournament.pk, kind=kind, actor=actor, subject=f"tournament:{tournament.pk}", **more)
