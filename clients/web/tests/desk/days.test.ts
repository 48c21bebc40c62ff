import { describe, expect, it } from "vitest";
import { dayAfter, listedDays } from "../../src/desk/reports/days";
import { basisPoints } from "../../src/desk/tables/stakes";

const closed = (day: string) => ({ day, name: "Ines", closed_ms: 0 });

describe("the days of the house", () => {
  it.each([
    ["2026-02-28", 1, "2026-03-01"],
    ["2026-01-01", -1, "2025-12-31"],
  ])("knows the day %s and %i more", (day, days, later) => {
    expect(dayAfter(day, days)).toBe(later);
  });

  it("lists the newest days since the first hand, and every day that was closed", () => {
    const first = Date.UTC(2026, 10, 29, 12);
    const listed = listedDays([closed("2026-11-29"), closed("2026-09-01")], "2026-11-30", first, 31);
    expect(listed.map(({ day, closed: by }) => [day, by?.name ?? null])).toEqual([
      ["2026-11-30", null],
      ["2026-11-29", "Ines"],
      ["2026-11-28", null],
      ["2026-09-01", "Ines"],
    ]);
  });

  it("lists no more days than it was asked for", () => {
    expect(listedDays([], "2026-11-30", 0, 31)).toHaveLength(31);
  });
});

describe("a commission as people type it", () => {
  it.each([
    ["5", 500],
    ["0", 0],
    ["2.55", 255],
    ["25", 2500],
    ["25.01", null],
    ["0.001", null],
    ["-1", null],
    ["", null],
    ["five", null],
  ])("reads %j as %j basis points", (typed, expected) => {
    expect(basisPoints(typed)).toBe(expected);
  });
});
