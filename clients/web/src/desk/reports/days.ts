/** Days by their names, `2026-11-30`: the same everywhere, whatever zone somebody sits in. */

import type { ClosedDay } from "./reports_http";

const DAY_MS = 86_400_000;

/** The day so many days later; earlier for a number below zero. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export interface ListedDay {
  readonly day: string;
  readonly closed: ClosedDay | null;
}

/**
 * The newest `most` days since the house's first hand, closed or not, and older ones that were closed.
 *
 * today: the last day to list. firstMs: null before the first hand.
 */
export function listedDays(closed: readonly ClosedDay[], today: string, firstMs: number | null, most: number): readonly ListedDay[] {
  const known = new Map(closed.map((one) => [one.day, one]));
  // A day of slack: the house's day may have begun while it was still the day before in UTC.
  const first = firstMs === null ? today : dayAfter(new Date(firstMs).toISOString().slice(0, 10), -1);
  const recent: string[] = [];
  for (let day = today; recent.length < most && day >= first; day = dayAfter(day, -1)) recent.push(day);
  const days = new Set([...recent, ...known.keys()]);
  return [...days].toSorted((a, b) => b.localeCompare(a)).map((day) => ({ day, closed: known.get(day) ?? null }));
}
