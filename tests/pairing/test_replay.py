"""Stored inputs give the same bytes again, in any process."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from rulebook.errors import RuleBroken
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import ENGINE, Pairing, SwissInput, canonical
from tests.pairing.fields import Event

REPLAY = """
import json, sys
from rulebook.pairing.swiss import pair_swiss
from rulebook.pairing.values import SwissInput, canonical
for line in sys.stdin:
    print(canonical(pair_swiss(SwissInput.from_dict(json.loads(line))).as_dict()).decode())
"""


def stored_rounds() -> list[SwissInput]:
    """Rounds that every stage of the engine has solved."""
    rounds = [swiss for seed in range(16) for swiss, _ in Event(6, 5, seed).play()]
    rounds += [swiss for swiss, _ in Event(26, 12, seed=3, draw_rate=0.2, groups=3).play()]
    rounds += [swiss for swiss, _ in Event(70, 12, seed=3, drop_rate=0.03, by_standing_last=True).play()]
    stages = {pair_swiss(swiss).report.stage for swiss in rounds}
    assert stages == {"brackets", "segments", "exact", "look-ahead"}
    return rounds


def test_two_processes_with_different_hash_seeds_give_the_same_bytes() -> None:
    rounds = stored_rounds()
    lines = b"\n".join(canonical(swiss.as_dict()) for swiss in rounds)
    here = [canonical(pair_swiss(swiss).as_dict()) for swiss in rounds]
    for hash_seed in ("1", "4242"):
        there = subprocess.run(
            [sys.executable, "-c", REPLAY],
            input=lines,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        assert there.stdout.split() == here


def test_the_order_of_the_input_does_not_matter() -> None:
    for swiss, pairing in Event(13, 8, seed=11, draw_rate=0.1).play():
        mixed = list(swiss.entrants)
        Random(5).shuffle(mixed)
        turned = tuple(replace(entrant, met=entrant.met[::-1]) for entrant in mixed)
        again = replace(swiss, entrants=turned)
        assert canonical(again.as_dict()) == canonical(swiss.as_dict())
        assert pair_swiss(again).as_dict() == pairing.as_dict()


def test_inputs_and_outputs_survive_storage() -> None:
    for swiss, pairing in Event(9, 4, seed=2, draw_rate=0.3, groups=2).play():
        read = SwissInput.from_dict(json.loads(canonical(swiss.as_dict())))
        assert canonical(read.as_dict()) == canonical(swiss.as_dict())
        assert Pairing.from_dict(json.loads(canonical(pairing.as_dict()))) == pairing


def test_another_seed_gives_another_round() -> None:
    swiss, pairing = next(iter(Event(32, 1, seed=1).play()))
    assert pair_swiss(replace(swiss, seed=swiss.seed + 1)).pairs != pairing.pairs


def test_a_round_of_another_engine_is_not_repeated() -> None:
    swiss, _ = next(iter(Event(4, 1, seed=1).play()))
    with pytest.raises(RuleBroken, match=f"{ENGINE} can check it but not repeat it") as refused:
        pair_swiss(replace(swiss, engine="swiss-0"))
    assert refused.value.code == "other-engine"
