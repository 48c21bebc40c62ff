/**
 * The hand as a state machine: `start` deals it, `apply` moves it, `evolve` folds one event into it.
 *
 * No clock, no randomness: the deck comes in as data, a clock that ran out as the action `timeout`. Values only; every
 * state can be kept and shown again. Source: house rules sections 2, 5, 6 and 7, read as `rummy/hand.py` reads them.
 */

import { CARDS_PER_HAND, faceOf, facePoints, isWild, wildRankOf, type Card, type Rank } from "./cards";
import type { HandEvent, HowOut, Outcome, PointsLine, VoidReason } from "./events";
import { FIRST_DROP_POINTS, MIDDLE_DROP_POINTS, WRONG_DECLARE_POINTS, type TableRules } from "./rules";
import { canDeclare, discardOptions, fewestPoints } from "./solver";

/** All that is fixed before the first card is dealt. players: those who play this hand, in deal order. */
export interface HandSetup {
  readonly rules: TableRules;
  readonly seatCount: number;
  readonly dealOrder: readonly number[];
  readonly deck: readonly Card[];
  /** (number of the reshuffle from 1, the whole pile bottom first) -> the new stock, index 0 on top. */
  readonly reshuffle: (number: number, pile: readonly Card[]) => readonly Card[];
}

export type OutBy = HowOut | "wrong_declare";

/** cards: as dealt, then as drawn. A seat that is out keeps its cards: they stay out of play. */
export interface SeatState {
  readonly cards: readonly Card[];
  readonly hasDrawn: boolean;
  /** Turns in a row that the clock finished for it. */
  readonly misses: number;
  readonly out: { readonly by: OutBy; readonly points: number } | null;
}

export interface HandState {
  readonly setup: HandSetup;
  /** What the hand waits for; closing is never seen between two actions. */
  readonly phase: "dealing" | "draw" | "discard" | "closing" | "ended";
  /** One entry for every seat of the table; null where nobody plays this hand. */
  readonly seats: readonly (SeatState | null)[];
  /** Index 0 on top. */
  readonly stock: readonly Card[];
  /** Top last. */
  readonly pile: readonly Card[];
  readonly turned: Card | null;
  readonly turnSeat: number | null;
  readonly turnNumber: number;
  readonly drawn: { readonly card: Card; readonly source: "stock" | "pile" } | null;
  readonly reshufflesDone: number;
  readonly finishCard: Card | null;
}

export type Action =
  | { readonly type: "draw_stock"; readonly seat: number }
  | { readonly type: "draw_pile"; readonly seat: number }
  | { readonly type: "discard"; readonly seat: number; readonly card: Card }
  | {
      readonly type: "declare";
      readonly seat: number;
      readonly finish_card: Card;
      readonly groups: readonly (readonly Card[])[];
    }
  | { readonly type: "drop"; readonly seat: number }
  | { readonly type: "leave"; readonly seat: number }
  | { readonly type: "timeout"; readonly seat: number }
  | { readonly type: "void"; readonly reason: VoidReason };

/** Why the rules refuse an action; the words for people are the caller's. */
export type Refusal =
  | "hand_over"
  | "not_in_hand"
  | "out_of_hand"
  | "not_your_turn"
  | "draw_first"
  | "already_drawn"
  | "drop_before_drawing"
  | "pile_empty"
  | "wild_stays_on_pile"
  | "card_not_held"
  | "taken_card_stays"
  | "groups_are_not_the_cards"
  | "void_reason_is_the_hands";

export function wildRank(state: HandState): Rank | null {
  return state.turned === null ? null : wildRankOf(state.turned);
}

/** The seats still in the hand, ascending. */
export function seatsIn(state: HandState): number[] {
  return state.seats.flatMap((seat, number) => (seat !== null && seat.out === null ? [number] : []));
}

/** The player at a seat that plays this hand; asking for another is a mistake of the caller. */
export function seatState(state: HandState, seat: number): SeatState {
  const found = state.seats[seat] ?? null;
  if (found === null) throw new RangeError(`seat ${seat} plays no part in this hand`);
  return found;
}

/** The events of one action as they happen, and the state after each: later ones depend on what earlier ones did. */
class Unfolding {
  readonly events: HandEvent[] = [];
  state: HandState;

  constructor(state: HandState) {
    this.state = state;
  }

  happen(event: HandEvent): void {
    this.state = evolve(this.state, event);
    this.events.push(event);
  }
}

