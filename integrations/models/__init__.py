"""Rows about software outside: one file for each topic."""

from integrations.models.keys import ApiKey
from integrations.models.once import Once

__all__ = ["ApiKey", "Once"]
