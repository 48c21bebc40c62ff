"""What may be played, and what a led card announces by itself (sections 6 and 7)."""

from collections.abc import Collection, Sequence

from tricks.baloot.contract import Contract, Mode
from tricks.cards import Card, Rank, of_suit, rank_of, suit_of
from tricks.duties import Choice, Duty, free
from tricks.tricks import TEN_SECOND


def choice(contract: Contract, hand: tuple[Card, ...], trick: Sequence[Card], is_ekka: bool) -> Choice:
    """What may be played on the trick so far. is_ekka: whether its first card was announced as Ekka."""
    if not trick:
        return free(hand)
    led = suit_of(trick[0])
    following = of_suit(hand, led)
    trumps = of_suit(hand, contract.trump) if contract.trump is not None else ()
    partner_wins = contract.ranking.winning(trick) == len(trick) - 2
    if led is contract.trump and following:
        higher = () if partner_wins else contract.ranking.beating(trick, trumps)
        return Choice(higher, Duty.BEAT_TRUMP) if higher else Choice(trumps, Duty.FOLLOW_SUIT)
    if following:
        return Choice(following, Duty.FOLLOW_SUIT)
    if partner_wins:
        partner_is_safe = len(trick) == 3 or rank_of(trick[0]) is Rank.ACE or is_ekka
        return free(hand) if partner_is_safe or not trumps else Choice(trumps, Duty.PLAY_TRUMP)
    higher = contract.ranking.beating(trick, trumps)
    if not higher:
        return free(hand)
    is_trumped = any(suit_of(card) is contract.trump for card in trick)
    return Choice(higher, Duty.BEAT_TRUMP if is_trumped else Duty.PLAY_TRUMP)


def is_ekka(contract: Contract, gone: Collection[Card], lead: Card) -> bool:
    """Whether a led card is the highest of its side suit that is still unplayed, and no ace.

    gone: the cards of finished tricks.
    """
    suit = suit_of(lead)
    if contract.mode is Mode.SUN or suit is contract.trump or rank_of(lead) is Rank.ACE:
        return False
    strength = TEN_SECOND.strength[rank_of(lead)]
    higher = sum(1 for value in TEN_SECOND.strength if value > strength)
    higher_gone = sum(1 for card in of_suit(gone, suit) if TEN_SECOND.strength[rank_of(card)] > strength)
    return higher_gone == higher