/** The hand before its first event: the whole deck is the stock. */
export function beforeDeal(setup: HandSetup): HandState {
  const empty: SeatState = { cards: [], hasDrawn: false, misses: 0, out: null };
  return {
    setup,
    phase: "dealing",
    seats: Array.from({ length: setup.seatCount }, (_, seat) => (setup.dealOrder.includes(seat) ? empty : null)),
    stock: setup.deck,
    pile: [],
    turned: null,
    turnSeat: null,
    turnNumber: 0,
    drawn: null,
    reshufflesDone: 0,
    finishCard: null,
  };
}

/** The events that deal a hand: 13 cards each, the wild card, the card that opens the pile. */
export function start(setup: HandSetup): readonly HandEvent[] {
  const hand = new Unfolding(beforeDeal(setup));
  hand.happen({ type: "dealt" });
  hand.happen({ type: "wild", card: topOf(hand.state.stock) });
  hand.happen({ type: "open", card: topOf(hand.state.stock) });
  return hand.events;
}

/** What an action does: the events that follow from it, at least one; or why the rules refuse it. */
export function apply(state: HandState, action: Action): readonly HandEvent[] | Refusal {
  const refusal = refusalOf(state, action);
  if (refusal !== null) return refusal;
  const hand = new Unfolding(state);
  act(hand, action);
  return hand.events;
}

function act(hand: Unfolding, action: Action): void {
  switch (action.type) {
    case "draw_stock":
      return drawFromStock(hand, action.seat, false);
    case "draw_pile":
      return hand.happen({ ...action, auto: false, card: topOfPile(hand.state) });
    case "discard":
      return hand.happen({ ...action, auto: false });
    case "declare":
      return declare(hand, action.seat, action.finish_card, action.groups);
    case "drop":
      return drop(hand, action.seat);
    case "leave":
      return goOut(hand, action.seat, "left", MIDDLE_DROP_POINTS);
    case "timeout":
      return timeOut(hand, action.seat);
    case "void":
      return voidHand(hand, action.reason);
  }
}

/** Draw, reshuffling an empty stock first; a stock that can't be filled again voids the hand (rules section 7). */
function drawFromStock(hand: Unfolding, seat: number, auto: boolean): void {
  const { stock, pile, reshufflesDone, setup } = hand.state;
  if (stock.length === 0) {
    if (reshufflesDone >= setup.rules.reshufflesAllowed || pile.length < 2) {
      voidHand(hand, "stock_exhausted");
      return;
    }
    hand.happen({ type: "reshuffle", r: reshufflesDone + 1, stock_count: pile.length - 1 });
  }
  hand.happen({ type: "draw_stock", seat, auto });
}

function drop(hand: Unfolding, seat: number): void {
  if (seatState(hand.state, seat).hasDrawn) goOut(hand, seat, "middle_drop", MIDDLE_DROP_POINTS);
  else goOut(hand, seat, "first_drop", FIRST_DROP_POINTS);
}

function goOut(hand: Unfolding, seat: number, how: HowOut, points: number): void {
  hand.happen({ type: "out", seat, how, points });
  endIfLastIn(hand);
}

/** Whether the 13 cards can be grouped decides; the groups are only how they are shown (rules section 2). */
function declare(hand: Unfolding, seat: number, finishCard: Card, groups: readonly (readonly Card[])[]): void {
  const shown = seatState(hand.state, seat).cards.filter((card) => card !== finishCard);
  const valid = canDeclare(shown, wildRank(hand.state));
  hand.happen({ type: "declare", seat, valid, finish_card: finishCard, groups });
  if (valid) showAndEnd(hand, seat);
  else endIfLastIn(hand);
}

function showAndEnd(hand: Unfolding, declarer: number): void {
  const shown = new Map<number, number>();
  for (const seat of seatsIn(hand.state).filter((one) => one !== declarer)) {
    const cards = [...seatState(hand.state, seat).cards].sort((left, right) => left - right);
    const points = fewestPoints(cards, wildRank(hand.state));
    shown.set(seat, points);
    hand.happen({ type: "show", seat, points, cards });
  }
  end(hand, "declared", declarer, shown);
}

function endIfLastIn(hand: Unfolding): void {
  const [winner, ...others] = seatsIn(hand.state);
  if (winner !== undefined && others.length === 0) end(hand, "last_in", winner, new Map());
}

/** The winner's 0, the points shown by those still in, and what the others left for. */
function end(hand: Unfolding, outcome: Outcome, winner: number, shown: ReadonlyMap<number, number>): void {
  const lines = linesOf(hand.state, (seat, out) => out?.points ?? shown.get(seat) ?? 0);
  hand.happen({ type: "settle", outcome, winner, lines });
}

function voidHand(hand: Unfolding, reason: VoidReason): void {
  hand.happen({ type: "void", reason });
  hand.happen({ type: "settle", outcome: "void", winner: null, lines: linesOf(hand.state, () => 0) });
}

