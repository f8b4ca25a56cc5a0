"""Every operation of the API, asked by schemathesis over HTTP; `make fuzz` asks longer, by each scope."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from integrations.scopes import Scope
from tests.api.fuzz import ANONYMOUS, EVERY_SCOPE, fuzzed, prepared

SEED = 7
EXAMPLES = 1
# The examples of the document and the other phases are asked by `make fuzz`, which takes its time.
PHASES = {ANONYMOUS: "fuzzing", EVERY_SCOPE: "fuzzing"}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_schemathesis_finds_no_error_no_undocumented_status_and_no_other_answer_than_documented(
    live_server: Any, settings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.API_RATE_PER_KEY = settings.API_RATE_ANONYMOUS = 10**9
    callers = [prepared(ANONYMOUS, ()), prepared(EVERY_SCOPE, Scope)]
    ask = partial(fuzzed, live_server.url, folder=tmp_path, examples=EXAMPLES, seed=SEED)
    urlopen(f"{live_server.url}/api/schema/?format=json", timeout=120).close()  # made at the first call
    with ThreadPoolExecutor(len(callers)) as pool:
        found = list(pool.map(lambda one: ask(one, phases=PHASES[one.name]), callers))
    with capsys.disabled():
        for one in found:
            print(f"\n{one}", end="")  # noqa: T201
    for one in found:
        assert not one.failed, one.log[-9000:]
        assert one.cases > 140
