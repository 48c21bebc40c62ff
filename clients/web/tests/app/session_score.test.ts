import { describe, expect, it } from "vitest";
import type { ResultView } from "../../src/generated/protocol";
import { SessionScore } from "../../src/app/table/session_score";

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
}

function result(handId: string, delta: number): ResultView {
  return {
    hand_id: handId,
    hand_no: 1,
    outcome: "declared",
    void_reason: null,
    winner: 0,
    commission: 0,
    lines: [
      { seat: 0, player: { player_id: "a", name: "A", bot: false }, points: 0, match_points: null, delta, out: null, arrangement: null },
      { seat: 1, player: { player_id: "b", name: "B", bot: true }, points: 7, match_points: null, delta: -delta, out: null, arrangement: null },
    ],
  };
}

describe("the running score", () => {
  it("adds each hand once, over reloads too", () => {
    const kept = storage();
    new SessionScore(kept, "t").add(result("h1", 700));
    const score = new SessionScore(kept, "t");
    score.add(result("h1", 700));
    score.add(result("h2", -200));
    expect(score.lines().map(({ playerId, hands, points, delta }) => [playerId, hands, points, delta])).toEqual([
      ["a", 2, 0, 500],
      ["b", 2, 14, -500],
    ]);
    expect(new SessionScore(kept, "other").lines()).toEqual([]);
  });
});
