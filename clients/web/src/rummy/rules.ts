/**
 * The table's rules as far as they decide what is legal and what it costs, read from the rule map that a hand's terms
 * are bound to. Source: house rules sections 5 and 8.
 */

import { isMatchRule, MATCH_FORMATS } from "./match_rules";

export const FIRST_DROP_POINTS = 20;
export const MIDDLE_DROP_POINTS = 40;
export const WRONG_DECLARE_POINTS = 80;

const TAKE_WILD = ["allowed", "first_turn_only", "never"] as const;
const RETURN_TAKEN = ["forbidden", "allowed"] as const;

export interface TableRules {
  readonly takeWildFromPile: (typeof TAKE_WILD)[number];
  readonly returnTakenCard: (typeof RETURN_TAKEN)[number];
  readonly missedTurnsToDrop: number;
  readonly reshufflesAllowed: number;
}

/** A rule that is missing, unknown, or set to what no table of the house can have. */
export interface UnknownRule {
  readonly name: string;
  /** Null when it is missing. */
  readonly value: string | null;
}

/** What each rule may be: some words, or a number between two. Any other name is unknown. */
const ALLOWED: Readonly<Record<string, readonly string[] | { low: number; high: (seatCount: number) => number }>> = {
  format: ["points", ...MATCH_FORMATS],
  min_players: { low: 2, high: (seatCount) => seatCount },
  turn_seconds: { low: 5, high: () => 120 },
  time_bank_seconds: { low: 0, high: () => 120 },
  missed_turns_to_drop: { low: 1, high: () => 10 },
  take_wild_from_pile: TAKE_WILD,
  return_taken_card: RETURN_TAKEN,
  reshuffles_allowed: { low: 0, high: () => 10 },
  wild_only_group: ["allowed"],
};

/** Rules that the house plays in one way only may be left out. */
const OPTIONAL = ["wild_only_group"];

const DECIMAL = /^(?:0|[1-9]\d{0,8})$/;

/** `matchRuleProblem` looks at the rules that belong to a match. */
export function readRules(map: Readonly<Record<string, string>>, seatCount: number): TableRules | UnknownRule {
  const missing = Object.keys(ALLOWED).find((name) => !Object.hasOwn(map, name) && !OPTIONAL.includes(name));
  if (missing !== undefined) return { name: missing, value: null };
  for (const [name, value] of Object.entries(map)) {
    if (isMatchRule(name)) continue;
    const allowed = Object.hasOwn(ALLOWED, name) ? ALLOWED[name] : undefined;
    if (allowed === undefined) return { name, value };
    const fits =
      "low" in allowed
        ? DECIMAL.test(value) && Number(value) >= allowed.low && Number(value) <= allowed.high(seatCount)
        : allowed.includes(value);
    if (!fits) return { name, value };
  }
  return {
    takeWildFromPile: map["take_wild_from_pile"] as TableRules["takeWildFromPile"],
    returnTakenCard: map["return_taken_card"] as TableRules["returnTakenCard"],
    missedTurnsToDrop: Number(map["missed_turns_to_drop"]),
    reshufflesAllowed: Number(map["reshuffles_allowed"]),
  };
}
