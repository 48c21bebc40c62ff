import { describe, expect, it } from "vitest";
import { asked, momentOf, unitsOf } from "../../src/desk/parts/filters";

describe("what is typed into the desk's filters", () => {
  it.each([
    ["12.34", 1234],
    ["0.1", 10],
    ["-5", -500],
    [" 7 ", 700],
    ["", null],
    ["a lot", null],
    ["1e300", null],
  ])("reads %j tokens as %j units", (typed, units) => {
    expect(unitsOf(typed)).toBe(units);
  });

  it("reads moments in the person's own zone, and nothing else", () => {
    expect(momentOf("2026-11-30T14:05")).toBe(new Date(2026, 10, 30, 14, 5).getTime());
    expect(momentOf("yesterday")).toBeNull();
    expect(momentOf(undefined)).toBeNull();
  });

  it("asks for nothing that has no value", () => {
    expect(asked({ player: "Asha & Co", from_ms: 0, to_ms: null, table: "", rate: undefined })).toBe("?player=Asha+%26+Co&from_ms=0");
    expect(asked({ player: "" })).toBe("");
  });
});
