"""What teammates may tell and show each other, by mode."""

from dataclasses import dataclass

from rulebook.modes import Mode
from rulebook.modes.blanks import Formation


@dataclass(frozen=True)
class Permission:
    """One thing teammates might do: allowed or not, and the words for the rules desk."""

    key: str
    is_allowed: bool
    sentence: str


def permissions(mode: Mode) -> tuple[Permission, ...]:
    """What teammates may do during their match; empty where nobody has a teammate."""
    if mode.players_per_side == 1 and mode.formation is not Formation.ONE_AGAINST_THE_REST:
        return ()
    rules = mode.communication
    asked = (
        ("talk", rules.may_talk, "Teammates may talk to each other, in reasonable time."),
        ("show", rules.may_show_hidden, "Teammates may show each other hidden cards."),
        (
            "act",
            rules.may_act_when_invited,
            "A teammate may play a card at the invitation of the player whose priority it is.",
        ),
        (
            "secrets",
            mode.formation is not Formation.TEAM_OF_BOARDS,
            "Who knows a secret of a running game may tell it to the teammate who plays in it.",
        ),
        (
            "opponents",
            False,
            "Nobody has to tell opponents what is hidden, and bluffing about it is allowed.",
        ),
    )
    return tuple(Permission(key, allowed, _told(key, allowed, sentence)) for key, allowed, sentence in asked)


def advice_is_assistance(mode: Mode) -> bool:
    """Advice of a teammate during a game counts as outside help: never where both play the same game."""
    return mode.formation is Formation.TEAM_OF_BOARDS and not mode.communication.may_talk


def _told(key: str, is_allowed: bool, sentence: str) -> str:
    if is_allowed or key == "opponents":
        return sentence
    return sentence.replace(" may ", " may not ", 1)
