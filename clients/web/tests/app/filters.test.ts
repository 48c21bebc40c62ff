import { describe, expect, it } from "vitest";
import type { MatchRules, TableSummary } from "../../src/generated/protocol";
import { ALL, fits, loadFilters, saveFilters, wishesOf, type Filters } from "../../src/app/lobby/filters";
import { unitsOf, within } from "../../src/app/lobby/private_table";

function table(change: Partial<TableSummary> = {}, match: Partial<MatchRules> | null = null): TableSummary {
  const rules = { match: match === null ? null : { kind: "pool", ...match } };
  return { table_id: "t", asset: "HT", seat_count: 4, rate: 100, buy_in: 0, free: 1, rules, ...change } as TableSummary;
}

/** As much of a browser's storage as the filters use. */
function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
}

describe("the lobby's filters", () => {
  const pool = table({ rate: 0, buy_in: 10_000 }, { kind: "pool" });
  const cases: [string, Partial<Filters>, TableSummary, boolean, boolean][] = [
    ["everything is shown at first", {}, table(), false, true],
    ["another size", { seats: 6 }, table(), false, false],
    ["this size", { seats: 4 }, table(), false, true],
    ["another format", { format: "pool" }, table(), false, false],
    ["this format", { format: "pool" }, pool, false, true],
    ["other tokens", { tokens: "PT" }, table(), false, false],
    ["the price of a point", { price: 100 }, table(), false, true],
    ["the price of a match is its buy-in", { price: 10_000 }, pool, false, true],
    ["a match costs nothing a point", { price: 0 }, pool, false, false],
    ["no free chair", { freeOnly: true }, table({ free: 0 }), false, false],
    ["no free chair, but an own one", { freeOnly: true }, table({ free: 0 }), true, true],
  ];
  it.each(cases)("%s", (_, change, one, mine, shown) => {
    expect(fits(one, { ...ALL, ...change }, mine)).toBe(shown);
  });

  it("are remembered, and nonsense is not", () => {
    const kept = storage();
    const filters: Filters = { seats: 6, format: "deals", tokens: "PT", price: 50, freeOnly: true };
    saveFilters(kept, filters);
    expect(loadFilters(kept)).toEqual(filters);
    kept.setItem("rummy.lobby", JSON.stringify({ seats: 5, format: "whist", tokens: 1, price: "much" }));
    expect(loadFilters(kept)).toEqual(ALL);
    kept.setItem("rummy.lobby", "{");
    expect(loadFilters(kept)).toEqual(ALL);
  });

  it("seat nobody for a buy-in unasked, and ask for no rate where none is", () => {
    expect(wishesOf({ ...ALL, seats: 4, price: 100 })).toEqual({
      format: "points",
      asset: null,
      seat_count: 4,
      min_rate: 100,
      max_rate: 100,
    });
    expect(wishesOf({ ...ALL, format: "pool", price: 10_000 })).toEqual({ format: "pool", asset: null, seat_count: null });
  });
});

describe("the form of a private table", () => {
  it.each([
    [1, 100],
    [0.5, 50],
    [0.29, 29],
    [0.005, null],
    [null, null],
    [Number.NaN, null],
  ])("%s tokens are %s units", (typed, units) => {
    expect(unitsOf(typed)).toBe(units);
  });

  it("takes whole numbers within the bounds alone", () => {
    const bounds = { least: 2, most: 8 };
    expect([1, 2, 8, 9, 2.5, null].map((value) => within(value, bounds))).toEqual([false, true, true, false, false, false]);
  });
});
