"""The admin pages of tournaments, their staff, stages, rounds and standings."""

from tournaments.admin import records, tournament

__all__ = ["records", "tournament"]
