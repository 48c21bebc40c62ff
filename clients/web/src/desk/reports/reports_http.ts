/** What a day of the house brought, and who signed it off. */

import { call, post, type Asset } from "../../app/http";
import { asked } from "../parts/filters";
import type { Format } from "../words_of_hands";

/** One format at one rate (0 in matches). settled: hands or matches that moved tokens. Money in units. */
export interface DayRow {
  readonly format: Format;
  readonly rate: number;
  readonly hands: number;
  readonly voids: number;
  readonly settled: number;
  readonly turnover: number;
  readonly commission: number;
}

/** adjusted: by corrections, below zero when they took more. held_over: still set aside at the day's end. */
export interface AssetDay extends Omit<DayRow, "format" | "rate"> {
  readonly asset: Asset;
  readonly granted: number;
  readonly adjusted: number;
  readonly held_over: number;
  readonly contests_over: number;
  readonly rows: readonly DayRow[];
}

export interface DayReport {
  /** `2026-11-30`, by the house's own clock. */
  readonly day: string;
  readonly from_ms: number;
  readonly to_ms: number;
  /** Nothing can come into it any more. */
  readonly is_over: boolean;
  /** agrees: the ledger gives now what was signed off. */
  readonly closed: { readonly name: string; readonly closed_ms: number; readonly agrees: boolean } | null;
  readonly assets: readonly AssetDay[];
}

export interface ClosedDay {
  readonly day: string;
  readonly name: string;
  readonly closed_ms: number;
}

/** first_ms: when the first hand ended. */
export interface ClosedDays {
  readonly days: readonly ClosedDay[];
  readonly next: string | null;
  readonly first_ms: number | null;
}

export function closedDays(before: string | null): Promise<ClosedDays> {
  return call(`/api/operator/reports/days${asked({ before, limit: 60 })}`);
}

export function dayReport(day: string): Promise<DayReport> {
  return call(`/api/operator/reports/days/${encodeURIComponent(day)}`);
}

export function closeDay(day: string, reason: string): Promise<DayReport> {
  return post(`/api/operator/reports/days/${encodeURIComponent(day)}/close`, { reason });
}

export function dayFile(day: string): string {
  return `/api/operator/reports/days/${encodeURIComponent(day)}.csv`;
}
