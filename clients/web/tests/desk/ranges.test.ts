import { describe, expect, it } from "vitest";
import { dayName, dayStart } from "../../src/desk/parts/time_axis";
import { stretchOf } from "../../src/desk/today/ranges";

const INDIA = 330;
/** 2026-11-30, 20:00 UTC: already the first of December in India. */
const NOW = Date.UTC(2026, 10, 30, 20);
const india = (): number => INDIA;

describe("the stretches of the first page", () => {
  it("leaves the day so far to the house, which knows when it began", () => {
    const unasked = (): number => {
      throw new Error("nobody needs the offset for this");
    };
    expect(stretchOf({}, NOW, unasked)).toEqual({ from_ms: null, to_ms: null, step: "hour" });
  });

  it("takes whole days of the house", () => {
    const midnight = Date.UTC(2026, 10, 30, 18, 30);
    expect(dayStart(NOW, INDIA)).toBe(midnight);
    expect(dayName(NOW, INDIA)).toBe("2026-12-01");
    expect(stretchOf({ range: "yesterday" }, NOW, india)).toEqual({
      from_ms: midnight - 86_400_000,
      to_ms: midnight,
      step: "hour",
    });
    expect(stretchOf({ range: "week" }, NOW, india)).toEqual({
      from_ms: midnight - 6 * 86_400_000,
      to_ms: null,
      step: "day",
    });
  });

  it.each([
    ["2026-11-30T00:00", "hour"],
    ["2026-11-01T00:00", "day"],
    ["", "hour"],
    ["nonsense", "hour"],
  ])("steps through what was chosen from %s on by the %s", (from, step) => {
    expect(stretchOf({ range: "chosen", from }, NOW, india).step).toBe(step);
  });

  it("steps as it was told", () => {
    expect(stretchOf({ range: "week", step: "hour" }, NOW, india).step).toBe("hour");
    expect(stretchOf({ range: "week", step: "minute" }, NOW, india).step).toBe("day");
  });
});
