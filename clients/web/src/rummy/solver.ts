/**
 * The best arrangement of 13 cards, and what each discard of 14 leaves: exact. Source: house rules sections 3 and 4.
 *
 * Nothing counts without a pure run, so each possible one is tried as the first. What is left is natural cards and a
 * budget of wild ones (which wild card stands where never matters). The dearest undecided card either stays ungrouped
 * or joins a group of undecided cards; a branch is cut as soon as its points reach the best known. Shortcuts, and why
 * they lose nothing (`rummy/search.py` has the whole proof):
 * - Groups longer than five are not laid: a run of six or more is two runs.
 * - A wild card standing for itself matters only in the first pure run: elsewhere it substitutes at no greater price.
 * - A place that an undecided natural card can take is never given to a wild one: the exchange costs nothing.
 * - A wild card that is left over counts nothing and lengthens the second sequence, so it never stands in the way.
 */

import {
  CARDS_PER_HAND,
  PRINTED_JOKER,
  faceOf,
  facePoints,
  isWild,
  rankOf,
  suitOf,
  type Card,
  type Face,
  type Rank,
} from "./cards";
import { SHORTEST_GROUP, classifyGroup, type Arrangement, type Group, type GroupKind } from "./groups";

/** A group as the search lays it: natural faces, how many wild cards fill it, whether it is a sequence. */
interface Laid {
  readonly faces: readonly Face[];
  readonly wilds: number;
  readonly isSequence: boolean;
}

const LONGEST_LAID = 5;
const ACE_HIGH = 14;
const KIND_ORDER: readonly GroupKind[] = ["pure", "impure", "set"];
const WILD_ONLY: Laid = { faces: [], wilds: 3, isSequence: true };

/** Arrange 13 distinct cards, in any order, so that they count the fewest points; wildRank null: printed jokers only. */
export function bestArrangement(cards: readonly Card[], wildRank: Rank | null): Arrangement {
  if (cards.length !== CARDS_PER_HAND || new Set(cards).size !== CARDS_PER_HAND) {
    throw new RangeError(`an arrangement is made of ${CARDS_PER_HAND} distinct cards`);
  }
  const hand = [...cards].sort((left, right) => left - right);
  const runs = pureRuns(hand);
  let best: { run: readonly Face[]; laid: readonly Laid[] | null } | null = null;
  let points = Infinity;
  for (const run of runs) {
    const alone = pointsOf(without(hand, run), wildRank);
    if (alone < points) [best, points] = [{ run, laid: null }, alone];
  }
  for (const run of runs) {
    if (run.length > LONGEST_LAID) continue;
    // A second sequence that saves nothing still completes a hand that counts 0.
    const found = search(without(hand, run), wildRank, points === 0 && best?.laid === null ? 1 : points);
    if (found !== null) [best, points] = [{ run, laid: found.laid }, found.points];
  }
  return best === null ? deadwoodOnly(hand, wildRank) : laidOut(hand, best.run, best.laid, wildRank);
}

export function fewestPoints(cards: readonly Card[], wildRank: Rank | null): number {
  return bestArrangement(cards, wildRank).points;
}

export function canDeclare(cards: readonly Card[], wildRank: Rank | null): boolean {
  return bestArrangement(cards, wildRank).complete;
}

function pointsOf(cards: readonly Card[], wildRank: Rank | null): number {
  return cards.reduce((sum, card) => sum + facePoints(faceOf(card), wildRank), 0);
}

/** The cards that remain after one copy of each face is taken away. */
function without(cards: readonly Card[], faces: readonly Face[]): Card[] {
  const wanted = [...faces];
  return cards.filter((card) => {
    const at = wanted.indexOf(faceOf(card));
    if (at >= 0) wanted.splice(at, 1);
    return at < 0;
  });
}

/** The face at a place of a run: 1 is the low ace, 14 the high one. */
function faceAt(suit: number, place: number): Face {
  return 13 * suit + ((place - 1) % 13);
}

/** Every run of natural cards, three cards or longer, as faces upwards. */
function pureRuns(hand: readonly Card[]): Face[][] {
  const held = new Set(hand.map(faceOf));
  const runs: Face[][] = [];
  for (let suit = 0; suit < 4; suit += 1) {
    for (let low = 1; low <= ACE_HIGH - 2; low += 1) {
      const run: Face[] = [];
      // A run of all 13 ranks ends where it began: the ace is in it once.
      for (let place = low; place <= ACE_HIGH && run.length < 13 && held.has(faceAt(suit, place)); place += 1) {
        run.push(faceAt(suit, place));
        if (run.length >= 3) runs.push([...run]);
      }
    }
  }
  return runs;
}

