/** The house's public keys with their days of validity. Source: FAIRNESS_SPEC section 9, docs/fairness.md. */

import { fromHex, join, label, u32, type Bytes } from "./encoding";
import { Fields, Malformed } from "./json_form";
import { isSignedBy, keyId } from "./receipts";

/** Valid from the first to the last UTC day, both included, as days since 1970-01-01. Bytes as hex. */
export interface PublicKey {
  readonly key_id: string;
  readonly public_key: string;
  readonly firstDay: number;
  readonly lastDay: number;
  /** The key's own signature over its days of validity. */
  readonly signature: string;
}

export type KeyRing = readonly PublicKey[];

/** Which key signed, and whether it was valid then. */
export type Signer =
  | { readonly state: "valid" | "key_not_valid_then"; readonly key: PublicKey }
  | { readonly state: "unknown_key"; readonly key: null };

export const MAX_KEYS = 1000;
const MS_PER_DAY = 86_400_000;

/** Who signed this message; a key that was valid at the time of signing comes first. */
export function signerOf(ring: KeyRing, message: Bytes, at_ms: number, signature: string): Signer {
  const day = Math.floor(at_ms / MS_PER_DAY);
  const isValidThen = (key: PublicKey): boolean => key.firstDay <= day && day <= key.lastDay;
  const signed = (key: PublicKey): boolean => isSignedBy(key.public_key, message, signature);
  const valid = ring.find((key) => isValidThen(key) && signed(key));
  if (valid !== undefined) return { state: "valid", key: valid };
  const late = ring.find((key) => !isValidThen(key) && signed(key));
  return late === undefined ? { state: "unknown_key", key: null } : { state: "key_not_valid_then", key: late };
}

/** Whether the key signed these very days of validity. */
export function statesItself(key: PublicKey): boolean {
  const statement = join(label("key"), fromHex(key.public_key), u32(key.firstDay), u32(key.lastDay));
  return isSignedBy(key.public_key, statement, key.signature);
}

/** Throws Malformed. */
export function readKey(fields: Fields): PublicKey {
  const key = {
    key_id: fields.hex("key_id", 8),
    public_key: fields.hex("public_key", 32),
    firstDay: readDay(fields, "first_day"),
    lastDay: readDay(fields, "last_day"),
    signature: fields.hex("signature", 64),
  };
  if (key.key_id !== keyId(key.public_key)) {
    throw fields.wrong("key_id", "is not the first 8 bytes of SHA-256(public key)");
  }
  if (key.lastDay < key.firstDay) throw fields.wrong("last_day", "is before the first day");
  fields.nothingElse();
  return key;
}

/** Reads a published list, `{"keys": [...]}`. Throws Malformed, also for a key that has not signed its own days. */
export function readKeyList(value: unknown): KeyRing {
  const fields = new Fields(value, "key list");
  const ring = fields.objects("keys", MAX_KEYS, readKey);
  fields.nothingElse();
  const foreign = ring.find((key) => !statesItself(key));
  if (foreign !== undefined) throw new Malformed(`the key ${foreign.key_id} has not signed its days of validity`);
  return ring;
}

export function dayName(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

function readDay(fields: Fields, name: string): number {
  const text = fields.text(name);
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A date that rolls over, such as 30 February, is another day than the one written.
  if (Number.isNaN(ms) || ms < 0 || dayName(ms / MS_PER_DAY) !== text) {
    throw fields.wrong(name, `is '${text.slice(0, 40)}': write YYYY-MM-DD, 1970 or later`);
  }
  return ms / MS_PER_DAY;
}
