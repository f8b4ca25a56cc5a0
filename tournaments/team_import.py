"""Teams from a file: planned row by row, asked about where a person may be known, entered in one deed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db import IntegrityError, transaction
from django.db.models.functions import Lower

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams import seats
from teams.models import Player, Seat, Team
from teams.names import clean_name, folded
from teams.people import told_by
from tournaments.models import ByeGrant, Tournament, Upload
from tournaments.registration import lot_of, next_number, places_taken
from tournaments.team_file import guess_columns, read_table
from tournaments.team_rows import (
    INCOMPLETE,
    NEW,
    SOLO,
    TWIN,
    WRONG,
    Plan,
    PlannedPerson,
    PlannedRow,
    row_of,
    settle_missing,
)

__all__ = ["INCOMPLETE", "NEW", "SOLO", "WRONG", "Plan", "apply_import", "enter_upload", "plan_of"]

# Rows that are saved in one statement, and after which somebody is told how far it is.
CHUNK = 500
# Is told what happens to the rows, how many are done and how many there are.
Told = Callable[[str, int, int], None]
PLANNED, ENTERED = "planned", "entered"
LEARNED = ("source", "external_id", "contact", "display_name")


def tell_nobody(step: str, done: int, of: int) -> None:
    """Nobody waits for so few rows."""


def plan_of(upload: Upload, told: Told = tell_nobody) -> Plan:
    """What the file would enter now, in a fixed number of queries; nothing is changed."""
    tournament = _tournament_of(upload)
    labels = modes.mode_of(tournament.mode).labels
    table = read_table(bytes(upload.body))
    guessed = guess_columns(table.head, labels)
    chosen = upload.choices.get("columns")
    columns = guessed if chosen is None else dict(chosen)
    rows: list[PlannedRow] = []
    for number, cells in table.rows:
        rows.append(row_of(number, cells, columns, labels, tournament.planned_rounds))
        if len(rows) % CHUNK == 0:
            told(PLANNED, len(rows), len(table.rows))
    settle_missing(rows, labels, str(upload.choices.get("missing", WRONG)))
    _find_people(tournament.store_id, upload, rows)
    _look_across(tournament, rows)
    return Plan(table, columns, rows)


def keep_file(
    *, tournament_id: int, user_id: int | None, name: str, body: bytes, choices: Mapping[str, object]
) -> Upload:
    """The file is kept to be looked at; one that cannot be read is refused."""
    return Upload.objects.create(
        tournament_id=tournament_id,
        user_id=user_id,
        name=name[:200] or "file",
        body=body,
        rows=len(read_table(body).rows),
        choices=dict(choices),
        made_at=now(),
    )


@transaction.atomic
def apply_import(*, upload_id: int, actor: Actor, only_good: bool = False) -> list[Team]:
    """The teams of the file are in, in one deed; with a wrong row none is, unless `only_good`.

    People found again keep their row and learn the file's ids; those beyond the capacity wait.
    """
    if not Upload.objects.filter(pk=upload_id).exists():
        raise RuleBroken("not-found", "That file is gone; send it again.")
    upload = lock_one(Upload, upload_id)
    refuse_asked(upload)
    return enter_upload(upload, actor=actor, only_good=only_good)


def refuse_asked(upload: Upload) -> None:
    """Somebody has imported the file, or asked a worker to do it."""
    if upload.applied_at is not None:
        raise RuleBroken("imported-already", "That file has been imported already.")
    if upload.is_asked_for:
        raise RuleBroken("import-asked-for", "That file is being imported; look how far it is.")


def check_plan(tournament: Tournament, plan: Plan, *, only_good: bool) -> None:
    """The file can be entered now; otherwise `RuleBroken` says why not."""
    if tournament.state != TournamentState.REGISTRATION:
        raise RuleBroken(
            "registration-closed", f"{tournament.name} is {tournament.state}, not at registration."
        )
    wrong = len(plan.wrong)
    if wrong and not only_good:
        raise RuleBroken(
            "rows-wrong",
            f"{wrong} row{' is' if wrong == 1 else 's are'} wrong; mend them or import the good ones.",
        )
    if not plan.entered:
        raise RuleBroken("nothing-to-import", "No row of the file can be imported.")


def enter_upload(upload: Upload, *, actor: Actor, only_good: bool, told: Told = tell_nobody) -> list[Team]:
    """The teams of the file are in, inside the transaction that has locked the upload."""
    tournament = upload.tournament = lock_one(Tournament, _tournament_of(upload).pk)
    plan = plan_of(upload, told)
    check_plan(tournament, plan, only_good=only_good)
    try:
        with transaction.atomic():
            teams, made = _make(tournament, source_of(upload), plan, told)
    except IntegrityError as error:
        raise RuleBroken(
            "entered-meanwhile",
            "Somebody else entered one of these people at the same moment. Try again.",
        ) from error
    _note_done(upload, teams)
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.TEAMS_IMPORTED,
        actor=actor,
        subject=f"upload:{upload.pk}",
        after={"teams": [team.pk for team in teams], "new_players": made, "left_out": len(plan.wrong)},
    )
    return teams


def _tournament_of(upload: Upload) -> Tournament:
    """Whose teams they are; a tournament file is no list of teams."""
    if upload.tournament is None:
        raise RuleBroken("no-list", "That file is no list of teams.")
    return upload.tournament


def source_of(upload: Upload) -> str:
    """Which system the file's ids come from."""
    return str(upload.choices.get("source", ""))[:40]


