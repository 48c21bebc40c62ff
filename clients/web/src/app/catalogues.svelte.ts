/**
 * The words of the languages other than English, fetched when somebody speaks them. Until they are there, and when they
 * can't be had, English stands in.
 */

import { getLocale } from "../paraglide/runtime";

type Words = (inputs: Readonly<Record<string, unknown>>) => string;
type Catalogue = Readonly<Record<string, Words>>;
/** What the table needs, what only other pages do, and what only the verifier does. */
export type Part = "table" | "pages" | "verify";

const SOURCES: Readonly<Record<string, Readonly<Record<Part, () => Promise<unknown>>>>> = {
  bn: {
    table: () => import("virtual:catalogue/bn/table"),
    pages: () => import("virtual:catalogue/bn/pages"),
    verify: () => import("virtual:catalogue/bn/verify"),
  },
  hi: {
    table: () => import("virtual:catalogue/hi/table"),
    pages: () => import("virtual:catalogue/hi/pages"),
    verify: () => import("virtual:catalogue/hi/verify"),
  },
};

let loaded = $state.raw<Readonly<Record<string, Catalogue>>>({});
const asked = new Map<string, Promise<void>>();

/** Called by every message (build/split_languages.ts): its words in the language shown, if they are here. */
export function wordsOf(name: string): Words | undefined {
  return loaded[getLocale()]?.[name];
}

/** Fetches what is missing of a language; resolves when it can be shown, or can't be had now. Never rejects. */
export function speak(locale: string, part: Part): Promise<void> {
  return learn(`${locale} ${part}`, locale, SOURCES[locale]?.[part]);
}

/** The same for words that only one page knows where to fetch. key: names them. */
export function learn(key: string, locale: string, source: (() => Promise<unknown>) | undefined): Promise<void> {
  if (source === undefined) return Promise.resolve();
  const fetched = asked.get(key) ?? source().then(
    (words) => void (loaded = { ...loaded, [locale]: { ...loaded[locale], ...(words as Catalogue) } }),
    // Whoever needs them next asks again.
    () => void asked.delete(key),
  );
  asked.set(key, fetched);
  return fetched;
}
