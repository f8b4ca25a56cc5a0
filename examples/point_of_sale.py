"""A till that sells places, runs the day and pays the prizes, without a person in between.

    python -m examples.point_of_sale https://tandem.example KEY STORE

The key needs the scopes read, orders:write, teams:write, rounds:write, results:write, prizes:write and staff
(which makes the tournament). Your software would have its own customers; here four pairs come in."""

import argparse
from collections.abc import Callable

from examples.tandem_client import Buyer, Order, Prize, Tandem

PAIRS = [
    ("Two of Us", "Anna Berg", "Bert Gruber"),
    ("Night Shift", "Chidi Okonkwo", "Dolores Fuentes"),
    ("", "Aiko Tanaka", "Emil Novak"),
    ("Last Minute", "Greta Lind", "Hugo Lind"),
]
PLACES = 4
ROUNDS = 2


def make_tournament(till: Tandem, store: str, name: str) -> str:
    """A tournament for two-player teams takes registrations; its address."""
    body = {
        "store": store,
        "name": name,
        "mode": "riftbound-2v2",
        "planned_rounds": ROUNDS,
        "best_of": 3,
        "capacity": PLACES,
    }
    slug = str(till.do("tournaments/", body)["slug"])
    till.do(f"tournaments/{slug}/open-registration/")
    payouts = [
        {"first": 1, "last": 1, "amount_minor": 10001, "currency": "EUR"},
        {"first": 2, "last": 2, "what": "24 boosters"},
    ]
    till.put(f"tournaments/{slug}/payouts/", {"rows": payouts})
    return slug


def sell_places(till: Tandem, slug: str) -> list[Order]:
    """Each pair has bought a place; the buyer came alone and named the teammate later. A fifth pair waits,
    and its order is cancelled."""
    sold = []
    for at, (team, first, second) in enumerate(PAIRS):
        buyer: Buyer = {"name": first, "source": "till", "external_id": f"{slug}-{at}a"}
        order = till.reserve(slug, f"{slug}-{at}", [buyer], team_name=team)
        order = till.confirm(order["id"])
        till.name_teammate(order["id"], {"name": second, "source": "till", "external_id": f"{slug}-{at}b"})
        sold.append(order)
    late = till.reserve(slug, f"{slug}-late", [{"name": "Ivo Too Late"}])
    if late["is_waiting"]:
        till.cancel(late["id"], "sold out")
    return sold


def check_in(till: Tandem, orders: list[Order]) -> None:
    """Everybody who bought is here."""
    for order in orders:
        till.check_in(order["team"]["id"])


def play_round(till: Tandem, slug: str) -> None:
    """A round is played: the team with the lower number wins each table 2-0."""
    rnd = till.pair(slug)
    till.do(f"rounds/{rnd['id']}/publish/")
    till.do(f"rounds/{rnd['id']}/start/")
    for match in till.matches_of(rnd["id"]):
        teams = sorted((side["team"] for side in match["sides"] if side["kind"] == "team"), key=_number)
        if len(teams) == 2:
            till.enter_result(match["id"], {teams[0]["id"]: 2, teams[1]["id"]: 0})
    till.do(f"rounds/{rnd['id']}/close/")


def _number(team: dict[str, int]) -> int:
    return team["number"]


def pay_prizes(till: Tandem, slug: str) -> list[Prize]:
    """Every prize is paid, as store credit."""
    return [till.pay(prize["id"], f"credit-{prize['id']}") for prize in till.award_prizes(slug)]


def run(till: Tandem, store: str, *, say: Callable[[str], object], name: str = "Friday Doubles") -> str:
    """The whole day is over and paid; the tournament's address."""
    slug = make_tournament(till, store, name)
    say(f"{slug} takes registrations")
    orders = sell_places(till, slug)
    say(f"{len(orders)} places sold")
    check_in(till, orders)
    till.do(f"tournaments/{slug}/start/")
    for number in range(1, ROUNDS + 1):
        play_round(till, slug)
        say(f"round {number} played")
    till.do(f"tournaments/{slug}/finish/")
    for prize in pay_prizes(till, slug):
        won = prize["what"] or f"{prize['amount_minor'] / 100:.2f} {prize['currency']}"
        say(f"place {prize['place']} {prize['seat']}: {won}, paid by {prize['external_ref']}")
    return slug


def main() -> None:
    parser = argparse.ArgumentParser(description="Sell, play and pay a small tournament over the API.")
    parser.add_argument("url", help="where Tandem is, e.g. http://127.0.0.1:8000")
    parser.add_argument("key", help="a key of the store: python manage.py make_key STORE --scopes ...")
    parser.add_argument("store", help="the store's address, e.g. corner-shop")
    asked = parser.parse_args()
    with Tandem(asked.url, asked.key) as till:
        run(till, asked.store, say=print)


if __name__ == "__main__":
    main()
