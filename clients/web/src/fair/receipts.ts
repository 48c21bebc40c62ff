/**
 * What the house signed, as the bytes that were signed, and whether a signature holds.
 * Source: FAIRNESS_SPEC section 9. Ed25519: RFC 8032, without the looser rules that some verifiers allow.
 */

import { ed25519 } from "@noble/curves/ed25519.js";
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

export function isSignedBy(publicKey: string, message: Bytes, signature: string): boolean {
  try {
    return ed25519.verify(fromHex(signature), message, fromHex(publicKey), { zip215: false });
  } catch {
    // A public key or signature that is no point of the curve: nothing was signed with it.
    return false;
  }
}
