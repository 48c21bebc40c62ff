/** Stretches of time that the first page shows. */

import { momentOf } from "../parts/filters";
import { dayStart, type Step } from "../parts/time_axis";
import type { Query } from "../route.svelte";

export const RANGES = ["today", "yesterday", "week", "month", "quarter", "chosen"] as const;
export type Range = (typeof RANGES)[number];

export interface Stretch {
  /** null: since the day began. */
  readonly from_ms: number | null;
  /** null: until now. */
  readonly to_ms: number | null;
  readonly step: Step;
}

const DAY_MS = 86_400_000;
const DAYS = { week: 7, month: 30, quarter: 90 } as const;
/** By the hour, a chart of more days is a carpet. */
const MOST_HOURLY_MS = 3 * DAY_MS;

export function rangeOf(query: Query): Range {
  return RANGES.find((one) => one === query["range"]) ?? "today";
}

/** Whole days of the house, the one that goes on included. offset: how many minutes its day is ahead of UTC's. */
export function stretchOf(query: Query, nowMs: number, offset: () => number): Stretch {
  const range = rangeOf(query);
  const wanted = query["step"];
  const step = (otherwise: Step): Step => (wanted === "hour" || wanted === "day" ? wanted : otherwise);
  switch (range) {
    case "today":
      return { from_ms: null, to_ms: null, step: step("hour") };
    case "yesterday":
      return { from_ms: dayStart(nowMs, offset()) - DAY_MS, to_ms: dayStart(nowMs, offset()), step: step("hour") };
    case "week":
    case "month":
    case "quarter":
      return { from_ms: dayStart(nowMs, offset()) - (DAYS[range] - 1) * DAY_MS, to_ms: null, step: step("day") };
    case "chosen": {
      const from_ms = momentOf(query["from"]);
      const to_ms = momentOf(query["to"]);
      const long = from_ms !== null && (to_ms ?? nowMs) - from_ms > MOST_HOURLY_MS;
      return { from_ms, to_ms, step: step(long ? "day" : "hour") };
    }
  }
}
