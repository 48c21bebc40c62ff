import { expect, it } from "vitest";
import type { MatchPlayer } from "../../src/generated/protocol";
import { ranked } from "../../src/app/match/ranking";

function player(seat: number, score: number, standing: MatchPlayer["standing"] = "in"): MatchPlayer {
  return { seat, score, standing, rejoins: 0, player: { player_id: `${seat}`, name: "", bot: false } };
}

const PLAYERS = [player(0, 40), player(1, 120, "out"), player(2, 10), player(3, 0, "left"), player(4, 40)];

it.each([
  ["pool", [2, 0, 4, 1, 3]],
  ["deals", [0, 4, 2, 1, 3]],
] as const)("in %s the best of those who are in come first, those who left last", (kind, seats) => {
  expect(ranked(PLAYERS, kind).map(({ seat }) => seat)).toEqual(seats);
});
