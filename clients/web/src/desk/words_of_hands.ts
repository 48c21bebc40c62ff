/** Hands, tokens and people as the desk says them. */

import type { Asset } from "../app/http";
import { count, signedTokens, tokens } from "../app/numbers";
import { settings } from "../app/settings.svelte";
import { voidWords, withoutMark } from "../app/words";
import * as m from "../paraglide/messages";

export type Outcome = "declared" | "last_in" | "void";

export function outcomeWords(outcome: Outcome, voidReason: string | null): string {
  switch (outcome) {
    case "declared":
      return m.outcome_declared();
    case "last_in":
      return m.outcome_last_in();
    case "void":
      return `${m.outcome_void()}: ${voidWords(voidReason ?? "")}`;
  }
}

export const FORMATS = ["points", "pool_101", "pool_201", "deals_2", "deals_3", "deals_6"] as const;
/** What a table plays, by the name that the house keeps of it. */
export type Format = (typeof FORMATS)[number];

export function formatWords(format: Format): string {
  const [kind, number] = format.split("_");
  if (kind === "pool") return m.format_pool_of({ n: count(Number(number)) });
  if (kind === "deals") return m.format_deals_of({ n: count(Number(number)) });
  return m.format_points();
}

export function amountWords(units: number, asset: Asset): string {
  return `${tokens(units)} ${asset}`;
}

export function signedAmount(units: number, asset: Asset): string {
  return `${signedTokens(units)} ${asset}`;
}

export function assetWords(asset: Asset): string {
  return asset === "HT" ? m.asset_ht() : m.asset_pt();
}

/** A name on the screen: bots are marked by the house in their names. */
export function nameWords(name: string): string {
  return withoutMark(name);
}

/** To the second: disputes are about moments. */
export function momentWords(unixMs: number): string {
  return new Intl.DateTimeFormat(settings.locale, { dateStyle: "medium", timeStyle: "medium" }).format(unixMs);
}

/** For a narrow column: the time, and the day below it. */
export function momentCell(unixMs: number): { readonly text: string; readonly note: string } {
  return {
    text: new Intl.DateTimeFormat(settings.locale, { timeStyle: "medium" }).format(unixMs),
    note: new Intl.DateTimeFormat(settings.locale, { dateStyle: "medium" }).format(unixMs),
  };
}

/** To the millisecond, without the day. */
export function preciseTime(unixMs: number): string {
  return new Intl.DateTimeFormat(settings.locale, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  }).format(unixMs);
}

/** The beginning of an id, enough to tell hands of one page apart. */
export function shortId(id: string): string {
  return id.replaceAll("-", "").slice(0, 8);
}

/** A day by its name, `2026-11-30`. */
export function dayWords(day: string): string {
  const ms = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(ms)) return day;
  return new Intl.DateTimeFormat(settings.locale, { dateStyle: "full", timeZone: "UTC" }).format(ms);
}
