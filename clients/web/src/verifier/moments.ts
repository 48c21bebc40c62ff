/** A verified hand as a row of moments: each event with the table after it, seen from anywhere or from one seat. */

import type { Card } from "../rummy/cards";
import { seatsIn, type HandState } from "../rummy/hand";
import type { Fact } from "../fair/events";
import type { HandFile } from "../fair/hand_file";
import { FIRST_HAND_EVENT } from "../fair/play_checks";
import type { Replay } from "../rummy/replay";

/** Which cards lie open: every one, or those that this seat could see. */
export type Viewer = number | "all";

export interface Moment {
  /** Index of the event in the file. */
  readonly k: number;
  readonly at_ms: number;
  readonly fact: Fact;
  readonly state: HandState;
  /** Cards that have lain open on the pile up to now: whoever took one of them, everybody knows where it is. */
  readonly seenOnPile: ReadonlySet<Card>;
  /** Seats whose 13 cards have been laid open. */
  readonly shown: ReadonlySet<number>;
}

export function momentsOf(file: HandFile, replay: Replay): Moment[] {
  const seenOnPile = new Set<Card>();
  const shown = new Set<number>();
  return replay.states.map((state, at) => {
    const k = at + FIRST_HAND_EVENT;
    const { fact, at_ms } = file.events[k] as HandFile["events"][number];
    const top = state.pile.at(-1);
    if (top !== undefined) seenOnPile.add(top);
    if (fact.type === "show" || fact.type === "declare") shown.add(fact.seat);
    return { k, at_ms, fact, state, seenOnPile: new Set(seenOnPile), shown: new Set(shown) };
  });
}

/** A card of a seat as a viewer sees it; null for its back. */
export function seenCard(moment: Moment, viewer: Viewer, seat: number, card: Card): Card | null {
  const open = viewer === "all" || viewer === seat || moment.shown.has(seat) || moment.seenOnPile.has(card);
  return open ? card : null;
}

/** The card that a draw from the stock gave, if this viewer could see it. */
export function drawnCard(moment: Moment, viewer: Viewer): Card | null {
  const { fact, state } = moment;
  if (fact.type !== "draw_stock" || (viewer !== "all" && viewer !== fact.seat)) return null;
  return state.drawn?.card ?? null;
}

/** A seat's cards by suit and rank, jokers last, as a player would hold them; the card just drawn apart. */
export function heldCards(moment: Moment, seat: number): { held: Card[]; drawn: Card | null } {
  const { state } = moment;
  const cards = state.seats[seat]?.cards ?? [];
  const drawn = state.turnSeat === seat ? (state.drawn?.card ?? null) : null;
  const held = cards.filter((card) => card !== drawn).sort((left, right) => (left % 53) - (right % 53) || left - right);
  return { held, drawn };
}

/** Who is still in when nobody is on turn any more and the hand has a winner. */
export function winnerOf(moment: Moment): number | null {
  return moment.fact.type === "settle" ? moment.fact.winner : null;
}

export function isIn(moment: Moment, seat: number): boolean {
  return seatsIn(moment.state).includes(seat);
}
