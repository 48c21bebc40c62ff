/** Everything that the house has of one hand, for whoever settles a dispute over it. */

import { call, type Asset } from "../../app/http";
import { parseJson } from "../../fair/json_form";
import type { KeyRing } from "../../fair/key_ring";
import { readKeyList } from "../../fair/keys";
import type { Format, Outcome } from "../words_of_hands";

/** points, delta: null while the hand runs. */
export interface HandSeat {
  readonly seat: number;
  readonly player_id: string;
  readonly name: string;
  readonly points: number | null;
  readonly delta: number | null;
  /** Gave a part of the shuffle. */
  readonly contributed: boolean;
}

/** owner: `player`, or the house's kind of account. Amounts in units. */
export interface HandPosting {
  readonly account_id: number;
  readonly owner: "player" | "commission" | "issuance" | "void";
  readonly player_id: string | null;
  readonly name: string | null;
  readonly available_change: number;
  readonly held_change: number;
  readonly available_after: number;
  readonly held_after: number;
}

export interface HandEntry {
  readonly entry_id: number;
  readonly key: string;
  readonly kind: string;
  readonly reason: string;
  readonly at_ms: number;
  readonly hash: string;
  readonly postings: readonly HandPosting[];
}

export interface HandHold {
  readonly player_id: string;
  readonly name: string;
  readonly units: number;
}

export interface Onlooker {
  readonly player_id: string;
  readonly name: string;
  readonly role: string;
  readonly at_ms: number;
}

export interface HandAtTheDesk {
  readonly hand_id: string;
  readonly table_id: string;
  readonly table_name: string;
  readonly format: Format;
  readonly hand_no: number;
  readonly match_id: string | null;
  readonly asset: Asset;
  readonly rate: number;
  readonly commission_bp: number;
  readonly status: "open" | "closed";
  readonly opened_ms: number;
  readonly closed_ms: number | null;
  readonly outcome: Outcome | null;
  readonly void_reason: string | null;
  readonly seats: readonly HandSeat[];
  readonly entries: readonly HandEntry[];
  readonly entries_sum: number;
  /** What the ledger moved is what the record says; null where there is nothing to compare. */
  readonly ledger_agrees: boolean | null;
  readonly holds: readonly HandHold[];
  /** Public events, in the form of the hand file. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly watchers: readonly Onlooker[];
  readonly disconnects: readonly Onlooker[];
  /** What the house's own verifier says; null while the hand runs. */
  readonly verdict: { readonly ok: boolean } | null;
}

export function handAtTheDesk(handId: string): Promise<HandAtTheDesk> {
  return call(`/api/operator/hands/${encodeURIComponent(handId)}`);
}

/** The file of a closed hand, read as strictly as the verifier's page reads it. Throws Malformed. */
export async function handFile(handId: string): Promise<unknown> {
  return parseJson(await textAt(`/api/hands/${handId.replaceAll("-", "")}`));
}

export async function publishedKeys(): Promise<KeyRing> {
  return readKeyList(parseJson(await textAt("/api/fairness/keys")));
}

async function textAt(address: string): Promise<string> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.text();
}
