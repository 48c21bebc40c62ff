"""`python -m fairness deal`: terms, seed and contributions in, everything that follows from them out."""

from collections.abc import Iterable
from dataclasses import dataclass

from fairness.commitment import commitment
from fairness.contributions import ContributionRefused
from fairness.deck import deal, deal_order, derive_deck, hand_key
from fairness.encoding import Malformed
from fairness.hand_file import read_input
from fairness.json_form import Fields, JsonObject, parse_json


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be dealt. number: from 1."""

    number: int
    words: str


def deal_lines(lines: Iterable[str]) -> Iterable[JsonObject | BadLine]:
    """One answer for each line that is not blank, in order."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _answer(parse_json(line))
        except Malformed as error:
            yield BadLine(number, str(error))
        except ContributionRefused as refused:
            yield BadLine(number, refused.words)


def deal_output(fields: Fields) -> JsonObject:
    """What follows from one input. Raises Malformed or ContributionRefused."""
    terms, server_seed, roster = read_input(fields)
    th = terms.hash()
    roster.check(th)
    hk = hand_key(server_seed, th, roster.hash())
    deck = derive_deck(hk, terms.decks)
    dealt = deal(deck, deal_order(terms.seats, terms.dealer, terms.occupied))
    return {
        "terms": terms.encode().hex(),
        "terms_hash": th.hex(),
        "commitment": commitment(th, server_seed).hex(),
        "roster": roster.encode().hex(),
        "roster_hash": roster.hash().hex(),
        "hand_key": hk.hex(),
        "deck": list(deck),
        "deal_order": list(dealt.order),
        "hands": {str(seat): list(dealt.hands[seat]) for seat in sorted(dealt.hands)},
        "wild": dealt.wild,
        "open": dealt.open,
        "stock": list(dealt.stock),
    }


def _answer(value: object) -> JsonObject:
    """A bare input gives a bare output; a case `{"id", "input"}`, as the vectors wrap it, gives its id and output."""
    fields = Fields(value, "line")
    if not fields.has("input"):
        return deal_output(fields)
    return {"id": fields.text("id"), "output": deal_output(fields.nested("input"))}