/** The cheapest way below `limit` points to group cards with at least one sequence among them; null when there is none. */
function search(
  cards: readonly Card[],
  wildRank: Rank | null,
  limit: number,
): { points: number; laid: readonly Laid[] } | null {
  const counts = new Uint8Array(PRINTED_JOKER);
  let wildCount = 0;
  for (const face of cards.map(faceOf)) {
    if (isWild(face, wildRank)) wildCount += 1;
    else counts[face] = (counts[face] as number) + 1;
  }
  const order = [...counts.keys()]
    .filter((face) => counts[face] !== 0)
    .sort((left, right) => facePoints(right, wildRank) - facePoints(left, wildRank) || left - right);
  const stack: Laid[] = [];
  let best: readonly Laid[] | null = null;
  let bestPoints = limit;

  function decide(from: number, wilds: number, points: number, hasSequence: boolean): void {
    let at = from;
    while (at < order.length && counts[order[at] as Face] === 0) at += 1;
    const face = order[at];
    if (face === undefined) {
      finish(wilds, points, hasSequence);
      return;
    }
    for (const group of groupsWith(face, counts, wilds)) {
      for (const member of group.faces) counts[member] = (counts[member] as number) - 1;
      stack.push(group);
      decide(at, wilds - group.wilds, points, hasSequence || group.isSequence);
      stack.pop();
      for (const member of group.faces) counts[member] = (counts[member] as number) + 1;
      if (bestPoints <= points) return;
    }
    // Copies are alike: once one of them stays ungrouped, so do the others.
    const copies = counts[face] as number;
    const ungrouped = points + copies * facePoints(face, wildRank);
    if (ungrouped >= bestPoints) return;
    counts[face] = 0;
    decide(at + 1, wilds, ungrouped, hasSequence);
    counts[face] = copies;
  }

  function finish(wilds: number, points: number, hasSequence: boolean): void {
    if (points >= bestPoints || (!hasSequence && wilds < WILD_ONLY.wilds)) return;
    best = hasSequence ? [...stack] : [...stack, WILD_ONLY];
    bestPoints = points;
  }

  decide(0, wildCount, 0, false);
  return best === null ? null : { points: bestPoints, laid: best };
}

/** Every group of undecided cards that this face can join, for at most `wilds` wild cards. */
function groupsWith(face: Face, counts: Uint8Array, wilds: number): Laid[] {
  return [...runsWith(face, counts, wilds), ...setsWith(face, counts, wilds)];
}

/** Of runs that hold the same natural cards the cheapest: wild cards at its ends would only be wasted. */
function runsWith(face: Face, counts: Uint8Array, wilds: number): Laid[] {
  const suit = suitOf(face);
  const rank = rankOf(face);
  const costByRanks = new Map<number, number>();
  for (const place of rank === 1 ? [1, ACE_HIGH] : [rank]) {
    for (let low = Math.max(1, place - LONGEST_LAID + 1); low <= place; low += 1) {
      const highest = Math.min(ACE_HIGH, low + LONGEST_LAID - 1);
      for (let high = Math.max(place, low + 2); high <= highest; high += 1) {
        let ranks = 0;
        let cost = 0;
        for (let at = low; at <= high; at += 1) {
          if (counts[faceAt(suit, at)] === 0) cost += 1;
          else ranks |= 1 << ((at - 1) % 13);
        }
        if (cost <= Math.min(wilds, (costByRanks.get(ranks) ?? Infinity) - 1)) costByRanks.set(ranks, cost);
      }
    }
  }
  return [...costByRanks].map(([ranks, cost]) => ({ faces: facesOf(suit, ranks), wilds: cost, isSequence: true }));
}

function facesOf(suit: number, ranks: number): Face[] {
  const faces: Face[] = [];
  for (let rank = 1; rank <= 13; rank += 1) if ((ranks >> (rank - 1)) & 1) faces.push(faceAt(suit, rank));
  return faces;
}

