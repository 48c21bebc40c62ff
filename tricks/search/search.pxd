# The C types of `search.py` when it is built; it needs none of this to run.
cimport cython

ctypedef long long i64
ctypedef unsigned long long u64

cdef i64 _OFFSET, _SLOTS, _MARRIAGES, _WORD, _SPREAD, NEITHER, INFINITE, NO_TRUMP
cdef i64 KLAVERJAS_AMSTERDAM, KLAVERJAS_ROTTERDAM, BALOOT, THOUSAND

@cython.final
cdef class Search:
    cdef public i64 nodes
    cdef public bint is_cut
    cdef i64 shift, generation, budget, game, rule_trump, trump, last_trick, sweep, seats
    cdef i64 root_leader, root_count, root_swept, best_lead, sure_side
    cdef bint roem, is_first, takes_all
    cdef u64[::1] keys
    cdef unsigned int[::1] bounds, hands, ranks, quads, suit_masks
    cdef unsigned char[::1] sides, order, table_cards, points, alike, weakest, strongest, number_of, sequence, tied, owners, counts
    cdef unsigned short[::1] suit_points, suit_roem, roem_most, rest, marriages
    cdef short[::1] scores

    @cython.locals(place=i64)
    cpdef begin(
        self, unsigned int[::1] hands, unsigned char[::1] sides, i64 leader, i64 trump, unsigned char[::1] on_table,
        i64 swept, bint is_first, i64 budget)
    @cython.locals(
        left=i64, number=i64, seat=i64, place=i64, rank=i64, owners=i64, suit=i64, whole=i64, subset=i64)
    cdef void _find_roem(self) noexcept
    @cython.locals(
        first=i64, tied=i64, place=i64, most=i64, cards=i64, owners=i64, more=i64, index=i64, bit=i64, worth=i64,
        king=i64, queen=i64)
    cdef void _find_suit_roem(self, i64 suit, i64 subset) noexcept
    cpdef i64 value(self, i64 guess)
    cpdef i64 value_after(self, i64 number, i64 guess)
    @cython.locals(low=i64, high=i64, value=i64, beta=i64, step=i64)
    cdef i64 _close_in(self, i64 number, i64 guess) noexcept

    @cython.locals(
        left=i64, seat=i64, trick=i64, points=i64, place=i64, first=i64, led=i64, best=i64, best_seat=i64, bit=i64,
        is_free=bint)
    cdef i64 _at_least(self, i64 number, i64 beta) noexcept
    @cython.locals(
        hand=i64, most=i64, ceiling=i64, floor=i64, key=u64, home=u64, lower=i64, upper=i64, first_try=i64, place=i64,
        found=i64, value=i64, best=i64, sure=i64)
    cdef i64 _lead(self, i64 ply, i64 leader, i64 left, i64 swept, i64 beta) noexcept
    @cython.locals(chosen=u64, fewest=i64, place=i64, there=u64, cards=i64)
    cdef void _keep(self, u64 home, u64 key, i64 bounds) noexcept
    @cython.locals(count=i64)
    cdef i64 _count(self, i64 cards) noexcept
    cdef i64 _card_points(self, i64 left) noexcept
    @cython.locals(
        hand=i64, sure=i64, lead_out=i64, drawn=i64, trumps=i64, ours=i64, theirs=i64, highest=i64, mine=i64,
        others=i64, seat=i64, suit=i64)
    cdef i64 _sure(self, i64 leader, i64 left) noexcept
    cdef i64 _estimate(self, i64 floor, i64 ceiling) noexcept
    @cython.locals(first=i64, second=i64, third=i64, fourth=i64, most=i64, rank=i64, suit=i64,
        pair=i64)
    cdef i64 _most(self, i64 left) noexcept
    @cython.locals(counting=i64, rank=i64)
    cdef i64 _counting(self, i64 left) noexcept
    @cython.locals(
        hand=i64, others=i64, counting=i64, special=i64, offset=i64, safe=i64, side=i64, base=i64, count=i64, suit=i64, mine=i64, there=i64, against=i64, low=i64,
        number=i64, score=i64, is_max=bint, result=i64, best=i64, tried=i64, value=i64)
    cdef i64 _search_leads(self, i64 ply, i64 leader, i64 left, i64 swept, i64 beta, i64 first_try) noexcept
    @cython.locals(at=i64, best=i64, other=i64, number=i64, score=i64)
    cdef i64 _next_best(self, i64 base, i64 tried, i64 count) noexcept
    @cython.locals(bit=i64, suit=i64, trump=i64, was_first=bint, gain=i64, pair=i64, is_free=bint, value=i64)
    cdef i64 _play_lead(
        self, i64 ply, i64 leader, i64 number, i64 left, i64 counting, i64 swept, i64 beta) noexcept
    cdef bint _frees_partner(self, i64 number, i64 left) noexcept
    @cython.locals(
        hand=i64, side=i64, partner_wins=bint, legal=i64, base=i64, count=i64, is_max=bint, result=i64, tried=i64,
        number=i64, value=i64)
    cdef i64 _follow(
        self, i64 ply, i64 seat, i64 place, i64 led, i64 best, i64 best_seat, i64 trick, i64 points, bint is_free,
        i64 left, i64 counting, i64 swept, i64 beta) noexcept
    @cython.locals(bit=i64, value=i64)
    cdef i64 _play(
        self, i64 ply, i64 seat, i64 place, i64 number, i64 led, i64 best, i64 best_seat, i64 trick, i64 points,
        bint is_free, i64 left, i64 counting, i64 swept, i64 beta) noexcept
    @cython.locals(side=i64, gain=i64)
    cdef i64 _take(
        self, i64 ply, i64 winner, i64 trick, i64 points, i64 left, i64 swept, i64 beta) noexcept
    @cython.locals(seat=i64, winner=i64, best=i64, bit=i64, points=i64, _=i64)
    cdef i64 _last(self, i64 leader, i64 left, i64 swept) noexcept
    @cython.locals(trumps=i64)
    cdef bint _beats(self, i64 bit, i64 best) noexcept
    @cython.locals(one=i64)
    cdef i64 _bit(self, i64 number) noexcept
    cdef i64 _mask(self, i64 suit) noexcept
    cdef i64 _suit(self, i64 bit) noexcept
    cdef i64 _next(self, i64 seat) noexcept
    @cython.locals(roem=i64, suit=i64, subset=i64, rank=i64)
    cdef i64 roem_of(self, i64 trick) noexcept
    @cython.locals(follow=i64, trump_suit=i64, trumps=i64, is_trumped=bint, higher=i64, spared=i64)
    cdef i64 legal(self, i64 hand, i64 place, i64 led, i64 best, bint partner_wins, bint is_free) noexcept
    @cython.locals(
        is_last=bint, side=i64, foes=i64, friends=i64, safe=i64, trumps=i64, best_suit=i64, best_is_trump=bint, count=i64, suit=i64, mine=i64,
        there=i64, offset=i64, above=i64, winners=i64, losers=i64, special=i64, subset=i64, low=i64, index=i64,
        number=i64, bit=i64, score=i64, wins=bint, roem=i64)
    cdef i64 _order(
        self, i64 base, i64 seat, i64 place, i64 led, i64 best, bint partner_wins, i64 trick, i64 legal, i64 left,
        i64 counting) noexcept
    @cython.locals(cards=i64, hand=i64, following=i64, _=i64)
    cdef i64 _later(self, i64 seat, i64 count, i64 side, i64 led) noexcept
    cdef i64 _safe(self, i64 suit, i64 against) noexcept
    @cython.locals(suit=i64)
    cdef i64 _number(self, i64 bit) noexcept
