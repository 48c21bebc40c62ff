/** The limits that a player sets for themselves (docs/protocol.md): each change answers with how everything stands. */

import { call, post, type Asset } from "./http";

/** What takes effect at a moment; null: no limit from then on. */
export interface Pending {
  readonly value: number | null;
  readonly at_ms: number;
}

/** All in 1/100 tokens; of the last 24 hours. */
export interface LossLimit {
  readonly units: number | null;
  readonly pending: Pending | null;
  readonly lost: number;
  readonly held: number;
  readonly left: number | null;
}

export interface Limits {
  readonly now_ms: number;
  readonly loss: Readonly<Record<Asset, LossLimit>>;
  readonly reminder: {
    readonly minutes: number | null;
    readonly pending: Pending | null;
    readonly played_ms: number;
    readonly is_due: boolean;
  };
  readonly cool_off_until_ms: number | null;
  readonly self_excluded_until_ms: number | null;
  /** From and to, both included. */
  readonly allowed: {
    readonly loss_units: readonly [number, number];
    readonly reminder_minutes: readonly [number, number];
    readonly cool_off_days: readonly [number, number];
    readonly self_exclusion_days: readonly [number, number];
  };
}

export function myLimits(): Promise<Limits> {
  return call("/api/me/limits");
}

export function limitLoss(asset: Asset, units: number | null): Promise<Limits> {
  return post("/api/me/limits/loss", { asset, units }, "PUT");
}

export function remindAfter(minutes: number | null): Promise<Limits> {
  return post("/api/me/limits/reminder", { minutes }, "PUT");
}

export function reminderSeen(): Promise<Limits> {
  return post("/api/me/limits/reminder/seen");
}

export function coolOff(days: number): Promise<Limits> {
  return post("/api/me/limits/cool-off", { days });
}

export function excludeMyself(days: number): Promise<Limits> {
  return post("/api/me/limits/self-exclusion", { days });
}