def _note_done(upload: Upload, teams: Sequence[Team]) -> None:
    """What came of the file is known; what stood in it is not kept."""
    upload.applied_at, upload.body, upload.choices, upload.error = now(), b"", {}, ""
    upload.entered = len(teams)
    upload.waitlisted = sum(team.state == TeamState.WAITLISTED for team in teams)
    upload.save(update_fields=["applied_at", "body", "choices", "error", "entered", "waitlisted"])


def _find_people(store_id: int, upload: Upload, rows: Iterable[PlannedRow]) -> None:
    """Each person is found by id, or asked about by e-mail and then by name; an answer settles it."""
    people = [(row, person) for row in rows for person in row.people]
    known = Player.objects.filter(store_id=store_id, erased_at=None)
    source = source_of(upload)
    ids = {person.external_id for _, person in people if person.external_id}
    by_id = {p.external_id: p for p in known.filter(source=source, external_id__in=ids)}
    by_mail: dict[str, list[Player]] = defaultdict(list)
    by_name: dict[str, list[Player]] = defaultdict(list)
    sought = [person for _, person in people if person.external_id not in by_id]
    mails = {person.email.casefold() for person in sought if person.email}
    if mails:
        for found in known.annotate(mail=Lower("contact")).filter(mail__in=mails):
            by_mail[found.contact.casefold()].append(found)
    if sought:
        for player in known.filter(folded__in={folded(person.name) for person in sought}):
            by_name[player.folded].append(player)
    answers = upload.choices.get("answers", {})
    new: dict[str, tuple[int, PlannedPerson]] = {}
    for row, person in people:
        person.known = by_id.get(person.external_id) if person.external_id else None
        if person.known is not None:
            continue
        alike = by_mail.get(person.email.casefold(), []) if person.email else []
        alike = alike or by_name.get(folded(person.name), [])
        answer = str(answers.get(f"{row.number}-{person.label}", ""))
        if not alike:
            first, twin = new.setdefault(folded(person.name), (row.number, person))
            if twin is not person and not twin.is_surely_not(person):
                _ask_of_twin(row, person, first, answer)
            continue
        person.asked = tuple((player.pk, f"{player.name} ({told_by(player)})") for player in alike)
        person.known = next((player for player in alike if str(player.pk) == answer), None)
        person.is_answered = person.known is not None or answer == NEW
        if not person.is_answered:
            row.errors.append(f"Is {person.name} the {alike[0].name} you know? Choose.")


def _ask_of_twin(row: PlannedRow, person: PlannedPerson, first: int, answer: str) -> None:
    """A new name that stands in the file twice is one person, whose row is wrong, or said to be another."""
    person.asked = ((TWIN, f"the same person as in row {first}"),)
    person.is_answered = answer == NEW
    if not person.is_answered:
        more = "" if answer == str(TWIN) else " Is it somebody else? Choose."
        row.errors.append(f"{person.name} stands in row {first} already.{more}")


