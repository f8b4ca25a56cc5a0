"""Addresses below /api/v1/ at which something is done."""

from integrations.api.base import addresses
from integrations.api.rounds import ROUNDS

urlpatterns = addresses(ROUNDS)