/** A wild card stands in only where no natural card is left to do so; one natural card alone is better off in a run. */
function setsWith(face: Face, counts: Uint8Array, wilds: number): Laid[] {
  const others = [0, 1, 2, 3]
    .map((suit) => faceAt(suit, rankOf(face)))
    .filter((other) => other !== face && counts[other] !== 0);
  if (others.length === 1) return wilds === 0 ? [] : [{ faces: [face, ...others], wilds: 1, isSequence: false }];
  const found: Laid[] = [];
  for (let chosen = 0; chosen < 1 << others.length; chosen += 1) {
    const faces = [face, ...others.filter((_, bit) => (chosen >> bit) & 1)];
    if (faces.length >= SHORTEST_GROUP) found.push({ faces, wilds: 0, isSequence: false });
  }
  return found;
}

function deadwoodOnly(hand: readonly Card[], wildRank: Rank | null): Arrangement {
  return { groups: [], deadwood: hand, points: pointsOf(hand, wildRank), complete: false };
}

/** Put real cards to what the search laid; laid null: the one run alone counts. */
function laidOut(
  hand: readonly Card[],
  run: readonly Face[],
  laid: readonly Laid[] | null,
  wildRank: Rank | null,
): Arrangement {
  const left = [...hand];
  const groups = [take(left, run)];
  if (laid !== null) {
    const filled = laid.map((group) => take(left, group.faces));
    const wilds = left.filter((card) => isWild(faceOf(card), wildRank));
    const complete = wilds.length === left.length;
    filled.forEach((cards, at) => cards.push(...wilds.splice(0, laid[at]?.wilds)));
    if (complete) filled[laid.findIndex((group) => group.isSequence)]?.push(...wilds);
    groups.push(...filled);
  }
  return arranged(hand, groups, wildRank);
}

/** Takes one card of each face out of `left`, in the order of the faces. */
function take(left: Card[], faces: readonly Face[]): Card[] {
  return faces.flatMap((face) =>
    left.splice(
      left.findIndex((card) => faceOf(card) === face),
      1,
    ),
  );
}

function arranged(hand: readonly Card[], groups: readonly Card[][], wildRank: Rank | null): Arrangement {
  const grouped = new Set(groups.flat());
  const deadwood = hand.filter((card) => !grouped.has(card));
  const named = groups.map((cards, at): Group => {
    const kind = classifyGroup(cards, wildRank);
    if (kind === null) throw new Error("the solver laid a group that is none");
    // The first run lies in order already, and a wild card in it stands for itself.
    return { kind, cards: kind === "set" || at === 0 ? cards : inRunOrder(cards, wildRank) };
  });
  return {
    groups: named.sort((left, right) => KIND_ORDER.indexOf(left.kind) - KIND_ORDER.indexOf(right.kind)),
    deadwood,
    points: pointsOf(deadwood, wildRank),
    complete: deadwood.length === 0 && named.length > 1,
  };
}

/** A sequence upwards, each wild card where it stands for another; spare ones above, then below. */
function inRunOrder(cards: readonly Card[], wildRank: Rank | null): Card[] {
  const wilds = cards.filter((card) => isWild(faceOf(card), wildRank));
  const naturals = cards.filter((card) => !isWild(faceOf(card), wildRank));
  if (naturals.length === 0) return wilds;
  const ranks = naturals.map((card) => rankOf(faceOf(card)));
  const aceIsLow = Math.max(...ranks) - Math.min(...ranks) < cards.length;
  const placeOf = (card: Card): number => {
    const rank = rankOf(faceOf(card));
    return rank === 1 && !aceIsLow ? ACE_HIGH : rank;
  };
  const byPlace = new Map(naturals.map((card) => [placeOf(card), card]));
  const line: Card[] = [];
  let place = Math.min(...byPlace.keys());
  for (; line.length < cards.length && place <= ACE_HIGH; place += 1) {
    const card = byPlace.get(place) ?? wilds.shift();
    if (card === undefined) break;
    line.push(card);
  }
  return [...wilds, ...line];
}

/** What one discard of 14 cards leaves: the fewest points of the other 13, and whether they can be declared. */
export interface DiscardOption {
  readonly card: Card;
  readonly points: number;
  readonly declares: boolean;
}

/** One option for each of 14 cards, in ascending card order. */
export function discardOptions(cards: readonly Card[], wildRank: Rank | null): DiscardOption[] {
  const ascending = [...cards].sort((left, right) => left - right);
  return ascending.map((card) => {
    const { points, complete } = bestArrangement(
      ascending.filter((other) => other !== card),
      wildRank,
    );
    return { card, points, declares: complete };
  });
}
