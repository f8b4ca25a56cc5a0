"""The rules desk: topics in Tandem's own words, each with its citations, found by words."""

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import Citation, Game

__all__ = ["TOPICS", "Topic", "load", "search_topics", "topic_of", "topics_for"]


@dataclass(frozen=True)
class Topic:
    """One answer; `modes` is empty when it holds for all, `words` are what people look for."""

    key: str
    title: str
    body: str
    citations: tuple[Citation, ...]
    modes: tuple[str, ...]
    words: str

    @property
    def games(self) -> frozenset[Game]:
        """The games whose documents it cites."""
        cited = {citation.document.split()[0].casefold() for citation in self.citations}
        return frozenset(game for game in Game if game.value in cited)

    def as_dict(self) -> dict[str, object]:
        """The topic as JSON-able values."""
        cited = [{"document": c.document, "edition": c.edition, "rule": c.rule} for c in self.citations]
        return {
            "key": self.key,
            "title": self.title,
            "body": self.body,
            "citations": cited,
            "modes": list(self.modes),
        }


def load(texts: Iterable[str]) -> dict[str, Topic]:
    """The topics of these TOML texts by key; a key used twice or a topic without citation does not load."""
    found: dict[str, Topic] = {}
    for text in texts:
        for key, record in tomllib.loads(text).items():
            if key in found:
                raise ValueError(f"two topics are called {key}")
            cites = tuple(Citation(key, *cite.split("|")) for cite in record["cites"])
            if not cites:
                raise ValueError(f"topic {key} cites nothing")
            modes = tuple(record.get("modes", ()))
            found[key] = Topic(key, record["title"], record["body"], cites, modes, record.get("words", ""))
    return found


def _texts() -> Iterable[str]:
    for file in sorted(files(__name__).iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml"):
            yield file.read_text(encoding="utf-8")


TOPICS: Mapping[str, Topic] = load(_texts())


def topic_of(key: str) -> Topic:
    """The topic called `key`."""
    if key not in TOPICS:
        raise RuleBroken("unknown-topic", f"There is no rules topic {key!r}.", topic=key)
    return TOPICS[key]


def topics_for(mode: str) -> tuple[Topic, ...]:
    """The topics that hold for this mode, those of the mode alone first; none of another game."""
    game = mode_of(mode).game
    holding = [t for t in TOPICS.values() if (mode in t.modes if t.modes else game in t.games)]
    return tuple(sorted(holding, key=lambda topic: not topic.modes))


def search_topics(query: str, *, mode: str | None = None) -> tuple[Topic, ...]:
    """The topics that hold every word of `query`, best first; an empty query finds all."""
    wanted = _folded(query).split()
    pool = TOPICS.values() if mode is None else topics_for(mode)
    scored = [(_score(topic, wanted), topic) for topic in pool]
    hits = [(score, topic) for score, topic in scored if score]
    return tuple(topic for _, topic in sorted(hits, key=lambda hit: -hit[0]))


def _score(topic: Topic, wanted: list[str]) -> int:
    """Hits in the title count most, then those among the words people look for; 0 when a word is missing."""
    title, words, body = (_folded(text) for text in (topic.title, topic.words, topic.body))
    score = 1
    for word in wanted:
        worth = 9 * (word in title) + 3 * (word in words) + (word in body)
        if not worth:
            return 0
        score += worth
    return score


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()
