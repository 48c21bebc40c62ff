/** What the house signed, as the bytes that were signed. Source: FAIRNESS_SPEC section 9. */

import { fromHex, hash, join, label, sha256, toHex, u32, u64, u8, type Bytes } from "./encoding";

export function treeHeadMessage(head: { tree_size: number; root: string; at_ms: number }): Bytes {
  return join(label("sth"), u64(head.tree_size), fromHex(head.root), u64(head.at_ms));
}

export function commitMessage(
  th: Bytes,
  commitment: Bytes,
  receipt: { leaf_index: number; tree_size: number; root: string; at_ms: number },
): Bytes {
  return join(
    label("receipt/commit"),
    th,
    commitment,
    u64(receipt.leaf_index),
    u64(receipt.tree_size),
    fromHex(receipt.root),
    u64(receipt.at_ms),
  );
}

/** kind: a contribution's `K` was accepted, or its opening was. */
export function contributionMessage(
  kind: "contribution" | "reveal",
  th: Bytes,
  receipt: { seat: number; hash: string; at_ms: number },
): Bytes {
  return join(label(`receipt/${kind}`), th, u8(receipt.seat), fromHex(receipt.hash), u64(receipt.at_ms));
}

export function hashesMessage(th: Bytes, receipt: { hashes: string; at_ms: number }): Bytes {
  return join(label("receipt/hashes"), th, hash("hashes", fromHex(receipt.hashes)), u64(receipt.at_ms));
}

export function stateMessage(
  th: Bytes,
  receipt: { k: number; head: string; seat: number; seat_head: string; at_ms: number },
): Bytes {
  return join(
    label("receipt/state"),
    th,
    u32(receipt.k),
    fromHex(receipt.head),
    u8(receipt.seat),
    fromHex(receipt.seat_head),
    u64(receipt.at_ms),
  );
}

/** First 8 bytes of SHA-256 of the public key, as hex. */
export function keyId(publicKey: string): string {
  return toHex(sha256(fromHex(publicKey)).slice(0, 8));
}
