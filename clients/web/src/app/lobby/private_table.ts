/** What the form of a private table may ask for, as numbers that people type and as the house's units. */

import { call } from "../http";

export interface PrivateOffer {
  /** From and to, in token units (1/100) per point. */
  readonly rates: readonly [number, number];
  readonly commission_bp: number;
  /** How many one player may have open at once; 0 when the house opens none for players. */
  readonly tables_per_player: number;
}

export function privateOffer(): Promise<PrivateOffer> {
  return call("/api/private-tables");
}

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The same as the house's own (server/protocol/lobby_commands.py), which checks again. */
export const RULE_BOUNDS = {
  min_players: { least: 2, most: 8 },
  turn_seconds: { least: 5, most: 120 },
  time_bank_seconds: { least: 0, most: 120 },
  missed_turns_to_drop: { least: 1, most: 10 },
  reshuffles_allowed: { least: 0, most: 10 },
} as const satisfies Readonly<Record<string, Bounds>>;

/** Token units of a typed number of tokens; null for what is no number, or finer than a hundredth. */
export function unitsOf(typed: number | null): number | null {
  if (typed === null || !Number.isFinite(typed)) return null;
  const units = Math.round(typed * 100);
  return Math.abs(typed * 100 - units) < 1e-6 ? units : null;
}

export function within(value: number | null, bounds: Bounds): boolean {
  return value !== null && Number.isInteger(value) && value >= bounds.least && value <= bounds.most;
}
