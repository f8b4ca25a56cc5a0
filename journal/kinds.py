"""Every kind of deed, and whether the public may read it: the fixed list in one table."""

from enum import StrEnum


class DeedKind(StrEnum):
    TOURNAMENT_CREATED = "TournamentCreated"
    TOURNAMENT_CHANGED = "TournamentChanged"
    REGISTRATION_OPENED = "RegistrationOpened"
    REGISTRATION_REOPENED = "RegistrationReopened"
    TOURNAMENT_STARTED = "TournamentStarted"
    TOURNAMENT_FINISHED = "TournamentFinished"
    TOURNAMENT_REOPENED = "TournamentReopened"
    TOURNAMENT_CANCELLED = "TournamentCancelled"
    TEAM_REGISTERED = "TeamRegistered"
    TEAM_CHANGED = "TeamChanged"
    TEAM_CHECKED_IN = "TeamCheckedIn"
    TEAM_WITHDRAWN = "TeamWithdrawn"
    TEAM_DROPPED = "TeamDropped"
    TEAM_DISQUALIFIED = "TeamDisqualified"
    TEAM_REINSTATED = "TeamReinstated"
    SEATS_SWAPPED = "SeatsSwapped"
    SEAT_FILLED = "SeatFilled"
    ROUND_PAIRED = "RoundPaired"
    ROUND_REPAIRED = "RoundRepaired"
    ROUND_PUBLISHED = "RoundPublished"
    ROUND_STARTED = "RoundStarted"
    TIME_CALLED = "TimeCalled"
    ROUND_CLOSED = "RoundClosed"
    ROUND_REOPENED = "RoundReopened"
    ROUND_SCRAPPED = "RoundScrapped"
    ROUND_SCHEDULED = "RoundScheduled"
    MATCH_REPORTED = "MatchReported"
    MATCH_CONFIRMED = "MatchConfirmed"
    MATCH_DISPUTED = "MatchDisputed"
    MATCH_CORRECTED = "MatchCorrected"
    OPENING_CHOSEN = "OpeningChosen"
    GAME_RECORDED = "GameRecorded"
    CUT_MADE = "CutMade"
    CUT_UNDONE = "CutUndone"
    STANDINGS_FINAL = "StandingsFinal"
    STAFF_APPOINTED = "StaffAppointed"
    STAFF_DISMISSED = "StaffDismissed"
    PLAYER_RENAMED = "PlayerRenamed"
    SET_UP_DECLARED = "SetUpDeclared"
    GAME_UNDONE = "GameUndone"
    LINK_MADE = "LinkMade"
    LINK_REVOKED = "LinkRevoked"
    STEP_BLOCKED = "StepBlocked"
    GAME_RESTARTED = "GameRestarted"
    STARTER_NAMED = "StarterNamed"
    SUBGAME_BEGUN = "SubgameBegun"
    SUBGAME_ENDED = "SubgameEnded"
    EXTENSION_GIVEN = "ExtensionGiven"
    CLOCK_PAUSED = "ClockPaused"
    CLOCK_RESUMED = "ClockResumed"
    PUBLISH_TAKEN_BACK = "PublishTakenBack"
    START_TAKEN_BACK = "StartTakenBack"
    CONFIRM_TAKEN_BACK = "ConfirmTakenBack"
    CHECK_IN_TAKEN_BACK = "CheckInTakenBack"
    REPAIR_TAKEN_BACK = "RepairTakenBack"
    PENALTY_GIVEN = "PenaltyGiven"
    PENALTY_TAKEN_BACK = "PenaltyTakenBack"
    PENALTY_SERVED = "PenaltyServed"
    JUDGE_CALLED = "JudgeCalled"
    CALL_TAKEN = "CallTaken"
    CALL_ENDED = "CallEnded"
    ANNOUNCED = "Announced"
    ANNOUNCEMENT_TAKEN_DOWN = "AnnouncementTakenDown"
    DECK_CHECK_PICKED = "DeckCheckPicked"
    DECK_CHECK_ENDED = "DeckCheckEnded"
    STANDINGS_PUBLISHED = "StandingsPublished"
    STANDINGS_HIDDEN = "StandingsHidden"
    BYE_GRANTED = "ByeGranted"
    BYE_REVOKED = "ByeRevoked"
    STAFF_INVITED = "StaffInvited"
    INVITATION_REVOKED = "InvitationRevoked"
    TEAM_PROMOTED = "TeamPromoted"
    TEAMS_JOINED = "TeamsJoined"
    TEAMS_IMPORTED = "TeamsImported"
    PLAYER_ERASED = "PlayerErased"
    DRAFT_SEATED = "DraftSeated"
    FEATURE_CHOSEN = "FeatureChosen"
    TOURNAMENT_IMPORTED = "TournamentImported"


PUBLIC = frozenset(
    {
        DeedKind.REGISTRATION_OPENED,
        DeedKind.TOURNAMENT_STARTED,
        DeedKind.TOURNAMENT_FINISHED,
        DeedKind.TOURNAMENT_CANCELLED,
        DeedKind.ROUND_PUBLISHED,
        DeedKind.ROUND_STARTED,
        DeedKind.TIME_CALLED,
        DeedKind.ROUND_CLOSED,
        DeedKind.CUT_MADE,
        DeedKind.DRAFT_SEATED,
        DeedKind.STANDINGS_FINAL,
        DeedKind.STANDINGS_PUBLISHED,
        DeedKind.ANNOUNCED,
    }
)
