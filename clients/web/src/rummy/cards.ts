/**
 * Cards as small integers: 53 faces a deck, two or three decks a table.
 *
 * A card is an integer in 0 .. 53 * decks - 1. Its face is `card % 53`: 52 is the printed joker, every other face is
 * `13 * suit + rank - 1`. Equal faces from two decks are two cards, and different integers.
 * Source: FAIRNESS_SPEC section 2.
 */

export type Card = number;
/** 0 .. 52: what is printed on a card, whichever deck it comes from. */
export type Face = number;
/** 1 ace, 2 .. 10, 11 jack, 12 queen, 13 king. */
export type Rank = number;
/** 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
export type Suit = number;

export const FACES_PER_DECK = 53;
export const CARDS_PER_HAND = 13;
export const PRINTED_JOKER: Face = 52;
export const RANK_NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as const;
export const SUIT_NAMES = "CDHS";
export const PRINTED_JOKER_NAME = "PJ";

export function faceOf(card: Card): Face {
  return card % FACES_PER_DECK;
}

/** The suit of a natural face; a printed joker has none and must not be asked. */
export function suitOf(face: Face): Suit {
  return Math.floor(face / 13);
}

/** The rank of a natural face; a printed joker has none and must not be asked. */
export function rankOf(face: Face): Rank {
  return (face % 13) + 1;
}

/** Whether a face may substitute: a printed joker always, a natural face when it has the wild rank. */
export function isWild(face: Face, wildRank: Rank | null): boolean {
  return face === PRINTED_JOKER || (wildRank !== null && rankOf(face) === wildRank);
}

/** The rank that a turned-up card makes wild; null for a printed joker (rules section 2). */
export function wildRankOf(turned: Card): Rank | null {
  const face = faceOf(turned);
  return face === PRINTED_JOKER ? null : rankOf(face);
}

/** What an ungrouped card counts: A K Q J 10 ten, 2-9 their number, wild cards nothing (rules section 4). */
export function facePoints(face: Face, wildRank: Rank | null): number {
  if (isWild(face, wildRank)) return 0;
  const rank = rankOf(face);
  return rank === 1 || rank >= 10 ? 10 : rank;
}

/** `10H`, `AS`, `PJ`: rank then suit, as people and the vectors write it. */
export function faceName(face: Face): string {
  if (face === PRINTED_JOKER) return PRINTED_JOKER_NAME;
  return `${RANK_NAMES[face % 13]}${SUIT_NAMES[suitOf(face)]}`;
}

export function cardName(card: Card): string {
  return faceName(faceOf(card));
}

/** Reads `10H`, `AS` or `PJ`; null for anything else. */
export function parseFace(text: string): Face | null {
  if (text === PRINTED_JOKER_NAME) return PRINTED_JOKER;
  const suit = SUIT_NAMES.indexOf(text.slice(-1));
  const rank = (RANK_NAMES as readonly string[]).indexOf(text.slice(0, -1));
  return suit < 0 || rank < 0 || text.length < 2 ? null : 13 * suit + rank;
}

/** Cards for written faces: the n-th copy of a face comes from the n-th deck. Null when one of them is no card. */
export function cardsFromNames(names: readonly string[]): Card[] | null {
  const copies = new Map<Face, number>();
  const cards: Card[] = [];
  for (const name of names) {
    const face = parseFace(name);
    if (face === null) return null;
    const copy = copies.get(face) ?? 0;
    copies.set(face, copy + 1);
    cards.push(face + FACES_PER_DECK * copy);
  }
  return cards;
}