function linesOf(state: HandState, pointsOf: (seat: number, out: SeatState["out"]) => number): PointsLine[] {
  return state.seats.flatMap((seat, number) =>
    seat === null ? [] : [{ seat: number, points: pointsOf(number, seat.out) }],
  );
}

/** Play the turn of a seat whose clock ran out, and drop it after too many in a row (rules section 6). */
function timeOut(hand: Unfolding, seat: number): void {
  if (hand.state.phase === "draw") drawFromStock(hand, seat, true);
  if (hand.state.phase !== "discard") return;
  hand.happen({ type: "discard", seat, auto: true, card: autoDiscard(hand.state, seat) });
  if (seatState(hand.state, seat).misses >= hand.state.setup.rules.missedTurnsToDrop) {
    goOut(hand, seat, "missed_turns", MIDDLE_DROP_POINTS);
  }
}

/**
 * The drawn card; where that may not be discarded, the card whose discard leaves the fewest points. Between equals a
 * card that is not wild, then the dearest, then the lowest card number.
 */
function autoDiscard(state: HandState, seat: number): Card {
  const drawn = state.drawn?.card as Card;
  if (!isTakenCard(state, drawn)) return drawn;
  const wild = wildRank(state);
  const order = discardOptions(seatState(state, seat).cards, wild)
    .filter((option) => !isTakenCard(state, option.card))
    .map(({ card, points }) => [points, Number(isWild(faceOf(card), wild)), -facePoints(faceOf(card), wild), card])
    .sort(compareLists);
  return (order[0] as number[]).at(-1) as Card;
}

function compareLists(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
}

/** Whether discarding this card would put back what was taken from the pile in this turn; copies are alike. */
function isTakenCard({ drawn, setup }: HandState, card: Card): boolean {
  return (
    drawn !== null &&
    drawn.source === "pile" &&
    setup.rules.returnTakenCard === "forbidden" &&
    faceOf(drawn.card) === faceOf(card)
  );
}

/** Why the rules refuse an action now; null when they allow it. Changes nothing. */
export function refusalOf(state: HandState, action: Action): Refusal | null {
  switch (action.type) {
    case "draw_stock":
      return refuseTurn(state, action.seat, "draw");
    case "draw_pile":
      return refuseTurn(state, action.seat, "draw") ?? refusePile(state, action.seat);
    case "discard":
      return refuseTurn(state, action.seat, "discard") ?? refuseDiscard(state, action.seat, action.card);
    case "declare":
      return refuseTurn(state, action.seat, "discard") ?? refuseDeclare(state, action);
    case "drop":
      return refuseOffTurn(state, action.seat) ?? (state.phase === "draw" ? null : "drop_before_drawing");
    case "leave":
      return refuseSeat(state, action.seat);
    case "timeout":
      return refuseOffTurn(state, action.seat);
    case "void":
      if (state.turnSeat === null) return "hand_over";
      return action.reason === "stock_exhausted" ? "void_reason_is_the_hands" : null;
  }
}

function refuseSeat(state: HandState, seat: number): Refusal | null {
  if (state.turnSeat === null) return "hand_over";
  const found = state.seats[seat] ?? null;
  if (found === null) return "not_in_hand";
  return found.out === null ? null : "out_of_hand";
}

function refuseOffTurn(state: HandState, seat: number): Refusal | null {
  return refuseSeat(state, seat) ?? (seat === state.turnSeat ? null : "not_your_turn");
}

function refuseTurn(state: HandState, seat: number, phase: "draw" | "discard"): Refusal | null {
  const refusal = refuseOffTurn(state, seat);
  if (refusal !== null || state.phase === phase) return refusal;
  return phase === "draw" ? "already_drawn" : "draw_first";
}

function refusePile(state: HandState, seat: number): Refusal | null {
  const top = state.pile.at(-1);
  if (top === undefined) return "pile_empty";
  const rule = state.setup.rules.takeWildFromPile;
  if (rule === "allowed" || !isWild(faceOf(top), wildRank(state))) return null;
  // A turn ends with a draw or with being out, so a seat that never drew is in its first turn.
  return rule === "first_turn_only" && !seatState(state, seat).hasDrawn ? null : "wild_stays_on_pile";
}

function refuseDiscard(state: HandState, seat: number, card: Card): Refusal | null {
  if (!seatState(state, seat).cards.includes(card)) return "card_not_held";
  return isTakenCard(state, card) ? "taken_card_stays" : null;
}

