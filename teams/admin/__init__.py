"""The admin pages of teams, their seats and players, stores and staff accounts."""

from teams.admin import people, team, users

__all__ = ["people", "team", "users"]
