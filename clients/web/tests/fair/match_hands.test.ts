import { describe, expect, it } from "vitest";
import { readKeyList } from "../../src/fair/keys";
import { verifyHand } from "../../src/fair/verify";
import { matchRuleProblem } from "../../src/rummy/match_rules";
import { readVector } from "../vectors";

interface Match {
  readonly name: string;
  readonly hands: readonly { readonly input: { readonly terms: Terms } }[];
}

interface Terms {
  readonly rules: Readonly<Record<string, string>>;
  readonly players: readonly { readonly seat: number }[];
}

const stored = readVector("match_files.json") as { keys: unknown; matches: Match[] };
const KEYS = readKeyList({ keys: stored.keys });

describe("the hands of a match", () => {
  it.each(stored.matches)("verify one by one: $name", ({ hands }) => {
    for (const hand of hands) expect(verifyHand(hand, KEYS).failed).toBeNull();
  });
});

describe("the rules that name a match", () => {
  const { rules, players } = stored.matches[0]?.hands[0]?.input.terms as Terms;
  const seats = players.map(({ seat }) => seat);

  it.each([
    ["match", undefined],
    ["match", "0A".repeat(16)],
    ["match_hand", "0"],
    ["match_hand", "01"],
    ["buy_in", "9007199254740992"],
    ["standing", "0:1"],
    ["standing", "0:1  1:2"],
    ["standing", "0:01 1:2"],
  ])("are refused: %s is %s", (name, value) => {
    const changed = { ...rules };
    if (value === undefined) delete changed[name];
    else changed[name] = value;
    expect(matchRuleProblem(changed, 0, seats)?.name).toBe(name);
  });

  it("belong to no hand of points, and to none that moves tokens", () => {
    expect(matchRuleProblem(rules, 0, seats)).toBeNull();
    expect(matchRuleProblem(rules, 1, seats)?.name).toBe("format");
    expect(matchRuleProblem({ ...rules, format: "points" }, 0, seats)?.name).toBe("buy_in");
  });
});
