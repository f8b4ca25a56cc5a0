"""Sentences of the rulebook and the services that a player reads, listed where makemessages finds them."""

from django.utils.translation import gettext_noop as _

PATTERNS: tuple[str, ...] = (_("Round %(number)s"),)
ALWAYS_SAID: frozenset[str] = frozenset()
