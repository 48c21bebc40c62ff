/** What the log's leaves say: a hand was opened, a hand has ended. Source: FAIRNESS_SPEC section 9. */

import type { Outcome, VoidReason } from "../rummy/events";
import { fromHex, join, u64, u8, type Bytes } from "./encoding";
import { outcomeCode, voidReasonCode } from "./events";
import type { Terms } from "./terms";

export function openLeaf(terms: Terms, th: Bytes, commitment: Bytes): Bytes {
  return join(u8(1), fromHex(terms.hand_id), fromHex(terms.table_id), u64(terms.hand_no), th, commitment);
}

export function closeLeaf(
  terms: Terms,
  outcome: Outcome,
  voidReason: VoidReason | null,
  serverSeed: Bytes,
  lastHead: Bytes,
): Bytes {
  const reason = voidReason === null ? 0 : voidReasonCode(voidReason);
  return join(u8(2), fromHex(terms.hand_id), u8(outcomeCode(outcome)), u8(reason), serverSeed, lastHead);
}
