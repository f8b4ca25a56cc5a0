"""What spans tables or rounds."""

from tournaments.models.choices import mode_choices, pod_policy_choices, policy_choices
from tournaments.models.hall import Announcement, DeckCheck, Step
from tournaments.models.record import Penalty, Snapshot, SnapshotRow
from tournaments.models.stage import ByeGrant, Round, Slot, Stage, StageEntry
from tournaments.models.tournament import Invitation, SignUp, Staff, Tournament, Upload

__all__ = [
    "Announcement",
    "ByeGrant",
    "DeckCheck",
    "Invitation",
    "Penalty",
    "Round",
    "SignUp",
    "Slot",
    "Snapshot",
    "SnapshotRow",
    "Staff",
    "Stage",
    "StageEntry",
    "Step",
    "Tournament",
    "Upload",
    "mode_choices",
    "pod_policy_choices",
    "policy_choices",
]