def _look_across(tournament: Tournament, rows: Sequence[PlannedRow]) -> None:
    """Rows that name one person, seed or id twice say so, and so do those whose people play already."""
    live = Seat.objects.filter(tournament=tournament, is_live=True, is_reserve=False)
    team_of = dict(live.values_list("player_id", "team_id"))
    members: dict[int, set[int]] = defaultdict(set)
    for player, team in team_of.items():
        members[team].add(player)
    taken = Team.objects.filter(tournament=tournament, seed__isnull=False).exclude(state=TeamState.WITHDRAWN)
    seen: dict[object, int] = {("seed", seed): 0 for seed in taken.values_list("seed", flat=True)}
    for row in rows:
        ids = [person.known.pk for person in row.people if person.known]
        home = team_of.get(ids[0]) if ids else None
        if home is not None and len(ids) == len(row.people) and members[home] == set(ids):
            row.is_in_already = True
            row.errors.clear()
        keys: list[tuple[str, object, str]] = [("player", pk, "This person") for pk in ids]
        keys += [("id", p.external_id, f"The id {p.external_id}") for p in row.people if p.external_id]
        keys += [("seed", row.seed, f"Seed {row.seed}")] if row.seed and not row.is_in_already else []
        for kind, key, words in keys:
            first = seen.setdefault((kind, key), row.number)
            if first != row.number or (kind != "seed" and [k[:2] for k in keys].count((kind, key)) > 1):
                where = f"in row {first}" if first else "in the tournament"
                row.errors.append(f"{words} stands {where} already.")
        is_settled = all(person.is_answered for person in row.people)
        for person in row.people:
            if is_settled and person.known and person.known.pk in team_of and not row.is_in_already:
                row.errors.append(f"{person.name} already plays in another team.")


def _make(tournament: Tournament, source: str, plan: Plan, told: Told) -> tuple[list[Team], int]:
    """The people and teams of every row that is taken, chunk by chunk; with the number of new people."""
    states = _states(tournament, plan.good)
    teams: list[Team] = []
    first, new = next_number(tournament), 0
    rows = plan.entered
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        new += _make_people(tournament.store_id, source, chunk)
        good = [row for row in chunk if row.is_good]
        numbered = [(first + len(teams) + place, states[id(row)], row) for place, row in enumerate(good)]
        teams += _make_teams(tournament, numbered)
        told(ENTERED, start + len(chunk), len(rows))
    return teams, new


def _states(tournament: Tournament, rows: Sequence[PlannedRow]) -> dict[int, TeamState]:
    """Who has a place and who waits for one, in the order of the rows."""
    pairs = [row for row in rows if not row.is_solo]
    room = len(pairs)
    if tournament.capacity is not None:
        room = max(0, tournament.capacity - places_taken(tournament))
    waits = {id(row) for row in pairs[room:]}
    return {id(row): TeamState.WAITLISTED if id(row) in waits else TeamState.REGISTERED for row in rows}


def _make_people(store_id: int, source: str, rows: Iterable[PlannedRow]) -> int:
    """Everybody of the rows is known to the store, with what the file says of him; how many are new."""
    new: list[Player] = []
    changed: dict[int, Player] = {}
    for row in rows:
        for person in row.people:
            if person.known is None:
                shown = clean_name(person.name, "player's name")
                person.known = Player(store_id=store_id, name=shown, folded=folded(shown))
                _learn(person.known, person, source)
                new.append(person.known)
            elif _learn(person.known, person, source):
                changed[person.known.pk] = person.known
    Player.objects.bulk_create(new)
    # An insert that meets the row it is: many times faster than an update with a case for each row.
    Player.objects.bulk_create(
        changed.values(), update_conflicts=True, unique_fields=["id"], update_fields=LEARNED
    )
    return len(new)


def _learn(known: Player, person: PlannedPerson, source: str) -> bool:
    """The player is as the file says; whether anything of it is new."""
    before = [getattr(known, name) for name in LEARNED]
    if person.external_id:
        known.source, known.external_id = source, person.external_id
    known.contact = person.email or known.contact
    known.display_name = person.display_name or known.display_name
    return before != [getattr(known, name) for name in LEARNED]


def _make_teams(tournament: Tournament, rows: Sequence[tuple[int, TeamState, PlannedRow]]) -> list[Team]:
    at = now()
    teams = Team.objects.bulk_create(
        Team(
            tournament=tournament,
            number=number,
            name=clean_name(row.team, "team name") if row.team else "",
            lot=lot_of(tournament, number),
            state=state,
            is_solo=row.is_solo,
            group=row.group,
            seed=row.seed,
            registered_at=at,
        )
        for number, state, row in rows
    )
    if teams:
        members = [{p.label: p.known.pk for p in row.people if p.known} for _, _, row in rows]
        seats.seat_many(teams, members)
    ByeGrant.objects.bulk_create(
        ByeGrant(team=team, round_number=row.bye, reason=ByeGrant.Reason.AWARDED)
        for team, (_, _, row) in zip(teams, rows, strict=True)
        if row.bye
    )
    return teams