/** The finish card lies face down and is no discard: the card taken from the pile may be it. */
function refuseDeclare(state: HandState, action: Action & { type: "declare" }): Refusal | null {
  const { cards } = seatState(state, action.seat);
  if (!cards.includes(action.finish_card)) return "card_not_held";
  const shown = action.groups.flat();
  const rest = new Set(cards.filter((card) => card !== action.finish_card));
  const all = shown.length === rest.size && new Set(shown).size === rest.size && shown.every((card) => rest.has(card));
  return all && action.groups.every((group) => group.length > 0) ? null : "groups_are_not_the_cards";
}

/** The state after an event that the rules gave. */
export function evolve(state: HandState, event: HandEvent): HandState {
  switch (event.type) {
    case "dealt":
      return dealt(state);
    case "wild":
      return { ...state, turned: event.card, stock: state.stock.slice(1) };
    case "open":
      return {
        ...state,
        phase: "draw",
        stock: state.stock.slice(1),
        pile: [event.card],
        turnSeat: state.setup.dealOrder[0] ?? null,
        turnNumber: 1,
      };
    case "draw_stock":
      return drew({ ...state, stock: state.stock.slice(1) }, event, topOf(state.stock), "stock");
    case "draw_pile":
      return drew({ ...state, pile: state.pile.slice(0, -1) }, event, event.card, "pile");
    case "discard":
      return discarded(state, event);
    case "out":
      return wentOut(state, event.seat, { by: event.how, points: event.points });
    case "declare":
      return declared(state, event);
    case "reshuffle":
      return {
        ...state,
        stock: state.setup.reshuffle(event.r, state.pile),
        pile: state.pile.slice(-1),
        reshufflesDone: event.r,
      };
    case "show":
      return state;
    case "void":
      return { ...state, phase: "closing", turnSeat: null, drawn: null };
    case "settle":
      return { ...state, phase: "ended", turnSeat: null, drawn: null };
  }
}

function dealt(state: HandState): HandState {
  const { deck, dealOrder } = state.setup;
  const count = CARDS_PER_HAND * dealOrder.length;
  const seats = state.seats.map((seat, number) => {
    const place = dealOrder.indexOf(number);
    return seat && { ...seat, cards: deck.slice(0, count).filter((_, at) => at % dealOrder.length === place) };
  });
  return { ...state, seats, stock: deck.slice(count) };
}

/** An own draw sets the misses back to zero; one that the clock made leaves them. */
function drew(
  state: HandState,
  event: { readonly seat: number; readonly auto: boolean },
  card: Card,
  source: "stock" | "pile",
): HandState {
  const seat = seatState(state, event.seat);
  const after = { ...seat, cards: [...seat.cards, card], hasDrawn: true, misses: event.auto ? seat.misses : 0 };
  return { ...withSeat(state, event.seat, after), phase: "discard", drawn: { card, source } };
}

function discarded(state: HandState, event: HandEvent & { type: "discard" }): HandState {
  const seat = seatState(state, event.seat);
  const cards = seat.cards.filter((card) => card !== event.card);
  const after = { ...seat, cards, misses: event.auto ? seat.misses + 1 : 0 };
  return nextTurn(withSeat({ ...state, pile: [...state.pile, event.card] }, event.seat, after), event.seat);
}

function declared(state: HandState, event: HandEvent & { type: "declare" }): HandState {
  const seat = seatState(state, event.seat);
  const shown = withSeat(state, event.seat, {
    ...seat,
    cards: seat.cards.filter((card) => card !== event.finish_card),
  });
  if (!event.valid) {
    const pile = [...state.pile, event.finish_card];
    return wentOut({ ...shown, pile }, event.seat, { by: "wrong_declare", points: WRONG_DECLARE_POINTS });
  }
  return { ...shown, phase: "closing", turnSeat: null, drawn: null, finishCard: event.finish_card };
}

/** One player left in decides the hand; else the turn goes on when it was the turn of the seat that is out. */
function wentOut(state: HandState, seat: number, out: NonNullable<SeatState["out"]>): HandState {
  const after = withSeat(state, seat, { ...seatState(state, seat), out });
  if (seatsIn(after).length < 2) return { ...after, phase: "closing", turnSeat: null, drawn: null };
  return seat === state.turnSeat ? nextTurn(after, seat) : after;
}

function nextTurn(state: HandState, seat: number): HandState {
  const order = seatsIn(state);
  const turnSeat = order.find((one) => one > seat) ?? order[0] ?? null;
  return { ...state, phase: "draw", turnSeat, turnNumber: state.turnNumber + 1, drawn: null };
}

function withSeat(state: HandState, seat: number, after: SeatState): HandState {
  return { ...state, seats: state.seats.map((one, number) => (number === seat ? after : one)) };
}

function topOf(stock: readonly Card[]): Card {
  return stock[0] as Card;
}

function topOfPile(state: HandState): Card {
  return state.pile.at(-1) as Card;
}
