# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
"""The search behind the strong players, on integers only: what is still to be won when all cards lie open.

Cards are bits of a 32-bit mask, eight to a suit, the strongest card of a suit its lowest bit: so what beats a card is
what lies below its bit. Two sides play for points; what one side wins the other loses, and the value of a position is
what side 0 still takes minus what side 1 does. Thousand counts only side 0, the declarer against both.

How it searches
- One question at a time: is the value at least so much? Each answer is a bound, and two or three of them, each asked
  at the bound found before, close upon the value (MTD(f), Plaat and others, 1996).
- A table at the start of each trick keeps the bounds found and the best lead. Who holds which card never changes
  within a deal, so a position is the set of cards left, who leads, trump where it can change, and whether one side has
  taken everything so far: a whole number, compared in full, so that no two positions are ever mistaken for each other.
- Before a position is searched it is bounded by everything that is still to be won, and by the tricks that the leader
  can't lose.
- Of cards that nothing can tell apart only one is tried; of neighbours in a hand only the better one once it is sure
  who gets the trick (see `tables`).
- Cards are tried in the order in which they are likely to be best; that changes the time, never the value.

Why it is exact: every value is a minimax value, and what is left out is bounded by the value of what is kept. Only a
search that ends at its budget answers with an estimate, and says so.

The module runs as it stands and builds to native code from this very file; `search.pxd` gives the types of the build.
"""

from array import array

KLAVERJAS_AMSTERDAM = 0
KLAVERJAS_ROTTERDAM = 1
BALOOT = 2
THOUSAND = 3
"""The games, as a search tells them apart."""

NO_TRUMP = 4
"""As a suit number, of which there are 0 to 3."""
NEITHER = 3
"""Both sides have taken a trick, or nobody asks."""
INFINITE = 1000

_OFFSET = 1024
_SLOTS = 4
_WORD = 0xFFFFFFFF
_SPREAD = 0x9E3779B1
_MARRIAGES = 0x0C0C0C0C
"""King and queen are the third and fourth of a suit where the ten is second."""


