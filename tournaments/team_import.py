"""Teams from a file: planned row by row, asked about where a person may be known, entered in one deed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

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
from tournaments.team_file import Table, guess_columns, read_table

NEW = "new"
# What becomes of a row in which a teammate is missing.
WRONG, INCOMPLETE, SOLO = "", "incomplete", "solo"


@dataclass(slots=True)
class PlannedPerson:
    """One person of a row: who the store knows him as, or the question whether it does."""

    label: str
    name: str
    external_id: str = ""
    email: str = ""
    display_name: str = ""
    known: Player | None = None
    asked: tuple[tuple[int, str], ...] = ()
    is_answered: bool = True


@dataclass(slots=True)
class PlannedRow:
    """One row: what it would enter, and every reason why it cannot."""

    number: int
    team: str
    people: list[PlannedPerson]
    group: str = ""
    seed: int | None = None
    bye: int | None = None
    is_solo: bool = False
    lacks: tuple[str, ...] = ()
    errors: list[str] = field(default_factory=list)
    is_in_already: bool = False

    @property
    def is_good(self) -> bool:
        return not self.errors and not self.is_in_already


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole file against what the store and the tournament know."""

    table: Table
    columns: Mapping[str, int]
    rows: list[PlannedRow]

    @property
    def good(self) -> list[PlannedRow]:
        return [row for row in self.rows if row.is_good]

    @property
    def wrong(self) -> list[PlannedRow]:
        return [row for row in self.rows if row.errors]


def plan_of(upload: Upload) -> Plan:
    """What the file would enter now, in a fixed number of queries; nothing is changed."""
    tournament = upload.tournament
    labels = modes.mode_of(tournament.mode).labels
    table = read_table(bytes(upload.body))
    guessed = guess_columns(table.head, labels)
    chosen = upload.choices.get("columns")
    columns = guessed if chosen is None else dict(chosen)
    rows = [_row(number, cells, columns, labels, tournament) for number, cells in table.rows]
    _settle_missing(rows, labels, str(upload.choices.get("missing", WRONG)))
    _find_people(tournament.store_id, upload, rows)
    _look_across(tournament, rows)
    return Plan(table, columns, rows)


@transaction.atomic
def apply_import(*, upload_id: int, actor: Actor, only_good: bool = False) -> list[Team]:
    """The teams of the file are in, in one deed; with a wrong row none is, unless `only_good`.

    People found again keep their row and learn the file's ids; those beyond the capacity wait.
    """
    found = Upload.objects.filter(pk=upload_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "That file is gone; send it again.")
    tournament = lock_one(Tournament, found)
    upload = Upload.objects.get(pk=upload_id)
    if upload.applied_at is not None:
        raise RuleBroken("imported-already", "That file has been imported already.")
    if tournament.state != TournamentState.REGISTRATION:
        raise RuleBroken(
            "registration-closed", f"{tournament.name} is {tournament.state}, not at registration."
        )
    upload.tournament = tournament
    plan = plan_of(upload)
    if plan.wrong and not only_good:
        raise RuleBroken(
            "rows-wrong", f"{len(plan.wrong)} rows are wrong; mend them or import the good ones."
        )
    if not plan.good and not any(row.is_in_already for row in plan.rows):
        raise RuleBroken("nothing-to-import", "No row of the file can be imported.")
    made = _make_people(tournament.store_id, source_of(upload), plan.rows)
    teams = _make_teams(tournament, plan.good)
    upload.applied_at, upload.body, upload.choices = now(), b"", {}
    upload.save(update_fields=["applied_at", "body", "choices"])
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.TEAMS_IMPORTED,
        actor=actor,
        subject=f"upload:{upload.pk}",
        after={"teams": [team.pk for team in teams], "new_players": made, "left_out": len(plan.wrong)},
    )
    return teams


def source_of(upload: Upload) -> str:
    """Which system the file's ids come from."""
    return str(upload.choices.get("source", ""))[:40]


def _row(
    number: int,
    cells: Sequence[str],
    columns: Mapping[str, int],
    labels: Sequence[str],
    tournament: Tournament,
) -> PlannedRow:
    def cell(key: str) -> str:
        index = columns.get(key)
        return " ".join(cells[index].split()) if index is not None and index < len(cells) else ""

    row = PlannedRow(number, cell("team"), [], group=cell("group"))
    for label in labels:
        person = PlannedPerson(
            label,
            cell(f"name_{label}"),
            cell(f"id_{label}"),
            cell(f"email_{label}"),
            cell(f"display_{label}"),
        )
        if not person.name:
            row.lacks = (*row.lacks, label)
            continue
        row.people.append(person)
        row.errors.extend(_wrong_in(person))
    if row.team:
        row.errors.extend(_refusal(row.team, "team name"))
    if len(row.group) > 60:
        row.errors.append("Shorten the group to at most 60 characters.")
    row.seed = _whole(cell("seed"), "seed", 999_999, row.errors)
    row.bye = _whole(cell("bye"), "bye round", tournament.planned_rounds, row.errors)
    return row


