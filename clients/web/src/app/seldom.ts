/** What a table seldom shows: fetched when it is needed, with the words that only pages use. */

import { untrack, type Component } from "svelte";
import { speak } from "./catalogues.svelte";
import { settings } from "./settings.svelte";

/** The component, once it can speak the person's language. Rejects when it can't be had now. */
export async function seldom<Props extends Record<string, unknown>>(
  made: () => Promise<{ default: Component<Props> }>,
): Promise<Component<Props>> {
  const [module] = await Promise.all([made(), untrack(() => speak(settings.locale, "pages"))]);
  return module.default;
}
