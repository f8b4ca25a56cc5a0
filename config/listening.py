"""Connections of the pool that know without a question that their server has gone."""

import select
from typing import Any

from psycopg import Connection, Cursor


class Listening(Connection[Any]):
    """The pool's check sends an empty statement before each use. To an idle connection nobody speaks: as long
    as there is nothing to read it is alive, and the statement, a walk to the server and back, is left out.

    After a restart of the server there is something to read, its farewell; then the check is made, fails, and
    the pool takes another connection instead of giving a dead one to a request."""

    def execute(self, query: Any, *words: Any, **options: Any) -> Cursor[Any]:
        if query == "" and not self._has_news():
            return self.cursor()
        return super().execute(query, *words, **options)

    def _has_news(self) -> bool:
        waiting = select.poll()
        waiting.register(self.fileno(), select.POLLIN)
        return bool(waiting.poll(0))
