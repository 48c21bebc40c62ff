/** Take a chair and go there. */

import * as m from "../../paraglide/messages";
import { house } from "../house.svelte";
import { router } from "../route.svelte";
import { refusalWords } from "../words";

/** Resolves with why it did not work, in words; null once the person sits. */
export async function takeChair(tableId: string): Promise<string | null> {
  const store = house.watchTable(tableId);
  if (await store.sit(null)) {
    router.go("table", tableId);
    return null;
  }
  return store.refusal === null ? m.unreachable() : refusalWords(store.refusal);
}
