/** What a client checks before it gives its part to a shuffle (FAIRNESS_SPEC section 11, "before contributing"). */

import type { TableSummary } from "../../generated/protocol";
import { fromHex, join, sameBytes, toHex, u64, u8, type Bytes } from "../../fair/encoding";
import { provesInclusion } from "../../fair/merkle";
import { commitMessage } from "../../fair/receipts";
import { termsHash, type Terms } from "../../fair/terms";
import type { HouseKeys } from "./house_keys";

/** Why a shuffle can't be believed: each has its words in the catalogues. */
export type Problem = "commit" | "terms" | "signature" | "log" | "fork" | "list" | "two_lists" | "chain";

export interface CommitReceipt {
  readonly terms: Terms;
  readonly terms_hash: string;
  readonly commitment: string;
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly root: string;
  readonly at_ms: number;
  readonly inclusion: readonly string[];
  readonly signature: string;
}

export type Checked = { readonly problem: Problem } | { readonly problem: null; readonly th: Bytes; readonly seat: number };

/** Ids travel as UUIDs in messages and as 32 hex digits in the protocol of fairness. */
export function plainId(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** The terms are those of this table and of this player, signed, and in the log. */
export async function checkCommit(
  receipt: CommitReceipt,
  handId: string,
  playerId: string,
  table: TableSummary,
  keys: HouseKeys,
): Promise<Checked> {
  const { terms } = receipt;
  const th = termsHash(terms);
  const seat = terms.players.find((player) => player.player_id === plainId(playerId))?.seat;
  if (toHex(th) !== receipt.terms_hash || terms.hand_id !== plainId(handId)) return { problem: "commit" };
  if (seat === undefined || !areTermsOf(table, terms)) return { problem: "terms" };
  const message = commitMessage(th, fromHex(receipt.commitment), receipt);
  if (!(await keys.haveSigned(message, receipt))) return { problem: "signature" };
  return isInLog(receipt, th) ? { problem: null, th, seat } : { problem: "log" };
}

function areTermsOf(table: TableSummary, terms: Terms): boolean {
  // The numbers of a match follow from its format, which is among the rules compared.
  const { match: _, ...rules } = table.rules;
  const rulesAgree = Object.entries(rules).every(([name, value]) => terms.rules[name] === String(value));
  const stake = rules.format === "points" ? undefined : String(table.buy_in);
  return (
    rulesAgree &&
    terms.rules["buy_in"] === stake &&
    terms.table_id === plainId(table.table_id) &&
    terms.seats === table.seat_count &&
    terms.decks === (table.seat_count === 8 ? 3 : 2) &&
    terms.rate === table.rate &&
    terms.commission_bp === table.commission_bp
  );
}

function isInLog(receipt: CommitReceipt, th: Bytes): boolean {
  const { terms } = receipt;
  const leaf = join(
    u8(1),
    fromHex(terms.hand_id),
    fromHex(terms.table_id),
    u64(terms.hand_no),
    th,
    fromHex(receipt.commitment),
  );
  const proof = receipt.inclusion.map(fromHex);
  return provesInclusion(leaf, receipt.leaf_index, receipt.tree_size, proof, fromHex(receipt.root));
}

/** A seat's K in a closed list of hashes; null when the seat gave none or the list is malformed. */
export function hashInList(list: Bytes, seat: number): Bytes | null {
  const entry = 34;
  const entries = list[0] ?? 0;
  if (list.length !== 1 + entries * entry) return null;
  for (let at = 1; at < list.length; at += entry) {
    if (list[at] === seat) return list[at + 1] === 1 ? list.slice(at + 2, at + entry) : null;
  }
  return null;
}

export function holdsHash(list: Bytes, seat: number, hash: Bytes): boolean {
  const listed = hashInList(list, seat);
  return listed !== null && sameBytes(listed, hash);
}
