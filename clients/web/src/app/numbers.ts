/** Numbers and times in the person's language and numerals. */

import { settings } from "./settings.svelte";

const formats = new Map<string, Intl.NumberFormat>();

function format(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${settings.locale} ${name}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(settings.locale, options);
  formats.set(key, made);
  return made;
}

export function count(value: number): string {
  return format("count", { maximumFractionDigits: 0 }).format(value);
}

/** Tokens from units of 1/100, always with their hundredths when they have any. */
export function tokens(units: number): string {
  const whole = units % 100 === 0;
  return format(`tokens ${whole}`, { minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2 }).format(
    units / 100,
  );
}

/** Tokens won or lost, with their sign. */
export function signedTokens(units: number): string {
  const whole = units % 100 === 0;
  return format(`signed ${whole}`, {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero",
  }).format(units / 100);
}

/** Basis points as a percentage. */
export function percent(basisPoints: number): string {
  return format("percent", { style: "percent", maximumFractionDigits: 2 }).format(basisPoints / 10_000);
}

export function seconds(milliseconds: number): string {
  return count(Math.max(0, Math.ceil(milliseconds / 1000)));
}

export function dayAndTime(unixMs: number): string {
  return new Intl.DateTimeFormat(settings.locale, { dateStyle: "medium", timeStyle: "short" }).format(unixMs);
}
