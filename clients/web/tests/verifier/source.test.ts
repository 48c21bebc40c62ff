import { describe, expect, it } from "vitest";
import { handInAddress, hasHouse, readGiven, readHandId } from "../../src/verifier/source";
import { sample } from "../fair/samples";

describe("what a person gives the verifier", () => {
  it.each([
    [JSON.stringify(sample("declared").public), "hand"],
    ['{"events": 1}', "hand"],
    ['{"keys": []}', "keys"],
    ['{"keys": 1}', "unreadable"],
    ['{"receipt": "commit"}', "unreadable"],
    ["[1]", "unreadable"],
    ["[]", "unknown"],
    ["{}", "unknown"],
    ["7", "unknown"],
    ["not JSON", "unreadable"],
    ['{"events": [], "events": []}', "unreadable"],
    ["", "unreadable"],
  ])("is told by its fields: %#", (text, kind) => {
    expect(readGiven(text).kind).toBe(kind);
  });

  it.each([
    ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"],
    [" 01234567-89AB-cdef-0123-456789abcdef ", "0123456789abcdef0123456789abcdef"],
    ["0123456789abcdef", null],
    ["../../etc/passwd", null],
    ["", null],
  ])("may be a hand's id: %s", (text, id) => {
    expect(readHandId(text)).toBe(id);
  });

  it("may stand in the address", () => {
    const id = "0123456789abcdef0123456789abcdef";
    expect([handInAddress(`#hand=${id}`), handInAddress("#"), handInAddress("#hand=x")]).toEqual([id, null, null]);
  });

  it("can be had from a house only where there is one", () => {
    expect(["https:", "http:", "file:"].map(hasHouse)).toEqual([true, true, false]);
  });
});
