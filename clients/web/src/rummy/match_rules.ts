/**
 * What the rule map says of the match that a hand is part of, as far as one hand can be held against it. Whether the
 * match as a whole follows from its hands, `python -m fairness match` says. Source: docs/fairness.md, docs/formats.md.
 */

import type { UnknownRule } from "./rules";

/** Every format but points, which has no match. */
export const MATCH_FORMATS = ["pool_101", "pool_201", "deals_2", "deals_3", "deals_6"] as const;

const SHAPES: Readonly<Record<string, RegExp>> = {
  buy_in: /^[1-9]\d{0,15}$/,
  match: /^[0-9a-f]{32}$/,
  match_hand: /^[1-9]\d{0,15}$/,
  standing: /^[0-7]:(?:0|[1-9]\d{0,8})(?: [0-7]:(?:0|[1-9]\d{0,8}))*$/,
};

const NUMBERS = ["buy_in", "match_hand"];

export function isMatchRule(name: string): boolean {
  return Object.hasOwn(SHAPES, name);
}

/** The first of these rules that is missing, misshapen, or has no place here; null when all is well. */
export function matchRuleProblem(
  map: Readonly<Record<string, string>>,
  rate: number,
  seats: readonly number[],
): UnknownRule | null {
  const format = map["format"] ?? "";
  const inMatch = (MATCH_FORMATS as readonly string[]).includes(format);
  for (const [name, shape] of Object.entries(SHAPES)) {
    const value = Object.hasOwn(map, name) ? map[name] : undefined;
    if (!inMatch && value !== undefined) return { name, value };
    if (!inMatch) continue;
    if (value === undefined) return { name, value: null };
    if (!shape.test(value)) return { name, value };
    if (NUMBERS.includes(name) && !Number.isSafeInteger(Number(value))) return { name, value };
  }
  if (!inMatch) return null;
  const standing = map["standing"] ?? "";
  const named = standing.split(" ").map((one) => Number(one.split(":")[0]));
  if (named.join() !== seats.join()) return { name: "standing", value: standing };
  // The hands of a match move no tokens.
  return rate === 0 ? null : { name: "format", value: format };
}
