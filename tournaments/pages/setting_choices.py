"""What the fields of a tournament's settings offer, and what follows from a choice."""

from journal.zones import known_zones
from rulebook import modes, policies
from rulebook.deck_formats import FORMATS, format_for, format_of
from rulebook.modes import MODES, Mode
from rulebook.modes.blanks import Game, PlayoffChooser
from rulebook.options import OPTIONS
from rulebook.pairing.pod_sizes import POD_POLICIES
from rulebook.penalties import MIXED_BEFORE_GAME_LOSS, SAME_BEFORE_GAME_LOSS, Play, lateness
from tournaments.bracket_plan import CUTS
from tournaments.models import Tournament

A_LITTLE_LATE = 5  # minutes


def mode_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The play modes by game."""
    games: dict[str, list[tuple[str, str]]] = {}
    for key, name in modes.choices():
        games.setdefault(MODES[key].game.value.capitalize(), []).append((key, name))
    return list(games.items())


def mode_cards() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Key, name and a line about each play mode, by game."""
    return [
        (game, [(key, name, _in_short(MODES[key])) for key, name in rows]) for game, rows in mode_choices()
    ]


def cut_choices() -> list[tuple[int, str]]:
    return [(size, f"top {size}" if size else "no cut") for size in CUTS]


def cut_method_choices(mode: Mode | None) -> list[tuple[str, str]]:
    """Every elimination; empty is what the mode says."""
    usual = "playoff pods of four" if mode and mode.sides > 2 else "single elimination"
    return [("", f"usual: {usual}" if mode else "as the mode says"), *Tournament.CutMethod.choices]


def best_of_choices(mode: Mode | None) -> list[tuple[object, str]]:
    usual = f"as the mode says: best of {mode.best_of}" if mode else "as the mode says"
    return [("", usual), *((n, str(n)) for n in (1, 3, 5, 7, 9))]


def policy_choices(mode: Mode | None) -> list[tuple[str, str]]:
    """Every standings policy, those from second hand marked; empty is what the game says."""
    usual = ""
    if mode is not None:
        usual = policy_name("riftbound" if mode.game is Game.RIFTBOUND else "magic")
    return [
        ("", f"as the game says: {usual}" if usual else "as the game says"),
        *((key, policy_name(key)) for key, _ in policies.choices()),
    ]


def cut_policy_choices() -> list[tuple[str, str]]:
    return [("", "by seed"), *((key, policy_name(key)) for key, _ in policies.choices())]


def policy_name(key: str) -> str:
    policy = policies.policy_of(key)
    return policy.name if policy.verified else f"{policy.name} (not verified)"


def policy_notes() -> list[tuple[str, str, bool]]:
    """Name, what is known of it and whether it is verified, for every policy."""
    return [(one.name, one.note or one.citation, one.verified) for one in policies.POLICIES.values()]


def pod_choices(mode: Mode | None) -> list[tuple[str, str]]:
    """How a field may be cut into pods."""
    return [("", "as the mode says"), *((policy.key, policy.name) for policy in POD_POLICIES.values())]


def deck_format_choices(mode: Mode | None) -> list[tuple[str, str]]:
    """What a deck list may be checked by; empty is what the mode says."""
    usual = f"as the mode says: {format_of(format_for(mode)).name}" if mode else "as the mode says"
    fits = [one for one in FORMATS.values() if mode is None or one.key.startswith(mode.game.value)]
    return [("", usual), *((one.key, f"{one.name}, {one.edition}") for one in fits)]


def every_option() -> list[tuple[str, str]]:
    """All options laid over some mode."""
    return [(one.key, one.name) for one in OPTIONS.values()]


def zones() -> list[str]:
    """Every time zone by name, continents first."""
    named = (zone for zone in known_zones() if "/" in zone and not zone.startswith("Etc/"))
    return [*sorted(named), "UTC"]


def what_follows(mode: Mode) -> tuple[list[str], dict[str, list[str]]]:
    """What holds in the mode at every rules level, and what follows from each; each thing one sentence."""
    of_level = {
        play.value: [
            said for said in (_late(mode, play), _warnings(mode, play), _playoff(mode, play)) if said
        ]
        for play in Play
    }
    same = [said for said in of_level[Play.CASUAL] if all(said in told for told in of_level.values())]
    return same, {level: [said for said in told if said not in same] for level, told in of_level.items()}


def _late(mode: Mode, play: Play) -> str:
    given = lateness(mode.game, A_LITTLE_LATE, play).level
    words = given.value.replace("-", " ") if given else "nothing"
    return f"Who comes {A_LITTLE_LATE} minutes late gets a {words}."


def _warnings(mode: Mode, play: Play) -> str:
    if mode.game is not Game.RIFTBOUND:
        return ""
    mixed = MIXED_BEFORE_GAME_LOSS.get(play)
    more = f", or {mixed} of any kind," if mixed else ""
    return f"The {SAME_BEFORE_GAME_LOSS}rd warning for the same thing{more} is a game loss."


def _playoff(mode: Mode, play: Play) -> str:
    if mode.playoff_chooser is PlayoffChooser.HIGHER_SEED:
        return "In the playoff the higher seed chooses who starts game one."
    if mode.playoff_chooser is not PlayoffChooser.HIGHER_SEED_AT_HIGH_LEVEL:
        return ""
    if play.is_high:
        return "In the playoff the higher seed chooses who starts game one."
    return "In the playoff, as before, it is drawn who chooses who starts game one."


def _in_short(mode: Mode) -> str:
    """Who sits at a table, in a line."""
    if mode.sides > 2:
        fewest, most = mode.fewest_sides, mode.most_sides
        size = str(mode.sides) if fewest == most else f"{fewest} to {most}"
        who = f"pods of {size} players"
    elif mode.players_per_side == 1:
        who = "one against one"
    else:
        who = f"teams of {mode.players_per_side}, seats {' and '.join(mode.labels)}"
        if len(mode.labels) > 2:
            who = f"teams of {mode.players_per_side}, each at a board of its own"
    return f"{who}, best of {mode.best_of}"
