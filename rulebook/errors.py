"""The one error a person can mend."""


class RuleBroken(Exception):
    """A rule forbids the deed: `code` for programs, a `sentence` saying what to do, `facts` for both."""

    def __init__(self, code: str, sentence: str, **facts: object) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.facts: dict[str, object] = facts
