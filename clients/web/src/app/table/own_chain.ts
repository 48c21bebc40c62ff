/**
 * The chain of a running hand as this seat has seen it, to hold every state receipt against (FAIRNESS_SPEC section 8).
 * A page that has missed an event can't know the heads after it, and one that was shown several own moves at once (it was
 * loaded in the middle of a hand) can't know what each of them showed: what is not known contradicts nothing.
 */

import { hash, lengthPrefixed, toHex, u32, type Bytes } from "../../fair/encoding";
import { encodeEvent, readEvent, type FactType, type TranscriptEvent } from "../../fair/events";
import { Fields } from "../../fair/json_form";
import { seatHeadAt, seatHeads, type Showing } from "../../fair/transcript";
import { CARDS_PER_HAND, type Card } from "../../rummy/cards";

const HEADS_KEPT = 256;
const OWN_MOVES: readonly FactType[] = ["draw_stock", "draw_pile", "discard", "declare"];

export class OwnChain {
  readonly #th: Bytes;
  readonly #seat: number;
  readonly #playerId: string;
  readonly #heads = new Map<number, Bytes>();
  #newest: Bytes;
  #nextK = 0;
  #showings: readonly Showing[] = [];
  /** From this event on, what this seat alone was shown is not all known. */
  #unknownFrom = Infinity;

  /** playerId: 16 bytes as hex. */
  constructor(th: Bytes, commitment: Bytes, seat: number, playerId: string) {
    this.#th = th;
    this.#seat = seat;
    this.#playerId = playerId;
    this.#newest = hash("chain", th, commitment);
  }

  /**
   * Events as the house sends them, each with its k; what is known already is passed over, and what comes after a gap
   * waits for the whole hand. held, drawn: the own cards after the last of them, and which one was drawn and not answered.
   */
  follow(events: readonly Readonly<Record<string, unknown>>[], held: readonly Card[], drawn: Card | null): void {
    const fresh: { readonly k: number; readonly event: TranscriptEvent }[] = [];
    for (const { k, ...fields } of events) {
      if (typeof k !== "number" || k < this.#nextK) continue;
      if (k > this.#nextK) break;
      const event = readEvent(new Fields(fields, "event"));
      this.#newest = hash("event", this.#newest, u32(k), lengthPrefixed(encodeEvent(event)));
      this.#heads.set(k, this.#newest);
      this.#heads.delete(k - HEADS_KEPT);
      this.#nextK = k + 1;
      fresh.push({ k, event });
    }
    // The cards held are those dealt while no own move came after, and the card drawn is that of the last own move.
    const lastMove = fresh.findLast(({ event }) => this.#isOwnMove(event))?.k ?? -1;
    for (const { k, event } of fresh) {
      // Whoever is out, or in a hand that was voided, may hold nothing any more.
      const isWhole = lastMove === -1 && held.length === CARDS_PER_HAND;
      if (event.fact.type === "dealt") this.#show(k, isWhole ? held : null);
      if (event.fact.type === "draw_stock" && event.fact.seat === this.#seat) {
        this.#show(k, k === lastMove && drawn !== null ? [drawn] : null);
      }
    }
  }

  /** Whether a receipt agrees with what was seen; null when this page knows too little to say so, and nothing against it. */
  agrees(k: number, head: string, seatHead: string): boolean | null {
    const own = this.#heads.get(k);
    if (own === undefined) return null;
    if (toHex(own) !== head) return false;
    if (k >= this.#unknownFrom) return null;
    const heads = seatHeads(this.#th, this.#seat, this.#playerId, this.#showings);
    return toHex(seatHeadAt(heads, this.#showings, k)) === seatHead;
  }

  #isOwnMove({ fact }: TranscriptEvent): boolean {
    return OWN_MOVES.includes(fact.type) && "seat" in fact && fact.seat === this.#seat;
  }

  /** cards: null for what can't be told from the cards of now. */
  #show(k: number, cards: readonly Card[] | null): void {
    if (cards === null) this.#unknownFrom = Math.min(this.#unknownFrom, k);
    else this.#showings = [...this.#showings, { k, cards }];
  }
}