class Search:
    """Values of open deals, one deal after the other. Made once: its table is the costly part.

    bits: the table has 2 ** bits places of 12 bytes.
    """

    def __init__(self, bits: int) -> None:
        self.shift = 32 - bits
        self.keys = array("Q", bytes(8 << bits))
        self.bounds = array("I", bytes(4 << bits))
        self.generation = 0
        self.hands = array("I", bytes(16))
        self.sides = array("B", bytes(4))
        self.order = array("B", bytes(33 * 8))
        self.scores = array("h", bytes(2 * 33 * 8))
        self.roem_most = array("H", bytes(2 * 4 * 256))
        self.tied = array("B", bytes(4 * 256))
        self.counts = array("B", [each.bit_count() for each in range(256)])
        self.rest = array("H", bytes(2 * 16))
        self.owners = array("B", bytes(32))
        self.quads = array("I", bytes(4 * 5))
        self.suit_masks = array("I", [255, 255 << 8, 255 << 16, 255 << 24, 0])
        self.table_cards = array("B", bytes(4))
        self.nodes = 0
        self.budget = 0
        self.is_cut = False

    def use(
        self,
        game: int,
        trump: int,
        last_trick: int,
        sweep: int,
        points: "array[int]",
        suit_points: "array[int]",
        suit_roem: "array[int]",
        sequence: "array[int]",
        marriages: "array[int]",
        ranks: "array[int]",
        alike: "array[int]",
        weakest: "array[int]",
        strongest: "array[int]",
        number_of: "array[int]",
    ) -> None:
        """The rules of the next deals: what `tables.Tables` holds."""
        self.game = game
        self.rule_trump = trump
        self.last_trick = last_trick
        self.sweep = sweep
        self.points = points
        self.suit_points = suit_points
        self.suit_roem = suit_roem
        self.sequence = sequence
        self.marriages = marriages
        self.ranks = ranks
        self.alike = alike
        self.weakest = weakest
        self.strongest = strongest
        self.number_of = number_of
        self.roem = game <= KLAVERJAS_ROTTERDAM

    def begin(
        self,
        hands: "array[int]",
        sides: "array[int]",
        leader: int,
        trump: int,
        on_table: "array[int]",
        swept: int,
        is_first: bool,
        budget: int,
    ) -> None:
        """A position to be asked about.

        hands: masks by seat. sides: 0 or 1 by seat. leader, on_table: of the trick so far, card numbers in order of
        play. swept: 0 before the first trick is taken, 1 or 2 while side 0 or 1 has taken every one, else NEITHER.
        is_first: in Thousand, that this is the deal's first trick, in which no lead declares. budget: tricks' starts
        that may be searched in all, until the next `begin`.
        """
        self.generation += 1
        if self.generation >= 1 << 23:
            self.generation = 1
            for place in range(len(self.keys)):
                self.keys[place] = 0
        self.seats = len(hands)
        for seat in range(self.seats):
            self.hands[seat] = hands[seat]
            self.sides[seat] = sides[seat]
        self.trump = trump
        self.root_leader = leader
        self.root_count = len(on_table)
        for place in range(self.root_count):
            self.table_cards[place] = on_table[place]
        self.root_swept = swept
        self.is_first = is_first
        self.nodes = 0
        self.budget = budget
        self.is_cut = False
        if self.roem:
            self._find_roem()

    def _find_roem(self) -> None:
        """What can still count as roem in this deal: of a hand only one card comes to a trick."""
        left = 0
        for number in range(32):
            self.owners[number] = 0
        for seat in range(self.seats):
            left |= self.hands[seat]
            for number in range(32):
                if self.hands[seat] & self._bit(number):
                    self.owners[number] = self._bit(seat)
        for place in range(self.root_count):
            number = self.table_cards[place]
            left |= self._bit(number)
            self.owners[number] = self._bit((self.root_leader + place) & 3)
        for rank in range(5):
            self.quads[rank] = 0
            owners = 0
            for suit in range(4):
                owners |= self.owners[8 * suit + self.sequence[8 * suit + rank]]
            if owners == 15:
                self.quads[rank] = self.ranks[rank]
        for suit in range(4):
            whole = left >> 8 * suit & 255
            subset = whole
            while True:
                self._find_suit_roem(suit, subset)
                if subset == 0:
                    break
                subset = subset - 1 & whole

    def _find_suit_roem(self, suit: int, subset: int) -> None:
        """The cards of a subset that may come to a sequence or to stuk, and what all of that counts at most."""
        first = 8 * suit
        tied = 0
        place = 7
        while place >= 0:
            most = self.rest[place + 1]
            cards = 0
            owners = 0
            for more in range(4):
                if place + more > 7:
                    break
                index = self.sequence[first + place + more]
                bit = self._bit(index)
                if subset & bit == 0 or owners & self.owners[first + index]:
                    break
                cards |= bit
                owners |= self.owners[first + index]
                if more >= 2:
                    tied |= cards
                    worth = self.rest[place + more + 1] + (20 if more == 2 else 50)
                    if worth > most:
                        most = worth
            self.rest[place] = most
            place -= 1
        most = self.rest[0]
        if suit == self.rule_trump:
            king = self.sequence[first + 1]
            queen = self.sequence[first + 2]
            cards = self._bit(king) | self._bit(queen)
            if subset & cards == cards and self.owners[first + king] != self.owners[first + queen]:
                most += 20
                tied |= cards
        self.tied[256 * suit + subset] = tied
        self.roem_most[256 * suit + subset] = most

    def value(self, guess: int) -> int:
        """The value of a position at the start of a trick. guess: where to ask first; changes the time only."""
        return self._close_in(-1, guess)

    def value_after(self, number: int, guess: int) -> int:
        """The value once the seat on turn has played this card, the trick on the table included."""
        return self._close_in(number, guess)

    def _close_in(self, number: int, guess: int) -> int:
        """Ask until two bounds meet: in steps at first, then halfway between them."""
        low = -INFINITE
        high = INFINITE
        beta = guess
        step = 8 if self.game == THOUSAND else 24
        while low < high:
            value = self._at_least(number, beta)
            if value < beta:
                high = value
                beta = high - step
            else:
                low = value
                beta = low + 1 + step
            if low > -INFINITE and high < INFINITE:
                beta = (low + high + 1) >> 1
        return low

    # --- every value from here on is a bound: of at least beta, or less than beta ---

    def _at_least(self, number: int, beta: int) -> int:
        """Of the position asked about, after a card, or at the start of a trick for -1."""
        left = 0
        for seat in range(self.seats):
            left |= self.hands[seat]
        if number < 0:
            return self._lead(0, self.root_leader, left, self.root_swept, beta)
        if self.root_count == 0:
            return self._play_lead(0, self.root_leader, number, left, self._counting(left), self.root_swept, beta)
        trick = 0
        points = 0
        for place in range(self.root_count):
            trick |= self._bit(self.table_cards[place])
            points += self.points[self.table_cards[place]]
        left |= trick
        first = self.table_cards[0]
        led = first >> 3
        best = self._bit(first)
        seat = self.root_leader
        best_seat = seat
        for place in range(1, self.root_count):
            seat = self._next(seat)
            bit = self._bit(self.table_cards[place])
            if self._beats(bit, best):
                best = bit
                best_seat = seat
        seat = self._next(seat)
        is_free = self.game == BALOOT and self._frees_partner(first, left)
        return self._play(
            0,
            seat,
            self.root_count,
            number,
            led,
            best,
            best_seat,
            trick,
            points,
            is_free,
            left,
            self._counting(left),
            self.root_swept,
            beta,
        )

    def _lead(self, ply: int, leader: int, left: int, swept: int, beta: int) -> int:
        """At the start of a trick. left: all cards in hands."""
        hand = self.hands[leader]
        if hand & (hand - 1) == 0:
            return self._last(leader, left, swept)
        most = self._most(left)
        ceiling = most if swept & 2 else most + self.sweep
        if ceiling < beta:
            return ceiling
        floor = 0 if self.game == THOUSAND else -most if swept & 1 else -most - self.sweep
        if floor >= beta:
            return floor
        sure = self._sure(leader, left)
        if sure:
            if self.sure_side == 0:
                floor = sure if self.game == THOUSAND else sure + sure - most
                if self.takes_all:
                    floor = self._card_points(left) + self.last_trick
                    if swept & 2 == 0:
                        floor += self.sweep
                if floor >= beta:
                    return floor
            else:
                ceiling = most - sure if self.game == THOUSAND else most - sure - sure
                if self.takes_all:
                    ceiling = 0 if self.game == THOUSAND else -self._card_points(left) - self.last_trick
                    if swept & 1 == 0:
                        ceiling -= self.sweep
                if ceiling < beta:
                    return ceiling
        key = ((self.generation * 8 + swept) * 8 + self.trump) * 4 + leader
        home = (left ^ (key & 255) * _SPREAD) & _WORD
        home = ((home ^ home >> 15) * _SPREAD & _WORD) >> self.shift
        key = key << 32 | left
        lower = -INFINITE
        upper = INFINITE
        first_try = 32
        for place in range(_SLOTS):
            if self.keys[home ^ place] == key:
                found = self.bounds[home ^ place]
                lower = (found & 2047) - _OFFSET
                upper = (found >> 11 & 2047) - _OFFSET
                first_try = found >> 22
                if lower >= beta:
                    return lower
                if upper < beta:
                    return upper
                break
        if self.nodes >= self.budget:
            self.is_cut = True
            return self._estimate(floor, ceiling)
        self.nodes += 1
        value = self._search_leads(ply, leader, left, swept, beta, first_try)
        if self.is_cut:
            return value
        best = self.best_lead
        if value >= beta:
            lower = value
        else:
            upper = value
        self._keep(home, key, lower + _OFFSET | upper + _OFFSET << 11 | best << 22)
        return value

    def _keep(self, home: int, key: int, bounds: int) -> None:
        """Put a position's bounds into the table: over its own, over an earlier deal's, or over the least of four."""
        chosen = home
        fewest = INFINITE
        for place in range(_SLOTS):
            there = self.keys[home ^ place]
            if there == key or there >> 40 != self.generation:
                chosen = home ^ place
                break
            cards = self._count(there & _WORD)
            if cards < fewest:
                fewest = cards
                chosen = home ^ place
        self.keys[chosen] = key
        self.bounds[chosen] = bounds

    def _count(self, cards: int) -> int:
        count = 0
        while cards:
            cards &= cards - 1
            count += 1
        return count

    def _estimate(self, floor: int, ceiling: int) -> int:
        return (floor + ceiling) >> 1

    def _card_points(self, left: int) -> int:
        return (
            self.suit_points[left & 255]
            + self.suit_points[256 + (left >> 8 & 255)]
            + self.suit_points[512 + (left >> 16 & 255)]
            + self.suit_points[768 + (left >> 24)]
        )

    def _sure(self, leader: int, left: int) -> int:
        """Card points that one side can't lose; which one is told in `sure_side`, and whether it `takes_all` tricks.

        The highest trumps, as long as one side holds them all, win whenever they are played. If they are the leader's
        own and nobody has more trumps than that, the leader draws them all, and the highest side cards win too.
        """
        self.takes_all = False
        self.sure_side = self.sides[leader]
        hand = self.hands[leader]
        sure = 0
        lead_out = 0
        drawn = 0
        if self.trump != NO_TRUMP:
            trumps = left & self._mask(self.trump)
            if trumps and self.game != THOUSAND:
                ours = 0
                for seat in range(self.seats):
                    if self.sides[seat] == self.sure_side:
                        ours |= self.hands[seat]
                theirs = trumps & ~ours
                ours &= trumps
                if theirs == 0:
                    highest = ours
                elif ours & (theirs & -theirs) - 1:
                    highest = ours & (theirs & -theirs) - 1
                else:
                    highest = theirs if ours == 0 else theirs & (ours & -ours) - 1
                    self.sure_side = 1 - self.sure_side
                sure = self.suit_points[256 * self.trump + (highest >> 8 * self.trump)]
                if self.sure_side != self.sides[leader]:
                    return sure
            mine = hand & trumps
            others = trumps ^ mine
            if others:
                lead_out = mine & (others & -others) - 1
                drawn = self.counts[lead_out >> 8 * self.trump]
                for seat in range(self.seats):
                    if seat != leader and self.counts[(self.hands[seat] & trumps) >> 8 * self.trump] > drawn:
                        return sure
                if self.game == THOUSAND:
                    return sure
            else:
                lead_out = mine
        for suit in range(4):
            if suit == self.trump:
                continue
            mine = hand >> 8 * suit & 255
            if mine == 0:
                continue
            others = (left >> 8 * suit & 255) ^ mine
            highest = mine if others == 0 else mine & (others & -others) - 1
            if highest == 0 or (self.game == THOUSAND and mine & 12 == 12):
                # Leading from a marriage would change trump.
                continue
            lead_out |= highest << 8 * suit
            sure += self.suit_points[256 * suit + highest]
        if self.game == THOUSAND:
            return sure
        self.takes_all = lead_out == hand
        return sure

    def _most(self, left: int) -> int:
        """No side can still take more than this, all tricks' premium apart."""
        first = left & 255
        second = left >> 8 & 255
        third = left >> 16 & 255
        fourth = left >> 24
        most = self.last_trick + self._card_points(left)
        if self.roem:
            most += (
                self.roem_most[first]
                + self.roem_most[256 + second]
                + self.roem_most[512 + third]
                + self.roem_most[768 + fourth]
            )
            if first and second and third and fourth:
                for rank in range(5):
                    if self.quads[rank] and self.quads[rank] & left == self.quads[rank]:
                        most += 200 if rank == 3 else 100
        elif self.game == THOUSAND:
            for suit in range(4):
                pair = self._mask(suit) & _MARRIAGES
                if left & pair == pair:
                    most += self.marriages[suit]
        return most

    def _counting(self, left: int) -> int:
        """The cards that may still count as roem, in a sequence, as stuk or as four of a kind."""
        if not self.roem:
            return 0
        counting = (
            self.tied[left & 255]
            | self.tied[256 + (left >> 8 & 255)] << 8
            | self.tied[512 + (left >> 16 & 255)] << 16
            | self.tied[768 + (left >> 24)] << 24
        )
        if left & 255 and left & 0xFF00 and left & 0xFF0000 and left >> 24:
            for rank in range(5):
                if self.quads[rank] & left == self.quads[rank]:
                    counting |= self.quads[rank]
        return counting

    def _search_leads(self, ply: int, leader: int, left: int, swept: int, beta: int, first_try: int) -> int:
        hand = self.hands[leader]
        others = left ^ hand
        side = self.sides[leader]
        counting = self._counting(left)
        base = ply * 8
        count = 0
        for suit in range(4):
            mine = hand >> 8 * suit & 255
            if mine == 0:
                continue
            there = left >> 8 * suit & 255
            offset = (there << 8) + (65536 if suit == self.rule_trump else 0)
            special = counting >> 8 * suit & mine
            mine ^= special
            safe = mine & self._safe(suit, self._later(leader, self.seats - 1, 1 - side, suit))
            mine = self.alike[offset + (mine ^ safe)] | self.strongest[offset + safe] | special
            against = others >> 8 * suit & 255
            while mine:
                low = mine & -mine
                mine ^= low
                number = 8 * suit + self.number_of[low]
                score = self.points[number]
                if number == first_try:
                    score = 1000
                elif against & (low - 1) == 0:
                    score += 100
                else:
                    score = -score
                self.order[base + count] = number
                self.scores[base + count] = score
                count += 1
        is_max = side == 0
        result = -INFINITE if is_max else INFINITE
        best = 32
        for tried in range(count):
            number = self._next_best(base, tried, count)
            value = self._play_lead(ply, leader, number, left, counting, swept, beta)
            if is_max:
                if value > result:
                    result = value
                    best = number
                    if value >= beta:
                        break
            elif value < result:
                result = value
                best = number
                if value < beta:
                    break
        self.best_lead = best
        return result

    def _next_best(self, base: int, tried: int, count: int) -> int:
        """The untried card of the highest score; between equals the earliest."""
        at = base + tried
        best = at
        for other in range(at + 1, base + count):
            if self.scores[other] > self.scores[best]:
                best = other
        number = self.order[best]
        score = self.scores[best]
        while best > at:
            self.order[best] = self.order[best - 1]
            self.scores[best] = self.scores[best - 1]
            best -= 1
        self.order[at] = number
        self.scores[at] = score
        return number

    def _play_lead(self, ply: int, leader: int, number: int, left: int, counting: int, swept: int, beta: int) -> int:
        bit = self._bit(number)
        suit = number >> 3
        trump = self.trump
        was_first = self.is_first
        gain = 0
        if self.game == THOUSAND:
            pair = self._mask(suit) & _MARRIAGES
            if bit & pair and self.hands[leader] & pair == pair and not was_first:
                self.trump = suit
                if self.sides[leader] == 0:
                    gain = self.marriages[suit]
            self.is_first = False
        is_free = self.game == BALOOT and self._frees_partner(number, left)
        self.hands[leader] ^= bit
        value = gain + self._follow(
            ply + 1,
            self._next(leader),
            1,
            suit,
            bit,
            leader,
            bit,
            self.points[number],
            is_free,
            left,
            counting,
            swept,
            beta - gain,
        )
        self.hands[leader] ^= bit
        self.trump = trump
        self.is_first = was_first
        return value

    def _frees_partner(self, number: int, left: int) -> bool:
        """Baloot: whether a led side card is the highest of its suit in any hand: an ace, or Ekka."""
        return number >> 3 != self.trump and left & self._mask(number >> 3) & self._bit(number) - 1 == 0

    def _follow(
        self,
        ply: int,
        seat: int,
        place: int,
        led: int,
        best: int,
        best_seat: int,
        trick: int,
        points: int,
        is_free: bool,
        left: int,
        counting: int,
        swept: int,
        beta: int,
    ) -> int:
        """In the middle of a trick. best: the bit that wins it so far. trick, points: what lies in it.

        left: as at the trick's start, so with the cards of the trick.
        """
        hand = self.hands[seat]
        side = self.sides[seat]
        partner_wins = self.sides[best_seat] == side
        legal = self.legal(hand, place, led, best, partner_wins, is_free)
        base = ply * 8
        count = self._order(base, seat, place, led, best, partner_wins, trick, legal, left, counting)
        is_max = side == 0
        result = -INFINITE if is_max else INFINITE
        for tried in range(count):
            number = self._next_best(base, tried, count) if tried + 1 < count else self.order[base + tried]
            value = self._play(
                ply, seat, place, number, led, best, best_seat, trick, points, is_free, left, counting, swept, beta
            )
            if is_max:
                if value > result:
                    result = value
                    if value >= beta:
                        break
            elif value < result:
                result = value
                if value < beta:
                    break
        return result

    def _play(
        self,
        ply: int,
        seat: int,
        place: int,
        number: int,
        led: int,
        best: int,
        best_seat: int,
        trick: int,
        points: int,
        is_free: bool,
        left: int,
        counting: int,
        swept: int,
        beta: int,
    ) -> int:
        bit = self._bit(number)
        if self._beats(bit, best):
            best = bit
            best_seat = seat
        trick |= bit
        points += self.points[number]
        self.hands[seat] ^= bit
        if place + 1 == self.seats:
            value = self._take(ply + 1, best_seat, trick, points, left ^ trick, swept, beta)
        else:
            value = self._follow(
                ply + 1,
                self._next(seat),
                place + 1,
                led,
                best,
                best_seat,
                trick,
                points,
                is_free,
                left,
                counting,
                swept,
                beta,
            )
        self.hands[seat] ^= bit
        return value

    def _take(self, ply: int, winner: int, trick: int, points: int, left: int, swept: int, beta: int) -> int:
        side = self.sides[winner]
        if self.roem:
            points += self.roem_of(trick)
        swept |= side + 1
        if left == 0:
            points += self.last_trick
            if swept != NEITHER:
                points += self.sweep
        gain = points if side == 0 else 0 if self.game == THOUSAND else -points
        if left == 0:
            return gain
        return gain + self._lead(ply, winner, left, swept, beta - gain)

    def _last(self, leader: int, left: int, swept: int) -> int:
        """The value of a trick that leaves no choice."""
        seat = leader
        winner = leader
        best = self.hands[leader]
        for _ in range(self.seats - 1):
            seat = self._next(seat)
            bit = self.hands[seat]
            if self._beats(bit, best):
                best = bit
                winner = seat
        return self._take(0, winner, left, self._card_points(left), 0, swept, 0)

    def _beats(self, bit: int, best: int) -> bool:
        """Whether a card beats the one that wins the trick so far."""
        trumps = self._mask(self.trump)
        if bit & trumps:
            return bit < best or best & trumps == 0
        # A card of another suit than the best one's is none that was led: the best is of the suit led, or a trump.
        return bit < best and best & trumps == 0 and self._suit(bit) == self._suit(best)

    # Literals are narrow in C, so shifts begin with a value that has a type.

    def _bit(self, number: int) -> int:
        one = 1
        return one << number

    def _mask(self, suit: int) -> int:
        """The cards of a suit; none for NO_TRUMP."""
        return self.suit_masks[suit]

    def _suit(self, bit: int) -> int:
        if bit & 0xFFFF:
            return 0 if bit & 0xFF else 1
        return 2 if bit & 0xFF0000 else 3

    def _next(self, seat: int) -> int:
        return seat + 1 if seat + 1 < self.seats else 0

    def roem_of(self, trick: int) -> int:
        """What a trick of four cards is worth beside its points."""
        roem = 0
        for suit in range(4):
            subset = trick >> 8 * suit & 255
            if subset & (subset - 1):
                roem += self.suit_roem[256 * suit + subset]
                if subset == trick >> 8 * suit:
                    return roem
        if roem == 0:
            for rank in range(5):
                if self.ranks[rank] == trick:
                    return 200 if rank == 3 else 100
        return roem

    def legal(self, hand: int, place: int, led: int, best: int, partner_wins: bool, is_free: bool) -> int:
        """What a hand may play in the middle of a trick."""
        follow = hand & self._mask(led)
        trump_suit = self._mask(self.trump)
        trumps = hand & trump_suit
        if self.game == THOUSAND:
            return follow if follow else trumps if trumps else hand
        if follow and led != self.trump:
            return follow
        if trumps == 0:
            return hand
        is_trumped = best & trump_suit != 0
        higher = trumps & best - 1 if is_trumped else trumps
        if self.game == BALOOT:
            if follow:
                return follow if partner_wins or higher == 0 else higher
            if partner_wins:
                return hand if place == 3 or is_free else trumps
            return higher if higher else hand
        if follow:
            return higher if higher else follow
        if self.game == KLAVERJAS_ROTTERDAM:
            return higher if higher else trumps
        if partner_wins:
            if not is_trumped:
                return hand
            spared = hand ^ trumps ^ higher
            return spared if spared else hand
        if higher:
            return higher
        return hand ^ trumps if hand ^ trumps else hand

    def _order(
        self,
        base: int,
        seat: int,
        place: int,
        led: int,
        best: int,
        partner_wins: bool,
        trick: int,
        legal: int,
        left: int,
        counting: int,
    ) -> int:
        """Write the cards worth trying, each with how likely it is to be best; returns how many.

        Once it is sure whose the trick will be, a hand's neighbours are not alike but one is the better: see `tables`.
        """
        if legal & (legal - 1) == 0:
            self.order[base] = self._number(legal)
            return 1
        is_last = place + 1 == self.seats
        side = self.sides[seat]
        foes = 0
        friends = 0
        if not is_last:
            foes = self._later(seat, self.seats - 1 - place, 1 - side, led)
            friends = self._later(seat, self.seats - 1 - place, side, led)
        trumps = self._mask(self.trump)
        best_suit = self._suit(best)
        best_is_trump = best & trumps != 0
        count = 0
        for suit in range(4):
            mine = legal >> 8 * suit & 255
            if mine == 0:
                continue
            there = left >> 8 * suit & 255
            offset = (there << 8) + (65536 if suit == self.rule_trump else 0)
            if mine & (mine - 1):
                if suit == best_suit:
                    above = (best >> 8 * suit) - 1
                    winners = mine & above
                    losers = mine & ~above
                elif suit == self.trump and not best_is_trump:
                    winners = mine
                    losers = 0
                else:
                    winners = 0
                    losers = mine
                special = counting >> 8 * suit & mine
                mine = special
                winners &= ~special
                losers &= ~special
                if winners:
                    safe = winners & self._safe(suit, foes)
                    mine |= self.alike[offset + (winners ^ safe)] | self.strongest[offset + safe]
                if losers:
                    if partner_wins:
                        if best & self._safe(best_suit, foes) << 8 * best_suit:
                            mine |= self.strongest[offset + losers]
                        else:
                            mine |= self.alike[offset + losers]
                    elif best & self._safe(best_suit, friends) << 8 * best_suit:
                        mine |= self.weakest[offset + losers]
                    else:
                        mine |= self.alike[offset + losers]
            subset = trick >> 8 * suit & 255
            while mine:
                low = mine & -mine
                mine ^= low
                index = self.number_of[low]
                number = 8 * suit + index
                bit = low << 8 * suit
                score = self.points[number]
                wins = bit < best if suit == best_suit else suit == self.trump
                if partner_wins:
                    if wins:
                        score -= 30
                elif wins:
                    score = 50 + (score if is_last else 8 - index)
                else:
                    score = -score
                if self.roem:
                    roem = self.suit_roem[256 * suit + (subset | low)]
                    if roem:
                        if partner_wins or wins:
                            score += roem
                        else:
                            score -= roem
                self.order[base + count] = number
                self.scores[base + count] = score
                count += 1
        return count

    def _later(self, seat: int, count: int, side: int, led: int) -> int:
        """The cards by which those of one side who play after this seat, so many in all, may still win the trick."""
        cards = 0
        for _ in range(count):
            seat = self._next(seat)
            if self.sides[seat] == side:
                hand = self.hands[seat]
                following = hand & self._mask(led)
                cards |= following if following else hand & self._mask(self.trump)
        return cards

    def _safe(self, suit: int, against: int) -> int:
        """Which cards of a suit, as a subset, none of these would beat."""
        if suit != self.trump and against & self._mask(self.trump):
            return 0
        against = against >> 8 * suit & 255
        return (against & -against) - 1 if against else 255

    def _number(self, bit: int) -> int:
        suit = self._suit(bit)
        return 8 * suit + self.number_of[bit >> 8 * suit]