def _settle_missing(rows: Iterable[PlannedRow], labels: Sequence[str], how: str) -> None:
    """A row that lacks a teammate is wrong, an incomplete team, or somebody who looks for a partner."""
    for row in rows:
        if not row.lacks:
            continue
        if how == WRONG or not row.people:
            row.errors[:0] = [
                f"The name of {label} is missing." if len(labels) > 1 else "The name is missing."
                for label in row.lacks
            ]
        row.is_solo = how == SOLO and len(row.people) == 1


def _wrong_in(person: PlannedPerson) -> list[str]:
    wrong = _refusal(person.name, "player's name")
    if person.display_name:
        wrong += _refusal(person.display_name, "public name")
    if len(person.external_id) > 80:
        wrong.append("Shorten the player id to at most 80 characters.")
    if person.email:
        try:
            validate_email(person.email)
        except ValidationError:
            wrong.append(f"{person.email} is no e-mail address.")
    return wrong


def _refusal(name: str, what: str) -> list[str]:
    try:
        clean_name(name, what)
    except RuleBroken as broken:
        return [broken.sentence]
    return []


def _whole(text: str, what: str, most: int, errors: list[str]) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= most:
        return int(text)
    errors.append(f"The {what} is a number from 1 to {most}, not {text[:20]}.")
    return None


def _find_people(store_id: int, upload: Upload, rows: Iterable[PlannedRow]) -> None:
    """Each person is found by id, or asked about by e-mail and then by name; an answer settles it."""
    people = [(row, person) for row in rows for person in row.people]
    known = Player.objects.filter(store_id=store_id, erased_at=None)
    source = source_of(upload)
    ids = {person.external_id for _, person in people if person.external_id}
    by_id = {p.external_id: p for p in known.filter(source=source, external_id__in=ids)}
    by_mail, by_name = defaultdict(list), defaultdict(list)
    mails = {person.email.casefold() for _, person in people if person.email}
    if mails:
        for player in known.exclude(contact=""):
            by_mail[player.contact.casefold()].append(player)
    for player in known.filter(folded__in={folded(person.name) for _, person in people}):
        by_name[player.folded].append(player)
    answers = upload.choices.get("answers", {})
    for row, person in people:
        person.known = by_id.get(person.external_id) if person.external_id else None
        if person.known is not None:
            continue
        alike = by_mail.get(person.email.casefold(), []) if person.email else []
        alike = alike or by_name.get(folded(person.name), [])
        if not alike:
            continue
        person.asked = tuple((player.pk, f"{player.name} ({told_by(player)})") for player in alike)
        answer = str(answers.get(f"{row.number}-{person.label}", ""))
        person.known = next((player for player in alike if str(player.pk) == answer), None)
        person.is_answered = person.known is not None or answer == NEW
        if not person.is_answered:
            row.errors.append(f"Is {person.name} the {alike[0].name} you know? Choose.")


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


def _make_people(store_id: int, source: str, rows: Iterable[PlannedRow]) -> int:
    """Everybody of the rows that go in is known to the store, with what the file says of him."""
    new, changed = [], []
    for row in rows:
        if row.errors:
            continue
        for person in row.people:
            if person.known is None:
                shown = clean_name(person.name, "player's name")
                person.known = Player(store_id=store_id, name=shown, folded=folded(shown))
                new.append(person.known)
            else:
                changed.append(person.known)
            if person.external_id:
                person.known.source, person.known.external_id = source, person.external_id
            person.known.contact = person.email or person.known.contact
            person.known.display_name = person.display_name or person.known.display_name
    Player.objects.bulk_create(new)
    Player.objects.bulk_update(changed, ["source", "external_id", "contact", "display_name"], batch_size=500)
    return len(new)


def _make_teams(tournament: Tournament, rows: Sequence[PlannedRow]) -> list[Team]:
    first, taken = next_number(tournament), places_taken(tournament)
    room = len(rows) if tournament.capacity is None else max(0, tournament.capacity - taken)
    waits = {id(row) for row in [row for row in rows if not row.is_solo][room:]}
    teams = Team.objects.bulk_create(
        Team(
            tournament=tournament,
            number=first + place,
            name=clean_name(row.team, "team name") if row.team else "",
            lot=lot_of(tournament, first + place),
            state=TeamState.WAITLISTED if id(row) in waits else TeamState.REGISTERED,
            is_solo=row.is_solo,
            group=row.group,
            seed=row.seed,
            registered_at=now(),
        )
        for place, row in enumerate(rows)
    )
    if teams:
        members = [{p.label: p.known.pk for p in row.people if p.known} for row in rows]
        seats.seat_many(teams, members)
    ByeGrant.objects.bulk_create(
        ByeGrant(team=team, round_number=row.bye, reason=ByeGrant.Reason.AWARDED)
        for team, row in zip(teams, rows, strict=True)
        if row.bye
    )
    return teams
