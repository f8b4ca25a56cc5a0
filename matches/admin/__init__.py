"""The admin pages of matches and what belongs to them."""

from matches.admin import match, records

__all__ = ["match", "records"]
