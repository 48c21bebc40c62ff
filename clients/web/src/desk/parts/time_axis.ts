/** Hours and days of a chart in words, in the house's own zone: its days begin where its figures do. */

export type Step = "hour" | "day";

/** offsetMinutes: how far the house's day is ahead of UTC's. */
export interface TimeAxis {
  readonly step: Step;
  readonly offsetMinutes: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MARK = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" },
  day: { day: "numeric", month: "short", timeZone: "UTC" },
} as const satisfies Record<Step, Intl.DateTimeFormatOptions>;
const WHOLE = {
  hour: { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" },
  day: { dateStyle: "medium", timeZone: "UTC" },
} as const satisfies Record<Step, Intl.DateTimeFormatOptions>;

/** As short as it stands below a chart. */
export function markWords(ms: number, { step, offsetMinutes }: TimeAxis, locale: string): string {
  return new Intl.DateTimeFormat(locale, MARK[step]).format(ms + offsetMinutes * MINUTE_MS);
}

export function stepWords(ms: number, { step, offsetMinutes }: TimeAxis, locale: string): string {
  return new Intl.DateTimeFormat(locale, WHOLE[step]).format(ms + offsetMinutes * MINUTE_MS);
}

/** When the house's day of this moment began. */
export function dayStart(ms: number, offsetMinutes: number): number {
  const offset = offsetMinutes * MINUTE_MS;
  return Math.floor((ms + offset) / DAY_MS) * DAY_MS - offset;
}

/** The house's day of this moment, as `2026-11-30`. */
export function dayName(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
}
