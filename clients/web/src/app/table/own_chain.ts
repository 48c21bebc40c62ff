/**
 * The chain of a running hand as this seat has seen it, to hold every state receipt against (FAIRNESS_SPEC section 8).
 * A page that has missed an event can't know the heads after it and says so by answering null.
 */

import { hash, lengthPrefixed, toHex, u32, type Bytes } from "../../fair/encoding";
import { encodeEvent, readEvent } from "../../fair/events";
import { Fields } from "../../fair/json_form";
import { seatHeadAt, seatHeads, type Showing } from "../../fair/transcript";
import type { Card } from "../../rummy/cards";

const HEADS_KEPT = 256;

export class OwnChain {
  readonly #th: Bytes;
  readonly #seat: number;
  readonly #playerId: string;
  readonly #heads = new Map<number, Bytes>();
  #newest: Bytes;
  #nextK = 0;
  #showings: readonly Showing[] = [];
  #complete = true;

  /** playerId: 16 bytes as hex. */
  constructor(th: Bytes, commitment: Bytes, seat: number, playerId: string) {
    this.#th = th;
    this.#seat = seat;
    this.#playerId = playerId;
    this.#newest = hash("chain", th, commitment);
  }

  /** Events as the house sends them, each with its k. drawn: the card that this seat alone was shown by the last one. */
  follow(events: readonly Readonly<Record<string, unknown>>[], held: readonly Card[], drawn: Card | null): void {
    for (const { k, ...fields } of events) {
      if (typeof k !== "number" || k < this.#nextK || !this.#complete) continue;
      if (k > this.#nextK) {
        this.#complete = false;
        return;
      }
      const event = readEvent(new Fields(fields, "event"));
      this.#newest = hash("event", this.#newest, u32(k), lengthPrefixed(encodeEvent(event)));
      this.#heads.set(k, this.#newest);
      this.#heads.delete(k - HEADS_KEPT);
      this.#nextK = k + 1;
      if (event.fact.type === "dealt") this.#show(k, held);
      if (event.fact.type === "draw_stock" && event.fact.seat === this.#seat) {
        // A draw that the clock followed with its discard at once: the card is known only from the discard after it.
        if (drawn === null) this.#complete = false;
        else this.#show(k, [drawn]);
      }
    }
  }

  /** Whether a receipt agrees with what was seen; null when this page has not seen everything. */
  agrees(k: number, head: string, seatHead: string): boolean | null {
    const own = this.#heads.get(k);
    if (own === undefined || !this.#complete) return null;
    const heads = seatHeads(this.#th, this.#seat, this.#playerId, this.#showings);
    return toHex(own) === head && toHex(seatHeadAt(heads, this.#showings, k)) === seatHead;
  }

  #show(k: number, cards: readonly Card[]): void {
    this.#showings = [...this.#showings, { k, cards }];
  }
}
