import { expect, it } from "vitest";
import type { WaitingPlace } from "../../src/generated/protocol";
import { withPlace, type Places } from "../../src/app/lobby/places";

function place(change: Partial<WaitingPlace>): WaitingPlace {
  return { type: "waiting", table_id: "a", position: 1, waiting: 1, offer_until_ms: null, ended: null, ...change };
}

const NONE: Places = new Map();

it("keeps the newest place of each table", () => {
  const places = [place({ position: 2 }), place({ table_id: "b" }), place({ position: 1 })].reduce(withPlace, NONE);
  expect([...places].map(([table, { position }]) => [table, position])).toEqual([
    ["b", 1],
    ["a", 1],
  ]);
});

it.each([
  ["seated", 0],
  ["left", 0],
  ["closed", 0],
  ["offer_expired", 1],
  ["removed", 1],
  ["away", 1],
] as const)("a place that ended as %s leaves %i lines to read", (ended, lines) => {
  expect([place({}), place({ position: null, ended })].reduce(withPlace, NONE).size).toBe(lines);
});
