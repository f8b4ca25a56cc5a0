"""The texts of the players' pages in every language: none missing, none in doubt, and compiled as written."""

import ast
import gettext
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation.template import templatize

from rulebook.communication import permissions
from rulebook.modes import MODES
from rulebook.pairing.bracket_tables import BracketKind, bracket_table
from rulebook.setup import Table, setup_sheet
from rulebook.terms import terms_for
from rulebook.tiebreakers import TIEBREAKERS
from rulebook.turns import OpeningBy, opening_for, options_of
from rulebook.withdrawals import Leaving, Moment, effect_of
from scripts.messages import IGNORED
from tournaments.pages.said import said

ROOT = Path(settings.BASE_DIR)
ROOMS = ("config", "integrations", "matches", "notices", "teams", "tournaments")
CODES = [code for code, _ in settings.LANGUAGES if code != "en"]
STRING = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
IN_TEMPLATE = re.compile(rf"\b(?:_|gettext)\(u?{STRING}\)")
PLURAL_IN_TEMPLATE = re.compile(rf"\bngettext\(u?{STRING}, ?u?{STRING}")
FACT = re.compile(r"%\(\w+\)s|\{\w+\}")
Entry = dict[str, str]


def entries(code: str) -> Iterator[Entry]:
    """Each text of the .po file with all its fields; the flags under "flags"."""
    path = ROOT / "locale" / code / "LC_MESSAGES" / "django.po"
    for block in path.read_text().split("\n\n"):
        entry: Entry = {"flags": ""}
        field = ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry["flags"] += line
                continue
            name, quote, text = line.partition('"')
            field = name.strip() or field
            entry[field] = entry.get(field, "") + ast.literal_eval(quote + text)
        yield entry


@cache
def catalog(code: str) -> Mapping[tuple[str, str], Entry]:
    """By context and English text."""
    return {(one.get("msgctxt", ""), one["msgid"]): one for one in entries(code)}


@cache
def asked() -> frozenset[str]:
    """Every text that a template or a module of the rooms wants translated."""
    found: set[str] = set()
    for path in (ROOT / "templates").rglob("*.html"):
        if path.relative_to(ROOT).as_posix().startswith(tuple(f"{one}/" for one in IGNORED)):
            continue
        told = templatize(path.read_text(), origin=str(path))
        found |= {ast.literal_eval(one) for one in IN_TEMPLATE.findall(told)}
        found |= {ast.literal_eval(one) for one, _ in PLURAL_IN_TEMPLATE.findall(told)}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        source = path.read_text()
        if "django.utils.translation" in source:
            found |= set(_wrapped(ast.parse(source)))
    return frozenset(found)


def _wrapped(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        at = {"_": 0, "gettext": 0, "pgettext": 1}.get(node.func.id)
        text = node.args[at] if at is not None else None
        if isinstance(text, ast.Constant):
            yield text.value


@pytest.mark.parametrize("code", CODES)
def test_no_text_of_the_players_pages_is_missing_or_in_doubt(code: str) -> None:
    known = {text for _, text in catalog(code)}
    assert len(asked()) > 600
    assert not asked() - known, "run `make messages` and translate what is new"
    doubts = [
        one["msgid"]
        for one in catalog(code).values()
        if "fuzzy" in one["flags"] or any(not text for name, text in one.items() if name.startswith("msgstr"))
    ]
    assert not doubts


@pytest.mark.parametrize("code", CODES)
def test_a_translation_fills_in_the_same_facts(code: str) -> None:
    wrong = [
        one["msgid"]
        for one in catalog(code).values()
        for name, text in one.items()
        if name.startswith("msgstr") and one["msgid"]
        if set(FACT.findall(text)) not in _facts(one, name)
    ]
    assert not wrong


def _facts(one: Entry, name: str) -> list[set[str]]:
    """What the translation may fill in; one of a thing needs no number where English has none."""
    whole = set(FACT.findall(one.get("msgid_plural") or one["msgid"]))
    return [whole, set(FACT.findall(one["msgid"]))] if name == "msgstr[0]" else [whole]


@pytest.mark.parametrize("code", CODES)
def test_the_compiled_texts_are_those_of_the_source(code: str) -> None:
    with (ROOT / "locale" / code / "LC_MESSAGES" / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    written: dict[object, str] = {}
    for (context, text), one in catalog(code).items():
        key = f"{context}\x04{text}" if context else text
        for name, told in one.items():
            if name.startswith("msgstr["):
                written[key, int(name[7])] = told
            elif name == "msgstr":
                written[key] = told
    assert compiled == written, "run `make messages`"


def _sheet_lines() -> Iterator[str]:
    for mode in MODES.values():
        terms = terms_for(mode)
        terms = terms.on_board(terms.boards[0])
        by = OpeningBy.RANDOM if options_of(terms, 0) else OpeningBy.FIXED
        opening = opening_for(terms, chooser=0 if by is OpeningBy.RANDOM else None, by=by)
        for game in (1, 2):
            for step in setup_sheet(mode, (), Table(), opening, game=game).steps:
                yield step.title
                yield from (line.text for line in step.lines)


def test_what_the_rulebook_says_to_players_is_said_in_every_language() -> None:
    texts = {one.explanation for one in TIEBREAKERS.values()} | set(_sheet_lines())
    texts |= {one.sentence for mode in MODES.values() for one in permissions(mode)}
    texts |= {effect_of(Leaving.DROP, moment, sides=sides).sentence for moment in Moment for sides in (2, 4)}
    for kind in BracketKind:
        for entrants in (8,) if kind is BracketKind.DRAFT else (4, 7, 16):
            table = bracket_table(kind, entrants)
            texts |= {*table.waves, *(spot.label for spot in table.spots)}
    with translation.override("ja"):
        english = [text for text in texts if re.search(r"[a-z]{4,}", said(text).replace("Riftbound", ""))]
    assert not english


def test_facts_and_names_inside_a_sentence_stay_as_they_are() -> None:
    with translation.override("de"):
        assert (
            said("Table 3 has no open report; call a judge.")
            == "Tisch 3 hat keine offene Meldung; ruf einen Judge."
        )
        assert said("Both have 1 point and have not met before.").startswith("Beide haben 1 Punkt und")
        assert said("Runaway is entered already. If you are a namesake, add your town or club.").startswith(
            "Runaway ist"
        )
        assert said("Nobody has written this.") == "Nobody has written this."
