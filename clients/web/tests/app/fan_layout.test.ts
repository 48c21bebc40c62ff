import { describe, expect, it } from "vitest";
import { stripWidth } from "../../src/app/table/fan_layout";

const phone = { width: 344, cardWidth: 52, gap: 10 };

describe("the fan", () => {
  it("spreads few cards and folds many, in at most two rows", () => {
    expect(stripWidth([3, 3], phone)).toBe(Math.floor(52 * 0.8));
    for (const sizes of [[14], [5, 4, 3, 2], [3, 3, 3, 3, 2], [10, 4], [2, 2, 2, 2, 2, 2, 2]]) {
      const strip = stripWidth(sizes, phone);
      const widest = Math.max(...sizes.map((size) => 52 + (size - 1) * strip));
      expect(widest).toBeLessThanOrEqual(phone.width);
      expect(strip).toBeGreaterThanOrEqual(14);
    }
  });

  it("stays in one row where there is room", () => {
    const strip = stripWidth([4, 4, 3, 3], { width: 1_200, cardWidth: 80, gap: 10 });
    expect(4 * 80 + 10 * strip + 3 * 10).toBeLessThanOrEqual(1_200);
  });
});
