/** From seeds to cards: hand key, streams, shuffles, deal and reshuffles. Source: FAIRNESS_SPEC sections 6 and 7. */

import { CARDS_PER_HAND, FACES_PER_DECK, type Card } from "../rummy/cards";
import { label, mac, u32, u64, type Bytes } from "./encoding";

const WORD_SPAN = 2 ** 32;

/** `hk`. */
export function handKey(serverSeed: Bytes, th: Bytes, rh: Bytes): Bytes {
  return mac(serverSeed, label("hand-key"), th, rh);
}

/** Uniform integers out of a key, block by block; a word that is rejected is used up. */
export class Stream {
  readonly #key: Bytes;
  #block: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  blocksUsed = 0;

  constructor(key: Bytes) {
    this.#key = key;
  }

  /** 0 .. n-1, for n in 1 .. 2^32. */
  uniform(n: number): number {
    const limit = Math.floor(WORD_SPAN / n) * n;
    for (;;) {
      const word = this.#word();
      if (word < limit) return word % n;
    }
  }

  #word(): number {
    if (this.#at === this.#block.byteLength) {
      const block = mac(this.#key, u64(this.blocksUsed));
      this.#block = new DataView(block.buffer, block.byteOffset, block.byteLength);
      this.#at = 0;
      this.blocksUsed += 1;
    }
    const word = this.#block.getUint32(this.#at);
    this.#at += 4;
    return word;
  }
}

/** The cards in the order that shuffle r gives them: 0 is the deal, 1, 2, ... the reshuffles. */
function shuffled(key: Bytes, r: number, cards: readonly Card[]): Card[] {
  const stream = new Stream(mac(key, label("shuffle"), u32(r)));
  const order = [...cards];
  for (let i = order.length - 1; i >= 1; i -= 1) {
    const j = stream.uniform(i + 1);
    [order[i], order[j]] = [order[j] as Card, order[i] as Card];
  }
  return order;
}

/** All cards of the hand in the order in which they are dealt and drawn. */
export function deckOrder(key: Bytes, decks: number): Card[] {
  return shuffled(key, 0, [...Array(FACES_PER_DECK * decks).keys()]);
}

/** The new stock, index 0 on top, from all of the discard pile (bottom first) but its top card. */
export function reshuffledStock(key: Bytes, r: number, pileBottomFirst: readonly Card[]): Card[] {
  return shuffled(key, r, pileBottomFirst.slice(0, -1));
}

/** The occupied seats from the left of the dealer on; the dealer, if seated, is last. */
export function dealOrder(seats: readonly number[], dealer: number): number[] {
  return [...seats.filter((seat) => seat > dealer), ...seats.filter((seat) => seat <= dealer)];
}

export interface Deal {
  readonly order: readonly number[];
  /** 13 cards by seat, in the order dealt. */
  readonly hands: ReadonlyMap<number, readonly Card[]>;
  readonly wild: Card;
  readonly open: Card;
  /** Top first. */
  readonly stock: readonly Card[];
}

/** seats: those who play, ascending, 2 to 8 of them. */
export function deal(deck: readonly Card[], seats: readonly number[], dealer: number): Deal {
  const order = dealOrder(seats, dealer);
  const dealt = CARDS_PER_HAND * order.length;
  const hands = new Map(
    order.map((seat, place) => [seat, deck.slice(0, dealt).filter((_, at) => at % order.length === place)]),
  );
  const [wild, open, ...stock] = deck.slice(dealt);
  if (wild === undefined || open === undefined) throw new RangeError("the deck is too short for this deal");
  return { order, hands, wild, open, stock };
}
