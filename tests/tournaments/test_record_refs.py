"""Whatever a deed or a row tells by an id is known to the tournament's file."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from tests.conftest import ROOMS_WITH_ROWS
from tournaments.models import Tournament
from tournaments.record_refs import DEED_KEYS
from tournaments.record_sections import SECTIONS

ROOT = Path(__file__).resolve().parents[2]
DOORS = {"migrations", "pages", "admin", "api", "management"}
# Keys of a deed's before and after whose numbers are ids in some deeds only; the file knows which.
SOMETIMES = {"teams", "places", "voided", "made", "round"}
# Keys under which no id stands: numbers, counts, states and words.
PLAIN = {
    "absent", "after_round", "board", "chooser", "code", "deeds", "due_at", "ended_by", "ends_at",
    "entered_round", "extension_s", "fields", "game", "given", "given_back_s", "group",
    "held_minutes", "held_s", "is_owed", "kind", "left_out", "left_round", "level", "match_state",
    "minutes", "missing_tables", "mode", "moment", "new_players", "not_checked_in", "number",
    "pair_downs", "place", "position", "publish_at", "reason", "rematches", "repair", "role",
    "round_state", "rows", "seat", "seed", "shifts", "sits_out", "size", "standings", "state",
    "status", "table", "tables", "solos", "what", "winner", "wins", "draws",
}  # fmt: skip
# Models of a tournament that stay out of its file, as docs/tournament-file.md says.
NOT_IN_FILE = {"Head", "Staff", "Invitation", "SignUp", "Upload", "Link", "Decklist", "Entry"}
RECORDS = ("journal", "teams", "matches", "tournaments")


def keys_in(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Dict):
            yield from (key.value for key in one.keys if isinstance(key, ast.Constant))


def keys_told() -> Iterator[tuple[str, str]]:
    """Every key that is written into a deed's before or after, with the file that does."""
    for room in (*ROOMS_WITH_ROWS, "tournaments"):
        for path in (ROOT / room).rglob("*.py"):
            if DOORS.isdisjoint(path.parts):
                for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    if isinstance(function, ast.FunctionDef):
                        yield from ((key, path.name) for key in _told_in(function))


def _told_in(function: ast.FunctionDef) -> Iterator[str]:
    """The keys inside before=, after= and deeds=, and of the dicts that are named there."""
    calls = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
    told = [w.value for call in calls for w in call.keywords if w.arg in ("before", "after", "deeds")]
    names = {one.id for value in told for one in ast.walk(value) if isinstance(one, ast.Name)}
    for one in ast.walk(function):
        if isinstance(one, ast.Assign | ast.AnnAssign) and one.value is not None:
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            if any(getattr(target, "id", "") in names for target in targets):
                told.append(one.value)
    for value in told:
        yield from keys_in(value)


def test_every_key_of_a_deed_is_known_as_an_id_or_as_none() -> None:
    told = set(keys_told())
    assert len(told) > 60
    known = {*DEED_KEYS, *SOMETIMES, *PLAIN}
    unknown = sorted(one for one in told if one[0] not in known)
    assert not unknown, "is it an id (tournaments/record_refs.py) or a plain value (PLAIN here)?"
    assert not PLAIN & DEED_KEYS.keys()


def test_every_model_of_a_tournament_is_in_its_file_or_said_not_to_be() -> None:
    in_file = {section.model.__name__ for section in SECTIONS}
    owned = {"Tournament"}
    models = [model for room in RECORDS for model in apps.get_app_config(room).get_models()]
    for _ in range(6):
        for model in models:
            keys = [field.related_model for field in model._meta.concrete_fields if field.related_model]
            if any(getattr(key, "__name__", "") in owned for key in keys):
                owned.add(model.__name__)
    assert Tournament.__name__ in owned
    assert owned - {"Tournament"} == in_file | NOT_IN_FILE
    assert not in_file & NOT_IN_FILE
