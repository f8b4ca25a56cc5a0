"""A thin client of Tandem's API. It needs httpx and nothing of Tandem; copy it into your software.

    with Tandem("https://tandem.example", key) as tandem:
        anna = {"name": "Anna Berg", "source": "shop", "external_id": "7"}
        order = tandem.reserve("friday", "1001", [anna])
        tandem.confirm(order["id"])

Every write carries an Idempotency-Key and is sent again under the same one when the network fails, so it is
done once. A refusal is `Refused` with the code of the broken rule."""

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Self, TypedDict

import httpx

TRIES = 4
AGAIN = frozenset({429, 502, 503, 504})


class TeamReference(TypedDict):
    id: int
    number: int
    name: str


class Order(TypedDict):
    id: int
    external_order_id: str
    tournament: str
    state: Literal["reserved", "confirmed", "cancelled", "refunded", "expired"]
    is_waiting: bool
    team: TeamReference
    team_state: str
    expires_at: str | None
    made_at: str
    confirmed_at: str | None
    ended_at: str | None


class Buyer(TypedDict, total=False):
    name: str
    source: str
    external_id: str
    seat: str
    contact: str


class Round(TypedDict):
    id: int
    tournament: str
    stage: int
    number: int
    state: str


class Match(TypedDict):
    id: int
    table: int | None
    kind: str
    state: str
    sides: list[dict[str, Any]]


class Payout(TypedDict, total=False):
    first: int
    last: int
    amount_minor: int
    currency: str
    what: str


class Prize(TypedDict):
    id: int
    place: int
    team: int
    seat: str
    player: int | None
    amount_minor: int
    currency: str
    what: str
    status: Literal["open", "paid", "void"]
    external_ref: str


class Refused(Exception):
    """What Tandem did not do: `status` 400 to 499, `code` of the broken rule, and a sentence for a person."""

    def __init__(self, status: int, code: str, detail: str, field: str | None = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field


class Tandem:
    """One store's API, by one of its keys."""

    def __init__(self, url: str, key: str, *, timeout_s: float = 30.0) -> None:
        self.http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {key}"},
            timeout=timeout_s,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        self.http.close()

    # --- any operation -------------------------------------------------------------------------------

    def get(self, path: str, **query: str | int) -> Any:
        """What is at the address."""
        return self._sent("GET", path, params=query)

    def all(self, path: str, **query: str | int) -> Iterator[Any]:
        """Every row of a list, page by page."""
        page = self.get(path, **query)
        while True:
            yield from page["results"]
            if not page.get("next"):
                return
            page = self._sent("GET", page["next"])

    def do(self, path: str, body: Mapping[str, Any] | None = None, *, word: str = "") -> Any:
        """The deed at the address is done once; `word` names it across restarts of your software."""
        return self._sent(
            "POST", path, json=dict(body or {}), headers={"Idempotency-Key": word or uuid.uuid4().hex}
        )

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """What is at the address is replaced."""
        return self._sent("PUT", path, json=dict(body))

    def _sent(self, method: str, path: str, **more: Any) -> Any:
        for attempt in range(1, TRIES + 1):
            try:
                answer = self.http.request(method, path, **more)
            except httpx.TransportError:
                if attempt == TRIES:
                    raise
            else:
                if answer.status_code not in AGAIN or attempt == TRIES:
                    return _told(answer)
            time.sleep(0.2 * 2**attempt)
        raise AssertionError("the last try returns or raises")

    # --- orders --------------------------------------------------------------------------------------

    def reserve(
        self,
        tournament: str,
        external_order_id: str,
        members: Sequence[Buyer],
        *,
        team_name: str = "",
        hold_minutes: int = 15,
    ) -> Order:
        """A place is held for the team, or the team waits for one (`is_waiting`)."""
        body = {
            "external_order_id": external_order_id,
            "members": list(members),
            "team_name": team_name,
            "hold_minutes": hold_minutes,
        }
        told: Order = self.do(f"tournaments/{tournament}/orders/", body, word=f"reserve-{external_order_id}")
        return told

    def confirm(self, order_id: int) -> Order:
        """The place is the team's for good."""
        told: Order = self.do(f"orders/{order_id}/confirm/")
        return told

    def name_teammate(self, order_id: int, member: Buyer) -> Order:
        """The missing teammate has the free seat."""
        told: Order = self.do(f"orders/{order_id}/members/", dict(member))
        return told

    def cancel(self, order_id: int, reason: str = "") -> Order:
        """The order is cancelled and its place free."""
        told: Order = self.do(f"orders/{order_id}/cancel/", {"reason": reason})
        return told

    def refund(self, order_id: int, reason: str = "") -> Order:
        """The money is given back."""
        told: Order = self.do(f"orders/{order_id}/refund/", {"reason": reason})
        return told

    # --- the day -------------------------------------------------------------------------------------

    def check_in(self, team_id: int) -> None:
        """The team is here."""
        self.do(f"teams/{team_id}/check-in/")

    def pair(self, tournament: str) -> Round:
        """The next round is paired; only staff see it."""
        told: Round = self.do(f"tournaments/{tournament}/rounds/")
        return told

    def matches_of(self, round_id: int) -> list[Match]:
        """Who meets whom in the round."""
        return list(self.all(f"rounds/{round_id}/pairings/"))

    def enter_result(self, match_id: int, wins: Mapping[int, int]) -> Match:
        """The result counts; `wins` are games by team id."""
        sides = [{"team": team, "wins": count} for team, count in wins.items()]
        told: Match = self.do(f"matches/{match_id}/result/", {"sides": sides})
        return told

    # --- prizes --------------------------------------------------------------------------------------

    def set_payouts(self, tournament: str, rows: Sequence[Payout]) -> None:
        """Each place wins what these rows say."""
        self.put(f"tournaments/{tournament}/payouts/", {"rows": list(rows)})

    def award_prizes(self, tournament: str) -> list[Prize]:
        """The ledger of the finished tournament, one row a member for money."""
        told: list[Prize] = self.do(f"tournaments/{tournament}/prizes/award/")
        return told

    def pay(self, prize_id: int, external_ref: str) -> Prize:
        """The prize is paid under this reference of yours."""
        told: Prize = self.do(f"prizes/{prize_id}/pay/", {"external_ref": external_ref})
        return told

    # --- webhooks ------------------------------------------------------------------------------------

    def listen(self, store: str, url: str, events: Sequence[str] = ()) -> tuple[int, str]:
        """The address is told what happens; its id and its secret, which is shown this once."""
        told = self.do(f"stores/{store}/endpoints/", {"url": url, "events": list(events)})
        return told["endpoint"]["id"], told["secret"]

    def replay(self, endpoint_id: int, tournament: str, from_number: int) -> None:
        """Every message from that number on is sent again under its old id."""
        self.do(f"endpoints/{endpoint_id}/replay/", {"tournament": tournament, "from_number": from_number})


def _told(answer: httpx.Response) -> Any:
    if answer.is_success:
        return answer.json() if answer.content else None
    if answer.status_code >= 500:
        answer.raise_for_status()
    try:
        first = answer.json()["errors"][0]
    except (ValueError, LookupError, TypeError):
        raise Refused(answer.status_code, "unreadable", answer.text[:200]) from None
    raise Refused(answer.status_code, first["code"], first["detail"], first.get("attr"))
