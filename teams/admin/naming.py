"""A name somebody typed becomes a player of the store."""

import re

from rulebook.errors import RuleBroken
from teams.models import Player
from teams.names import folded
from teams.people import add_player, namesakes

MARK = re.compile(r"^(?P<name>.*\S)\s+#(?P<mark>\d+|new)$", re.DOTALL)
SUGGESTED = 12


def player_named(store_id: int, text: str) -> Player:
    """The player meant by "Ann Smith": the one the store knows, or a new one if it knows none.

    "Ann Smith #12" is the known player 12 of that name, "Ann Smith #new" another person of the same name. A
    name that several players share is refused with their marks, since only a person can tell who is meant.
    """
    marked = MARK.match(text.strip())
    name = marked["name"] if marked else text
    known = namesakes(store_id, name)
    if marked and marked["mark"] == "new":
        return add_player(store_id=store_id, name=name)
    if marked:
        meant = [player for player in known if player.pk == int(marked["mark"])]
        if not meant:
            raise RuleBroken("unknown-player", f"The store knows no {name} with the mark #{marked['mark']}.")
        return meant[0]
    if len(known) > 1:
        marks = ", ".join(f"{player.name} #{player.pk}" for player in known)
        raise RuleBroken(
            "several-namesakes",
            f"{len(known)} players have that name: {marks}. Write the name with its mark, "
            f"or {name.strip()} #new for another person.",
        )
    return known[0] if known else add_player(store_id=store_id, name=name)


def suggestions(store_id: int, text: str) -> list[str]:
    """Names of known players that contain the text, as `player_named` reads them; namesakes carry a mark."""
    wanted = folded(text)
    if not wanted:
        return []
    found = list(
        Player.objects.filter(store_id=store_id, folded__contains=wanted, erased_at=None)[: SUGGESTED * 2]
    )
    found.sort(key=lambda player: (not player.folded.startswith(wanted), player.folded, player.pk))
    shared = _shared(store_id, found)
    return [
        f"{player.name} #{player.pk}" if player.folded in shared else player.name
        for player in found[:SUGGESTED]
    ]


def _shared(store_id: int, players: list[Player]) -> set[str]:
    names = Player.objects.filter(
        store_id=store_id, folded__in={player.folded for player in players}, erased_at=None
    ).values_list("folded", flat=True)
    seen: set[str] = set()
    return {name for name in names if name in seen or seen.add(name)}  # type: ignore[func-returns-value]
