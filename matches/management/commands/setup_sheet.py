"""manage.py setup_sheet: the set-up of one game, printed."""

import json
from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.declaring import declared_from
from rulebook.declared import Declared
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import FirstChooser
from rulebook.setup import SetupSheet, Table, setup_sheet
from rulebook.terms import Terms, terms_for
from rulebook.turns import (
    Opening,
    OpeningBy,
    PlayedGame,
    check_one_board,
    chooser_after,
    first_chooser,
    opening_for,
    options_of,
    starting_with,
)

SIDES = {"first": 0, "second": 1, "third": 2, "fourth": 3}


class Command(BaseCommand):
    help = "Print the ordered steps of a table's set-up, with seats filled in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mode", required=True, help="key of the play mode, e.g. riftbound-2v2")
        parser.add_argument(
            "--option", action="append", default=[], help="an option laid over it, e.g. planechase"
        )
        parser.add_argument("--sides", type=int, help="how many sides play, where the mode leaves it open")
        parser.add_argument("--board", help="the board of a team match, e.g. B in trios")
        parser.add_argument("--game", type=int, default=1, help="the number of the game in its match")
        parser.add_argument("--lost", choices=SIDES, help="the side that lost the game before")
        parser.add_argument("--chooser", choices=SIDES, help="the side that won the roll in game one")
        parser.add_argument("--starts", help="the position that takes the first turn, e.g. 2B")
        parser.add_argument(
            "--seed", type=int, default=1, help="draws the chooser of game one where none is given"
        )
        parser.add_argument("--drawn", action="store_true", help="the game before was drawn")
        parser.add_argument(
            "--declared", default="{}", help='what players bring, as JSON: {"1A": {"companions": ["Lurrus"]}}'
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            sheet = self._sheet(given)
        except RuleBroken as refused:
            raise CommandError(refused.sentence) from refused
        if given["format"] == "json":
            self.stdout.write(json.dumps(sheet.as_dict(), ensure_ascii=False, indent=2))
            return
        self.stdout.write(f"{sheet.mode} ({sheet.edition}), game {sheet.game}: {' '.join(sheet.order)}")
        for step in sheet.steps:
            self.stdout.write(f"{step.number}. {step.title}")
            for line in step.lines:
                self.stdout.write(f"   {line.position + ': ' if line.position else ''}{line.text}")

    def _sheet(self, given: dict[str, Any]) -> SetupSheet:
        mode = mode_of(given["mode"])
        terms = terms_for(mode, sides=given["sides"])
        if given["board"] is not None:
            terms = terms.on_board(given["board"])
        check_one_board(terms)
        if given["game"] < 1:
            raise RuleBroken("wrong-game", "Games are numbered from 1.")
        if given["game"] > 1 and given["lost"] is None and not given["drawn"] and terms.sides == 2:
            raise RuleBroken("loser-missing", "Say which side lost the game before: --lost first, or second.")
        opening = _opening(terms, mode.first_chooser is FirstChooser.FIRST_SIDE_STARTS, given)
        declared = _declared(given["declared"])
        return setup_sheet(mode, given["option"], Table(), opening, declared, game=given["game"])


def _opening(terms: Terms, nobody_chooses: bool, given: dict[str, Any]) -> Opening:
    """Who chose by the arguments, and the option of the chooser that lets --starts take the first turn."""
    starts = given["starts"]
    order = starting_with(terms, starts) if starts else None
    if nobody_chooses:
        fixed = opening_for(terms, chooser=None, by=OpeningBy.FIXED)
        if order not in (None, fixed.order):
            raise RuleBroken("unknown-option", f"Nobody chooses in this mode: {fixed.order[0]} starts.")
        return fixed
    if given["drawn"] and given["game"] > 1:
        return _after_draw(terms, order, given)
    chosen = given["lost"] if given["game"] > 1 else given["chooser"]
    if chosen:
        by = OpeningBy.LOSER if given["game"] > 1 else OpeningBy.AGREED
        choosers: list[int | None] = [SIDES[chosen]]
    else:
        drawn, by = first_chooser(terms, rng=Random(given["seed"]))
        choosers = [drawn, *range(terms.sides)] if starts and drawn is not None else [drawn]
    return _by_option(terms, choosers, by, order)


def _after_draw(terms: Terms, order: tuple[str, ...] | None, given: dict[str, Any]) -> Opening:
    """After a drawn game the order of --starts is kept, or --chooser chooses again, by the mode."""
    if order is None:
        raise RuleBroken("order-missing", "Say who took the first turn of the drawn game: --starts 1A.")
    who = SIDES[given["chooser"]] if given["chooser"] else None
    drawn = Opening(who, OpeningBy.AGREED, None, order, is_default=False)
    right = chooser_after(terms, PlayedGame(drawn, None, is_draw=True))
    if right.order is not None:
        return opening_for(terms, chooser=None, by=right.by, order=right.order)
    if right.chooser is None:
        raise RuleBroken(
            "chooser-missing", "Say which side chose before the drawn game: --chooser first, or second."
        )
    return _by_option(terms, [right.chooser], right.by, order)


def _declared(text: str) -> dict[str, Declared]:
    try:
        told = json.loads(text)
        return {str(position): declared_from(brings) for position, brings in told.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise RuleBroken("unreadable-declaration", "Write --declared as JSON by position.") from error


def _by_option(
    terms: Terms, choosers: list[int | None], by: OpeningBy, order: tuple[str, ...] | None
) -> Opening:
    """The opening in `order` by the first of `choosers` who may have chosen it."""
    if order is None:
        return opening_for(terms, chooser=choosers[0], by=by)
    for chooser in choosers:
        options = options_of(terms, chooser) if chooser is not None else ()
        for option in options:
            opening = opening_for(terms, chooser=chooser, by=by, option=option.key)
            if opening.order == order:
                return opening
    raise RuleBroken(
        "unknown-option",
        f"Side {(choosers[0] or 0) + 1} cannot let {order[0]} start; it takes the first turn or the last.",
    )
