/** The desk's own words, fetched with those that it shares with the tables and the verifier. */

import { learn, speak } from "../app/catalogues.svelte";

const SOURCES: Readonly<Record<string, () => Promise<unknown>>> = {
  bn: () => import("virtual:catalogue/bn/desk"),
  hi: () => import("virtual:catalogue/hi/desk"),
};

export async function speakAtTheDesk(locale: string): Promise<void> {
  await Promise.all([
    learn(`${locale} desk`, locale, SOURCES[locale]),
    speak(locale, "table"),
    speak(locale, "pages"),
  ]);
}
