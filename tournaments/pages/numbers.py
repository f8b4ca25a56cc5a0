"""Numbers as people and addresses give them."""

MOST_DIGITS = 9


def whole(text: str) -> int | None:
    """The number the text is; None for anything else and for more digits than any number here has."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
