/** Invite codes of the own private tables: the house tells each once, so this device keeps them. */

import { addressOf } from "../route.svelte";

const KEY = "rummy.invites";
const KEPT = 8;

type Kept = readonly (readonly [tableId: string, code: string])[];

function load(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept) : [];
  } catch {
    return [];
  }
}

export function keepInvite(tableId: string, code: string): void {
  const kept = [...load().filter(([one]) => one !== tableId), [tableId, code] as const].slice(-KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage the host makes a new link when they need one.
  }
}

export function keptInvite(tableId: string): string | null {
  return load().find(([one]) => one === tableId)?.[1] ?? null;
}

/** The link behind the hash: browsers send that part to no server. */
export function inviteLink(code: string): string {
  return `${location.origin}/${addressOf("join", code)}`;
}
