/** What a person gives the verifier: texts of hand files, receipts and key lists, or the id of a hand. */

import { Malformed, parseJson } from "../fair/json_form";
import { readKeptReceipt, type KeptReceipt } from "../fair/kept_receipt";
import type { KeyRing } from "../fair/key_ring";
import { readKeyList } from "../fair/keys";

export type Given =
  | { readonly kind: "hand"; readonly file: unknown }
  | { readonly kind: "receipts"; readonly receipts: readonly KeptReceipt[] }
  | { readonly kind: "keys"; readonly keys: KeyRing }
  | { readonly kind: "unreadable"; readonly words: string }
  | { readonly kind: "unknown" };

/** What a text is. A hand file is only recognised here; whether it is well-formed is the first check of its own. */
export function readGiven(text: string): Given {
  try {
    return recognised(parseJson(text));
  } catch (error) {
    if (error instanceof Malformed) return { kind: "unreadable", words: error.message };
    throw error;
  }
}

function recognised(value: unknown): Given {
  if (typeof value !== "object" || value === null) return { kind: "unknown" };
  if (Array.isArray(value)) {
    return value.length === 0 ? { kind: "unknown" } : { kind: "receipts", receipts: value.map(readKeptReceipt) };
  }
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (has("receipt")) return { kind: "receipts", receipts: [readKeptReceipt(value)] };
  if (has("events") || has("input")) return { kind: "hand", file: value };
  return has("keys") ? { kind: "keys", keys: readKeyList(value) } : { kind: "unknown" };
}

/** The id of a hand as the house's addresses take it; null when the text is none. Dashes and capitals are forgiven. */
export function readHandId(text: string): string | null {
  const plain = text.trim().replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : null;
}

/** The hand that an address asks for, as in `verify.html#hand=…`. */
export function handInAddress(fragment: string): string | null {
  return readHandId(new URLSearchParams(fragment.replace(/^#/, "")).get("hand") ?? "");
}

/** Whether a house stands behind this page: a page opened from disk has none to ask. */
export function hasHouse(protocol: string): boolean {
  return protocol === "http:" || protocol === "https:";
}

export type Fetched<T> = { readonly state: "got"; readonly value: T } | { readonly state: "missing" | "unreachable" };

export async function fetchHand(handId: string): Promise<Fetched<unknown>> {
  return fetched(`api/hands/${handId}`, (text) => parseJson(text));
}

export async function fetchKeys(): Promise<Fetched<KeyRing>> {
  return fetched("api/fairness/keys", (text) => readKeyList(parseJson(text)));
}

async function fetched<T>(address: string, read: (text: string) => T): Promise<Fetched<T>> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" } });
    if (response.status === 404) return { state: "missing" };
    return response.ok ? { state: "got", value: read(await response.text()) } : { state: "unreachable" };
  } catch {
    return { state: "unreachable" };
  }
}
