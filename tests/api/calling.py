"""Keys for tests, and how they call."""

import json
from typing import Any

from django.test import Client

from integrations.keys import issue_key
from integrations.scopes import Scope
from tournaments.models import Tournament

V1 = "/api/v1"


class Till:
    """Store software with one key."""

    def __init__(self, tournament: Tournament, *scopes: Scope, **more: Any) -> None:
        self.key, self.secret = issue_key(
            store_id=tournament.store_id, name="till", scopes=scopes or tuple(Scope), **more
        )
        self.client = Client(headers={"Authorization": f"Bearer {self.secret}"})

    @classmethod
    def again(cls, other: "Till") -> "Till":
        """The same key in a client of its own, for another thread."""
        made = cls.__new__(cls)
        made.key, made.secret = other.key, other.secret
        made.client = Client(headers={"Authorization": f"Bearer {other.secret}"})
        return made

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(V1 + path, headers=headers)

    def post(
        self, path: str, body: Any = None, *, once: str = "", method: str = "post", **headers: str
    ) -> Any:
        if once:
            headers["Idempotency-Key"] = once
        sent = json.dumps({} if body is None else body)
        call = getattr(self.client, method)
        return call(V1 + path, sent, content_type="application/json", headers=headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.post(path, body, method="patch", **headers)


def code_of(answer: Any) -> str:
    """The code of the answer's first error."""
    return str(answer.json()["errors"][0]["code"])
