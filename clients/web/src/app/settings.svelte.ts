/** What a person has set on this device: language, cards, sound. Kept in local storage, read with care. */

import { baseLocale, isLocale, locales, overwriteGetLocale, type Locale } from "../paraglide/runtime";

export interface Settings {
  locale: Locale;
  fourColours: boolean;
  largeCards: boolean;
  leftHand: boolean;
  sound: boolean;
  /** What the person adds to every shuffle besides the random nonce. */
  seedText: string;
}

const KEY = "rummy.settings";

export const LANGUAGE_NAMES: Record<Locale, string> = { en: "English", bn: "বাংলা", hi: "हिन्दी" };

function preferredLocale(): Locale {
  for (const language of navigator.languages) {
    const wanted = language.split("-")[0];
    const found = locales.find((locale) => locale === wanted);
    if (found !== undefined) return found;
  }
  return baseLocale;
}

function load(): Settings {
  const settings: Settings = {
    locale: preferredLocale(),
    fourColours: false,
    largeCards: false,
    leftHand: false,
    sound: true,
    seedText: "",
  };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof Settings, unknown>>;
    if (isLocale(kept.locale)) settings.locale = kept.locale;
    for (const name of ["fourColours", "largeCards", "leftHand", "sound"] as const) {
      const value = kept[name];
      if (typeof value === "boolean") settings[name] = value;
    }
    if (typeof kept.seedText === "string") settings.seedText = kept.seedText;
  } catch {
    // Unreadable settings are no settings; the next change writes good ones.
  }
  return settings;
}

export const settings = $state<Settings>(load());

overwriteGetLocale(() => settings.locale);

/** Keeps the page's attributes and the device's storage in step with the settings; call once, inside an effect root. */
export function applySettings(): void {
  $effect(() => {
    const page = document.documentElement;
    page.lang = settings.locale;
    page.dataset["suits"] = settings.fourColours ? "four" : "two";
    page.dataset["cards"] = settings.largeCards ? "large" : "usual";
    page.dataset["hand"] = settings.leftHand ? "left" : "right";
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // A full or forbidden storage costs the person their settings at the next visit, nothing else.
    }
  });
}
