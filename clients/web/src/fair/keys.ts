/** Who of the house's keys signed what, by the verifier's own code. Source: FAIRNESS_SPEC section 9, docs/fairness.md. */

import type { Bytes } from "./encoding";
import { Malformed } from "./json_form";
import { isValidAt, keyStatement, parseKeyList, type KeyRing, type PublicKey } from "./key_ring";
import { isSignedBy } from "./signature";

/** Which key signed, and whether it was valid then. */
export type Signer =
  | { readonly state: "valid" | "key_not_valid_then"; readonly key: PublicKey }
  | { readonly state: "unknown_key"; readonly key: null };

/** Who signed this message; a key that was valid at the time of signing comes first. */
export function signerOf(ring: KeyRing, message: Bytes, at_ms: number, signature: string): Signer {
  const signed = (key: PublicKey): boolean => isSignedBy(key.public_key, message, signature);
  const valid = ring.find((key) => isValidAt(key, at_ms) && signed(key));
  if (valid !== undefined) return { state: "valid", key: valid };
  const late = ring.find((key) => !isValidAt(key, at_ms) && signed(key));
  return late === undefined ? { state: "unknown_key", key: null } : { state: "key_not_valid_then", key: late };
}

/** Whether the key signed these very days of validity. */
export function statesItself(key: PublicKey): boolean {
  return isSignedBy(key.public_key, keyStatement(key), key.signature);
}

/** Reads a published list, `{"keys": [...]}`. Throws Malformed, also for a key that has not signed its own days. */
export function readKeyList(value: unknown): KeyRing {
  const ring = parseKeyList(value);
  const foreign = ring.find((key) => !statesItself(key));
  if (foreign !== undefined) throw new Malformed(`the key ${foreign.key_id} has not signed its days of validity`);
  return ring;
}
