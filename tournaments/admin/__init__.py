"""The admin pages of tournaments, their staff, stages, rounds and standings."""

from tournaments.admin import hall, records, tournament

__all__ = ["hall", "records", "tournament"]
