"""Whatever the desk can do, a key with the right scope can do."""

from collections.abc import Mapping
from dataclasses import fields

from integrations.api.clock import PlanBody
from integrations.api.settings_body import ChangeBody
from integrations.api.urls import OPERATIONS
from tournaments.day_plan import DayPlan
from tournaments.pages.deeds import DEEDS
from tournaments.setting_up import EDITABLE

# What the desk calls it, and the operation that does it; the power each asks for is the same.
BY_NAME: Mapping[str, str] = {
    "open-registration": "tournaments_open_registration",
    "reopen-registration": "tournaments_reopen_registration",
    "start": "tournaments_start",
    "finish": "tournaments_finish",
    "reopen": "tournaments_reopen",
    "cancel": "tournaments_cancel",
    "revive": "tournaments_revive",
    "make-cut": "cut_make",
    "undo-cut": "cut_undo",
    "pair": "rounds_pair",
    "publish": "rounds_publish",
    "schedule": "rounds_schedule",
    "scrap": "rounds_scrap",
    "repair": "rounds_repair",
    "swap-teams": "rounds_swap",
    "undo-repair": "rounds_undo_repair",
    "start-round": "rounds_start",
    "call-time": "rounds_call_time",
    "close": "rounds_close",
    "reopen-round": "rounds_reopen",
    "extend-round": "rounds_extend",
    "pause-clock": "rounds_pause",
    "resume-clock": "rounds_resume",
    "confirm": "matches_confirm",
    "choose-first": "openings_choose",
    "record-game": "games_record",
    "undo-game": "games_undo",
    "enter-board": "boards_result",
    "restart-game": "games_restart",
    "name-starter": "games_name_starter",
    "begin-subgame": "subgames_begin",
    "end-subgame": "subgames_end",
    "lose-game": "games_lose",
    "extend-table": "matches_extend",
    "feature": "matches_feature",
    "call-judge": "calls_open",
    "take-call": "calls_take",
    "end-call": "calls_end",
    "change-team": "teams_change",
    "swap": "teams_swap_seats",
    "check-in": "teams_check_in",
    "undo-check-in": "teams_undo_check_in",
    "promote": "teams_promote",
    "promote-next": "teams_promote_next",
    "drop-absent": "teams_drop_absent",
    "settle-namesake": "teams_settle_namesake",
    "confirm-entry": "teams_confirm_entry",
    "join-solos": "teams_join",
    "sit-out": "teams_sit_out",
    "sit-in": "teams_sit_in",
    "grant-bye": "teams_grant_bye",
    "revoke-bye": "teams_revoke_bye",
    "withdraw": "teams_withdraw",
    "readmit": "teams_readmit",
    "reinstate": "teams_reinstate",
    "make-link": "seats_make_link",
    "rename-player": "players_rename",
    "erase-player": "players_erase",
    "announce": "announcements_make",
    "take-down": "announcements_take_down",
    "pick-deck-checks": "deck_checks_pick",
    "end-deck-check": "deck_checks_end",
    "serve-penalty": "penalties_serve",
    "take-back-penalty": "penalties_take_back",
    "invite": "staff_invite",
    "revoke-invitation": "staff_revoke_invitation",
    "appoint": "staff_appoint",
    "dismiss": "staff_dismiss",
    "publish-standings": "standings_publish",
    "hide-standings": "standings_hide",
    "undo": "journal_undo",
    "seat-draft": "draft_seat",
    "do-step": "steps_do",
    "set-step": "steps_set",
    "cancel-step": "steps_cancel",
    "hold-clock": "clock_hold",
    "release-clock": "clock_release",
    "drop-plan": "plan_drop",
    "set-payouts": "payouts_set",
    "award-prizes": "prizes_award",
    "pay-prize": "prizes_pay",
    "reopen-prize": "prizes_reopen",
    "void-prizes": "prizes_void_open",
}
# A person is the store's: whoever only serves in one tournament does not change him for the others.
OF_THE_STORE = {"rename-player", "erase-player"}
# Pages of the desk that are no deed of the table above.
ON_PAGES = (
    "tournaments_create", "tournaments_change", "tournaments_copy", "tournaments_import", "teams_register",
    "teams_preview_import", "teams_import",
    "teams_fill_seat", "teams_drop", "teams_disqualify", "matches_result", "matches_correct",
    "matches_preview_correction", "matches_enter_and_drop", "boards_correct", "rounds_resolve",
    "penalties_give", "plan_set",
)  # fmt: skip


def test_every_deed_of_the_desk_is_an_operation_that_asks_for_the_same_power() -> None:
    operations = {one.name: one for one in OPERATIONS}
    assert set(DEEDS) == set(BY_NAME), "say which operation does what is new at the desk"
    for deed, name in BY_NAME.items():
        assert name in operations, deed
        if deed not in OF_THE_STORE:
            assert operations[name].can == DEEDS[deed].can, deed
    assert set(ON_PAGES) <= set(operations)


def test_the_whole_plan_of_the_day_can_be_told_by_a_key() -> None:
    assert set(PlanBody().fields) == {one.name for one in fields(DayPlan)}


def test_every_setting_can_be_changed_by_a_key() -> None:
    assert set(ChangeBody().fields) == EDITABLE
