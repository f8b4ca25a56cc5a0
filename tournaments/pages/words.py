"""Deeds in words: what the journal keeps as ids becomes sentences with names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from integrations.models import ApiKey
from journal.kinds import DeedKind
from journal.models import Deed
from matches.models import Match
from teams.models import Player, Seat, Team, User
from teams.selectors import team_cards
from tournaments.models import Round, Tournament
from tournaments.pages.before_after import changes_of, score_of, what_was
from tournaments.pages.scenes import name_of

SENTENCES: Mapping[str, str] = {
    DeedKind.TOURNAMENT_CREATED: "Tournament created",
    DeedKind.TOURNAMENT_CHANGED: "Settings changed: {fields}",
    DeedKind.REGISTRATION_OPENED: "Registration opened",
    DeedKind.REGISTRATION_REOPENED: "Back to registration",
    DeedKind.TOURNAMENT_STARTED: "Started with {teams}",
    DeedKind.TOURNAMENT_FINISHED: "Tournament finished",
    DeedKind.TOURNAMENT_REOPENED: "Reopened after its end",
    DeedKind.TOURNAMENT_CANCELLED: "Tournament cancelled",
    DeedKind.TEAM_REGISTERED: "{subject} registered",
    DeedKind.TEAM_CHANGED: "{subject} changed: {fields}",
    DeedKind.TEAM_CHECKED_IN: "{subject} checked in",
    DeedKind.TEAM_WITHDRAWN: "{subject} withdrew",
    DeedKind.TEAM_DROPPED: "{subject} dropped",
    DeedKind.TEAM_DISQUALIFIED: "{subject} disqualified",
    DeedKind.TEAM_REINSTATED: "{subject} reinstated",
    DeedKind.SEATS_SWAPPED: "{subject}: A and B changed seats",
    DeedKind.SEAT_FILLED: "{subject}: seat {seat} filled: {player}",
    DeedKind.ROUND_PAIRED: "{subject} paired, {tables}",
    DeedKind.ROUND_REPAIRED: "{subject} paired again{repaired}",
    DeedKind.ROUND_PUBLISHED: "{subject} published",
    DeedKind.ROUND_STARTED: "{subject} started",
    DeedKind.TIME_CALLED: "{subject}: time called",
    DeedKind.ROUND_CLOSED: "{subject} closed",
    DeedKind.ROUND_REOPENED: "{subject} reopened",
    DeedKind.ROUND_SCRAPPED: "{subject} scrapped",
    DeedKind.ROUND_SCHEDULED: "{subject} will be published by the clock",
    DeedKind.MATCH_REPORTED: "{subject} reported {score}",
    DeedKind.MATCH_CONFIRMED: "{subject} confirmed {score}",
    DeedKind.MATCH_DISPUTED: "{subject} disputed",
    DeedKind.MATCH_CORRECTED: "{subject} corrected to {score}",
    DeedKind.OPENING_CHOSEN: "{subject}, game {game}: {order}",
    DeedKind.GAME_RECORDED: "{subject}, game {game} recorded",
    DeedKind.GAME_RESTARTED: "{subject}, game {game} restarted: {order}",
    DeedKind.STARTER_NAMED: "{subject}, game {game}: a card names the starter, {order}",
    DeedKind.SUBGAME_BEGUN: "{subject}, game {game}: subgame, {order}",
    DeedKind.SUBGAME_ENDED: "{subject}, game {game}: subgame over",
    DeedKind.DECKLIST_SUBMITTED: "{subject}: deck list handed in",
    DeedKind.GAME_UNDONE: "{subject}, game {game} taken back",
    DeedKind.PLAYER_RENAMED: "A player has another name",
    DeedKind.CUT_MADE: "Cut to the top {size}",
    DeedKind.CUT_UNDONE: "Cut undone",
    DeedKind.STANDINGS_FINAL: "Final ranking published",
    DeedKind.STANDINGS_PUBLISHED: "Standings after round {after_round} published",
    DeedKind.STANDINGS_HIDDEN: "Standings after round {after_round} hidden",
    DeedKind.DRAFT_SEATED: "Drafting groups seated",
    DeedKind.FEATURE_CHOSEN: "{subject} plays at the feature table",
    DeedKind.BYE_GRANTED: "{subject} has a bye in round {round}",
    DeedKind.BYE_REVOKED: "{subject}: the bye of round {round} taken back",
    DeedKind.STAFF_APPOINTED: "{subject} appointed as {role}",
    DeedKind.STAFF_DISMISSED: "{subject} dismissed",
    DeedKind.STAFF_INVITED: "Somebody invited as {role}",
    DeedKind.INVITATION_REVOKED: "Invitation taken back",
    DeedKind.PLAYER_ERASED: "A person was erased",
    DeedKind.LINK_MADE: "Personal link made",
    DeedKind.LINK_REVOKED: "Personal link revoked",
    DeedKind.EXTENSION_GIVEN: "{subject}: {minutes} min more",
    DeedKind.CLOCK_PAUSED: "{subject}: clock paused",
    DeedKind.CLOCK_RESUMED: "{subject}: clock runs again",
    DeedKind.JUDGE_CALLED: "{subject} calls a judge",
    DeedKind.CALL_TAKEN: "{subject}: call taken",
    DeedKind.CALL_ENDED: "{subject}: call ended",
    DeedKind.ANNOUNCED: "Something was announced",
    DeedKind.ANNOUNCEMENT_TAKEN_DOWN: "An announcement was taken down",
    DeedKind.DECK_CHECK_PICKED: "{subject}: tables picked for a deck check",
    DeedKind.DECK_CHECK_ENDED: "{subject}: deck check over",
    DeedKind.PENALTY_GIVEN: "{subject}: {level} given",
    DeedKind.PENALTY_SERVED: "{subject}: {level} taken at the table",
    DeedKind.PENALTY_TAKEN_BACK: "{subject}: penalty taken back",
    DeedKind.PUBLISH_TAKEN_BACK: "{subject}: publication taken back",
    DeedKind.START_TAKEN_BACK: "{subject}: start taken back",
    DeedKind.CONFIRM_TAKEN_BACK: "{subject}: result taken back",
    DeedKind.CHECK_IN_TAKEN_BACK: "{subject} not checked in any more",
    DeedKind.REPAIR_TAKEN_BACK: "{subject}: repair taken back",
    DeedKind.STEP_BLOCKED: "The clock was refused: {kind}",
    DeedKind.STEP_MISSED: "The clock missed a step: {kind}",
    DeedKind.STEP_CHANGED: "A step of the clock changed: {kind}",
    DeedKind.STEP_CANCELLED: "A step of the clock cancelled: {kind}",
    DeedKind.PLAN_CHANGED: "Plan of the day changed: {fields}",
    DeedKind.CLOCK_HELD: "The clock is held",
    DeedKind.CLOCK_RELEASED: "The clock goes on after {held_minutes} min",
    DeedKind.TIME_WARNED: "{subject}: {minutes} min left",
    DeedKind.TABLE_TIME_CALLED: "{subject}: its extra time is over",
    DeedKind.ROUND_OVERDUE: "{subject} is overdue{overdue}",
    DeedKind.CHECK_IN_ENDED: "Check-in ended, not there: {absent}",
    DeedKind.SET_UP_DECLARED: "{subject}: somebody told what is brought to the table",
    DeedKind.TEAM_PROMOTED: "{subject} moved up from the waiting list",
    DeedKind.TEAMS_JOINED: "{subject}: two players who looked for a partner became a team",
    DeedKind.JOIN_TAKEN_BACK: "{subject}: both look for a partner again",
    DeedKind.SIGN_UP_CONFIRMED: "{subject} confirmed its entry",
    DeedKind.NAMESAKE_SETTLED: "{subject}: it is settled who a namesake is",
    DeedKind.TEAMS_IMPORTED: "Teams imported from a file",
    DeedKind.TOURNAMENT_IMPORTED: "Tournament imported from a file",
    DeedKind.DATA_FORGOTTEN: "Cleaned up: {gone}",
    DeedKind.ORDER_RESERVED: "{subject}: a place is reserved by store software",
    DeedKind.ORDER_CONFIRMED: "{subject}: its order is confirmed",
    DeedKind.ORDER_CANCELLED: "{subject}: its order is cancelled",
    DeedKind.ORDER_REFUNDED: "{subject}: its order is refunded",
    DeedKind.ORDER_EXPIRED: "{subject}: the reserved place was not confirmed in time",
    DeedKind.PAYOUTS_CHANGED: "Payout table changed, {rows} rows",
    DeedKind.PRIZE_AWARDED: "{subject}: prize for place {place} awarded",
    DeedKind.PRIZE_PAID: "{subject}: prize for place {place} paid",
    DeedKind.PRIZE_OPENED: "{subject}: prize for place {place} is open again",
    DeedKind.PRIZE_VOIDED: "{subject}: prize for place {place} void",
}


COUNTED: Mapping[str, str] = {"teams": "team", "tables": "table", "absent": "team"}


@dataclass(frozen=True, slots=True)
class Told:
    """One deed as a line of a timeline."""

    number: int
    at: datetime
    sentence: str
    who: str
    door: str
    reason: str
    was: str


def told(tournament: Tournament, deeds: Sequence[Deed], labels: Sequence[str]) -> list[Told]:
    """The deeds in words; one query for each sort of subject, however many deeds."""
    names = _names(
        tournament, (one for deed in deeds for one in (deed.actor, deed.subject, _in(deed))), labels
    )
    return [
        Told(
            number=deed.number,
            at=deed.at,
            sentence=_sentence(deed, names),
            who=names.get(deed.actor, deed.actor),
            door=deed.door,
            reason=deed.reason,
            was=what_was(deed),
        )
        for deed in deeds
    ]


def sentence_of(
    tournament: Tournament, deed: Deed, labels: Sequence[str], known: Mapping[str, str] | None = None
) -> str:
    """The deed in words, without who did it; `known` are names the caller has, by `subject`."""
    names = known or {}
    if deed.subject not in names:
        names = _names(tournament, [deed.subject], labels)
    return _sentence(deed, names)


def match_words(rnd: Round, match: Match) -> str:
    """Where the match is played, or that it is a bye or an assigned loss."""
    table = f"table {match.table}" if match.table else match.kind.replace("-", " ")
    return f"{name_of(rnd)}, {table}"


def _in(deed: Deed) -> str:
    """The player a deed tells of besides its subject."""
    player = deed.after.get("player") if isinstance(deed.after, dict) else None
    return f"player:{player}" if deed.kind == DeedKind.SEAT_FILLED else ""


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def _sentence(deed: Deed, names: Mapping[str, str]) -> str:
    after: Mapping[str, Any] = deed.after if isinstance(deed.after, dict) else {}
    values = _Blank({key: str(value) for key, value in after.items()})
    values["subject"] = names.get(deed.subject, deed.subject.replace(":", " "))
    fields = ", ".join(after.get("fields", after.keys())).replace("_", " ")
    for name, word in COUNTED.items():
        if isinstance(after.get(name), int):
            values[name] = f"{after[name]} {word}{'' if after[name] == 1 else 's'}"
    values["fields"] = changes_of(deed) or fields
    values["player"] = names.get(f"player:{after.get('player')}", "")
    values["score"] = score_of(after)
    missing = after.get("missing_tables", ())
    values["overdue"] = _without_result(missing) if missing else ""
    values["repaired"] = f", new matches: {len(after['made'])}" if "made" in after else ""
    if deed.kind == DeedKind.DATA_FORGOTTEN:
        values["gone"] = ", ".join(f"{count} {words}" for words, count in sorted(after.items()))
    values["order"] = " ".join(after.get("order", ())) + " in turn order"
    return SENTENCES.get(deed.kind, deed.kind).format_map(values).strip(" :,")


def _without_result(tables: Sequence[int]) -> str:
    return f", without a result: table{'s'[: len(tables) > 1]} {', '.join(map(str, tables[:12]))}"


def _software(key: ApiKey) -> str:
    """The software that holds the key, and for whom it acts."""
    maker = key.created_by
    return f"{key.name}, for {maker.get_full_name() or maker.username}" if maker else key.name


def _names(tournament: Tournament, references: Iterable[str], labels: Sequence[str]) -> dict[str, str]:
    ids: dict[str, set[int]] = defaultdict(set)
    prefixes: set[str] = set()
    for reference in references:
        sort, _, number = reference.partition(":")
        if sort == "key":
            prefixes.add(number)
        elif number.isdecimal():
            ids[sort].add(int(number))
    names = {"clock": "the clock", "command": "a command", "anybody": "the public page"}
    names |= {
        f"user:{u.pk}": u.get_full_name() or u.username for u in User.objects.filter(pk__in=ids["user"])
    }
    if prefixes:
        keys = ApiKey.objects.filter(prefix__in=prefixes).select_related("created_by")
        names |= {f"key:{key.prefix}": _software(key) for key in keys}
    seats = Seat.objects.filter(pk__in=ids["seat"], tournament=tournament).select_related("player").order_by()
    names |= {f"seat:{s.pk}": s.player.shown_name for s in seats}
    if ids["player"]:
        people = Player.objects.filter(pk__in=ids["player"], store=tournament.store_id)
        names |= {f"player:{one.pk}": one.shown_name for one in people}
    cards = team_cards(list(Team.objects.filter(pk__in=ids["team"], tournament=tournament)), labels)
    names |= {f"team:{pk}": card.shown_name for pk, card in cards.items()}
    rounds = Round.objects.filter(pk__in=ids["round"], stage__tournament=tournament).select_related("stage")
    names |= {f"round:{r.pk}": name_of(r) for r in rounds.defer("inputs", "output")}
    matches = Match.objects.filter(pk__in=ids["match"], tournament=tournament).select_related("round__stage")
    for match in matches.defer("terms", "round__inputs", "round__output"):
        names[f"match:{match.pk}"] = match_words(match.round, match)
    return names
