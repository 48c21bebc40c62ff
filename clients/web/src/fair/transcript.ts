/** The public chain of a hand, and each seat's chain of what it alone was shown. Source: FAIRNESS_SPEC section 8. */

import type { Card } from "../rummy/cards";
import { fromHex, hash, lengthPrefixed, u32, u8, type Bytes } from "./encoding";
import { encodeCards, encodeEvent, type TranscriptEvent } from "./events";

/** h(-1), h(0), ...: one more than there are events. */
export function chainHeads(th: Bytes, commitment: Bytes, events: readonly TranscriptEvent[]): Bytes[] {
  const heads = [hash("chain", th, commitment)];
  for (const [k, event] of events.entries()) {
    heads.push(hash("event", heads[k] as Bytes, u32(k), lengthPrefixed(encodeEvent(event))));
  }
  return heads;
}

/** Cards that one seat alone was shown; k is the index of the public event that goes with it. */
export interface Showing {
  readonly k: number;
  readonly cards: readonly Card[];
}

/** s(-1), s(0), ...: one more than there are showings. */
export function seatHeads(th: Bytes, seat: number, playerId: string, showings: readonly Showing[]): Bytes[] {
  const heads = [hash("seat-chain", th, u8(seat), fromHex(playerId))];
  for (const [at, showing] of showings.entries()) {
    heads.push(hash("seat-event", heads[at] as Bytes, u32(showing.k), encodeCards(showing.cards)));
  }
  return heads;
}

/** The newest s when public event k had happened. */
export function seatHeadAt(heads: readonly Bytes[], showings: readonly Showing[], k: number): Bytes {
  return heads[showings.filter((showing) => showing.k <= k).length] as Bytes;
}
