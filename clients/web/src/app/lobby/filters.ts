/** Which tables of the lobby a person wants to see; remembered on the device. */

import type { Command, TableSummary } from "../../generated/protocol";

export const SIZES = [4, 6, 8] as const;
export const FORMATS = ["points", "pool", "deals"] as const;
export const TOKENS = ["HT", "PT"] as const;

export type Size = (typeof SIZES)[number];
export type FormatKind = (typeof FORMATS)[number];
export type Tokens = (typeof TOKENS)[number];
export type QuickSeatWishes = Omit<Extract<Command, { type: "quick_seat" }>, "id" | "type">;

export interface Filters {
  readonly seats: Size | null;
  readonly format: FormatKind | null;
  readonly tokens: Tokens | null;
  /** Token units: of a point, or of the buy-in of a match. */
  readonly price: number | null;
  readonly freeOnly: boolean;
}

export const ALL: Filters = { seats: null, format: null, tokens: null, price: null, freeOnly: false };

const KEY = "rummy.lobby";

export function formatKind(table: TableSummary): FormatKind {
  return table.rules.match?.kind ?? "points";
}

/** What a table costs, in token units: a point of a hand, or the buy-in of a match. */
export function priceOf(table: TableSummary): number {
  return table.rules.match === null ? table.rate : table.buy_in;
}

/** mine: the person has a chair there, and finds it whatever else is asked. */
export function fits(table: TableSummary, filters: Filters, mine: boolean): boolean {
  return (
    (filters.seats === null || table.seat_count === filters.seats) &&
    (filters.format === null || formatKind(table) === filters.format) &&
    (filters.tokens === null || table.asset === filters.tokens) &&
    (filters.price === null || priceOf(table) === filters.price) &&
    (!filters.freeOnly || table.free > 0 || mine)
  );
}

/** The wishes of quick seat that say the same as the filters. Without a format it looks for points alone. */
export function wishesOf(filters: Filters): QuickSeatWishes {
  const kind = filters.format ?? "points";
  return {
    format: kind,
    asset: filters.tokens,
    seat_count: filters.seats,
    ...(kind === "points" ? { min_rate: filters.price, max_rate: filters.price } : {}),
  };
}

export function loadFilters(storage: Storage): Filters {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? "{}") as Partial<Record<keyof Filters, unknown>>;
    return {
      seats: SIZES.find((one) => one === kept.seats) ?? null,
      format: FORMATS.find((one) => one === kept.format) ?? null,
      tokens: TOKENS.find((one) => one === kept.tokens) ?? null,
      price: typeof kept.price === "number" ? kept.price : null,
      freeOnly: kept.freeOnly === true,
    };
  } catch {
    return ALL;
  }
}

export function saveFilters(storage: Storage, filters: Filters): void {
  try {
    storage.setItem(KEY, JSON.stringify(filters));
  } catch {
    // Without storage they hold for this visit.
  }
}
