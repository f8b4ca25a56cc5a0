"""Which scope each operation needs, written out once more: a table that is wrong here or there fails."""

from integrations.scopes import Scope

NEEDS: dict[Scope, str] = {
    Scope.STAFF: """
        journal_undo plan_drop plan_set players_erase staff_appoint staff_dismiss staff_invite
        staff_revoke_invitation tournaments_cancel tournaments_change tournaments_copy tournaments_create
        tournaments_finish tournaments_import tournaments_open_registration tournaments_reopen
        tournaments_reopen_registration tournaments_revive tournaments_start
    """,
    Scope.ROUNDS_WRITE: """
        announcements_make announcements_take_down clock_hold clock_release cut_make cut_undo draft_seat
        matches_feature rounds_call_time rounds_close rounds_extend rounds_pair rounds_pause rounds_publish
        rounds_reopen rounds_repair rounds_resume rounds_schedule rounds_scrap rounds_start rounds_swap
        rounds_undo_repair standings_hide standings_publish steps_cancel steps_do steps_set teams_grant_bye
        teams_revoke_bye teams_sit_in teams_sit_out
    """,
    Scope.TEAMS_WRITE: """
        players_add players_rename seats_make_link teams_change teams_check_in teams_confirm_entry
        teams_drop teams_drop_absent teams_fill_seat teams_import teams_join teams_preview_import
        teams_promote teams_promote_next teams_readmit teams_register teams_reinstate teams_settle_namesake
        teams_swap_seats teams_undo_check_in teams_withdraw
    """,
    Scope.PENALTIES_WRITE: """
        deck_checks_end deck_checks_pick penalties_give penalties_serve penalties_take_back teams_disqualify
    """,
    Scope.RESULTS_WRITE: """
        boards_correct boards_result calls_end calls_open calls_take games_lose games_name_starter
        games_record games_restart games_undo matches_confirm matches_correct matches_dispute
        matches_enter_and_drop matches_extend matches_preview_correction matches_report matches_result
        openings_choose rounds_resolve subgames_begin subgames_end
    """,
    Scope.ORDERS_WRITE: """
        orders_cancel orders_confirm orders_confirm_by_id orders_name_teammate orders_refund orders_reserve
    """,
    Scope.PRIZES_WRITE: """
        payouts_set prizes_award prizes_pay prizes_reopen prizes_void prizes_void_open
    """,
    Scope.WEBHOOKS_WRITE: """
        endpoints_add endpoints_change endpoints_disable endpoints_enable endpoints_replay endpoints_retry
        endpoints_rotate
    """,
}
READS: dict[Scope, str] = {
    Scope.PEOPLE_READ: """
        stores/SLUG/players/ tournaments/SLUG/players/
    """,
    Scope.PENALTIES_WRITE: """
        rounds/ID/deck-checks/ tournaments/SLUG/penalties/
    """,
    Scope.RESULTS_WRITE: """
        tournaments/SLUG/calls/
    """,
    Scope.STAFF: """
        tournaments/SLUG/decklists/ tournaments/SLUG/file/ tournaments/SLUG/journal/ tournaments/SLUG/staff/
    """,
    Scope.ROUNDS_WRITE: """
        rounds/ID/repair/
    """,
    Scope.TEAMS_WRITE: """
        uploads/ID/
    """,
    Scope.ORDERS_WRITE: """
        orders/ID/ tournaments/SLUG/orders/
    """,
    Scope.PRIZES_WRITE: """
        tournaments/SLUG/payouts/ tournaments/SLUG/prizes/
    """,
    Scope.WEBHOOKS_WRITE: """
        endpoints/ID/ endpoints/ID/deliveries/ stores/SLUG/endpoints/
    """,
}
