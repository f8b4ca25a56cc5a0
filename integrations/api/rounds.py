"""Deeds on rounds."""

from integrations.api.answers import ROUND_TOLD
from integrations.api.fields import Because
from integrations.api.operations import Operation
from integrations.api.places import ROUND
from integrations.scopes import Scope
from tournaments.rounds import publish_round, scrap_round
from tournaments.staff import Can

ROUNDS = [
    Operation(
        name="rounds_publish",
        path="rounds/<int:pk>/publish/",
        scope=Scope.ROUNDS_WRITE,
        can=Can.PAIR,
        place=ROUND,
        run=lambda call: publish_round(round_id=call.row.pk, actor=call.actor),
        answer=ROUND_TOLD,
        says="Everybody sees the pairings of the round.",
    ),
    Operation(
        name="rounds_scrap",
        path="rounds/<int:pk>/scrap/",
        scope=Scope.ROUNDS_WRITE,
        can=Can.PAIR,
        place=ROUND,
        body=Because,
        run=lambda call: scrap_round(round_id=call.row.pk, actor=call.actor, **call.data),
        answer=ROUND_TOLD,
        says="The round counts for nothing.",
        example={"reason": "paired with a team too many"},
    ),
]
