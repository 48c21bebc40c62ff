/** The table's rules as far as they decide what is legal and what it costs. Source: house rules sections 5 and 8. */

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

/** Reads the rule map of a hand's terms; a string names the first rule that is missing or that no table can have. */
export function readRules(map: Readonly<Record<string, string>>): TableRules | string {
  const takeWildFromPile = TAKE_WILD.find((value) => value === map["take_wild_from_pile"]);
  const returnTakenCard = RETURN_TAKEN.find((value) => value === map["return_taken_card"]);
  const missedTurnsToDrop = decimal(map["missed_turns_to_drop"], 1, 10);
  const reshufflesAllowed = decimal(map["reshuffles_allowed"], 0, 10);
  if (takeWildFromPile === undefined) return "take_wild_from_pile";
  if (returnTakenCard === undefined) return "return_taken_card";
  if (missedTurnsToDrop === null) return "missed_turns_to_drop";
  if (reshufflesAllowed === null) return "reshuffles_allowed";
  return { takeWildFromPile, returnTakenCard, missedTurnsToDrop, reshufflesAllowed };
}

function decimal(text: string | undefined, low: number, high: number): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,3})$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}
