/**
 * How a player has laid their own cards: groups from left to right, each with its cards in order. A view of the hand
 * only: what the house counts is the best arrangement, never this one.
 */

import { faceOf, facePoints, isWild, PRINTED_JOKER, rankOf, suitOf, type Card, type Rank } from "../../rummy/cards";
import { classifyGroup, type GroupKind } from "../../rummy/groups";

export type Groups = readonly (readonly Card[])[];

export interface LaidGroup {
  readonly cards: readonly Card[];
  /** null: these cards are no group. */
  readonly kind: GroupKind | null;
  /** What the cards count where they lie: nothing in a group that saves them (rules section 4). */
  readonly points: number;
}

export interface Laid {
  readonly groups: readonly LaidGroup[];
  /** What the hand would count if this were its best arrangement (rules section 4). */
  readonly points: number;
}

function tidy(groups: Groups): Groups {
  return groups.filter((group) => group.length > 0);
}

/** The same layout for the cards that are held now: gone cards leave, new ones come last. */
export function reconcile(groups: Groups, held: readonly Card[], wildRank: Rank | null): Groups {
  const kept = tidy(groups.map((group) => group.filter((card) => held.includes(card))));
  const known = new Set(kept.flat());
  const fresh = held.filter((card) => !known.has(card));
  if (fresh.length === 0) return kept;
  const last = kept.at(-1);
  if (last === undefined) return bySuit(fresh, wildRank);
  return classifyGroup(last, wildRank) === null ? [...kept.slice(0, -1), [...last, ...fresh]] : [...kept, fresh];
}

/** Put one card before place `at` of a group; a group number past the last one opens a new group. */
export function moveCard(groups: Groups, card: Card, toGroup: number, at: number): Groups {
  const target = groups[toGroup];
  if (target === undefined) return tidy([...groups.map((group) => group.filter((other) => other !== card)), [card]]);
  const from = target.indexOf(card);
  const place = from >= 0 && from < at ? at - 1 : at;
  return tidy(
    groups.map((group, index) => {
      const rest = group.filter((other) => other !== card);
      return index === toGroup ? [...rest.slice(0, place), card, ...rest.slice(place)] : rest;
    }),
  );
}

/** One step to the left or right, over the borders of groups; past the last card it opens a new group. */
export function stepCard(groups: Groups, card: Card, step: -1 | 1): Groups {
  const group = groups.findIndex((cards) => cards.includes(card));
  const cards = groups[group];
  if (cards === undefined) return groups;
  const place = cards.indexOf(card);
  const within = place + step >= 0 && place + step < cards.length;
  if (within) return moveCard(groups, card, group, step === 1 ? place + 2 : place - 1);
  const next = group + step;
  if (next < 0) return cards.length === 1 ? groups : tidy([[card], ...groups.map((one) => one.filter((c) => c !== card))]);
  return moveCard(groups, card, next, step === 1 ? 0 : (groups[next]?.length ?? 0));
}

/** Lay the chosen cards together as a group of their own, before the last group. */
export function bundle(groups: Groups, chosen: readonly Card[]): Groups {
  const ordered = groups.flat().filter((card) => chosen.includes(card));
  const rest = tidy(groups.map((group) => group.filter((card) => !chosen.includes(card))));
  return tidy([...rest.slice(0, -1), ordered, rest.at(-1) ?? []]);
}

/** A group per suit, ranks upwards, wild cards in a group of their own. */
export function bySuit(cards: readonly Card[], wildRank: Rank | null): Groups {
  return sortedInto(cards, wildRank, (card) => suitOf(faceOf(card)), (card) => rankOf(faceOf(card)));
}

/** One group per few ranks would be many: three groups from low to high, wild cards apart. */
export function byRank(cards: readonly Card[], wildRank: Rank | null): Groups {
  return sortedInto(
    cards,
    wildRank,
    (card) => Math.floor((rankOf(faceOf(card)) - 1) / 5),
    (card) => rankOf(faceOf(card)) * 4 + suitOf(faceOf(card)),
  );
}

function sortedInto(
  cards: readonly Card[],
  wildRank: Rank | null,
  column: (card: Card) => number,
  order: (card: Card) => number,
): Groups {
  const naturals = cards.filter((card) => !isWild(faceOf(card), wildRank)).sort((a, b) => order(a) - order(b));
  const wilds = cards.filter((card) => isWild(faceOf(card), wildRank)).sort((a, b) => wildOrder(a) - wildOrder(b));
  const columns = [...new Set(naturals.map(column))].sort((a, b) => a - b);
  return tidy([...columns.map((one) => naturals.filter((card) => column(card) === one)), wilds]);
}

function wildOrder(card: Card): number {
  const face = faceOf(card);
  return face === PRINTED_JOKER ? -1 : suitOf(face);
}

/** The kind and points of each group, and of the whole as it lies. */
export function readLaid(groups: Groups, wildRank: Rank | null): Laid {
  const read = groups.map((cards) => ({ cards, kind: classifyGroup(cards, wildRank), full: pointsOf(cards, wildRank) }));
  const counts = countedGroups(read);
  return {
    groups: read.map((group) => ({ cards: group.cards, kind: group.kind, points: counts.has(group) ? 0 : group.full })),
    points: read.reduce((sum, group) => sum + (counts.has(group) ? 0 : group.full), 0),
  };
}

interface ReadGroup {
  readonly kind: GroupKind | null;
  readonly full: number;
}

/** Which groups save their cards: all with two sequences, one pure; else the dearest pure run; else none. */
function countedGroups(groups: readonly ReadGroup[]): ReadonlySet<ReadGroup> {
  const pure = groups.filter((group) => group.kind === "pure");
  const sequences = groups.filter((group) => group.kind === "pure" || group.kind === "impure");
  const dearest = pure.reduce<ReadGroup | null>((best, one) => (best === null || one.full > best.full ? one : best), null);
  if (dearest === null) return new Set();
  return sequences.length < 2 ? new Set([dearest]) : new Set(groups.filter((group) => group.kind !== null));
}

function pointsOf(cards: readonly Card[], wildRank: Rank | null): number {
  return cards.reduce((sum, card) => sum + facePoints(faceOf(card), wildRank), 0);
}
