"""Magic for three and more without teams, and the formats with a commander."""

import dataclasses

from rulebook.modes.blanks import (
    AfterLoss,
    Declaring,
    ExtraRune,
    FirstTurn,
    Mulligan,
    MulliganKind,
    Options,
    Seating,
    SkipsDraw,
    Step,
    cite,
    recite,
)
from rulebook.modes.magic import ONE_AGAINST_ONE, RULES, SETUP_STEPS

COMMANDER_STEPS = tuple(
    step for one in SETUP_STEPS for step in ((one, Step.COMMANDER) if one is Step.COMPANION else (one,))
)

FREE_FOR_ALL = dataclasses.replace(
    ONE_AGAINST_ONE,
    key="magic-ffa",
    name="Magic Free-for-All",
    players=4,
    sides=4,
    fewest_sides=3,
    most_sides=8,
    seating=Seating.RANDOM,
    seating_note="at random around the table",
    best_of=1,
    options=Options.ANY_PLAYER,
    after_loss=AfterLoss.NO_RULE,
    first_turn=FirstTurn(skips_draw=SkipsDraw.NOBODY, extra_rune=ExtraRune.NOBODY),
    mulligan=Mulligan(kind=MulliganKind.LONDON_FIRST_FREE, declaring=Declaring.DECLARE_THEN_TOGETHER),
    notes=("A player who leaves takes along what they own; the game goes on, the last one left wins.",),
    citations=recite(
        ONE_AGAINST_ONE.citations,
        *cite(
            *RULES,
            players="806.1",
            formation="806.1",
            seating="806.3",
            options="103.1",
            after_loss="103.1",
            first_turn="103.8c",
            mulligan="103.5c, 800.6",
            member_loss="104.2a, 800.4",
            notes="800.4",
        ),
    ),
)

COMMANDER = dataclasses.replace(
    FREE_FOR_ALL,
    key="magic-commander",
    name="Magic Commander",
    fewest_sides=2,
    most_sides=6,
    track=dataclasses.replace(FREE_FOR_ALL.track, start=40, commander_damage=21),
    first_turn=FirstTurn(skips_draw=SkipsDraw.STARTER_WHEN_TWO_PLAY, extra_rune=ExtraRune.NOBODY),
    mulligan=Mulligan(kind=MulliganKind.LONDON_FREE_BEYOND_TWO, declaring=Declaring.DECLARE_THEN_TOGETHER),
    setup_steps=COMMANDER_STEPS,
    citations=recite(
        FREE_FOR_ALL.citations,
        *cite(
            *RULES,
            players="903.1",
            track="103.4c, 903.7",
            first_turn="103.8",
            mulligan="103.5, 103.5c",
            setup_steps="103.1-103.8, 103.2c, 903.6",
        ),
    ),
)

BRAWL = dataclasses.replace(
    ONE_AGAINST_ONE,
    key="magic-brawl",
    name="Magic Brawl, two players",
    best_of=1,
    track=dataclasses.replace(ONE_AGAINST_ONE.track, start=25),
    mulligan=Mulligan(kind=MulliganKind.LONDON_FIRST_FREE, declaring=Declaring.DECLARE_THEN_TOGETHER),
    setup_steps=COMMANDER_STEPS,
    citations=recite(
        ONE_AGAINST_ONE.citations,
        *cite(
            *RULES,
            players="903.12",
            track="103.4d",
            mulligan="103.5c",
            setup_steps="103.1-103.8, 103.2c, 903.6",
        ),
    ),
)

BRAWL_FOR_MANY = dataclasses.replace(
    FREE_FOR_ALL,
    key="magic-brawl-multiplayer",
    name="Magic Brawl, multiplayer",
    most_sides=6,
    track=dataclasses.replace(FREE_FOR_ALL.track, start=30),
    setup_steps=COMMANDER_STEPS,
    citations=recite(
        FREE_FOR_ALL.citations,
        *cite(*RULES, players="903.12", track="103.4d", setup_steps="103.1-103.8, 103.2c, 903.6"),
    ),
)

RECORDS = (FREE_FOR_ALL, COMMANDER, BRAWL, BRAWL_FOR_MANY)
