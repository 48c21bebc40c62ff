import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RANK_NAMES, cardsFromNames, faceOf, facePoints, type Card, type Rank } from "../../src/rummy/cards";
import { classifyGroup, type Arrangement } from "../../src/rummy/groups";
import { bestArrangement, discardOptions } from "../../src/rummy/solver";
import { readVector } from "../vectors";

interface SolvedHand {
  id: string;
  cards: string[];
  wild: string;
  points: number;
  can_declare: boolean;
}

function wildOf(name: string): Rank | null {
  return name === "PJ" ? null : (RANK_NAMES as readonly string[]).indexOf(name) + 1;
}

function hand(names: string): Card[] {
  return cardsFromNames(names.split(" ")) as Card[];
}

function expectLegal(found: Arrangement, cards: readonly Card[], wildRank: Rank | null): void {
  const everywhere = [...found.groups.flatMap((group) => group.cards), ...found.deadwood];
  expect(everywhere.sort((a, b) => a - b)).toEqual([...cards].sort((a, b) => a - b));
  for (const group of found.groups) expect(classifyGroup(group.cards, wildRank)).toBe(group.kind);
  if (found.groups.length > 0) expect(found.groups[0]?.kind).toBe("pure");
  if (found.groups.length > 1) expect(found.groups[1]?.kind).not.toBe("set");
  expect(found.deadwood.reduce((sum, card) => sum + facePoints(faceOf(card), wildRank), 0)).toBe(found.points);
  if (found.complete) expect(found.deadwood).toEqual([]);
}

const someHand = fc.record({
  decks: fc.constantFrom(2, 3),
  wildRank: fc.option(fc.integer({ min: 1, max: 13 })),
  cards: fc.uniqueArray(fc.nat(158), { minLength: 14, maxLength: 14 }),
});

describe("the solver", () => {
  it("solves every hand of the vectors", () => {
    const hands = readVector("solver_hands.json") as SolvedHand[];
    expect(hands.length).toBe(1600);
    for (const one of hands) {
      const cards = cardsFromNames(one.cards) as Card[];
      const found = bestArrangement(cards, wildOf(one.wild));
      expect([one.id, found.points, found.complete]).toEqual([one.id, one.points, one.can_declare]);
      expectLegal(found, cards, wildOf(one.wild));
    }
  });

  it("lets one of two equal wild cards stand for itself and the other substitute", () => {
    expect(bestArrangement(hand("5H 3S JH 6H 8D 5D JH 10C 7H 4S 2H 2H 7S"), 11).points).toBe(27);
  });

  it("counts a hand of wild cards alone, with no pure run, as it lies", () => {
    const found = bestArrangement(hand("5C 5C 5D 5D 5H 5H 5S 5S PJ PJ 2C 9D KH"), 5);
    expect([found.points, found.complete, found.groups]).toEqual([21, false, []]);
  });

  it("lays wild cards where they stand in a run", () => {
    const found = bestArrangement(hand("3C 4C 5C 9D PJ JD QD 7H 7S 7D KH KS KD"), null);
    expect(found.groups[1]?.cards.map(faceOf)).toEqual([21, 52, 23, 24]);
  });

  it("answers the same in any order of the cards", () => {
    fc.assert(
      fc.property(someHand, fc.integer(), ({ cards, wildRank }, turn) => {
        const thirteen = cards.slice(1);
        const shift = ((turn % 13) + 13) % 13;
        const turned = [...thirteen.slice(shift), ...thirteen.slice(0, shift)].reverse();
        expect(bestArrangement(turned, wildRank)).toEqual(bestArrangement(thirteen, wildRank));
      }),
    );
  });

  it("shows only legal arrangements that add up", () => {
    fc.assert(
      fc.property(someHand, ({ cards, wildRank }) => {
        expectLegal(bestArrangement(cards.slice(1), wildRank), cards.slice(1), wildRank);
      }),
      { numRuns: 2000 },
    );
  });

  it("tells for 14 cards what each discard leaves", () => {
    fc.assert(
      fc.property(someHand, ({ cards, wildRank }) => {
        for (const option of discardOptions(cards, wildRank)) {
          const left = cards.filter((card) => card !== option.card);
          expect(option.points).toBe(bestArrangement(left, wildRank).points);
        }
      }),
      { numRuns: 50 },
    );
  });
});
