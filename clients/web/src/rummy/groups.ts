/** What kind a group is, and one division of 13 cards into groups and deadwood. Source: house rules section 3. */

import { PRINTED_JOKER, faceOf, isWild, rankOf, suitOf, type Card, type Face, type Rank } from "./cards";

export type GroupKind = "pure" | "impure" | "set";

/** Cards laid together in the order in which they lie: a run upwards, substitutes where they stand. */
export interface Group {
  readonly kind: GroupKind;
  readonly cards: readonly Card[];
}

/**
 * One legal division of 13 cards. Groups are empty when no pure sequence exists, and exactly one when no second
 * sequence does (rules section 4: nothing else that is arranged counts then). Points are those of the deadwood.
 */
export interface Arrangement {
  readonly groups: readonly Group[];
  readonly deadwood: readonly Card[];
  readonly points: number;
  /** Whether these 13 cards may be declared: all grouped, by two sequences, one of them pure. */
  readonly complete: boolean;
}

export const SHORTEST_GROUP = 3;
const LARGEST_SET = 4;
const ACE_HIGH = 14;

/** The strongest kind that these cards are when laid together, in any order; null when they are no group. */
export function classifyGroup(cards: readonly Card[], wildRank: Rank | null): GroupKind | null {
  if (cards.length < SHORTEST_GROUP) return null;
  const faces = cards.map(faceOf);
  if (!faces.includes(PRINTED_JOKER) && isRun(faces, faces.length)) return "pure";
  const naturals = faces.filter((face) => !isWild(face, wildRank));
  if (naturals.length === 0 || isRun(naturals, faces.length)) return "impure";
  return faces.length <= LARGEST_SET && isSet(naturals) ? "set" : null;
}

/** Whether these natural faces fit a run of `length` places, the other places being substitutes. */
function isRun(naturals: readonly Face[], length: number): boolean {
  const ranks = new Set(naturals.map(rankOf));
  if (new Set(naturals.map(suitOf)).size !== 1 || ranks.size !== naturals.length) return false;
  return span([...ranks]) <= length || span([...ranks].map((rank) => (rank === 1 ? ACE_HIGH : rank))) <= length;
}

function span(places: readonly number[]): number {
  return Math.max(...places) - Math.min(...places) + 1;
}

function isSet(naturals: readonly Face[]): boolean {
  return new Set(naturals.map(rankOf)).size === 1 && new Set(naturals.map(suitOf)).size === naturals.length;
}
