/** How the own cards lie, kept over reloads of the page: one layout per table, of its newest hand only. */

import type { Groups } from "./hand_groups";

interface Kept {
  readonly handId: string;
  readonly groups: Groups;
}

function keyOf(tableId: string): string {
  return `rummy.laid.${tableId}`;
}

export function loadLaid(tableId: string, handId: string): Groups {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(tableId)) ?? "null") as Kept | null;
    return kept?.handId === handId ? kept.groups : [];
  } catch {
    return [];
  }
}

export function saveLaid(tableId: string, handId: string, groups: Groups): void {
  try {
    localStorage.setItem(keyOf(tableId), JSON.stringify({ handId, groups } satisfies Kept));
  } catch {
    // Without storage a reload shows the cards sorted by suit again.
  }
}
