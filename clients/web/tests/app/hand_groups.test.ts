import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bundle,
  byRank,
  bySuit,
  moveCard,
  readLaid,
  reconcile,
  stepCard,
  type Groups,
} from "../../src/app/table/hand_groups";
import { cardsFromNames } from "../../src/rummy/cards";

function cards(text: string): number[] {
  const found = cardsFromNames(text.split(" "));
  if (found === null) throw new Error(`no cards: ${text}`);
  return found;
}

const hands = fc.uniqueArray(fc.integer({ min: 0, max: 105 }), { minLength: 13, maxLength: 14 });
const layouts = hands.chain((held) =>
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength: held.length, maxLength: held.length }).map((columns) =>
    [0, 1, 2, 3, 4, 5]
      .map((column) => held.filter((_, at) => columns[at] === column))
      .filter((group) => group.length > 0),
  ),
);

function sameCards(groups: Groups, held: readonly number[]): void {
  expect(groups.flat().toSorted((a, b) => a - b)).toEqual(held.toSorted((a, b) => a - b));
  expect(groups.every((group) => group.length > 0)).toBe(true);
}

describe("laying the own cards", () => {
  it("never loses or doubles a card, whatever is done to it", () => {
    fc.assert(
      fc.property(layouts, fc.nat(), fc.nat(7), fc.nat(14), (groups, pick, toGroup, at) => {
        const held = groups.flat();
        const card = held[pick % held.length] as number;
        sameCards(moveCard(groups, card, toGroup, at), held);
        sameCards(stepCard(groups, card, 1), held);
        sameCards(stepCard(groups, card, -1), held);
        sameCards(bundle(groups, held.slice(0, 3)), held);
        sameCards(bySuit(held, 5), held);
        sameCards(byRank(held, null), held);
        sameCards(reconcile(groups, held, null), held);
      }),
    );
  });

  it("keeps the layout when a card is drawn and another one goes", () => {
    const [fiveH, sixH, sevenH, kingS, twoC] = cards("5H 6H 7H KS 2C") as [number, number, number, number, number];
    const before = [[fiveH, sixH, sevenH], [kingS]];
    expect(reconcile(before, [fiveH, sixH, sevenH, kingS, twoC], null)).toEqual([
      [fiveH, sixH, sevenH],
      [kingS, twoC],
    ]);
    expect(reconcile(before, [fiveH, sixH, sevenH, twoC], null)).toEqual([[fiveH, sixH, sevenH], [twoC]]);
  });

  it("steps a card over the border of its group and past the last one into a group of its own", () => {
    const [a, b, c] = cards("2C 3C 9H") as [number, number, number];
    expect(stepCard([[a, b], [c]], b, 1)).toEqual([[a], [b, c]]);
    expect(stepCard([[a, b], [c]], a, 1)).toEqual([[b, a], [c]]);
    expect(stepCard([[a, b]], b, 1)).toEqual([[a], [b]]);
  });
});

describe("what a layout counts", () => {
  const cases: [string, string[], number][] = [
    ["two runs, one pure: only loose cards", ["5H 6H 7H", "9S PJ JS", "KC 4D"], 14],
    ["a pure run alone: all else counts, a set too", ["5H 6H 7H", "KC KD KS", "4D"], 34],
    ["no pure run: everything counts", ["9S PJ JS", "KC KD KS"], 49],
    ["two pure runs and a set", ["5H 6H 7H", "2S 3S 4S", "KC KD KS", "9C"], 9],
  ];
  it.each(cases)("%s", (_, groups, points) => {
    expect(readLaid(groups.map(cards), null).points).toBe(points);
  });
});
