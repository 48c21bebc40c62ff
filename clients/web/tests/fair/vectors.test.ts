import { describe, expect, it } from "vitest";
import { readVector } from "../vectors";
import { checkVectors, type FairnessVectors } from "./vector_checks";

describe("the fairness vectors", () => {
  const vectors = readVector("fairness.json") as FairnessVectors;

  it("come out right, byte for byte", () => {
    expect(checkVectors(vectors)).toEqual([]);
  });

  it("are all there", () => {
    const { deal, reshuffle, uniform, merkle, hands } = vectors;
    expect([deal, reshuffle, uniform, merkle, hands].map((list) => list.length)).toEqual([22, 12, 10, 8, 3]);
  });

  it("would show a change: deal-03 begins as the specification says", () => {
    const third = vectors.deal.find((one) => one.id === "deal-03");
    expect(String(third?.output["commitment"]).slice(0, 8)).toBe("7a5fe6dd");
    expect((third?.output["deck"] as number[]).slice(0, 8)).toEqual([70, 85, 80, 79, 35, 78, 81, 11]);
  });
});
